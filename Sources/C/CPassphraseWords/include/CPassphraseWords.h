#pragma once
#include <stdint.h>

/// Words and passwords that people use, each a line `word rank`, in the order of their bytes: the lists of Dropbox's zxcvbn.
const char *heliograph_passphrase_words(void);
/// Their bytes without the zero at the end.
unsigned long heliograph_passphrase_words_length(void);

/// Whether the upper 48 bits of the hash of some folded letters are those of a phrase that many people know.
int heliograph_is_known_phrase(uint64_t hash);
/// The same of the sum of the hashes of a phrase's words, each folded, and turned around where that is first in the alphabet.
int heliograph_is_known_bag(uint64_t hash);
/// Whether a famous phrase begins with some letters, of at most 16, or is them; by the upper 48 bits of their hash.
int heliograph_begins_phrase(uint64_t hash);
/// How many known phrases the list has.
unsigned long heliograph_known_phrases(void);

/// Eighths of a bit that a word costs in English prose, by the upper 32 bits of its hash; -1 for a word that has no entry.
int heliograph_word_cost(uint64_t hash);
/// The same of a word behind another one, by the hash of both with a blank between them.
int heliograph_pair_cost(uint64_t hash);
