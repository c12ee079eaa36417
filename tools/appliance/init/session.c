// What a person goes through: the keyboard before any secret, the data stick, and from then on the programs themselves.
#include "init.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/rtc.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

volatile bool is_switching_off;
static bool keyboard_is_confirmed;
static char mounted[32];

/// Cameras belong to root until they are given away; there is no udev.
static void give_cameras(void) {
    DIR *folder = opendir("/dev");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[300];
        struct stat state;
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        if (!strncmp(entry->d_name, "video", 5) && !stat(path, &state) && S_ISCHR(state.st_mode) && state.st_uid != USER_ID)
            if (!chown(path, USER_ID, USER_ID)) chmod(path, 0600);
    }
    closedir(folder);
}

/// What is done while anything waits. False ends the waiting: the machine is switched off, or the data stick is gone.
static bool tick(void) {
    usb_look(PRIVATE_SYSFS, keyboard_is_confirmed);
    give_cameras();
    return !is_switching_off && (!mounted[0] || stick_is_there(mounted));
}

static bool tick_and_reap(void) {
    reap();
    return tick();
}

static void title(const char *text) {
    console_clear();
    console_print("\033[1mHeliograph\033[0m  %s\n\n", text);
}

/// The time of the build, in seconds: no clock of a machine that works is behind it.
static time_t build_time(void) {
    char text[32];
    return read_file("/share/build-time", text, sizeof text) ? (time_t)strtoll(text, NULL, 10) : 0;
}

static void set_clock(const struct tm *wanted) {
    struct tm copy = *wanted;
    clock_settime(CLOCK_REALTIME, &(struct timespec){.tv_sec = timegm(&copy)});
    int clock = open("/dev/rtc0", O_RDWR | O_CLOEXEC);
    if (clock < 0) return;
    struct rtc_time set = {.tm_sec = wanted->tm_sec, .tm_min = wanted->tm_min, .tm_hour = wanted->tm_hour, .tm_mday = wanted->tm_mday,
                           .tm_mon = wanted->tm_mon, .tm_year = wanted->tm_year};
    ioctl(clock, RTC_SET_TIME, &set);
    close(clock);
}

static void ask_time(void) {
    while (!is_switching_off && time(NULL) < build_time()) {
        char line[64], text[64];
        time_t now = time(NULL);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime(&now));
        title("The clock");
        console_print("The clock says %s, which is before this program was made.\nThe log and the limits use it.\n\n", text);
        console_print("The time in UTC, as 2031-12-24 18:30: ");
        struct tm wanted = {0};
        if (!console_line(line, sizeof line, tick_and_reap)) return;
        char *rest = strptime(line, "%Y-%m-%d %H:%M", &wanted);
        if (rest && !*rest && timegm(&(struct tm){.tm_year = wanted.tm_year, .tm_mon = wanted.tm_mon, .tm_mday = wanted.tm_mday,
                                                  .tm_hour = wanted.tm_hour, .tm_min = wanted.tm_min}) >= build_time())
            set_clock(&wanted);
    }
}

/// Keyboard, characters and clock, before anything secret is typed.
static void first_screen(void) {
    char about[512] = "", typed[48] = "";
    size_t length = 0;
    int map = 0, font = -1, columns, rows;
    read_file("/share/about", about, sizeof about);
    if (console_is_screen()) {
        // The largest characters that leave 100 columns; a person may choose others.
        for (int index = fonts(); index-- > 0 && font < 0;) {
            if (!font_use(index)) continue;
            console_size(&columns, &rows);
            if (columns >= 100 || index == 0) font = index;
        }
    }
    for (bool is_new = true;;) {
        if (is_new) {
            char text[64];
            time_t now = time(NULL);
            strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime(&now));
            console_size(&columns, &rows);
            title("a signer without a network");
            console_print("%s\n\n", about);
            console_print("Clock         %s\n", text);
            if (console_is_screen()) {
                console_print("Characters    %d columns, %d rows   (left and right arrow: other sizes)\n", columns, rows);
                console_print("Key map       %-20s   (up and down arrow: other key maps)\n\n", key_map_name(map));
                console_print("Type letters, digits and signs, and see whether they are the right ones:\n");
                console_print("try z y q w a m - / @ and what your passphrase needs.\n\n");
            } else {
                console_print("This is the serial console: the other machine decides about keys, and sees\neverything that is typed.\n\n");
            }
            console_print("From the next step on, no other keyboard is accepted until the next start.\n\n");
            console_print("Enter: the keyboard is right\n\n> %s", typed);
            is_new = false;
        }
        char character;
        enum key key = console_key(200, &character);
        switch (key) {
            case KEY_ENTER:
                keyboard_is_confirmed = true;
                memset(typed, 0, sizeof typed);
                ask_time();
                return;
            case KEY_CHARACTER:
                if (length + 1 < sizeof typed) {
                    typed[length++] = character;
                    typed[length] = 0;
                    console_print("%c", character);
                }
                break;
            case KEY_BACKSPACE:
                while (length && ((unsigned char)typed[--length] & 0xc0) == 0x80) typed[length] = 0;
                typed[length] = 0;
                is_new = true;
                break;
            case KEY_UP: case KEY_DOWN:
                if (key_maps()) {
                    map = (map + (key == KEY_DOWN ? 1 : key_maps() - 1)) % key_maps();
                    key_map_use(map);
                    is_new = true;
                }
                break;
            case KEY_LEFT: case KEY_RIGHT:
                for (int step = 1; step <= fonts(); step++)
                    if (font_use((font + step) % fonts())) {
                        font = (font + step) % fonts();
                        break;
                    }
                is_new = true;
                break;
            case KEY_NONE: case KEY_OTHER: break;
        }
        if (!tick_and_reap()) return;
    }
}

