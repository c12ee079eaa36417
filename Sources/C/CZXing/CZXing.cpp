#define ZX_USE_UTF8 1
#include "CZXing.h"

#include <ZXing/ReadBarcode.h>

static ZXing::Binarizer binarizer(czxing_binarizer value) {
    switch (value) {
        case CZXING_GLOBAL_HISTOGRAM: return ZXing::Binarizer::GlobalHistogram;
        case CZXING_FIXED_THRESHOLD: return ZXing::Binarizer::FixedThreshold;
        default: return ZXing::Binarizer::LocalAverage;
    }
}

extern "C" int czxing_read(const uint8_t *pixels, int width, int height, int row_stride, czxing_options options, czxing_sink sink, void *context) {
    try {
        const auto hints = ZXing::DecodeHints()
                               .setFormats(ZXing::BarcodeFormat::QRCode)
                               .setBinarizer(binarizer(options.binarizer))
                               .setIsPure(options.is_pure)
                               .setTryHarder(options.try_harder)
                               .setTryRotate(options.try_rotate)
                               .setTryDownscale(options.try_downscale);
        const ZXing::ImageView view(pixels, width, height, ZXing::ImageFormat::Lum, row_stride);
        int count = 0;
        for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
            if (!result.isValid()) continue;
            const auto &bytes = result.bytes();
            const auto &quad = result.position();
            int32_t corners[8];
            for (int corner = 0; corner < 4; ++corner) {
                corners[2 * corner] = quad[corner].x;
                corners[2 * corner + 1] = quad[corner].y;
            }
            sink(context, bytes.data(), bytes.size(), corners);
            ++count;
        }
        return count;
    } catch (...) {
        return -1;
    }
}
