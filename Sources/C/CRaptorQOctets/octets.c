#include "CRaptorQOctets.h"

#include <stdatomic.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define WIDE 32
#define INLINE static inline __attribute__((always_inline))

// Unaligned vectors: the compiler lowers them to whatever unit the surrounding function may use.
typedef uint8_t wide_t __attribute__((vector_size(WIDE), aligned(1), may_alias));
typedef uint8_t half_t __attribute__((vector_size(WIDE / 2), aligned(1), may_alias));
typedef int8_t wide_signed_t __attribute__((vector_size(WIDE), aligned(1), may_alias));

// Products of a factor with the 16 low and the 16 high nibbles: nibble_products[factor][0 ..< 16] and [16 ..< 32].
static uint8_t nibble_products[256][32] __attribute__((aligned(32)));

INLINE uint8_t doubled(uint8_t value) { return (uint8_t)((value << 1) ^ ((value & 0x80) ? 0x1d : 0)); }

__attribute__((constructor)) static void fill_nibble_products(void) {
    for (int factor = 0; factor < 256; factor++) {
        uint8_t power = (uint8_t)factor;
        for (int bit = 0; bit < 8; bit++, power = doubled(power)) {
            uint8_t *half = nibble_products[factor] + (bit < 4 ? 0 : 16);
            for (int nibble = 0; nibble < 16; nibble++) {
                if (nibble & (1 << (bit & 3))) half[nibble] ^= power;
            }
        }
    }
}

INLINE uint8_t product(const uint8_t *table, uint8_t value) { return table[value & 15] ^ table[16 + (value >> 4)]; }

// ---------------------------------------------------------------------------------------------------------------- XOR of rows

INLINE void xor_rows(
    uint8_t *target, const uint8_t *first, const uint8_t *rows, size_t stride, const int32_t *indices, size_t count, size_t length) {
    size_t at = 0;
    for (; at + 4 * WIDE <= length; at += 4 * WIDE) {
        wide_t a = {0}, b = {0}, c = {0}, d = {0};
        if (first) {
            const wide_t *source = (const wide_t *)(first + at);
            a = source[0], b = source[1], c = source[2], d = source[3];
        }
        for (size_t k = 0; k < count; k++) {
            const wide_t *source = (const wide_t *)(rows + (size_t)indices[k] * stride + at);
            a ^= source[0], b ^= source[1], c ^= source[2], d ^= source[3];
        }
        wide_t *out = (wide_t *)(target + at);
        out[0] = a, out[1] = b, out[2] = c, out[3] = d;
    }
    for (; at + WIDE <= length; at += WIDE) {
        wide_t a = {0};
        if (first) a = *(const wide_t *)(first + at);
        for (size_t k = 0; k < count; k++) a ^= *(const wide_t *)(rows + (size_t)indices[k] * stride + at);
        *(wide_t *)(target + at) = a;
    }
    if (at + WIDE / 2 <= length) {
        half_t a = {0};
        if (first) a = *(const half_t *)(first + at);
        for (size_t k = 0; k < count; k++) a ^= *(const half_t *)(rows + (size_t)indices[k] * stride + at);
        *(half_t *)(target + at) = a;
        at += WIDE / 2;
    }
    for (; at < length; at++) {
        uint8_t a = first ? first[at] : 0;
        for (size_t k = 0; k < count; k++) a ^= rows[(size_t)indices[k] * stride + at];
        target[at] = a;
    }
}

// ------------------------------------------------------------------------------------------------------------------ HDPC rows

// Macros, since a function that takes a vector by value would have another ABI for every vector unit.
#define DOUBLED_WIDE(value) (((value) + (value)) ^ ((wide_t)((wide_signed_t)(value) < 0) & 0x1d))

