import CZXing

/// zxing-cpp's QR reader.
enum ZXingReader {
    enum Binarizer {
        case localAverage
        case globalHistogram
        case fixedThreshold
    }

    static func read(
        _ image: GrayImage, _ binarizer: Binarizer, tryHarder: Bool = true, tryRotate: Bool = false,
        tryDownscale: Bool = false
    )
        -> [QRReading]
    {
        read(
            image,
            czxing_options(
                binarizer: binarizer.value, is_pure: false, try_harder: tryHarder, try_rotate: tryRotate,
                try_downscale: tryDownscale))
    }

    /// A code whose place is known. Its error correction must succeed as everywhere.
    static func read(_ code: GeneratedCode) -> [QRReading] {
        let options = czxing_options(
            binarizer: CZXING_FIXED_THRESHOLD, is_pure: true, try_harder: false, try_rotate: false,
            try_downscale: false)
        return read(code.modules, options).map { QRReading(bytes: $0.bytes, corners: code.corners) }
    }

    private static func read(_ image: GrayImage, _ options: czxing_options) -> [QRReading] {
        var readings: [QRReading] = []
        withUnsafeMutablePointer(to: &readings) { sink in
            _ = image.pixels.withUnsafeBufferPointer {
                czxing_read(
                    $0.baseAddress, Int32(image.width), Int32(image.height), Int32(image.width), options,
                    collect, sink)
            }
        }
        return readings
    }
}

extension ZXingReader.Binarizer {
    fileprivate var value: czxing_binarizer {
        switch self {
        case .localAverage: CZXING_LOCAL_AVERAGE
        case .globalHistogram: CZXING_GLOBAL_HISTOGRAM
        case .fixedThreshold: CZXING_FIXED_THRESHOLD
        }
    }
}

private let collect: czxing_sink = { context, bytes, length, corners in
    guard let context, let bytes, let corners else { return }
    let points = (0..<4).map { QRReading.Point(x: Int(corners[2 * $0]), y: Int(corners[2 * $0 + 1])) }
    let reading = QRReading(bytes: Array(UnsafeBufferPointer(start: bytes, count: length)), corners: points)
    context.assumingMemoryBound(to: [QRReading].self).pointee.append(reading)
}
