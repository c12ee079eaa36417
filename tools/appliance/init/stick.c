// Sticks: which are plugged in, which is the data stick, and making one.
#include "init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The identifier of every boot stick, as tools/devtools/appliance/disk.py writes it.
static const uint8_t BOOT_DISK[16] = {0x48, 0x45, 0x4c, 0x49, 0x4f, 0x2d, 0x42, 0x4f, 0x8f, 0x54, 0x2d, 0x53, 0x54, 0x49, 0x43, 0x4b};

/// Text of a device, cut, with every character that is not plain ASCII replaced: it goes to a terminal.
static void keep(char *to, size_t room, const char *text) {
    size_t length = 0;
    for (; *text && length + 1 < room; text++) to[length++] = *text >= ' ' && *text < 127 ? *text : '?';
    to[length] = 0;
}

/// A USB serial number is a file of the device, some folders above the disk; cards have it one folder above.
static void find_serial(const char *name, char *serial, size_t room) {
    char path[PATH_MAX], folder[PATH_MAX], text[128];
    snprintf(path, sizeof path, "/sys/block/%s/device", name);
    serial[0] = 0;
    if (!realpath(path, folder)) return;
    for (int level = 0; level < 8 && strlen(folder) > strlen("/sys/devices"); level++) {
        snprintf(path, sizeof path, "%.4000s/serial", folder);
        if (read_file(path, text, sizeof text)) {
            keep(serial, room, text);
            return;
        }
        char *slash = strrchr(folder, '/');
        *slash = 0;
    }
}

static bool look(const char *name, struct stick *stick) {
    char path[PATH_MAX], text[128];
    memset(stick, 0, sizeof *stick);
    snprintf(stick->name, sizeof stick->name, "%.31s", name);
    snprintf(path, sizeof path, "/sys/block/%.31s/size", name);
    if (!read_file(path, text, sizeof text) || (stick->sectors = strtoull(text, NULL, 10)) == 0) return false;
    snprintf(path, sizeof path, "/sys/block/%.31s/device/model", name);
    if (!read_file(path, text, sizeof text)) {
        snprintf(path, sizeof path, "/sys/block/%.31s/device/name", name);
        if (!read_file(path, text, sizeof text)) strcpy(text, "unnamed");
    }
    keep(stick->model, sizeof stick->model, text);
    find_serial(name, stick->serial, sizeof stick->serial);
    uint8_t *start = malloc(GPT_SECTORS * SECTOR);
    snprintf(path, sizeof path, "/dev/%.31s", name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct gpt table;
    strcpy(stick->contents, "no partition table of the kind that is written here");
    if (start && file >= 0 && read(file, start, GPT_SECTORS * SECTOR) == GPT_SECTORS * SECTOR && gpt_read(start, &table)) {
        stick->is_boot = !memcmp(table.disk, BOOT_DISK, sizeof BOOT_DISK);
        stick->is_data = !stick->is_boot && !strcmp(table.names[0], DROP_NAME) && !strcmp(table.names[1], VAULT_NAME);
        snprintf(stick->contents, sizeof stick->contents, "%.36s%s%.36s", table.names[0][0] ? table.names[0] : "a partition without a name",
                 table.names[1][0] ? ", " : "", table.names[1]);
    }
    if (file >= 0) close(file);
    free(start);
    return true;
}

int sticks(struct stick *found, int room) {
    DIR *folder = opendir("/sys/block");
    int count = 0;
    if (!folder) return 0;
    for (struct dirent *entry; count < room && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        // mmcblk0boot0 and the like are parts of a soldered chip.
        if ((!strncmp(name, "sd", 2) || (!strncmp(name, "mmcblk", 6) && strlen(name) == 7)) && look(name, &found[count])) count++;
    }
    closedir(folder);
    return count;
}

bool stick_is_there(const char *name) {
    char path[96], text[32];
    snprintf(path, sizeof path, "/sys/block/%.31s/size", name);
    return read_file(path, text, sizeof text) && strtoull(text, NULL, 10) > 0;
}

void stick_proof(const struct stick *stick, char proof[32]) {
    size_t length = strlen(stick->serial);
    if (length >= 4) snprintf(proof, 32, "%s", stick->serial + length - 4);
    else snprintf(proof, 32, "%llu", (unsigned long long)(stick->sectors * SECTOR / 1000000));
}

/// The device node of a partition: sda1, mmcblk0p1.
static void partition(const char *name, int number, char *path, size_t room) {
    snprintf(path, room, "/dev/%.31s%s%d", name, !strncmp(name, "mmcblk", 6) ? "p" : "", number);
}

static bool write_at(int file, const uint8_t *bytes, size_t length, uint64_t offset) {
    return pwrite(file, bytes, length, (off_t)offset) == (ssize_t)length;
}

const char *stick_prepare(const struct stick *stick) {
    static uint8_t start[GPT_SECTORS * SECTOR], end[(GPT_SECTORS - 1) * SECTOR];
    uint8_t random[48];
    char path[64];
    if (getrandom(random, sizeof random, 0) != sizeof random) return "the random source of the kernel does not answer";
    if (!gpt_write(start, end, stick->sectors, random)) return "the stick is smaller than 160 MiB";
    snprintf(path, sizeof path, "/dev/%.31s", stick->name);
    int file = open(path, O_RDWR | O_EXCL | O_CLOEXEC);
    if (file < 0) return "the stick is write-protected or in use";
    bool is_written = write_at(file, end, sizeof end, (stick->sectors - sizeof end / SECTOR) * SECTOR) && write_at(file, start, sizeof start, 0)
        && !fsync(file) && !ioctl(file, BLKRRPART);
    close(file);
    if (!is_written) return "the partition table could not be written";
    char drop[64], vault[64];
    partition(stick->name, 1, drop, sizeof drop);
    partition(stick->name, 2, vault, sizeof vault);
    for (int wait = 0; wait < 50 && (access(drop, F_OK) || access(vault, F_OK)); wait++) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    const char *fat[] = {"/bin/mkfs.fat", "-F", "32", "-n", DROP_NAME, drop, NULL};
    if (run(fat, false, NULL)) return "the file system for pictures could not be made";
    const char *ext4[] = {"/bin/mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", "-L", VAULT_NAME, "-E", "root_owner=1000:1000", vault, NULL};
    if (run(ext4, false, NULL)) return "the file system for the vault could not be made";
    sync();
    return NULL;
}

const char *stick_mount(const char *name) {
    char drop[64], vault[64];
    partition(name, 1, drop, sizeof drop);
    partition(name, 2, vault, sizeof vault);
    for (int wait = 0; wait < 50 && (access(drop, F_OK) || access(vault, F_OK)); wait++) nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mount(vault, "/vault", "ext4", flags, NULL)) return "the vault's file system cannot be read: the stick may be damaged, or write-protected";
    if (mount(drop, "/drop", "vfat", flags | MS_SYNCHRONOUS, "uid=1000,gid=1000,umask=077,utf8=1")) {
        umount2("/vault", 0);
        return "the file system for pictures cannot be read: repair it, or make it again, on the online machine";
    }
    return NULL;
}

void stick_unmount(void) {
    sync();
    umount2("/drop", MNT_DETACH);
    umount2("/vault", MNT_DETACH);
}
