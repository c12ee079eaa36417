import ScanProtocol

/// A camera's picture as a worker gets it: the format, whether a preview is wanted (1 byte), and the bytes
/// from the driver.
public struct CameraPicture {
    /// Bytes ahead of the driver's.
    public static let headLength = CameraFormat.encodedLength + 1

    public let wantsPreview: Bool
    private let format: CameraFormat
    private let bytes: ArraySlice<UInt8>

    /// Writes the head into the first ``headLength`` bytes of `message`.
    public static func putHead(_ format: CameraFormat, wantsPreview: Bool, into message: inout [UInt8]) {
        message.replaceSubrange(..<headLength, with: format.encoded + [wantsPreview ? 1 : 0])
    }

    public init(_ message: [UInt8]) throws(PictureProblem) {
        guard message.count >= Self.headLength,
            let format = CameraFormat(message.prefix(CameraFormat.encodedLength))
        else {
            throw .corrupt
        }
        self.format = format
        wantsPreview = message[CameraFormat.encodedLength] == 1
        bytes = message[Self.headLength...]
    }

    /// The brightness: of YUYV every other byte as it is; a JPEG is decoded.
    public func image() throws(PictureProblem) -> GrayImage {
        switch format.encoding {
        case .yuyv: return try luma()
        case .mjpeg:
            // The size that the driver named is not the file's: what it holds is checked as that of any other
            // picture.
            guard bytes.starts(with: JPEGImage.signature) else { throw .notAPicture }
            return try JPEGImage.gray(Array(bytes))
        }
    }

    private func luma() throws(PictureProblem) -> GrayImage {
        guard bytes.count >= format.shortestPicture else { throw .truncated }
        let (width, height, stride) = (format.width, format.height, format.stride)
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            bytes.withUnsafeBytes { source in
                for row in 0..<height {
                    let (from, to) = (row * stride, row * width)
                    for column in 0..<width { target[to + column] = source[from + 2 * column] }
                }
            }
            count = width * height
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }
}

extension PreviewPicture {
    /// The picture made small: each sample is the mean of the pixels that it covers.
    public init(_ image: GrayImage) {
        let scale = max(
            1, (image.width + Self.maximumWidth - 1) / Self.maximumWidth,
            (image.height + Self.maximumHeight - 1) / Self.maximumHeight)
        let (width, height) = (
            min(max(1, image.width / scale), Self.maximumWidth),
            min(max(1, image.height / scale), Self.maximumHeight)
        )
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height {
            let rows = (row * scale)..<min(image.height, (row + 1) * scale)
            for column in 0..<width {
                let columns = (column * scale)..<min(image.width, (column + 1) * scale)
                var sum = 0
                for y in rows { for x in columns { sum += Int(image.pixels[y * image.width + x]) } }
                pixels.append(UInt8(sum / (rows.count * columns.count)))
            }
        }
        self.init(width: width, height: height, pixels: pixels)!
    }
}
