#include "CPassphraseWords.h"
#include "phrases.h"
#include "frequencies.h"

enum {
    PHRASES = sizeof phrase_heads / sizeof *phrase_heads,
    BAGS = sizeof bag_heads / sizeof *bag_heads,
    BEGINNINGS = sizeof beginning_heads / sizeof *beginning_heads,
    WORDS = sizeof word_hashes / sizeof *word_hashes,
    PAIRS = sizeof pair_hashes / sizeof *pair_hashes,
};

// Where the first number begins that is not below `wanted`.
static unsigned long not_below(const uint32_t *sorted, unsigned long count, uint32_t wanted) {
    unsigned long low = 0, high = count;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (sorted[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int cost(const uint32_t *hashes, const uint8_t *costs, unsigned long count, uint32_t hash) {
    unsigned long place = not_below(hashes, count, hash);
    return place < count && hashes[place] == hash ? costs[place] : -1;
}

static int holds(const uint32_t *heads, const uint16_t *tails, unsigned long count, uint64_t hash) {
    uint32_t head = (uint32_t)(hash >> 32);
    uint16_t tail = (uint16_t)(hash >> 16);
    for (unsigned long i = not_below(heads, count, head); i < count && heads[i] == head; i++)
        if (tails[i] == tail) return 1;
    return 0;
}

int heliograph_is_known_phrase(uint64_t hash) { return holds(phrase_heads, phrase_tails, PHRASES, hash); }

int heliograph_is_known_bag(uint64_t hash) { return holds(bag_heads, bag_tails, BAGS, hash); }

int heliograph_begins_phrase(uint64_t hash) { return holds(beginning_heads, beginning_tails, BEGINNINGS, hash); }

unsigned long heliograph_known_phrases(void) { return PHRASES; }

int heliograph_word_cost(uint64_t hash) { return cost(word_hashes, word_costs, WORDS, (uint32_t)(hash >> 32)); }

int heliograph_pair_cost(uint64_t hash) { return cost(pair_hashes, pair_costs, PAIRS, (uint32_t)(hash >> 32)); }
