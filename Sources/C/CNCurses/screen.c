#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include "CNCurses.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

static SCREEN *screen;
static FILE *ends[2];
static int descriptor = -1;
static bool has_colours;

// Milliseconds for which an escape may be the start of an arrow key, on a slow line too.
enum { ESCAPE_DELAY = 100 };

// Where ncurses looks for terminal descriptions beside the system's folders. A description is a program for the terminal, written by whoever
// made the file, so only those that root installed are read.
static const char *const sources[] = {"TERMINFO", "TERMINFO_DIRS", "HOME", "TERMCAP", "TERMPATH", "NCURSES_TRACE"};
enum { SOURCES = sizeof sources / sizeof *sources };

static void hide_sources(char *saved[SOURCES]) {
    for (int index = 0; index < SOURCES; index++) {
        const char *value = getenv(sources[index]);
        saved[index] = value ? strdup(value) : NULL;
        unsetenv(sources[index]);
    }
}

static void bring_back_sources(char *saved[SOURCES]) {
    for (int index = 0; index < SOURCES; index++) {
        if (saved[index]) setenv(sources[index], saved[index], 1);
        free(saved[index]);
    }
}

static bool is_string(const char *name) {
    const char *value = tigetstr(name);
    return value && value != (char *)-1;
}

bool heliograph_screen_is_possible(const char *type, int terminal) {
    char *saved[SOURCES];
    hide_sources(saved);
    int status = 0;
    bool is_possible = false;
    if (setupterm(type, terminal, &status) == OK && status == 1) {
        is_possible = is_string("cup") && (is_string("clear") || is_string("ed")) && tigetflag("hc") <= 0 && tigetflag("gn") <= 0;
        del_curterm(cur_term);
    }
    bring_back_sources(saved);
    return is_possible;
}

static FILE *stream(int terminal, const char *mode) {
    int copy = fcntl(terminal, F_DUPFD_CLOEXEC, 3);
    FILE *file = copy < 0 ? NULL : fdopen(copy, mode);
    if (!file && copy >= 0) close(copy);
    return file;
}

static void close_streams(void) {
    for (int index = 0; index < 2; index++) {
        if (ends[index]) fclose(ends[index]);
        ends[index] = NULL;
    }
}

// What terminals send for keys that move, whatever `TERM` says of them: an emulator that calls itself another one, or a key in the other mode of
// the cursor, would otherwise send what the description lacks.
static void define_moves(void) {
    static const struct {
        const char *sent;
        int key;
    } moves[] = {
        {"\033[A", KEY_UP},     {"\033OA", KEY_UP},     {"\033[B", KEY_DOWN},   {"\033OB", KEY_DOWN},  {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
        {"\033[H", KEY_HOME},   {"\033OH", KEY_HOME},   {"\033[1~", KEY_HOME},  {"\033[7~", KEY_HOME}, {"\033[F", KEY_END},    {"\033OF", KEY_END},
        {"\033[4~", KEY_END},   {"\033[8~", KEY_END},
    };
    for (size_t index = 0; index < sizeof moves / sizeof *moves; index++) define_key(moves[index].sent, moves[index].key);
}

bool heliograph_screen_open(const char *type, int terminal, bool coloured) {
    if (screen || !heliograph_screen_is_possible(type, terminal)) return false;
    ends[0] = stream(terminal, "w");
    ends[1] = stream(terminal, "r");
    if (!ends[0] || !ends[1]) {
        close_streams();
        return false;
    }
    // LINES and COLUMNS of the environment may be those of another window; what does not fit would be hidden.
    use_env(FALSE);
    use_tioctl(TRUE);
    char *saved[SOURCES];
    hide_sources(saved);
    screen = newterm(type, ends[0], ends[1]);
    bring_back_sources(saved);
    if (!screen) {
        close_streams();
        return false;
    }
    descriptor = terminal;
    // Ctrl-C and Ctrl-Z come as keys.
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    define_moves();
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_DELAY);
    has_colours = coloured && has_colors() && start_color() == OK && use_default_colors() == OK;
    if (has_colours) {
        for (short colour = HELIOGRAPH_RED; colour <= HELIOGRAPH_CYAN; colour++) init_pair(colour, colour, -1);
    }
    return true;
}

void heliograph_screen_close(void) {
    if (!screen) return;
    // A terminal without a second screen keeps the last row, and what is printed next would stand in it.
    erase();
    refresh();
    curs_set(1);
    endwin();
    delscreen(screen);
    screen = NULL;
    close_streams();
}

enum { LARGEST = 1000 };

