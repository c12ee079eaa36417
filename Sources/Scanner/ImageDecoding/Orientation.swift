/// How a camera was held, by tag 0x0112 of Exif. Source: Exif 2.32, 4.6.4.
enum Orientation: UInt16 {
    case upright = 1
    case mirrored
    case halfTurn
    case upsideDownMirrored
    case transposed
    /// The picture must be turned right.
    case quarterTurnRight
    case transverse
    case quarterTurnLeft

    /// The orientation of a JPEG file; upright if it states none that can be read.
    init(jpeg bytes: [UInt8]) {
        self = Self.exif(bytes).flatMap(Self.tag) ?? .upright
    }

    func apply(_ image: GrayImage) -> GrayImage {
        if self == .upright { return image }
        let (width, height) = (image.width, image.height)
        let swaps = rawValue >= Self.transposed.rawValue
        let columns = swaps ? height : width
        let rows = swaps ? width : height
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            for row in 0..<rows {
                for column in 0..<columns {
                    let (x, y) = source(column: column, row: row, width: width, height: height)
                    buffer[row * columns + column] = image.pixels[y * width + x]
                }
            }
            count = width * height
        }
        return GrayImage(width: columns, height: rows, pixels: pixels)
    }

    private func source(column: Int, row: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (column, row)
        case .mirrored: (width - 1 - column, row)
        case .halfTurn: (width - 1 - column, height - 1 - row)
        case .upsideDownMirrored: (column, height - 1 - row)
        case .transposed: (row, column)
        case .quarterTurnRight: (row, height - 1 - column)
        case .transverse: (width - 1 - row, height - 1 - column)
        case .quarterTurnLeft: (width - 1 - row, column)
        }
    }

    /// The TIFF structure inside the first Exif segment.
    private static func exif(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xff {
            let marker = bytes[offset + 1]
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, marker != 0xda, length <= bytes.count - offset - 2 else { return nil }
            let body = bytes[(offset + 4)..<(offset + 2 + length)]
            let name = Array("Exif\0\0".utf8)
            if marker == 0xe1, body.starts(with: name) { return body.dropFirst(name.count) }
            offset += 2 + length
        }
        return nil
    }

    private static func tag(_ tiff: ArraySlice<UInt8>) -> Orientation? {
        let isLittleEndian = tiff.starts(with: Array("II".utf8))
        guard isLittleEndian || tiff.starts(with: Array("MM".utf8)) else { return nil }
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, size <= tiff.count, offset <= tiff.count - size else { return nil }
            let digits = tiff[(tiff.startIndex + offset)..<(tiff.startIndex + offset + size)]
            return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            if tag == 0x0112 {
                return number(entry + 8, 2).flatMap { UInt16(exactly: $0) }.flatMap(
                    Orientation.init(rawValue:))
            }
        }
        return nil
    }
}
