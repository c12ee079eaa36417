#include "CJitterEntropy.h"

#include <jitterentropy.h>
#include <string.h>

// Thrice the measurements that a bit of entropy needs by the library's own count: its default.
static const unsigned int oversampling = JENT_MIN_OSR;
// Only in this mode does a health test that fails while it collects end the reading.
static const unsigned int flags = JENT_FORCE_FIPS | JENT_DISABLE_INTERNAL_TIMER;

enum heliograph_jitter_failure heliograph_jitter(unsigned char *bytes, size_t count) {
    if (jent_entropy_init_ex(oversampling, flags) != 0) return HELIOGRAPH_JITTER_START;
    struct rand_data *collector = jent_entropy_collector_alloc(oversampling, flags);
    if (!collector) return HELIOGRAPH_JITTER_START;
    ssize_t got = jent_read_entropy(collector, (char *)bytes, count);
    jent_entropy_collector_free(collector);
    if (got == (ssize_t)count) return HELIOGRAPH_JITTER_NONE;
    memset(bytes, 0, count);
    switch (got) {
    case -2: return HELIOGRAPH_JITTER_REPETITION;
    case -3: return HELIOGRAPH_JITTER_PROPORTION;
    case -5: return HELIOGRAPH_JITTER_PREDICTABLE;
    default: return HELIOGRAPH_JITTER_START;
    }
}

unsigned int heliograph_jitter_version(void) { return jent_version(); }
