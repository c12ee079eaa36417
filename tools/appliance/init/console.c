// The console: the first virtual terminal, or the serial line that the kernel's command line names.
#include "init.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/keyboard.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { MAPS = 48, MAP_NAME = 32, FONTS = 3, LEAST_COLUMNS = 80, LEAST_ROWS = 25, SLOT = 32, NUMBERS = 4, POWER_KEY = 116 };

static bool is_screen;
static const char *device;
static char maps[MAPS][MAP_NAME];
static int map_count;
static const char *const font_files[FONTS] = {"/share/fonts/16", "/share/fonts/24", "/share/fonts/32"};

static int by_name(const void *one, const void *other) { return strcmp(one, other); }

/// The key maps in the order of their names, the American one first: it is what the kernel starts with.
static void list_maps(void) {
    DIR *folder = opendir("/share/keymaps");
    if (!folder) return;
    for (struct dirent *entry; map_count < MAPS && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "us")) snprintf(maps[++map_count], MAP_NAME, "%.31s", entry->d_name);
    closedir(folder);
    qsort(maps + 1, (size_t)map_count, MAP_NAME, by_name);
    strcpy(maps[0], "us");
    map_count++;
}

static void mode_for_keys(void) {
    struct termios mode;
    if (tcgetattr(0, &mode)) return;
    mode.c_iflag = ICRNL | IUTF8;
    mode.c_oflag = OPOST | ONLCR;
    mode.c_lflag = 0;
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    tcsetattr(0, TCSANOW, &mode);
}

void console_reopen(void) {
    int file = open(device, O_RDWR | O_NOCTTY);
    if (file < 0) file = open("/dev/null", O_RDWR);
    for (int target = 0; target < 3; target++) dup2(file, target);
    if (file > 2) close(file);
    if (is_screen) {
        ioctl(0, KDSKBMODE, K_UNICODE);
    } else {
        // A serial line has no size of its own.
        ioctl(0, TIOCSWINSZ, &(struct winsize){.ws_row = LEAST_ROWS, .ws_col = LEAST_COLUMNS});
    }
    mode_for_keys();
}

void console_open(const char *path, bool screen) {
    is_screen = screen;
    device = path;
    console_reopen();
    if (is_screen) list_maps();
}

bool console_is_screen(void) { return is_screen; }

void console_print(const char *format, ...) {
    va_list words;
    va_start(words, format);
    vdprintf(1, format, words);
    va_end(words);
}

void console_clear(void) {
    mode_for_keys();
    console_print("\033[0m\033[2J\033[3J\033[H\033[?25h");
}

enum key console_key(int milliseconds, char *character) {
    struct pollfd waiting = {.fd = 0, .events = POLLIN};
    char byte;
    if (poll(&waiting, 1, milliseconds) <= 0 || read(0, &byte, 1) != 1) return KEY_NONE;
    *character = byte;
    if (byte == '\n') return KEY_ENTER;
    if (byte == 127 || byte == '\b') return KEY_BACKSPACE;
    if (byte != '\033') return (unsigned char)byte >= ' ' ? KEY_CHARACTER : KEY_OTHER;
    // ESC [ A, or ESC O A; the rest of a sequence comes at once.
    char last = 0;
    for (int count = 0; count < 8 && poll(&waiting, 1, 30) > 0 && read(0, &last, 1) == 1; count++)
        if (last != '[' && last != 'O' && !(last >= '0' && last <= '9') && last != ';') break;
    switch (last) {
        case 'A': return KEY_UP;
        case 'B': return KEY_DOWN;
        case 'C': return KEY_RIGHT;
        case 'D': return KEY_LEFT;
        default: return KEY_OTHER;
    }
}

bool console_line(char *line, size_t room, bool (*tick)(void)) {
    size_t length = 0;
    line[0] = 0;
    for (;;) {
        char character;
        switch (console_key(200, &character)) {
            case KEY_ENTER: console_print("\n"); return true;
            case KEY_BACKSPACE:
                if (length) {
                    line[--length] = 0;
                    console_print("\b \b");
                }
                break;
            case KEY_CHARACTER:
                if (length + 1 < room && (unsigned char)character < 127) {
                    line[length++] = character;
                    line[length] = 0;
                    console_print("%c", character);
                }
                break;
            case KEY_NONE: case KEY_UP: case KEY_DOWN: case KEY_LEFT: case KEY_RIGHT: case KEY_OTHER: break;
        }
        if (tick && !tick()) return false;
    }
}

