/// What a camera sees, small enough to be drawn on a terminal a few times a second: 8-bit grey samples, row
/// by row from the top left.
public struct PreviewPicture: Equatable, Sendable {
    public static let maximumWidth = 256
    public static let maximumHeight = 144

    public let width: Int
    public let height: Int
    public let pixels: [UInt8]

    /// nil when an edge is too long, or when the samples do not fill the picture exactly.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard 1...Self.maximumWidth ~= width, 1...Self.maximumHeight ~= height, pixels.count == width * height
        else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Width and height (u16 BE each), samples.
    public var encoded: [UInt8] { [width, height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + pixels }

    /// nil for bytes that ``encoded`` does not produce: a worker that was taken over may write anything.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count > 4 else { return nil }
        func number(_ index: Int) -> Int {
            bytes.dropFirst(2 * index).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(width: number(0), height: number(1), pixels: Array(bytes.dropFirst(4)))
    }
}
