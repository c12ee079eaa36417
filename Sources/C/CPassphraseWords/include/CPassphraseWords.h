#pragma once

/// Words and passwords that people use, each a line `word rank`, in the order of their bytes: the lists of Dropbox's zxcvbn.
const char *heliograph_passphrase_words(void);
/// Their bytes without the zero at the end.
unsigned long heliograph_passphrase_words_length(void);