static void describe(const struct stick *stick) {
    console_print("  %-10s %llu MB  %s\n             serial number %s\n             holds %s\n", stick->name,
                  (unsigned long long)(stick->sectors * SECTOR / 1000000), stick->model, stick->serial[0] ? stick->serial : "(none)", stick->contents);
}

/// Asks whether a stick is to become the data stick. False if the person says no.
static bool prepare(const struct stick *stick) {
    char proof[32], line[64];
    stick_proof(stick, proof);
    title("A new data stick");
    describe(stick);
    console_print("\nEverything on this stick is lost, and two partitions are made:\n");
    console_print("  " DROP_NAME "    pictures in, signatures out; any computer reads it\n");
    console_print("  " VAULT_NAME "   the vault; encrypted by its passphrase\n\n");
    if (strlen(stick->serial) >= 4) console_print("To prepare it, type the last four characters of its serial number.\n");
    else console_print("To prepare it, type its size in MB: it has no serial number.\n");
    console_print("To leave it as it is, press Enter.\n\n> ");
    if (!console_line(line, sizeof line, tick_and_reap) || !line[0]) return false;
    if (strcmp(line, proof)) {
        console_print("\nThat is something else: the stick was not changed.\nEnter: go on");
        console_line(line, sizeof line, tick_and_reap);
        return false;
    }
    console_print("\nPreparing the stick ...\n");
    const char *problem = stick_prepare(stick);
    if (!problem) return true;
    console_print("\nIt could not be prepared: %s.\nEnter: go on", problem);
    console_line(line, sizeof line, tick_and_reap);
    return false;
}

/// Waits for the data stick and mounts it. False when the machine is to be switched off.
static bool data_stick(const char *news) {
    struct stick found[8];
    char shown[1024] = "?", declined[32] = "";
    for (; !is_switching_off; tick_and_reap()) {
        int count = sticks(found, 8), strangers = 0;
        char now[1024] = "";
        for (int index = 0; index < count; index++) {
            struct stick *stick = &found[index];
            if (stick->is_data) {
                const char *problem = stick_mount(stick->name);
                if (!problem) {
                    strcpy(mounted, stick->name);
                    return true;
                }
                news = problem;
            } else if (!stick->is_boot) {
                strangers++;
            }
            strcat(strcat(now, stick->name), stick->is_boot ? "b " : "s ");
        }
        // A stick that was pulled out and put in again is asked about again.
        if (declined[0] && !stick_is_there(declined)) declined[0] = 0;
        if (strcmp(now, shown) || news) {
            strcpy(shown, now);
            title("The data stick");
            if (news) console_print("%s.\n\n", news);
            news = NULL;
            console_print("Put in the data stick. The stick that this machine started from may be pulled\nout: nothing reads it again.\n\n");
            if (strangers) console_print("These are not data sticks. Press the number of one to make it the data stick:\n\n");
            for (int index = 0, number = 1; index < count; index++) {
                if (found[index].is_boot || found[index].is_data) continue;
                console_print("%d ", number++);
                describe(&found[index]);
            }
            console_print("\nCtrl-Alt-Del: switch off\n");
        }
        char character;
        if (console_key(300, &character) != KEY_CHARACTER || character < '1' || character > '9') continue;
        for (int index = 0, number = character - '1'; index < count; index++) {
            if (found[index].is_boot || found[index].is_data || number-- > 0) continue;
            prepare(&found[index]);
            strcpy(shown, "?");
            break;
        }
    }
    return false;
}

