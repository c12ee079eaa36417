import Hashing
import SubstratePrimitives

/// The "blockies" identicon of ethereum-style accounts: 8 × 8 cells in three colours, mirrored left to right.
///
/// Source: the blockies script that wallets share; the seed is the address as lower-case text with `0x`.
public struct Blockies: Sendable, Equatable {
    public static let size = 8

    /// 64 colours, row by row from the top left.
    public let cells: [IconColor]

    public init(address: EthereumAddress) {
        self.init(seed: "0x" + Hex.encode(address.bytes))
    }

    init(seed: String) {
        var random = Generator(seed: seed)
        let foreground = Self.color(&random)
        let background = Self.color(&random)
        let spot = Self.color(&random)
        var cells: [IconColor] = []
        for _ in 0..<Self.size {
            let half = (0..<(Self.size / 2)).map { _ -> IconColor in
                switch Int(random.next() * 2.3) {
                case 0: background
                case 1: foreground
                default: spot
                }
            }
            cells += half + half.reversed()
        }
        self.cells = cells
    }

    private static func color(_ random: inout Generator) -> IconColor {
        let hue = (random.next() * 360).rounded(.down)
        let saturation = (random.next() * 60 + 40) / 100
        let lightness = (random.next() + random.next() + random.next() + random.next()) * 25 / 100
        return IconColor(hue: hue, saturation: saturation, lightness: lightness)
    }

    /// Marsaglia's xorshift over four 32-bit words with signed shifts, as the script has it.
    private struct Generator {
        private var words: [Int32] = [0, 0, 0, 0]

        init(seed: String) {
            for (index, unit) in seed.utf16.enumerated() {
                words[index % 4] = (words[index % 4] &<< 5) &- words[index % 4] &+ Int32(unit)
            }
        }

        /// 0 ..< 2: the script divides 32 bits by 2^31.
        mutating func next() -> Double {
            let t = words[0] ^ (words[0] &<< 11)
            words = [words[1], words[2], words[3], words[3] ^ (words[3] &>> 19) ^ t ^ (t &>> 8)]
            return Double(UInt32(bitPattern: words[3])) / 2_147_483_648
        }
    }
}
