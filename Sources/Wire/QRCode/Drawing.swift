/// A colour, eight bits a channel.
public struct RGB: Sendable, Equatable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public static let black = RGB(red: 0, green: 0, blue: 0)
    /// e6007a, in which codes that carry a secret are drawn.
    public static let secret = RGB(red: 0xe6, green: 0x00, blue: 0x7a)
}

extension QRCode {
    /// The pixels a module takes and the width of the quiet zone that the reference uses for its updates.
    public static let standardScale = 4

    /// A palette PNG of one bit a pixel: `(side + 2 * border) * scale` pixels wide and high.
    /// - `scale`: pixels a module, at least 1.
    /// - `border`: modules of the quiet zone.
    public func png(
        scale: Int = standardScale, border: Int = standardBorder, foreground: RGB = .black
    ) throws(PictureFailure) -> [UInt8] {
        try picture(scale: scale, border: border, foreground: foreground).png()
    }

    func picture(scale: Int, border: Int, foreground: RGB) -> TwoColourPicture {
        precondition(scale >= 1 && border >= 0, "a module is at least one pixel")
        let width = (side + 2 * border) * scale
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * width)
        let blankRows = repeatElement(UInt8(0), count: width * border * scale)
        pixels += blankRows
        for row in 0..<side {
            var line = [UInt8](repeating: 0, count: border * scale)
            line.reserveCapacity(width)
            for column in 0..<side {
                line += repeatElement(modules[row * side + column] ? 1 : 0, count: scale)
            }
            line += repeatElement(0, count: border * scale)
            for _ in 0..<scale { pixels += line }
        }
        pixels += blankRows
        return TwoColourPicture(side: width, pixels: pixels, foreground: foreground)
    }
}