/// Runs a command of the offline program on the console; -1 when the data stick went or the machine is switched off.
static int heliograph(const char *const *words) {
    console_clear();
    int code = run(words, true, tick);
    return tick() ? code : -1;
}

/// Leaves what a command printed on the screen until Enter is pressed. False when there is nobody to ask any more.
static bool seen(void) {
    char character;
    console_print("\nEnter: go on");
    while (console_key(200, &character) != KEY_ENTER)
        if (!tick_and_reap()) return false;
    return true;
}

static bool has_vault(void) {
    struct stat state;
    return !stat("/vault/heliograph/store.sqlite", &state) || !stat("/vault/heliograph/vault", &state);
}

/// Shows a question with numbered answers and gives the number; 0 when there is nobody to ask any more.
static int choice(const char *heading, const char *text, int answers) {
    title(heading);
    console_print("%s\n> ", text);
    for (;;) {
        char character;
        if (console_key(200, &character) == KEY_CHARACTER && character >= '1' && character < '1' + answers) return character - '0';
        if (!tick_and_reap()) return 0;
    }
}

/// Vault and seed of a stick that has none. False when the stick went or the machine is to be switched off.
static bool first_start(void) {
    static const char *const init[] = {"/bin/heliograph", "init", NULL};
    static const char *const make[] = {"/bin/heliograph", "seed", "new", "main", NULL};
    static const char *const restore[] = {"/bin/heliograph", "seed", "restore", "main", NULL};
    while (!has_vault()) {
        int answer = choice("The first start",
                            "This data stick has no vault yet. The vault keeps your seeds under a passphrase.\n"
                            "Have paper and a pen ready, and nobody behind you.\n\n"
                            "1  make the vault\n2  use another stick\n3  switch off", 3);
        if (answer == 3) is_switching_off = true;
        if (answer != 1) return false;
        if (heliograph(init) < 0 || !seen()) return false;
    }
    int answer = choice("The first seed", "A seed is the secret that all keys come from; its words go on paper.\n\n"
                        "1  make a new seed\n2  restore a seed from its words\n3  later", 3);
    if (answer == 0) return false;
    if (answer < 3 && (heliograph(answer == 1 ? make : restore) < 0 || !seen())) return false;
    return choice("Next", "What follows is the shell of Heliograph. Pictures and answers lie in /drop, the\n"
                  "partition " DROP_NAME " of the data stick.\n\n"
                  "  scan metadata.png                      take a metadata update\n"
                  "  scan tx.png --out signature.png        review a transaction and sign it\n"
                  "  scan --camera                          the same with a camera\n"
                  "  key list     seed new NAME     help    and more\n\n"
                  "1  go on", 1) != 0;
}

void session(void) {
    static const char *const shell[] = {"/bin/heliograph", "shell", "/drop", NULL};
    first_screen();
    const char *news = NULL;
    while (!is_switching_off && data_stick(news)) {
        news = NULL;
        bool goes_on = has_vault() || first_start();
        while (goes_on && !is_switching_off && stick_is_there(mounted)) {
            if (heliograph(shell) < 0) break;
            int answer = choice("The shell has ended", "The vault is locked.\n\n1  open the shell again\n2  take the data stick out\n3  switch off", 3);
            if (answer == 3) is_switching_off = true;
            goes_on = answer == 1;
        }
        bool was_pulled = !stick_is_there(mounted);
        stick_unmount();
        if (was_pulled) news = "The data stick was pulled out: the vault is locked";
        while (!was_pulled && !is_switching_off && stick_is_there(mounted)) {
            // It is unmounted, and another one is waited for.
            title("The data stick");
            console_print("The stick can be pulled out now.\n");
            for (int wait = 0; wait < 10 && stick_is_there(mounted) && !is_switching_off; wait++) {
                char character;
                console_key(200, &character);
                usb_look(PRIVATE_SYSFS, keyboard_is_confirmed);
                reap();
            }
        }
        mounted[0] = 0;
    }
}
