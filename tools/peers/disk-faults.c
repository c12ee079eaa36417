// Preloaded into a program: counts what it does to the files below one directory, and lets the disk fail at one of these steps.
//
// Environment: FAULTS_BELOW the directory; FAULTS_TRACE a descriptor that gets a line for each step; FAULTS_AT the number of the step, from 1;
// FAULTS_KIND what happens there:
//   kill   the process ends before the step, as by SIGKILL: no handler runs, nothing is flushed
//   full   this step and all later ones that need space fail with ENOSPC
//   grow   from here on no file gets longer: ENOSPC; what it has may be written again, so that every attempt leaves something
//   eio    this step and all later ones fail with EIO
//   rofs   this step and all later ones fail with EROFS
//   short  from here on a write takes one byte at most
//   eintr  from here on every other step that a signal can interrupt is interrupted once
// FAULTS_CLOCK: seconds that the clock of the day is off.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NONE, KILL, FULL, EIO_, ROFS, SHORT, EINTR_, GROW };

static char below[4096];
static size_t below_length;
static int trace = -1, at, kind, step, interrupted;
static long clock_offset;
static unsigned char inside[4096];

// The C library's functions. They are looked up before the program begins: a signal handler that asks for the time must not find dlsym's lock held.
#define FUNCTIONS(do) \
    do(open) do(open64) do(openat) do(openat64) do(close) do(fsync) do(fdatasync) do(rename) do(link) do(unlink) do(unlinkat) do(mkdir) \
    do(ftruncate) do(ftruncate64) do(write) do(pwrite) do(pwrite64) do(clock_gettime)
#define DECLARE(name) static __typeof__(&name) real_##name;
#define FIND(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
FUNCTIONS(DECLARE)

// Other libraries may begin earlier.
static void find(void) { FUNCTIONS(FIND) }
#define REAL(name) (*(real_##name ? &real_##name : (find(), &real_##name)))

__attribute__((constructor)) static void start(void) {
    find();
    const char *path = getenv("FAULTS_BELOW"), *value;
    if (path && (below_length = strlen(path)) < sizeof below) memcpy(below, path, below_length + 1);
    if ((value = getenv("FAULTS_TRACE"))) trace = atoi(value);
    if ((value = getenv("FAULTS_AT"))) at = atoi(value);
    if ((value = getenv("FAULTS_CLOCK"))) clock_offset = atol(value);
    value = getenv("FAULTS_KIND");
    static const char *const names[] = {"", "kill", "full", "eio", "rofs", "short", "eintr", "grow"};
    for (int i = 1; value && i < 8; i++)
        if (!strcmp(value, names[i])) kind = i;
    unsetenv("LD_PRELOAD");
}

static int is_below(const char *path) { return below_length && path && !strncmp(path, below, below_length); }
static int is_inside(int fd) { return fd >= 0 && fd < (int)sizeof inside && inside[fd]; }

// What a write needs: 2 where it makes the file longer, else 1.
static int need(int fd, off64_t end) {
    struct stat facts;
    return fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && end > facts.st_size ? 2 : 1;
}

// What happens at this step: 0 to do it, 1 to fail with errno, 2 to write one byte only.
static int next(const char *name, const char *path, int needs_space, int interruptible) {
    step++;
    if (trace >= 0) {
        char line[512];
        int length = snprintf(line, sizeof line, "%d %s %s\n", step, name, path ? path : "");
        if (length > (int)sizeof line) length = sizeof line;
        if (syscall(SYS_write, trace, line, length) < 0) trace = -1;
    }
    if (!at || step < at) return 0;
    switch (kind) {
    case KILL: syscall(SYS_exit_group, 137); return 0;
    case FULL: if (!needs_space) return 0; errno = ENOSPC; return 1;
    case GROW: if (needs_space < 2) return 0; errno = ENOSPC; return 1;
    case EIO_: errno = EIO; return 1;
    case ROFS: errno = EROFS; return 1;
    case SHORT: return 2;
    case EINTR_: interrupted = interruptible && !interrupted; errno = EINTR; return interrupted;
    default: return 0;
    }
}

