// Every row operation on random rows of every length up to 300 and every factor class: each vector unit of this processor must
// give what portable C gives. Built for AArch64 and run under an emulator by `tools/dev aarch64`, with sanitizers by `tools/dev sanitize`.
// Rows that are read and written one by one are allocated with their exact length, so that AddressSanitizer sees a byte beyond them.

#include "CRaptorQOctets.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 300, ROWS = 9, ROUNDS = 12 };

static uint64_t state = 88;

static uint8_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(state >> 40);
}

static void fill(void *bytes, size_t length) {
    for (size_t i = 0; i < length; ++i) ((uint8_t *)bytes)[i] = next();
}

typedef struct {
    uint8_t rows[ROWS * LONGEST], first[LONGEST], second[LONGEST], third[LONGEST];
    uint64_t bits[(LONGEST + 63) / 64];
} rows;

static void operate(rows *r, int operation, size_t length, uint8_t factor) {
    const int32_t indices[] = {8, 0, 3, 3, 5, 1};
    switch (operation) {
        case 0: raptorq_xor_rows(r->first, NULL, r->rows, LONGEST, indices, factor % 7, length); break;
        case 1: raptorq_xor_rows(r->first, r->second, r->rows, LONGEST, indices, factor % 7, length); break;
        case 2: raptorq_xor_rows(r->first, r->first, r->rows, LONGEST, indices, factor % 7, length); break;
        case 3: raptorq_add_multiple(r->first, r->second, factor, length); break;
        case 4: raptorq_scale(r->first, factor, length); break;
        case 5: raptorq_hdpc_step(r->first, r->rows, r->second, r->third, length); break;
        case 6: raptorq_hdpc_step(r->first, NULL, r->second, r->third, length); break;
        case 7: raptorq_hdpc_step_bits(r->first, r->bits, r->second, r->third, length); break;
        default: raptorq_add_multiple_of_bits(r->first, r->bits, factor, length); break;
    }
}

/// Every operation with rows of exactly `length` bytes; what it gives is compared elsewhere.
static void touch(size_t length, uint8_t factor) {
    const int32_t indices[] = {2, 0, 1, 1};
    const size_t words = (length + 63) / 64;
    uint8_t *all = malloc(3 * length + !length), *first = malloc(length + !length), *second = malloc(length + !length), *third = malloc(length + !length);
    uint64_t *bits = malloc((words + !words) * sizeof *bits);
    fill(all, 3 * length);
    fill(first, length);
    fill(second, length);
    fill(third, length);
    fill(bits, words * sizeof *bits);
    raptorq_xor_rows(first, second, all, length, indices, 4, length);
    raptorq_add_multiple(first, second, factor, length);
    raptorq_scale(first, factor, length);
    raptorq_hdpc_step(first, all, second, third, length);
    raptorq_hdpc_step_bits(first, bits, second, third, length);
    raptorq_add_multiple_of_bits(first, bits, factor, length);
    free(all);
    free(first);
    free(second);
    free(third);
    free(bits);
}

/// Compares a vector unit with portable C; the number of results, or -1 at the first that differs.
static long compare(raptorq_vector_unit unit) {
    static rows portable, vector;
    long compared = 0;
    for (int operation = 0; operation < 9; ++operation) {
        for (size_t length = 0; length <= LONGEST; ++length) {
            for (int round = 0; round < ROUNDS; ++round) {
                const uint8_t factor = round < 3 ? (uint8_t)round : next();
                fill(&portable, sizeof portable);
                vector = portable;
                raptorq_limit_vector_unit(RAPTORQ_PORTABLE);
                operate(&portable, operation, length, factor);
                raptorq_limit_vector_unit(unit);
                operate(&vector, operation, length, factor);
                touch(length, factor);
                if (memcmp(&portable, &vector, sizeof portable) != 0) {
                    printf("operation %d, length %zu, factor %u: the results differ\n", operation, length, factor);
                    return -1;
                }
                ++compared;
            }
        }
    }
    return compared;
}

int main(void) {
    int units = 0;
    for (int unit = RAPTORQ_SSSE3; unit <= RAPTORQ_NEON; ++unit) {
        // A unit that the processor lacks is not taken.
        if (raptorq_limit_vector_unit((raptorq_vector_unit)unit) != (raptorq_vector_unit)unit) continue;
        const long compared = compare((raptorq_vector_unit)unit);
        if (compared < 0) return 1;
        printf("%ld results of vector unit %d equal those of portable C\n", compared, unit);
        ++units;
    }
    raptorq_limit_vector_unit(RAPTORQ_PORTABLE);
    for (size_t length = 0; length <= LONGEST; ++length) touch(length, next());
    return units == 0;
}
