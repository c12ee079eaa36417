// The first process of the appliance, in place of an init system and a shell: mounts, loads the listed modules, closes the kernel for further ones,
// decides which USB devices may speak, and starts Heliograph for an ordinary user. Nobody can log in.
#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void mounts(void) {
    const unsigned long plain = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    mount("proc", "/proc", "proc", plain, "hidepid=invisible");
    // Only this process reaches the writable one: /private is its own folder.
    mount("sysfs", PRIVATE_SYSFS, "sysfs", plain, NULL);
    mount(PRIVATE_SYSFS, "/sys", NULL, MS_BIND, NULL);
    mount(NULL, "/sys", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | plain, NULL);
    mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755");
    mkdir("/dev/pts", 0755);
    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "mode=0600");
    mount("tmpfs", "/tmp", "tmpfs", plain, "size=64m,mode=1777");
    mount("tmpfs", "/run", "tmpfs", plain, "size=4m,mode=0755");
    symlink("/proc/self/fd", "/dev/fd");
    mkdir("/run/user", 0755);
    mkdir("/run/user/1000", 0700);
    chown("/run/user/1000", USER_ID, USER_ID);
}

/// Loads the modules in the order of the list: a file name, and what it is told, on each line. One that finds no hardware of its own is left out.
static void modules(void) {
    FILE *list = fopen("/lib/modules/list", "re");
    char line[256], path[300];
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = 0;
        char *options = strchr(line, ' ');
        if (options) *options++ = 0;
        snprintf(path, sizeof path, "/lib/modules/%s", line);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0 || (syscall(SYS_finit_module, file, options ? options : "", 0) && errno != ENODEV && errno != EEXIST))
            console_print("module %s: %s\n", line, strerror(errno));
        if (file >= 0) close(file);
    }
    if (list) fclose(list);
}

/// Kernel settings, each with the reason. The first two cannot be set back before the next start.
static void settings(void) {
    static const char *const values[][2] = {
        {"kernel/modules_disabled", "1"},            // no driver comes later, also not for root
        {"kernel/kexec_load_disabled", "1"},         // no other kernel
        {"kernel/sysrq", "0"},                       // no keys that print memory or kill
        {"kernel/core_pattern", "|/bin/false"},      // no memory in files
        {"kernel/yama/ptrace_scope", "3"},           // no process reads another
        {"kernel/kptr_restrict", "2"},
        {"kernel/dmesg_restrict", "1"},
        {"kernel/perf_event_paranoid", "3"},
        {"kernel/unprivileged_bpf_disabled", "1"},
        {"user/max_user_namespaces", "0"},           // a user cannot become root in a world of its own
        {"kernel/printk", "1 4 1 1"},                // messages do not draw over a review
        {"vm/swappiness", "0"},
    };
    for (size_t index = 0; index < sizeof values / sizeof *values; index++) {
        char path[96];
        snprintf(path, sizeof path, "/proc/sys/%s", values[index][0]);
        if (!write_file(path, values[index][1])) console_print("setting %s is not there\n", values[index][0]);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){64 << 20, 64 << 20});
}

/// The loopback, which Heliograph expects of a system; there is no other interface.
static void loopback(void) {
    int channel = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    if (channel >= 0) {
        ioctl(channel, SIOCSIFFLAGS, &request);
        close(channel);
    }
}

static void power_off(void) {
    kill(-1, SIGTERM);
    for (int wait = 0; wait < 20 && (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD); wait++) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) {}
    stick_unmount();
    console_wipe();
    sync();
    reboot(RB_POWER_OFF);
}

static void on_signal(int signal) {
    (void)signal;
    is_switching_off = true;
}

/// Whether the kernel's command line has a word.
static bool command_line_has(const char *word) {
    char line[4096];
    if (!read_file("/proc/cmdline", line, sizeof line)) return false;
    for (char *rest = line, *one; (one = strsep(&rest, " "));)
        if (!strcmp(one, word)) return true;
    return false;
}

/// The serial line that the kernel's command line names, as a device; NULL for the screen. A PC has the first one, a board one of the others.
static const char *serial_line(void) {
    static const char *const devices[] = {"/dev/ttyS0", "/dev/ttyAMA0", "/dev/ttyAMA1"};
    for (size_t index = 0; index < sizeof devices / sizeof *devices; index++) {
        char plain[64], fast[64];
        snprintf(plain, sizeof plain, "console=%s", devices[index] + strlen("/dev/"));
        snprintf(fast, sizeof fast, "%s,115200", plain);
        if (command_line_has(plain) || command_line_has(fast)) return devices[index];
    }
    return NULL;
}

/// Waits until the kernel's generator has been seeded. A board has no clock, no disk and few interrupts, so without its own generator's driver that takes long.
static void wait_for_randomness(void) {
    char byte;
    if (getrandom(&byte, 1, GRND_NONBLOCK) == 1) return;
    console_print("Waiting for the random generator: typing helps.\n");
    while (getrandom(&byte, 1, 0) != 1 && errno == EINTR && !is_switching_off) {}
}

int main(void) {
    umask(022);
    mounts();
    const char *serial = serial_line();
    console_open(serial ? serial : "/dev/tty1", !serial);
    // Ctrl-Alt-Del and the power button ask this process instead of starting the machine anew: memory is wiped first.
    reboot(RB_DISABLE_CAD);
    signal(SIGINT, on_signal);
    power_button_use();
    modules();
    settings();
    loopback();
    mount(NULL, "/", NULL, MS_REMOUNT | MS_RDONLY, NULL);
    wait_for_randomness();
    session();
    power_off();
    for (;;) pause();
}