void heliograph_screen_measure(int *height, int *width) {
    struct winsize size = {0};
    // A serial line has no size: then the terminal's description says it.
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        // ncurses keeps sizes in signed 16-bit numbers, and the terminal can report any size: larger ones are cut to this.
        int high = size.ws_row < LARGEST ? size.ws_row : LARGEST;
        int wide = size.ws_col < LARGEST ? size.ws_col : LARGEST;
        if (is_term_resized(high, wide)) {
            resizeterm(high, wide);
            clearok(curscr, TRUE);
        }
    }
    *height = LINES;
    *width = COLS;
}

void heliograph_screen_erase(void) { erase(); }

void heliograph_screen_put(int row, int column, const char *text, int look, int colour) {
    attr_t attributes = A_NORMAL;
    if (look & HELIOGRAPH_BOLD) attributes |= A_BOLD;
    if (look & HELIOGRAPH_DIM) attributes |= A_DIM;
    if (look & HELIOGRAPH_UNDERLINE) attributes |= A_UNDERLINE;
    if (look & HELIOGRAPH_REVERSE) attributes |= A_REVERSE;
    attr_set(attributes, has_colours ? (short)colour : 0, NULL);
    mvaddstr(row, column, text);
    attr_set(A_NORMAL, 0, NULL);
}

void heliograph_screen_show(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0) move(row, column);
    refresh();
}

void heliograph_screen_forget(void) {
    // Another program, such as the shell after a stop, may have changed the terminal's mode.
    reset_prog_mode();
    clearok(curscr, TRUE);
}

// Takes the rest of what a key sent that no description has. Esc alone refuses a review, so the escape of such a key must not be read as one, nor
// what follows it as letters of an answer.
//
// ECMA-48, 5.4: a control sequence is `[`, bytes from 0x20 to 0x3f, and a last one; after `O` (SS3) one byte follows. Whatever else follows at
// once is a letter that was pressed together with Alt.
//
// Returns whether anything followed.
static bool drop_sequence(void) {
    wint_t value = 0;
    int kind = get_wch(&value);
    // Esc, pressed twice.
    while (kind == OK && value == 033) kind = get_wch(&value);
    if (kind == ERR) return false;
    if (kind != OK || (value != '[' && value != 'O')) return true;
    bool is_control = value == '[';
    timeout(ESCAPE_DELAY);
    do kind = get_wch(&value);
    while (is_control && kind == OK && value >= 0x20 && value <= 0x3f);
    nodelay(stdscr, TRUE);
    return true;
}

struct heliograph_key heliograph_screen_key(void) {
    wint_t value = 0;
    struct heliograph_key key = {HELIOGRAPH_KEY_NONE, 0};
    switch (get_wch(&value)) {
    case OK:
        key.kind = HELIOGRAPH_KEY_CHARACTER;
        key.scalar = (uint32_t)value;
        if (value == '\r' || value == '\n') key.kind = HELIOGRAPH_KEY_ENTER;
        if (value == 0x7f || value == '\b') key.kind = HELIOGRAPH_KEY_BACKSPACE;
        if (value == 033 && drop_sequence()) key.kind = HELIOGRAPH_KEY_OTHER;
        return key;
    case KEY_CODE_YES:
        switch (value) {
        case KEY_UP: key.kind = HELIOGRAPH_KEY_UP; break;
        case KEY_DOWN: key.kind = HELIOGRAPH_KEY_DOWN; break;
        case KEY_PPAGE: key.kind = HELIOGRAPH_KEY_PAGE_UP; break;
        case KEY_NPAGE: key.kind = HELIOGRAPH_KEY_PAGE_DOWN; break;
        case KEY_HOME: key.kind = HELIOGRAPH_KEY_HOME; break;
        case KEY_END: key.kind = HELIOGRAPH_KEY_END; break;
        case KEY_BACKSPACE: key.kind = HELIOGRAPH_KEY_BACKSPACE; break;
        case KEY_ENTER: key.kind = HELIOGRAPH_KEY_ENTER; break;
        default: key.kind = HELIOGRAPH_KEY_OTHER; break;
        }
        return key;
    default: return key;
    }
}

void heliograph_screen_drop_keys(void) { flushinp(); }

bool heliograph_screen_takes_utf8(void) {
    const char *wanted = setlocale(LC_CTYPE, "");
    if (!wanted) {
        // A locale that is not installed: the encoding that its name ends in is known all the same.
        const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
        for (int index = 0; index < 3 && !wanted; index++) {
            const char *name = getenv(names[index]);
            if (name && *name) wanted = name;
        }
        if (wanted && (strstr(wanted, "UTF-8") || strstr(wanted, "utf8"))) setlocale(LC_CTYPE, "C.UTF-8");
    }
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
