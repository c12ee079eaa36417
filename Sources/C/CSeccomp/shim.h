#pragma once
// Calls that Swift cannot make itself: variadic functions (prctl, syscall), fork, and function-like macros.

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <net/if.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
// A page of a mapped file that the disk has no room for, or cannot read: SQLite maps its -shm file. The error is said, and nothing is printed of memory;
// a signal handler may call write(2) and _exit(2), and little else.
static inline void heliograph_say_bus_error(int number) {
    static const char text[] =
        "heliograph: error: a file of the vault cannot be read through memory: the disk is full or failing\n"
        "heliograph: hint: free some space and try again\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    (void)number;
    _exit(74);
}
static inline int heliograph_report_bus_error(void) { return heliograph_handle_signal(SIGBUS, heliograph_say_bus_error); }
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

// A program that is started shut in: limits, Landlock and the filter take hold between fork and execve, where a process with threads may
// only make system calls. Everything is made ready before.
struct heliograph_confined {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int input;
    int output;
    // Landlock's ruleset; negative where the kernel has none.
    int ruleset;
    // What seccomp_export_bpf wrote, and its length in bytes.
    const void *filter;
    size_t filter_length;
    uint64_t memory;
    uint64_t processor_time;
    uint64_t descriptors;
};

static const int HELIOGRAPH_CONFINED_LIMITS = 121;
static const int HELIOGRAPH_CONFINED_LANDLOCK = 122;
static const int HELIOGRAPH_CONFINED_SECCOMP = 123;
static const int HELIOGRAPH_CONFINED_START = 124;

static inline int heliograph_limit(int resource, uint64_t value) {
    const struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

// As execve(2) leaves the process afterwards: standard input and output are the two descriptors, standard error is gone.
static inline void heliograph_become_confined(const struct heliograph_confined *plan) {
    sigset_t none;
    const struct sock_fprog program = {(unsigned short)(plan->filter_length / sizeof(struct sock_filter)), (struct sock_filter *)plan->filter};
    // Above all that is replaced below.
    const int input = fcntl(plan->input, F_DUPFD, 3), output = fcntl(plan->output, F_DUPFD, 3);
    const int nowhere = open("/dev/null", O_RDWR);
    sigemptyset(&none);
    if (input < 0 || output < 0 || nowhere < 0 || sigprocmask(SIG_SETMASK, &none, 0) != 0 || setsid() < 0 || heliograph_die_with_parent() != 0)
        _exit(HELIOGRAPH_CONFINED_LIMITS);
    if (heliograph_limit(RLIMIT_CORE, 0) != 0 || heliograph_limit(RLIMIT_FSIZE, 0) != 0 || heliograph_limit(RLIMIT_DATA, plan->memory) != 0 ||
        heliograph_limit(RLIMIT_CPU, plan->processor_time) != 0)
        _exit(HELIOGRAPH_CONFINED_LIMITS);
    if (heliograph_no_new_privileges() != 0 || (plan->ruleset >= 0 && heliograph_landlock_restrict(plan->ruleset) != 0))
        _exit(HELIOGRAPH_CONFINED_LANDLOCK);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(nowhere, 2) < 0 || heliograph_close_range(3, ~0u) != 0 ||
        heliograph_limit(RLIMIT_NOFILE, plan->descriptors) != 0)
        _exit(HELIOGRAPH_CONFINED_LIMITS);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0) _exit(HELIOGRAPH_CONFINED_SECCOMP);
    execve(plan->path, plan->arguments, plan->environment);
    _exit(HELIOGRAPH_CONFINED_START);
}

static inline pid_t heliograph_start_confined(const struct heliograph_confined *plan) {
    const pid_t process = fork();
    if (process == 0) heliograph_become_confined(plan);
    return process;
}

// From now on the process gets no new descriptor, whatever the call.
static inline int heliograph_refuse_descriptors(pid_t process) {
    const struct rlimit none = {0, 0};
    return (int)syscall(SYS_prlimit64, process, RLIMIT_NOFILE, &none, (void *)0);
}
