#include "CProcessorRandom.h"

#include <stdbool.h>
#include <string.h>

#ifdef __x86_64__

#include <cpuid.h>
#include <immintrin.h>

// RDRAND gives nothing ten times in a row only when it is broken, says its maker; RDSEED waits for noise, and other processes draw from it, too.
enum { RANDOM_TRIES = 10, SEED_TRIES = 1000 };

static bool has_random(void) {
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_RDRND);
}

static bool has_seed(void) {
    unsigned int a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_RDSEED);
}

__attribute__((target("rdrnd"))) static bool draw_random(unsigned long long *word) {
    for (int try = 0; try < RANDOM_TRIES; try++)
        if (_rdrand64_step(word)) return true;
    return false;
}

__attribute__((target("rdseed"))) static bool draw_seed(unsigned long long *word) {
    for (int try = 0; try < SEED_TRIES; try++) {
        if (_rdseed64_step(word)) return true;
        _mm_pause();
    }
    return false;
}

size_t heliograph_processor_random(unsigned char *bytes, size_t count) {
    bool seeds = has_seed(), randoms = has_random();
    size_t filled = 0;
    while (filled < count) {
        unsigned long long word = 0;
        if (!(seeds && draw_seed(&word)) && !(randoms && draw_random(&word))) break;
        size_t part = count - filled < sizeof word ? count - filled : sizeof word;
        memcpy(bytes + filled, &word, part);
        filled += part;
    }
    return filled;
}

#else

// No other processor's instruction was at hand to be tested.
size_t heliograph_processor_random(unsigned char *bytes, size_t count) {
    (void)bytes, (void)count;
    return 0;
}

#endif
