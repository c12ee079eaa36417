import ScanProtocol

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
