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

/// The terminal graphics protocol of kitty. Source: its "Terminal graphics protocol" document.
enum KittyGraphics {
    /// One image that each picture replaces.
    private static let image = 31
    /// Characters of one escape code's payload, at most.
    private static let chunk = 4096

    static let removal = "\u{1b}_Ga=d,d=I,i=\(image),q=2\u{1b}\\"

    /// Scaled to the cells by the terminal, which answers nothing (`q=2`) and leaves the cursor where it is
    /// (`C=1`).
    static func draw(_ picture: PreviewPicture, columns: Int, rows: Int) -> String {
        var samples: [UInt8] = []
        samples.reserveCapacity(3 * picture.pixels.count)
        for row in 0..<picture.height {
            for column in (0..<picture.width).reversed() {
                let sample = picture.pixels[row * picture.width + column]
                samples += [sample, sample, sample]
            }
        }
        var rest = base64(samples)[...]
        var text = ""
        var keys =
            "a=T,f=24,s=\(picture.width),v=\(picture.height),c=\(columns),r=\(rows),i=\(image),p=1,q=2,C=1,"
        while !rest.isEmpty {
            let part = rest.prefix(chunk)
            rest = rest.dropFirst(chunk)
            text +=
                "\u{1b}_G\(keys)m=\(rest.isEmpty ? 0 : 1);" + String(decoding: part, as: UTF8.self)
                + "\u{1b}\\"
            keys = ""
        }
        return text
    }

    /// RFC 4648, for whole groups of three bytes: a sample of colour is one.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4)
        for index in stride(from: 0, to: bytes.count - 2, by: 3) {
            let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            for shift in [18, 12, 6, 0] { text.append(digits[group >> shift & 63]) }
        }
        return text
    }
}
