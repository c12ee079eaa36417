// Writes one source of a seed as it is, before anything is hashed, until nobody reads any more: for tools/dev raw-random.
#include <jitterentropy.h>
#include <jitterentropy-noise.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "CProcessorRandom.h"

enum { CHUNK = 4096 };

static size_t kernel(unsigned char *bytes, size_t count) { return getrandom(bytes, count, 0) == (ssize_t)count ? count : 0; }

// The low byte of each difference of times. The library hashes all eight, and counts a third of a bit for each.
static size_t jitter(unsigned char *bytes, size_t count) {
    static struct rand_data *collector;
    const unsigned int flags = JENT_FORCE_FIPS | JENT_DISABLE_INTERNAL_TIMER;
    if (!collector && jent_entropy_init_ex(JENT_MIN_OSR, flags) == 0) collector = jent_entropy_collector_alloc(JENT_MIN_OSR, flags);
    if (!collector) return 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t delta = 0;
        jent_measure_jitter(collector, 0, &delta);
        bytes[i] = delta & 0xff;
    }
    return count;
}

int main(int argc, char **argv) {
    unsigned char bytes[CHUNK];
    size_t (*draw)(unsigned char *, size_t) = NULL;
    if (argc == 2 && !strcmp(argv[1], "kernel")) draw = kernel;
    if (argc == 2 && !strcmp(argv[1], "jitter")) draw = jitter;
    if (argc == 2 && !strcmp(argv[1], "processor")) draw = heliograph_processor_random;
    if (!draw) return 64;
    while (draw(bytes, CHUNK) == CHUNK)
        if (fwrite(bytes, 1, CHUNK, stdout) != CHUNK) return 0;
    return 1;
}
