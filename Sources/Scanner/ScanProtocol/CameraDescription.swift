/// How a camera's pictures lie in their bytes.
public struct CameraFormat: Equatable, Sendable {
    /// The pixel format.
    public enum Encoding: UInt8, CaseIterable, Sendable {
        /// Brightness in every other byte, rows of ``CameraFormat/stride`` bytes.
        case yuyv = 0
        /// One JPEG file a picture.
        case mjpeg = 1
    }

    /// Pixels of an edge, at most.
    public static let longestEdge = 8192
    /// Pixels of a picture, at most.
    public static let mostPixels = 16_000_000
    /// Bytes of its own form.
    public static let encodedLength = 13

    public let encoding: Encoding
    public let width: Int
    public let height: Int
    /// Bytes from a row to the next; 0 for ``Encoding/mjpeg``.
    public let stride: Int

    /// nil when a number is out of its bounds.
    public init?(encoding: Encoding, width: Int, height: Int, stride: Int) {
        guard 1...Self.longestEdge ~= width, 1...Self.longestEdge ~= height, width * height <= Self.mostPixels
        else { return nil }
        switch encoding {
        case .yuyv: guard stride >= 2 * width, stride <= 8 * Self.longestEdge else { return nil }
        case .mjpeg: guard stride == 0 else { return nil }
        }
        self.encoding = encoding
        self.width = width
        self.height = height
        self.stride = stride
    }

    /// Bytes of a picture that holds all rows; 1 for ``Encoding/mjpeg``, whose pictures differ in length.
    public var shortestPicture: Int {
        switch encoding {
        case .yuyv: stride * (height - 1) + 2 * width
        case .mjpeg: 1
        }
    }

    /// Encoding (1 byte), width, height, stride (u32 BE each).
    public var encoded: [UInt8] {
        [encoding.rawValue]
            + [width, height, stride].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    }

    /// nil for bytes that ``encoded`` does not produce.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.encodedLength, let encoding = bytes.first.flatMap(Encoding.init(rawValue:))
        else { return nil }
        func number(_ index: Int) -> Int {
            bytes.dropFirst(1 + 4 * index).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(encoding: encoding, width: number(0), height: number(1), stride: number(2))
    }
}

/// A camera as its driver names it.
public struct CameraDescription: Equatable, Sendable {
    /// Such as `/dev/video0`.
    public let path: String
    /// Any text: it comes from the hardware.
    public let name: String
    /// What was agreed on; nil in a list of cameras, which asks for no pictures.
    public let format: CameraFormat?

    public init(path: String, name: String, format: CameraFormat? = nil) {
        self.path = path
        self.name = name
        self.format = format
    }

    /// Length of the format (1 byte), format, path, a zero, name.
    var encoded: [UInt8] {
        let format = format?.encoded ?? []
        return [UInt8(format.count)] + format + Array(path.utf8) + [0] + Array(name.utf8)
    }

    init?(_ body: ArraySlice<UInt8>) {
        var rest = body
        guard let length = rest.popFirst(), length == 0 || Int(length) == CameraFormat.encodedLength,
            rest.count >= length
        else {
            return nil
        }
        if length > 0 {
            guard let format = CameraFormat(rest.prefix(Int(length))) else { return nil }
            self.format = format
        } else {
            format = nil
        }
        rest = rest.dropFirst(Int(length))
        guard let zero = rest.firstIndex(of: 0) else { return nil }
        path = String(decoding: rest[..<zero], as: UTF8.self)
        name = String(decoding: rest[(zero + 1)...], as: UTF8.self)
    }
}
