// USB: the kernel asks nobody which devices may speak once one is authorized, so all start unauthorized (usbcore.authorized_default=0), and this file
// decides by the interfaces that a device describes. A stick that also is a keyboard could type a passphrase's answer, or `seed show`; one that becomes a
// keyboard later is a new device for the kernel, and keyboards are refused once the person has confirmed theirs.
#include "init.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEVICE_LENGTH = 18, CONFIGURATION = 2, INTERFACE = 4, CONFIGURATION_LENGTH = 9, INTERFACE_LENGTH = 9, INTERFACE_CLASS = 5 };
enum { CLASS_AUDIO = 0x01, CLASS_HID = 0x03, CLASS_STORAGE = 0x08, CLASS_HUB = 0x09, CLASS_VIDEO = 0x0e };

enum usb_kind usb_kind(const uint8_t *bytes, size_t length) {
    if (length < DEVICE_LENGTH || bytes[0] != DEVICE_LENGTH || bytes[1] != 1) return USB_OTHER;
    unsigned configurations = bytes[17], interfaces = 0, seen = 0;
    bool hub = false, input = false, storage = false, video = false, audio = false;
    for (size_t at = DEVICE_LENGTH; at < length;) {
        // Each descriptor states its length; one that is too short or reaches beyond the end makes the rest unreadable.
        if (length - at < 2 || bytes[at] < 2 || bytes[at] > length - at) return USB_OTHER;
        const uint8_t *one = bytes + at;
        if (one[1] == CONFIGURATION) {
            if (one[0] < CONFIGURATION_LENGTH) return USB_OTHER;
            seen++;
        } else if (one[1] == INTERFACE) {
            if (one[0] < INTERFACE_LENGTH) return USB_OTHER;
            interfaces++;
            switch (one[INTERFACE_CLASS]) {
                case CLASS_HUB: hub = true; break;
                case CLASS_HID: input = true; break;
                case CLASS_STORAGE: storage = true; break;
                case CLASS_VIDEO: video = true; break;
                case CLASS_AUDIO: audio = true; break;
                default: return USB_OTHER;
            }
        }
        at += one[0];
    }
    // A configuration that the file does not show could be chosen later.
    if (interfaces == 0 || seen != configurations) return USB_OTHER;
    if (hub && !input && !storage && !video && !audio) return USB_HUB;
    if (input && !hub && !storage && !video && !audio) return USB_INPUT;
    if (storage && !hub && !input && !video && !audio) return USB_STORAGE;
    // The kernel has no driver for sound here, so a camera's microphone stays deaf.
    if (video && !hub && !input && !storage) return USB_CAMERA;
    return USB_OTHER;
}

bool usb_is_allowed(enum usb_kind kind, bool keyboard_is_confirmed) {
    switch (kind) {
        case USB_HUB: return true;
        case USB_INPUT: return !keyboard_is_confirmed;
        case USB_STORAGE: return keyboard_is_confirmed;
        case USB_CAMERA: return keyboard_is_confirmed;
        case USB_OTHER: return false;
    }
    return false;
}

void usb_look(const char *sysfs, bool keyboard_is_confirmed) {
    char folder[256];
    snprintf(folder, sizeof folder, "%s/bus/usb/devices", sysfs);
    DIR *devices = opendir(folder);
    if (!devices) return;
    for (struct dirent *entry; (entry = readdir(devices));) {
        // 1-2.3 is a device, 1-2:1.0 one of its interfaces, usb1 a root hub, which the kernel always allows.
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || strchr(entry->d_name, ':')) continue;
        char path[600], state[8];
        snprintf(path, sizeof path, "%s/%s/authorized", folder, entry->d_name);
        if (!read_file(path, state, sizeof state) || state[0] != '0') continue;
        char described[600];
        snprintf(described, sizeof described, "%s/%s/descriptors", folder, entry->d_name);
        int file = open(described, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        // One byte more than is taken, so that a longer file is noticed.
        uint8_t bytes[8193];
        size_t length = 0;
        for (ssize_t count; length < sizeof bytes && (count = read(file, bytes + length, sizeof bytes - length)) > 0;) length += (size_t)count;
        close(file);
        if (length < sizeof bytes && usb_is_allowed(usb_kind(bytes, length), keyboard_is_confirmed)) write_file(path, "1");
    }
    closedir(devices);
}