static int opened(int fd, const char *path) {
    if (fd >= 0 && fd < (int)sizeof inside) inside[fd] = is_below(path);
    return fd;
}

#define OPEN(name)                                                                          \
    int name(const char *path, int flags, ...) {                                            \
        va_list list;                                                                       \
        va_start(list, flags);                                                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;             \
        va_end(list);                                                                       \
        if (is_below(path) && flags & (O_CREAT | O_TRUNC) && next(#name, path, 1, 1) == 1) return -1; \
        return opened(REAL(name)(path, flags, mode), path);                                 \
    }
OPEN(open)
OPEN(open64)

// A name in a directory that was opened below.
#define OPENAT(name)                                                                        \
    int name(int directory, const char *path, int flags, ...) {                             \
        va_list list;                                                                       \
        va_start(list, flags);                                                              \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;             \
        va_end(list);                                                                       \
        if (is_inside(directory) && flags & (O_CREAT | O_TRUNC) && next(#name, path, 1, 1) == 1) return -1; \
        int fd = REAL(name)(directory, path, flags, mode);                                  \
        if (fd >= 0 && fd < (int)sizeof inside) inside[fd] = is_inside(directory);          \
        return fd;                                                                          \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < (int)sizeof inside) inside[fd] = 0;
    return REAL(close)(fd);
}

// SQLite takes an interrupted fdatasync for a failure; no file system of Linux interrupts one on a local disk.
#define SYNC(name, interruptible)                                                    \
    int name(int fd) {                                                               \
        if (is_inside(fd) && next(#name, 0, 0, interruptible) == 1) return -1;       \
        return REAL(name)(fd);                                                       \
    }
SYNC(fsync, 1)
SYNC(fdatasync, 0)

#define ON_PATHS(name)                                                                           \
    int name(const char *from, const char *to) {                                                 \
        if ((is_below(from) || is_below(to)) && next(#name, to, 1, 0) == 1) return -1;              \
        return REAL(name)(from, to);                                                             \
    }
ON_PATHS(rename)
ON_PATHS(link)

int unlink(const char *path) {
    if (is_below(path) && access(path, F_OK) == 0 && next("unlink", path, 0, 0) == 1) return -1;
    return REAL(unlink)(path);
}

int unlinkat(int directory, const char *path, int flags) {
    if (is_inside(directory) && faccessat(directory, path, F_OK, 0) == 0 && next("unlinkat", path, 0, 0) == 1) return -1;
    return REAL(unlinkat)(directory, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    if (is_below(path) && access(path, F_OK) != 0 && next("mkdir", path, 1, 0) == 1) return -1;
    return REAL(mkdir)(path, mode);
}

#define TRUNCATE(name, type)                                                  \
    int name(int fd, type length) {                                           \
        if (is_inside(fd) && next(#name, 0, 0, 1) == 1) return -1;               \
        return REAL(name)(fd, length);                                        \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
    int whence = fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR;
    int result = is_inside(fd) ? next("write", 0, need(fd, lseek(fd, 0, whence) + count), 1) : 0;
    return result == 1 ? -1 : REAL(write)(fd, bytes, result == 2 && count ? 1 : count);
}

#define PWRITE(name, type)                                                                      \
    ssize_t name(int fd, const void *bytes, size_t count, type offset) {                        \
        int result = is_inside(fd) ? next(#name, 0, need(fd, offset + count), 1) : 0;               \
        return result == 1 ? -1 : REAL(name)(fd, bytes, result == 2 && count ? 1 : count, offset); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

time_t time(time_t *result) {
    struct timespec now;
    if (REAL(clock_gettime)(CLOCK_REALTIME, &now)) return -1;
    now.tv_sec += clock_offset;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(clock_gettime)(clock, now);
    if (!result && clock == CLOCK_REALTIME) now->tv_sec += clock_offset;
    return result;
}
