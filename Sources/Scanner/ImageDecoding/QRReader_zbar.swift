import CZBar

/// libzbar's QR reader in binary mode.
final class ZBarReader {
    private let scanner: OpaquePointer
    /// `Y800`: one byte of luma a pixel, as zbar spells its formats.
    private static let luma = UInt(0x3030_3859)

    /// Nil when memory is short.
    init?() {
        guard let scanner = zbar_image_scanner_create() else { return nil }
        self.scanner = scanner
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        // Without it bytes above 0x7f are converted from a guessed character set.
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, 1)
        zbar_image_scanner_enable_cache(scanner, 0)
    }

    deinit { zbar_image_scanner_destroy(scanner) }

    func read(_ image: GrayImage) -> [QRReading] {
        guard let frame = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(frame) }
        zbar_image_set_format(frame, Self.luma)
        zbar_image_set_size(frame, UInt32(image.width), UInt32(image.height))
        return image.pixels.withUnsafeBufferPointer { pixels in
            zbar_image_set_data(frame, pixels.baseAddress, UInt(pixels.count), nil)
            guard zbar_scan_image(scanner, frame) > 0 else { return [] }
            var readings: [QRReading] = []
            var symbol = zbar_image_first_symbol(frame)
            while let current = symbol {
                if zbar_symbol_get_type(current) == ZBAR_QRCODE, let reading = reading(current) {
                    readings.append(reading)
                }
                symbol = zbar_symbol_next(current)
            }
            return readings
        }
    }

    private func reading(_ symbol: OpaquePointer) -> QRReading? {
        guard let data = zbar_symbol_get_data(symbol) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
        let corners = (0..<zbar_symbol_get_loc_size(symbol)).map {
            QRReading.Point(
                x: Int(zbar_symbol_get_loc_x(symbol, $0)), y: Int(zbar_symbol_get_loc_y(symbol, $0)))
        }
        return QRReading(bytes: Array(bytes), corners: corners)
    }
}
