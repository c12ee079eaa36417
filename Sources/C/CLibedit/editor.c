#define _GNU_SOURCE
#include "CLibedit.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

// Bytes of the largest block that the C library keeps for the next request of its size without overwriting it, and how many of one size.
enum { cached_bytes = 1040, cached_blocks = 8, step = 16, stream_bytes = 4096 };

// What is freed below is overwritten, because libedit does not do it: with M_PERTURB by the C library itself, apart from the small blocks
// that a thread caches. Those are taken from the cache, overwritten and given back.
static void wipe_cached_blocks(void) {
    for (size_t size = step; size <= cached_bytes; size += step) {
        void *blocks[cached_blocks];
        for (int i = 0; i < cached_blocks; i++)
            if ((blocks[i] = malloc(size - sizeof(void *)))) explicit_bzero(blocks[i], malloc_usable_size(blocks[i]));
        for (int i = 0; i < cached_blocks; i++) free(blocks[i]);
    }
}

EditLine *heliograph_editor_new(int terminal, void *client, heliograph_prompt prompt, heliograph_read read, heliograph_key tab,
                                HistoryW *history) {
    int copy = dup(terminal);
    FILE *screen = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!screen) return NULL;
    setvbuf(screen, NULL, _IOFBF, stream_bytes);
    // Input comes from `read` alone; the descriptor is asked for its modes.
    EditLine *editor = el_init_fd("heliograph", stdin, screen, screen, terminal, terminal, terminal);
    if (!editor) {
        fclose(screen);
        return NULL;
    }
    el_wset(editor, EL_CLIENTDATA, client);
    el_wset(editor, EL_PROMPT, prompt);
    el_wset(editor, EL_GETCFN, read);
    el_wset(editor, EL_HIST, history_w, history);
    el_wset(editor, EL_SIGNAL, 0);
    el_wset(editor, EL_EDITOR, L"emacs");
    // Ctrl-C, Ctrl-Z and Ctrl-\ are keys while a line is edited.
    el_wset(editor, EL_SETTY, L"-d", L"-isig", NULL);
    el_wset(editor, EL_BIND, L"^R", L"em-inc-search-prev", NULL);
    el_wset(editor, EL_ADDFN, L"complete-word", L"Complete the word", tab);
    el_wset(editor, EL_BIND, L"^I", L"complete-word", NULL);
    // libedit's own commands could bind keys, load and save files.
    el_wset(editor, EL_BIND, L"-r", L"\033x", NULL);
    el_wset(editor, EL_BIND, L"-r", L"\033X", NULL);
    return editor;
}

void heliograph_editor_end(EditLine *editor) {
    FILE *screen = NULL;
    el_wget(editor, EL_GETFP, 1, &screen);
    // The terminal is as it was since the line ended; setting it again would drop what was typed meanwhile.
    el_wset(editor, EL_EDITMODE, 0);
    mallopt(M_PERTURB, 0x5a);
    el_end(editor);
    if (screen) fclose(screen);
    mallopt(M_PERTURB, 0);
    wipe_cached_blocks();
}

void *heliograph_editor_client(EditLine *editor) {
    void *client = NULL;
    el_wget(editor, EL_CLIENTDATA, &client);
    return client;
}

HistoryW *heliograph_history_new(int lines) {
    HistoryW *history = history_winit();
    HistEventW event;
    if (!history) return NULL;
    history_w(history, &event, H_SETSIZE, lines);
    history_w(history, &event, H_SETUNIQUE, 1);
    return history;
}

void heliograph_history_add(HistoryW *history, const wchar_t *line) {
    HistEventW event;
    history_w(history, &event, H_ENTER, line);
}

void heliograph_history_clear(HistoryW *history) {
    HistEventW event;
    for (int more = history_w(history, &event, H_FIRST); more != -1; more = history_w(history, &event, H_NEXT))
        explicit_bzero((wchar_t *)event.str, wcslen(event.str) * sizeof(wchar_t));
    history_w(history, &event, H_CLEAR);
}