INLINE void hdpc_step(uint8_t *accumulator, const uint8_t *source, uint8_t *first, uint8_t *second, size_t length) {
    size_t at = 0;
    for (; at + WIDE <= length; at += WIDE) {
        wide_t value = DOUBLED_WIDE(*(wide_t *)(accumulator + at));
        if (source) value ^= *(const wide_t *)(source + at);
        *(wide_t *)(accumulator + at) = value;
        *(wide_t *)(first + at) ^= value;
        *(wide_t *)(second + at) ^= value;
    }
    for (; at < length; at++) {
        uint8_t value = doubled(accumulator[at]) ^ (source ? source[at] : 0);
        accumulator[at] = value;
        first[at] ^= value;
        second[at] ^= value;
    }
}

typedef uint8_t four_t __attribute__((vector_size(4), aligned(1), may_alias));

static const wide_t bit_places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128,
                                  1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

#define EACH_EIGHT_TIMES(four)                                                                                             \
    __builtin_shufflevector(four, four, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, \
                            3, 3, 3, 3)

// Spreads the 32 bits at `at` (a multiple of 32) over 32 octets, 0xff where the bit is set. Little-endian memory.
#define SPREAD(bits, at) ((wide_t)((EACH_EIGHT_TIMES(*(const four_t *)((const uint8_t *)(bits) + (at) / 8)) & bit_places) != 0))

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bit rows are read as little-endian memory"
#endif

INLINE void hdpc_step_bits(uint8_t *accumulator, const uint64_t *bits, uint8_t *first, uint8_t *second, size_t length) {
    size_t at = 0;
    for (; at + WIDE <= length; at += WIDE) {
        wide_t value = DOUBLED_WIDE(*(wide_t *)(accumulator + at));
        value ^= SPREAD(bits, at) & 1;
        *(wide_t *)(accumulator + at) = value;
        *(wide_t *)(first + at) ^= value;
        *(wide_t *)(second + at) ^= value;
    }
    for (; at < length; at++) {
        uint8_t value = doubled(accumulator[at]) ^ (uint8_t)((bits[at / 64] >> (at % 64)) & 1);
        accumulator[at] = value;
        first[at] ^= value;
        second[at] ^= value;
    }
}

INLINE void add_multiple_of_bits(uint8_t *target, const uint64_t *bits, uint8_t factor, size_t length) {
    size_t at = 0;
    for (; at + WIDE <= length; at += WIDE) {
        *(wide_t *)(target + at) ^= SPREAD(bits, at) & factor;
    }
    for (; at < length; at++) target[at] ^= (uint8_t)((bits[at / 64] >> (at % 64)) & 1) * factor;
}

// ------------------------------------------------------------------------------------------------------------------- multiples

static void add_multiple_from(size_t at, uint8_t *target, const uint8_t *source, uint8_t factor, size_t length) {
    const uint8_t *table = nibble_products[factor];
    for (; at < length; at++) target[at] ^= product(table, source[at]);
}

static void scale_from(size_t at, uint8_t *target, uint8_t factor, size_t length) {
    const uint8_t *table = nibble_products[factor];
    for (; at < length; at++) target[at] = product(table, target[at]);
}

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2")))
#define SSSE3 __attribute__((target("ssse3")))

INLINE AVX2 __m256i products_avx2(__m256i low, __m256i high, __m256i values) {
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i lower = _mm256_shuffle_epi8(low, _mm256_and_si256(values, nibble));
    __m256i upper = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi64(values, 4), nibble));
    return _mm256_xor_si256(lower, upper);
}

static AVX2 void add_multiple_avx2(uint8_t *target, const uint8_t *source, uint8_t factor, size_t length) {
    const __m128i *table = (const __m128i *)nibble_products[factor];
    const __m256i low = _mm256_broadcastsi128_si256(table[0]), high = _mm256_broadcastsi128_si256(table[1]);
    size_t at = 0;
    for (; at + 32 <= length; at += 32) {
        __m256i sum = products_avx2(low, high, _mm256_loadu_si256((const __m256i *)(source + at)));
        sum = _mm256_xor_si256(sum, _mm256_loadu_si256((const __m256i *)(target + at)));
        _mm256_storeu_si256((__m256i *)(target + at), sum);
    }
    add_multiple_from(at, target, source, factor, length);
}

