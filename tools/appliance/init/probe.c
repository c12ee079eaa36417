// Takes the place of session.c in a test: what root and the user can do in the appliance once it is closed. Everything else is the shipped first process.
// `tools/dev appliance test` reads the lines; the shipped image does not hold this file.
#include "init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

volatile bool is_switching_off;

static void say(const char *what, bool is_done) { console_print("probe %s: %s\n", what, is_done ? "done" : strerror(errno)); }

/// The names in a folder, one line.
static void list(const char *what, const char *path) {
    DIR *folder = opendir(path);
    console_print("probe %s:", what);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') console_print(" %s", entry->d_name);
    console_print("\n");
    if (folder) closedir(folder);
}

/// Which devices may speak: vendor, product and 1 or 0.
static void usb(const char *what) {
    DIR *folder = opendir("/sys/bus/usb/devices");
    console_print("probe %s:", what);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[400], vendor[16], product[16], state[16];
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || strchr(entry->d_name, ':')) continue;
        snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/idVendor", entry->d_name);
        read_file(path, vendor, sizeof vendor);
        snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/idProduct", entry->d_name);
        read_file(path, product, sizeof product);
        snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/authorized", entry->d_name);
        read_file(path, state, sizeof state);
        console_print(" %s:%s=%s", vendor, product, state);
    }
    console_print("\n");
    if (folder) closedir(folder);
}

void session(void) {
    static const char *const test[] = {"/bin/heliograph", "self-test", NULL};
    char text[512];
    // Drivers that exist have found their hardware by now.
    sleep(3);
    list("interfaces", "/sys/class/net");
    usb("usb at first");
    usb_look(PRIVATE_SYSFS, true);
    sleep(2);
    usb("usb later");
    list("interfaces again", "/sys/class/net");
    list("disks", "/sys/block");
    int module = open("/probe/e1000.ko", O_RDONLY);
    say("module that is there", module >= 0);
    say("module by file", !syscall(SYS_finit_module, module, "", 0));
    static char image[1 << 20];
    ssize_t length = read(module, image, sizeof image);
    say("module by memory", length > 0 && !syscall(SYS_init_module, image, (unsigned long)length, ""));
    say("loading switched on", write_file("/proc/sys/kernel/modules_disabled", "0"));
    say("other kernel", !syscall(SYS_kexec_load, 0, 0, NULL, 0));
    say("memory as file", open("/dev/mem", O_RDONLY) >= 0);
    say("file at the root", open("/made", O_CREAT | O_WRONLY, 0600) >= 0);
    say("sysfs written", open("/sys/bus/usb/drivers_autoprobe", O_WRONLY) >= 0);
    struct stat state;
    console_print("probe runtime folder: %s\n", !stat("/run/user/1000", &state) && state.st_uid == USER_ID && (state.st_mode & 07777) == 0700 ? "0700" : "wrong");
    console_print("probe private folder: %s\n", !stat("/private", &state) && state.st_uid == 0 && (state.st_mode & 07777) == 0700 ? "0700" : "wrong");
    if (read_file("/proc/sys/kernel/core_pattern", text, sizeof text)) console_print("probe core: %s\n", text);
    const char *problem = stick_mount("sda");
    console_print("probe data stick: %s\n", problem ? problem : "mounted");
    console_print("probe self-test ends: %d\n", run(test, true, NULL));
    // The test presses it now.
    console_print("probe waits for the power button\n");
    for (int wait = 0; wait < 300 && !is_switching_off; wait++) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    console_print("probe power button: %s\n", is_switching_off ? "switches off" : "does nothing");
    console_print("probe end\n");
}
