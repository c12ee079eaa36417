#pragma once
// zxing-cpp's QR reader behind a C header: the library itself is C++ only.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a grey picture becomes black and white.
typedef enum {
    CZXING_LOCAL_AVERAGE = 0,
    CZXING_GLOBAL_HISTOGRAM = 1,
    CZXING_FIXED_THRESHOLD = 2,
} czxing_binarizer;

typedef struct {
    czxing_binarizer binarizer;
    /// The picture holds one upright code on light ground and nothing else dark: no search. The caller has checked the corner patterns: the
    /// library may end the process where they are not what it expects.
    bool is_pure;
    bool try_harder;
    bool try_rotate;
    bool try_downscale;
} czxing_options;

/// Called once a code. `bytes` are the code's segments as they stand, without the ECI headers and without any text
/// conversion. `corners` are x, y of top left, top right, bottom right, bottom left in the code's own orientation.
typedef void (*czxing_sink)(void *context, const uint8_t *bytes, size_t length, const int32_t corners[8]);

/// Reads all QR codes of a picture of 8-bit grey pixels, rows `row_stride` bytes apart.
/// Returns how many were handed to `sink`, or -1 when the library threw (out of memory).
int czxing_read(const uint8_t *pixels, int width, int height, int row_stride, czxing_options options, czxing_sink sink, void *context);

#ifdef __cplusplus
}
#endif