static AVX2 void scale_avx2(uint8_t *target, uint8_t factor, size_t length) {
    const __m128i *table = (const __m128i *)nibble_products[factor];
    const __m256i low = _mm256_broadcastsi128_si256(table[0]), high = _mm256_broadcastsi128_si256(table[1]);
    size_t at = 0;
    for (; at + 32 <= length; at += 32) {
        __m256i value = _mm256_loadu_si256((const __m256i *)(target + at));
        _mm256_storeu_si256((__m256i *)(target + at), products_avx2(low, high, value));
    }
    scale_from(at, target, factor, length);
}

INLINE SSSE3 __m128i products_ssse3(__m128i low, __m128i high, __m128i values) {
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i lower = _mm_shuffle_epi8(low, _mm_and_si128(values, nibble));
    __m128i upper = _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi64(values, 4), nibble));
    return _mm_xor_si128(lower, upper);
}

static SSSE3 void add_multiple_ssse3(uint8_t *target, const uint8_t *source, uint8_t factor, size_t length) {
    const __m128i *table = (const __m128i *)nibble_products[factor];
    size_t at = 0;
    for (; at + 16 <= length; at += 16) {
        __m128i sum = products_ssse3(table[0], table[1], _mm_loadu_si128((const __m128i *)(source + at)));
        sum = _mm_xor_si128(sum, _mm_loadu_si128((const __m128i *)(target + at)));
        _mm_storeu_si128((__m128i *)(target + at), sum);
    }
    add_multiple_from(at, target, source, factor, length);
}

static SSSE3 void scale_ssse3(uint8_t *target, uint8_t factor, size_t length) {
    const __m128i *table = (const __m128i *)nibble_products[factor];
    size_t at = 0;
    for (; at + 16 <= length; at += 16) {
        __m128i value = _mm_loadu_si128((const __m128i *)(target + at));
        _mm_storeu_si128((__m128i *)(target + at), products_ssse3(table[0], table[1], value));
    }
    scale_from(at, target, factor, length);
}

static AVX2 void xor_rows_avx2(
    uint8_t *target, const uint8_t *first, const uint8_t *rows, size_t stride, const int32_t *indices, size_t count, size_t length) {
    xor_rows(target, first, rows, stride, indices, count, length);
}

static AVX2 void hdpc_step_avx2(uint8_t *accumulator, const uint8_t *source, uint8_t *first, uint8_t *second, size_t length) {
    hdpc_step(accumulator, source, first, second, length);
}

static AVX2 void hdpc_step_bits_avx2(uint8_t *accumulator, const uint64_t *bits, uint8_t *first, uint8_t *second, size_t length) {
    hdpc_step_bits(accumulator, bits, first, second, length);
}

static AVX2 void add_multiple_of_bits_avx2(uint8_t *target, const uint64_t *bits, uint8_t factor, size_t length) {
    add_multiple_of_bits(target, bits, factor, length);
}

#elif defined(__aarch64__)

INLINE uint8x16_t products_neon(uint8x16_t low, uint8x16_t high, uint8x16_t values) {
    return veorq_u8(vqtbl1q_u8(low, vandq_u8(values, vdupq_n_u8(15))), vqtbl1q_u8(high, vshrq_n_u8(values, 4)));
}

static void add_multiple_neon(uint8_t *target, const uint8_t *source, uint8_t factor, size_t length) {
    const uint8x16_t low = vld1q_u8(nibble_products[factor]), high = vld1q_u8(nibble_products[factor] + 16);
    size_t at = 0;
    for (; at + 16 <= length; at += 16) {
        vst1q_u8(target + at, veorq_u8(vld1q_u8(target + at), products_neon(low, high, vld1q_u8(source + at))));
    }
    add_multiple_from(at, target, source, factor, length);
}

