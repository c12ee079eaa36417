// Row operations over GF(2) and GF(256) for RaptorQ symbols (RFC 6330, section 5.7).
//
// The field is GF(2)[x] / (x^8 + x^4 + x^3 + x^2 + 1). Every function picks the widest vector unit of the processor at run time
// (x86-64: AVX2, SSSE3; AArch64: NEON) and falls back to portable C; results are the same byte for byte.
// Lengths are in bytes, any number from 0. Rows that are written must not overlap rows that are read, except where said.
#ifndef CRAPTORQOCTETS_H
#define CRAPTORQOCTETS_H

#include <stddef.h>
#include <stdint.h>

// target = first XOR (XOR over k < count of rows[k * stride ..< k * stride + length] taken at rows + indices[k] * stride).
// `first` may be NULL (taken as zeros) or equal to `target`.
void raptorq_xor_rows(
    uint8_t *target, const uint8_t *first, const uint8_t *rows, size_t stride, const int32_t *indices, size_t count, size_t length);

// target = target XOR factor * source.
void raptorq_add_multiple(uint8_t *target, const uint8_t *source, uint8_t factor, size_t length);

// target = factor * target.
void raptorq_scale(uint8_t *target, uint8_t factor, size_t length);

// accumulator = 2 * accumulator XOR source (source may be NULL: zeros), then first ^= accumulator and second ^= accumulator.
// One column of the HDPC rows: GAMMA as a running sum, then its two entries in MT. `first` and `second` differ.
void raptorq_hdpc_step(uint8_t *accumulator, const uint8_t *source, uint8_t *first, uint8_t *second, size_t length);

// The same step where the source is `length` bits, each taken as an octet 0 or 1; least significant bit of bits[0] first.
void raptorq_hdpc_step_bits(uint8_t *accumulator, const uint64_t *bits, uint8_t *first, uint8_t *second, size_t length);

// target[i] ^= factor where bit i is set.
void raptorq_add_multiple_of_bits(uint8_t *target, const uint64_t *bits, uint8_t factor, size_t length);

typedef enum { RAPTORQ_PORTABLE = 0, RAPTORQ_SSSE3 = 1, RAPTORQ_AVX2 = 2, RAPTORQ_NEON = 3 } raptorq_vector_unit;

// Uses a lesser unit than the best one, for tests and measurements; returns the unit in use from now on, for all
// threads.
raptorq_vector_unit raptorq_limit_vector_unit(raptorq_vector_unit limit);

#endif
