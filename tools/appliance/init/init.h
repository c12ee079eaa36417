// The first process of the appliance: what its files share. Nothing here runs a shell, opens a socket or loads a library besides the C library.
#ifndef HELIOGRAPH_INIT_H
#define HELIOGRAPH_INIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: usb.c: which devices may speak

/// What a USB device is, by the interfaces of all its configurations.
enum usb_kind {
    USB_HUB,      // hubs only
    USB_INPUT,    // keyboards and mice (HID) only
    USB_STORAGE,  // mass storage only
    USB_CAMERA,   // video, with or without the microphone of the camera
    USB_OTHER,    // anything else, any mixture, and descriptors that do not add up: never allowed
};

/// Reads the `descriptors` file of sysfs: 18 bytes of the device, then every configuration whole.
enum usb_kind usb_kind(const uint8_t *bytes, size_t length);
/// Whether a device of this kind may speak: keyboards before the person has confirmed the keyboard, storage and cameras afterwards.
bool usb_is_allowed(enum usb_kind kind, bool keyboard_is_confirmed);
/// Looks at every device that has no answer yet, and allows those that may speak.
void usb_look(const char *sysfs, bool keyboard_is_confirmed);

// MARK: gpt.c: partition tables

enum { SECTOR = 512, GPT_ENTRIES = 128, GPT_ENTRY = 128, GPT_SECTORS = 34, NAME_LENGTH = 36 };

/// What the first two entries of a partition table say.
struct gpt {
    uint8_t disk[16];                  // the disk's identifier, as it lies on the disk
    uint64_t first[2], last[2];        // sectors, inclusive
    char names[2][NAME_LENGTH + 1];    // ASCII; any other character is '?'
};

uint32_t crc32(const uint8_t *bytes, size_t length);
/// Reads the first 34 sectors of a disk; false unless signature, sizes and both checksums are right.
bool gpt_read(const uint8_t *bytes, struct gpt *table);
/// Fills the first 34 sectors of a data stick, and its last 33. False if it is smaller than DATA_LEAST sectors. `random` has 48 bytes for the identifiers.
bool gpt_write(uint8_t *start, uint8_t *end, uint64_t sectors, const uint8_t *random);
/// Where the two partitions of a data stick lie: the drop takes a quarter, at most 1 GiB; the vault the rest.
void gpt_layout(uint64_t sectors, uint64_t first[2], uint64_t last[2]);
#define DATA_LEAST ((uint64_t)160 * 2048)  // 160 MiB: FAT32 needs 33 MiB, the vault gets the larger part
#define DROP_NAME "HELIO-DROP"
#define VAULT_NAME "HELIO-VAULT"

// MARK: stick.c: sticks that are plugged in

struct stick {
    char name[32];      // sda, mmcblk0
    char model[64];     // what it says of itself; ASCII
    char serial[64];    // empty if it has none
    char contents[96];  // the names of its partitions
    uint64_t sectors;
    bool is_data, is_boot;
};

/// Fills `found` with the sticks that have a medium and gives their number, at most `room`.
int sticks(struct stick *found, int room);
bool stick_is_there(const char *name);
/// Writes the partition table and makes both file systems. NULL, or a sentence about what failed.
const char *stick_prepare(const struct stick *stick);
/// Mounts both partitions. NULL, or a sentence about what failed.
const char *stick_mount(const char *name);
void stick_unmount(void);
/// What a person types to have a stick prepared: the last four characters of the serial number, or the size in megabytes.
void stick_proof(const struct stick *stick, char proof[32]);

// MARK: console.c: what a person sees and types

enum key { KEY_NONE, KEY_CHARACTER, KEY_ENTER, KEY_BACKSPACE, KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_OTHER };

void console_open(const char *path, bool is_screen);
/// The end of a program that had the console hangs it up for everybody, with what was still in its buffers: it is opened again after each.
void console_reopen(void);
bool console_is_screen(void);
void console_clear(void);
void console_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Waits up to `milliseconds` for a key; the character of KEY_CHARACTER goes to `character`.
enum key console_key(int milliseconds, char *character);
/// One line, echoed; `tick` runs meanwhile, and false from it ends the waiting. False if it did.
bool console_line(char *line, size_t room, bool (*tick)(void));
/// Number of key maps and of character sizes, their names, and choosing one. A size that leaves less than 80 x 25 cells is not taken.
int key_maps(void);
const char *key_map_name(int index);
void key_map_use(int index);
/// Lets the power button ask the first process to switch off, as Ctrl-Alt-Del does.
void power_button_use(void);
int fonts(void);
bool font_use(int index);
void console_size(int *columns, int *rows);
/// Overwrites what terminals keep of what was shown, and lets go of the console.
void console_wipe(void);

// MARK: process.c: files and programs

bool read_file(const char *path, char *text, size_t room);
bool write_file(const char *path, const char *text);
/// Starts a program and waits; `tick` runs meanwhile, and false from it ends the program. The exit code, 128 + signal, or -1 when tick ended it.
int run(const char *const *words, bool as_user, bool (*tick)(void));
/// Waits for children that nobody waits for.
void reap(void);

// MARK: session.c: the order of the screens

/// Everything that a person does, until the machine is to be switched off.
void session(void);
/// Set by Ctrl-Alt-Del, by the power button and at the end.
extern volatile bool is_switching_off;

#define PRIVATE_SYSFS "/private/sys"
#define USER_ID 1000

#endif
