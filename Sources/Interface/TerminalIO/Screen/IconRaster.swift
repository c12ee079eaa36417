import Keys
import QRCode
import SubstratePrimitives

/// A key's identicon as pixels: dots for Substrate accounts, blockies for ethereum-style ones.
package struct IconRaster {
    let side: Int
    private let pixels: [IconColor]

    /// nil where the key has no account.
    package init?(_ key: PublicKey, side: Int) {
        guard let account = key.accountID else { return nil }
        self.side = side
        if let address = EthereumAddress(bytes: account) {
            let cells = Blockies(address: address).cells
            pixels = (0..<(side * side)).map { place in
                cells[
                    place / side * Blockies.size / side * Blockies.size + place % side * Blockies.size / side]
            }
        } else {
            let icon = PolkadotIcon(accountID: account)
            // The disc fills the square; a pixel takes the colour at its middle.
            let scale = 2 * PolkadotIcon.discRadius / Double(side)
            pixels = (0..<(side * side)).map { place in
                let x = (Double(place % side) + 0.5) * scale - PolkadotIcon.discRadius
                let y = (Double(place / side) + 0.5) * scale - PolkadotIcon.discRadius
                return Self.color(of: icon, x: x, y: y)
            }
        }
    }

    private static func color(of icon: PolkadotIcon, x: Double, y: Double) -> IconColor {
        let reach = PolkadotIcon.dotRadius * PolkadotIcon.dotRadius
        if let dot = icon.dots.last(where: { ($0.x - x) * ($0.x - x) + ($0.y - y) * ($0.y - y) <= reach }),
            dot.color.alpha > 0
        {
            return dot.color
        }
        let inside = x * x + y * y <= PolkadotIcon.discRadius * PolkadotIcon.discRadius
        return inside ? PolkadotIcon.discColor : IconColor(red: 0, green: 0, blue: 0, alpha: 0)
    }

    package func png() throws -> [UInt8] {
        try ColourPicture(side: side, pixels: pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }).png()
    }

    /// Two rows of pixels a line of text, in half blocks of 24-bit colours; for an even side.
    package func terminal() -> String {
        stride(from: 0, to: side, by: 2).map { row in
            (0..<side).map { column in
                Self.cell(pixels[row * side + column], pixels[(row + 1) * side + column])
            }.joined()
        }.joined(separator: "\n")
    }

    /// An icon in one line of text, to stand beside an address: the colours of its nineteen dots in their
    /// order, or the middle of the blockies.
    static func strip(of account: [UInt8]) -> String {
        let colours: [IconColor]
        if let address = EthereumAddress(bytes: account) {
            colours = Array(Blockies(address: address).cells[(3 * Blockies.size)..<(5 * Blockies.size)])
        } else {
            guard account.count == 32 else { return "" }
            colours = PolkadotIcon(accountID: account).dots.map(\.color)
        }
        let columns = (colours.count + 1) / 2
        return (0..<columns).map { column in
            cell(
                colours[column],
                columns + column < colours.count ? colours[columns + column] : PolkadotIcon.discColor)
        }.joined()
    }

    private static func cell(_ above: IconColor, _ below: IconColor) -> String {
        code(48, below) + code(38, above)
            + (above.alpha > 0 ? "▀" : below.alpha > 0 ? "\u{1b}[0m" + code(38, below) + "▄" : " ")
            + "\u{1b}[0m"
    }

    private static func code(_ plane: Int, _ color: IconColor) -> String {
        color.alpha > 0 ? "\u{1b}[\(plane);2;\(color.red);\(color.green);\(color.blue)m" : ""
    }
}
