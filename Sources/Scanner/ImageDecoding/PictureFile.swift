import ScanProtocol

/// The bytes of one picture file, of which frames are taken as grey pictures.
public struct PictureFile {
    private enum Content {
        case png([UInt8])
        case animation(PNGAnimation)
        case jpeg([UInt8])
        case anymap(PortableAnymap)
    }

    private var content: Content
    /// How many pictures there are: 1 for a still.
    public let count: Int
    /// Why the file ends before its last frame. The frames before that can be read.
    public let endProblem: PictureProblem?

    /// Recognises the format by its first bytes and reads the structure, not the pixels.
    public init(_ bytes: [UInt8]) throws(PictureProblem) {
        guard !bytes.isEmpty else { throw .empty }
        if bytes.starts(with: JPEGImage.signature) {
            content = .jpeg(bytes)
            count = 1
            endProblem = nil
        } else if PortableAnymap.matches(bytes) {
            let anymap = try PortableAnymap(bytes)
            content = .anymap(anymap)
            count = anymap.headers.count
            endProblem = anymap.endProblem
        } else if !bytes.starts(with: PNGChunks.signature) {
            if bytes.starts(with: [UInt8(ascii: "{")]) { throw .json }
            throw VideoContainer(prefix: bytes).map(PictureProblem.video) ?? .notAPicture
        } else if let animation = try PNGAnimation(bytes) {
            content = .animation(animation)
            count = animation.frames.count
            endProblem = animation.endProblem
        } else {
            content = .png(bytes)
            count = 1
            endProblem = nil
        }
    }

    /// The picture in grey, halved when it has more than `PictureLimits.workingPixels`.
    /// - Parameter index: 0 ..< ``count``.
    public mutating func image(_ index: Int) throws(PictureProblem) -> GrayImage {
        let image = try fullImage(index)
        return image.pixels.count > PictureLimits.workingPixels ? image.halved() : image
    }

    private mutating func fullImage(_ index: Int) throws(PictureProblem) -> GrayImage {
        switch content {
        case .png(let bytes): return try PNGImage.gray(bytes)
        case .jpeg(let bytes): return try JPEGImage.gray(bytes)
        case .anymap(let anymap): return try anymap.image(index)
        case .animation(var animation):
            // The animation owns a canvas: it must not be shared while it is changed.
            content = .png([])
            defer { content = .animation(animation) }
            return try animation.image(index)
        }
    }
}
