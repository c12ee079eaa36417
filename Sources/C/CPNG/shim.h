#pragma once
#include <png.h>
#include <zlib.h>

// PNG_FORMAT_* are not literals, so Swift does not import them.
static const png_uint_32 HELIOGRAPH_PNG_GRAY = PNG_FORMAT_GRAY;
static const png_uint_32 HELIOGRAPH_PNG_GRAY_ALPHA = PNG_FORMAT_GA;

static inline int heliograph_png_failed(const png_image *image) { return PNG_IMAGE_FAILED(*image); }