int key_maps(void) { return map_count; }
const char *key_map_name(int index) { return maps[index]; }

/// The form of `loadkeys --bkeymap`: "bkeymap", 256 flags, and 128 numbers of two bytes for each flag that is set.
void key_map_use(int index) {
    char path[96];
    uint8_t head[7 + 256];
    snprintf(path, sizeof path, "/share/keymaps/%s", maps[index]);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, head, sizeof head) == (ssize_t)sizeof head && !memcmp(head, "bkeymap", 7)) {
        for (int table = 0; table < 256; table++) {
            uint16_t values[128];
            if (!head[7 + table] || read(file, values, sizeof values) != (ssize_t)sizeof values) continue;
            for (int code = 0; code < 128; code++) {
                // No key map changes what the power button does.
                if (code == POWER_KEY) continue;
                struct kbentry entry = {.kb_table = (unsigned char)table, .kb_index = (unsigned char)code, .kb_value = values[code]};
                ioctl(0, KDSKBENT, &entry);
            }
        }
    }
    close(file);
}

/// The kernel's driver of the button is a keyboard with one key. The terminals' own keyboard handler reads it, so no device file of input events is needed.
void power_button_use(void) {
    // The serial console has no key map: the one of the screen holds for the whole machine.
    int screen = open("/dev/tty1", O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct kbentry entry = {.kb_table = K_NORMTAB, .kb_index = POWER_KEY, .kb_value = K_BOOT};
    if (screen < 0 || ioctl(screen, KDSKBENT, &entry)) console_print("setting of the power button: %s\n", strerror(errno));
    if (screen >= 0) close(screen);
}

void console_size(int *columns, int *rows) {
    struct winsize size = {0};
    ioctl(0, TIOCGWINSZ, &size);
    *columns = size.ws_col ? size.ws_col : LEAST_COLUMNS;
    *rows = size.ws_row ? size.ws_row : LEAST_ROWS;
}

int fonts(void) { return is_screen ? FONTS : 0; }

/// Width and height of the screen's frame buffer; false on a text-mode screen, whose cells cannot change.
static bool pixels(int *width, int *height) {
    char text[64];
    return read_file("/sys/class/graphics/fb0/virtual_size", text, sizeof text) && sscanf(text, "%d,%d", width, height) == 2;
}

/// The build writes: width, height, number of characters, number of pairs (u16); a slot of 32 rows for each character; pairs of code and index (u16).
bool font_use(int index) {
    int wide = 0, high = 0;
    if (index < 0 || index >= fonts() || (!pixels(&wide, &high) && index > 0)) return false;
    int file = open(font_files[index], O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    uint16_t head[NUMBERS];
    bool is_set = false;
    if (read(file, head, sizeof head) == (ssize_t)sizeof head && head[0] <= 16 && head[1] <= SLOT && head[2] <= 512
        && (wide == 0 || (wide / head[0] >= LEAST_COLUMNS && high / head[1] >= LEAST_ROWS))) {
        size_t drawn = (size_t)head[2] * SLOT * ((head[0] + 7u) / 8), paired = (size_t)head[3] * sizeof(struct unipair);
        uint8_t *glyphs = malloc(drawn), *pairs = malloc(paired);
        if (glyphs && pairs && read(file, glyphs, drawn) == (ssize_t)drawn && read(file, pairs, paired) == (ssize_t)paired) {
            struct console_font_op font = {.op = KD_FONT_OP_SET, .width = head[0], .height = head[1], .charcount = head[2], .data = glyphs};
            struct unimapdesc map = {.entry_ct = head[3], .entries = (struct unipair *)pairs};
            is_set = !ioctl(0, KDFONTOP, &font) && !ioctl(0, PIO_UNIMAPCLR, &(struct unimapinit){0}) && !ioctl(0, PIO_UNIMAP, &map);
        }
        free(glyphs);
        free(pairs);
    }
    close(file);
    return is_set;
}

void console_wipe(void) {
    // The kernel keeps what was printed and typed in buffers of its own; init_on_free wipes processes, this overwrites the buffers.
    tcflush(0, TCIOFLUSH);
    for (int line = 0; line < 250; line++) console_print("%080d\n", 0);
    tcdrain(1);
    console_print("\033c\033[2J\033[3J\033[H");
    tcdrain(1);
    int nothing = open("/dev/null", O_RDWR);
    for (int target = 0; target < 3; target++) dup2(nothing, target);
    close(nothing);
}