static void scale_neon(uint8_t *target, uint8_t factor, size_t length) {
    const uint8x16_t low = vld1q_u8(nibble_products[factor]), high = vld1q_u8(nibble_products[factor] + 16);
    size_t at = 0;
    for (; at + 16 <= length; at += 16) vst1q_u8(target + at, products_neon(low, high, vld1q_u8(target + at)));
    scale_from(at, target, factor, length);
}

#endif

// -------------------------------------------------------------------------------------------------------------------- dispatch

static raptorq_vector_unit best_unit = RAPTORQ_PORTABLE;
static _Atomic raptorq_vector_unit chosen_unit = RAPTORQ_PORTABLE;

#define UNIT atomic_load_explicit(&chosen_unit, memory_order_relaxed)

__attribute__((constructor)) static void find_vector_unit(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("ssse3")) best_unit = RAPTORQ_SSSE3;
    if (__builtin_cpu_supports("avx2")) best_unit = RAPTORQ_AVX2;
#elif defined(__aarch64__)
    best_unit = RAPTORQ_NEON;
#endif
    chosen_unit = best_unit;
}

raptorq_vector_unit raptorq_limit_vector_unit(raptorq_vector_unit limit) {
    chosen_unit = limit < best_unit ? limit : best_unit;
    return chosen_unit;
}

void raptorq_xor_rows(
    uint8_t *target, const uint8_t *first, const uint8_t *rows, size_t stride, const int32_t *indices, size_t count, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        xor_rows_avx2(target, first, rows, stride, indices, count, length);
        return;
    }
#endif
    xor_rows(target, first, rows, stride, indices, count, length);
}

void raptorq_add_multiple(uint8_t *target, const uint8_t *source, uint8_t factor, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        add_multiple_avx2(target, source, factor, length);
    } else if (UNIT == RAPTORQ_SSSE3) {
        add_multiple_ssse3(target, source, factor, length);
    } else {
        add_multiple_from(0, target, source, factor, length);
    }
#elif defined(__aarch64__)
    if (UNIT == RAPTORQ_NEON) {
        add_multiple_neon(target, source, factor, length);
    } else {
        add_multiple_from(0, target, source, factor, length);
    }
#else
    add_multiple_from(0, target, source, factor, length);
#endif
}

void raptorq_scale(uint8_t *target, uint8_t factor, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        scale_avx2(target, factor, length);
    } else if (UNIT == RAPTORQ_SSSE3) {
        scale_ssse3(target, factor, length);
    } else {
        scale_from(0, target, factor, length);
    }
#elif defined(__aarch64__)
    if (UNIT == RAPTORQ_NEON) {
        scale_neon(target, factor, length);
    } else {
        scale_from(0, target, factor, length);
    }
#else
    scale_from(0, target, factor, length);
#endif
}

void raptorq_hdpc_step(uint8_t *accumulator, const uint8_t *source, uint8_t *first, uint8_t *second, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        hdpc_step_avx2(accumulator, source, first, second, length);
        return;
    }
#endif
    hdpc_step(accumulator, source, first, second, length);
}

void raptorq_hdpc_step_bits(uint8_t *accumulator, const uint64_t *bits, uint8_t *first, uint8_t *second, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        hdpc_step_bits_avx2(accumulator, bits, first, second, length);
        return;
    }
#endif
    hdpc_step_bits(accumulator, bits, first, second, length);
}

void raptorq_add_multiple_of_bits(uint8_t *target, const uint64_t *bits, uint8_t factor, size_t length) {
#if defined(__x86_64__)
    if (UNIT == RAPTORQ_AVX2) {
        add_multiple_of_bits_avx2(target, bits, factor, length);
        return;
    }
#endif
    add_multiple_of_bits(target, bits, factor, length);
}
