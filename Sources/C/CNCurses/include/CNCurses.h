#pragma once
// A full-screen terminal for Swift, on ncurses, whose macros and variadic functions Swift does not import.
// One screen at a time, one thread. Nothing of ncurses runs before heliograph_screen_open.

#include <stdbool.h>
#include <stdint.h>

// How text looks: a sum of these.
enum {
    HELIOGRAPH_BOLD = 1,
    HELIOGRAPH_DIM = 2,
    HELIOGRAPH_UNDERLINE = 4,
    HELIOGRAPH_REVERSE = 8,
};

// Colours of text, by their numbers in ECMA-48; the background is always the terminal's own.
enum {
    HELIOGRAPH_NO_COLOUR = 0,
    HELIOGRAPH_RED = 1,
    HELIOGRAPH_GREEN = 2,
    HELIOGRAPH_MAGENTA = 5,
    HELIOGRAPH_CYAN = 6,
};

enum heliograph_key_kind {
    HELIOGRAPH_KEY_NONE,
    HELIOGRAPH_KEY_CHARACTER,
    HELIOGRAPH_KEY_UP,
    HELIOGRAPH_KEY_DOWN,
    HELIOGRAPH_KEY_PAGE_UP,
    HELIOGRAPH_KEY_PAGE_DOWN,
    HELIOGRAPH_KEY_HOME,
    HELIOGRAPH_KEY_END,
    HELIOGRAPH_KEY_BACKSPACE,
    HELIOGRAPH_KEY_ENTER,
    HELIOGRAPH_KEY_OTHER,
};

struct heliograph_key {
    enum heliograph_key_kind kind;
    uint32_t scalar;
};

// Whether the terminal's description, read from the system's folders only, says how to place the cursor and to clear the screen.
bool heliograph_screen_is_possible(const char *type, int terminal);
// false where it is not possible. `terminal` stays open, and the caller's.
bool heliograph_screen_open(const char *type, int terminal, bool coloured);
// Gives the terminal back as it was. Nothing happens where no screen is open.
void heliograph_screen_close(void);
// Asks the terminal for its size, which may have changed since.
void heliograph_screen_measure(int *rows, int *columns);
void heliograph_screen_erase(void);
// Text in the locale's encoding, from a column of a row.
void heliograph_screen_put(int row, int column, const char *text, int look, int colour);
// Brings what was put to the terminal; the cursor is shown where row is not negative.
void heliograph_screen_show(int row, int column);
// Paints everything again the next time: another program may have written to the terminal.
void heliograph_screen_forget(void);
// A key that was pressed, HELIOGRAPH_KEY_NONE where none is waiting.
struct heliograph_key heliograph_screen_key(void);
// Drops keys that were pressed and not read.
void heliograph_screen_drop_keys(void);
// Whether the locale of the environment is UTF-8; sets the locale of characters.
bool heliograph_screen_takes_utf8(void);
