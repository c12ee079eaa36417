#pragma once

#include <histedit.h>
#include <stdbool.h>
#include <stdio.h>

// What Swift cannot call by itself: libedit's functions with variable arguments, and streams.

typedef wchar_t *(*heliograph_prompt)(EditLine *);
typedef int (*heliograph_read)(EditLine *, wchar_t *);
typedef unsigned char (*heliograph_key)(EditLine *, wint_t);

/// An editor for a terminal, with the keys of emacs, without signals and without files of its user. NULL where there is no memory for it.
EditLine *heliograph_editor_new(int terminal, void *client, heliograph_prompt prompt, heliograph_read read, heliograph_key tab, HistoryW *history);
/// Ends an editor; what it held is overwritten.
void heliograph_editor_end(EditLine *editor);
void *heliograph_editor_client(EditLine *editor);

HistoryW *heliograph_history_new(int lines);
void heliograph_history_add(HistoryW *history, const wchar_t *line);
/// Overwrites every line and forgets it.
void heliograph_history_clear(HistoryW *history);
