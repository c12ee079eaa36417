// Files of sysfs and procfs, and programs.
#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool read_file(const char *path, char *text, size_t room) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, room - 1);
    close(file);
    if (count < 0) return false;
    text[count] = 0;
    while (count && (text[count - 1] == '\n' || text[count - 1] == ' ')) text[--count] = 0;
    return true;
}

bool write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = write(file, text, strlen(text));
    close(file);
    return count == (ssize_t)strlen(text);
}

void reap(void) {
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
}

static void become_user(void) {
    if (setgroups(0, NULL) || setgid(USER_ID) || setuid(USER_ID)) _exit(126);
    // No program of the user can become root again.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(126);
}

static void child(const char *const *words, bool as_user) {
    signal(SIGINT, SIG_DFL);
    setsid();
    if (as_user) {
        ioctl(0, 0x540E /* TIOCSCTTY */, 1);
        umask(077);
        if (chdir("/drop")) _exit(126);
        become_user();
        const char *kind = console_is_screen() ? "TERM=linux" : "TERM=xterm-256color";
        const char *environment[] = {kind, "LC_ALL=C.UTF-8", "XDG_RUNTIME_DIR=/run/user/1000", "HELIOGRAPH_VAULT=/vault/heliograph", NULL};
        execve(words[0], (char *const *)words, (char *const *)environment);
    } else {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        dup2(nothing, 1);
        dup2(nothing, 2);
        const char *environment[] = {NULL};
        execve(words[0], (char *const *)words, (char *const *)environment);
    }
    _exit(127);
}

int run(const char *const *words, bool as_user, bool (*tick)(void)) {
    pid_t started = fork();
    if (started < 0) return 127;
    if (started == 0) child(words, as_user);
    bool is_ended = false;
    for (int patience = 20;;) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended == started) {
            // What it started ends with it.
            kill(-started, SIGKILL);
            if (as_user) console_reopen();
            if (is_ended) return -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (ended > 0) continue;
        if (!is_ended && tick && !tick()) {
            is_ended = true;
            kill(-started, SIGTERM);
        }
        // A program that is asked to end has two seconds.
        if (is_ended && patience-- == 0) kill(-started, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 100 * 1000 * 1000}, NULL);
    }
}
