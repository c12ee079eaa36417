/// A QR code that was read.
public struct QRReading: Equatable, Sendable {
    /// The code's data as it stands in the code: no text conversion, NULs and bytes above 0x7f kept.
    public let bytes: [UInt8]
    /// Top left, top right, bottom right, bottom left of the symbol in pixels.
    public let corners: [Point]

    public struct Point: Equatable, Sendable {
        public let x: Int
        public let y: Int
    }
}
