#pragma once
// Calls that Swift cannot make itself: variadic functions (prctl, syscall), fork, and function-like macros.

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <malloc.h>
#include <net/if.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t HELIOGRAPH_SECCOMP_ALLOW = SCMP_ACT_ALLOW;
static const uint32_t HELIOGRAPH_SECCOMP_REFUSE = SCMP_ACT_ERRNO(EPERM);
static const uint32_t HELIOGRAPH_SECCOMP_ABSENT = SCMP_ACT_ERRNO(ENOSYS);
static const uint32_t HELIOGRAPH_SECCOMP_KILL = SCMP_ACT_KILL_PROCESS;
// Numbers that glibc's headers show only to programs that define _GNU_SOURCE, and macros that Swift does not import.
static const int HELIOGRAPH_F_DUPFD_CLOEXEC = 1030;
static const int HELIOGRAPH_F_SETPIPE_SZ = 1031;
static const int HELIOGRAPH_O_TMPFILE = 020000000;
static const int HELIOGRAPH_TIOCLINUX = 0x541c;
static const int HELIOGRAPH_PR_SET_NO_NEW_PRIVS = PR_SET_NO_NEW_PRIVS;
static const int HELIOGRAPH_PR_SET_PDEATHSIG = PR_SET_PDEATHSIG;
static const int HELIOGRAPH_PR_SET_DUMPABLE = PR_SET_DUMPABLE;
// What fork and posix_spawn pass to clone: a signal, CLONE_CHILD_SETTID and CLEARTID; CLONE_VM and CLONE_VFORK.
static const int HELIOGRAPH_FORK_FLAGS = 0xff | 0x01000000 | 0x00200000 | 0x00000100 | 0x00004000;
// O_PATH, which glibc's header shows only to programs that define _GNU_SOURCE.
static const int HELIOGRAPH_OPEN_PATH = 010000000 | O_CLOEXEC;

static inline int heliograph_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int heliograph_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int heliograph_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
static inline int heliograph_default_signal(int number) { return signal(number, SIG_DFL) == SIG_ERR ? -1 : 0; }
static inline int heliograph_ignore_signal(int number) { return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0; }
// Calls that a signal interrupts go on where they can.
static inline int heliograph_handle_signal(int number, void (*handler)(int)) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, 0);
}
static inline int heliograph_close_range(unsigned first, unsigned last) {
    return first > last ? 0 : (int)syscall(SYS_close_range, first, last, 0u);
}
static inline int heliograph_pipe_size(int descriptor, int bytes) { return fcntl(descriptor, HELIOGRAPH_F_SETPIPE_SZ, bytes); }
// pipe2 with O_CLOEXEC, which glibc's header shows only to programs that define _GNU_SOURCE.
static inline int heliograph_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }
// Blocks of less than `bytes` come from memory that the process keeps, up to twice as much of it.
static inline int heliograph_keep_memory(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes) && mallopt(M_TRIM_THRESHOLD, 2 * bytes); }
static inline int heliograph_leave_terminal(int descriptor) { return ioctl(descriptor, TIOCNOTTY); }
static inline pid_t heliograph_fork(void) { return fork(); }

// linux/landlock.h as of ABI 6; Debian 12's own header stops at ABI 2. The kernel accepts a shorter structure.
struct heliograph_landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

static inline long heliograph_landlock_abi(void) { return syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, 1u); }

static inline long heliograph_landlock_create(const struct heliograph_landlock_ruleset *ruleset, size_t size) {
    return syscall(SYS_landlock_create_ruleset, ruleset, size, 0u);
}

static inline long heliograph_landlock_allow(int ruleset, uint64_t rights, int parent) {
    const struct {
        uint64_t allowed_access;
        int32_t parent_fd;
    } __attribute__((packed)) path = {rights, parent};
    return syscall(SYS_landlock_add_rule, ruleset, 1, &path, 0u);
}

static inline long heliograph_landlock_restrict(int ruleset) { return syscall(SYS_landlock_restrict_self, ruleset, 0u); }

// One comparison of a rule: it holds where (argument & mask) == value.
static inline struct scmp_arg_cmp heliograph_seccomp_masked(unsigned argument, uint64_t mask, uint64_t value) {
    const struct scmp_arg_cmp compare = {argument, SCMP_CMP_MASKED_EQ, mask, value};
    return compare;
}

static inline int heliograph_seccomp_rule(scmp_filter_ctx filter, uint32_t action, int call) {
    return seccomp_rule_add_array(filter, action, call, 0, (const struct scmp_arg_cmp *)0);
}

// The same for a socket; the programs import no socket function of glibc.
static inline long heliograph_probe_socket(int family) { return syscall(SYS_socket, family, 1 /* SOCK_STREAM */, 0); }

// For the proof that the filter holds: opens an io_uring without glibc, which has no function for it.
static inline long heliograph_probe_io_uring(void) {
    char parameters[120] = {0};
    return syscall(SYS_io_uring_setup, 4u, parameters);
}

// For the tests: any call with its six arguments, and the flag that keeps other processes of the same user out.
static inline long heliograph_probe_call(long number, const long arguments[6]) {
    return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
static inline int heliograph_dumpable(int value) { return prctl(PR_SET_DUMPABLE, value, 0, 0, 0); }
static inline int heliograph_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
