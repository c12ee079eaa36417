import ScanProtocol

/// Sixel graphics. Source: DEC's VT330/VT340 programmer reference, chapter 14.
enum SixelGraphics {
    private static let greys = 16
    /// Pixels of an edge of each sample.
    private static let scale = 2

    static func draw(_ picture: PreviewPicture) -> String {
        let (width, height) = (picture.width * scale, picture.height * scale)
        // Pixels are square, and those that no colour sets stay.
        var text = "\u{1b}P0;1q\"1;1;\(width);\(height)"
        for grey in 0..<greys {
            let percent = grey * 100 / (greys - 1)
            text += "#\(grey);2;\(percent);\(percent);\(percent)"
        }
        for band in stride(from: 0, to: height, by: 6) {
            for grey in 0..<greys {
                let columns = (0..<width).map { column in bits(picture, grey, column, band, height) }
                guard columns.contains(where: { $0 != 0 }) else { continue }
                text += "#\(grey)" + packed(columns) + "$"
            }
            text += "-"
        }
        return text + "\u{1b}\\"
    }

    /// Which of the six pixels below `band` have a grey.
    private static func bits(
        _ picture: PreviewPicture, _ grey: Int, _ column: Int, _ band: Int, _ height: Int
    ) -> UInt8 {
        let x = picture.width - 1 - column / scale
        var bits: UInt8 = 0
        for row in 0..<min(6, height - band) {
            let sample = Int(picture.pixels[(band + row) / scale * picture.width + x])
            if sample * greys / 256 == grey { bits |= 1 << UInt8(row) }
        }
        return bits
    }

    /// Characters from `?`; four of a kind and more by their count.
    private static func packed(_ columns: [UInt8]) -> String {
        var text = ""
        var index = 0
        while index < columns.count {
            let end = columns[index...].firstIndex { $0 != columns[index] } ?? columns.count
            let character = String(UnicodeScalar(columns[index] + 63))
            text +=
                end - index > 3
                ? "!\(end - index)\(character)" : String(repeating: character, count: end - index)
            index = end
        }
        return text
    }
}
