import ScanEvents

/// The bytes of one picture file, of which frames are taken as grey pictures.
public struct PictureFile {
    private enum Content {
        case png([UInt8])
        case animation(PNGAnimation)
    }

    private var content: Content
    /// How many pictures there are: 1 for a still.
    public let count: Int
    /// Why the file ends before its last frame. The frames before that can be read.
    public let endProblem: PictureProblem?

    /// Recognises the format by its first bytes and reads the structure, not the pixels.
    public init(_ bytes: [UInt8]) throws(PictureProblem) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.starts(with: PNGChunks.signature) else { throw .notAPicture }
        if let animation = try PNGAnimation(bytes) {
            content = .animation(animation)
            count = animation.frames.count
            endProblem = animation.endProblem
        } else {
            content = .png(bytes)
            count = 1
            endProblem = nil
        }
    }

    /// - Parameter index: 0 ..< ``count``.
    public mutating func image(_ index: Int) throws(PictureProblem) -> GrayImage {
        switch content {
        case .png(let bytes):
            return try PNGImage.gray(bytes)
        case .animation(var animation):
            // The animation owns a canvas: it must not be shared while it is changed.
            content = .png([])
            defer { content = .animation(animation) }
            return try animation.image(index)
        }
    }
}
