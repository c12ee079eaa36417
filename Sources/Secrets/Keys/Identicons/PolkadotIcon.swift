import Hashing

/// A colour of 8 bits a channel; an alpha of 0 means that nothing is drawn.
public struct IconColor: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    public let alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// CSS's hsl(): hue in degrees, taken modulo 360; saturation and lightness in 0…1, clamped.
    init(hue: Double, saturation: Double, lightness: Double) {
        let hue = hue.truncatingRemainder(dividingBy: 360)
        let saturation = min(max(saturation, 0), 1)
        let lightness = min(max(lightness, 0), 1)
        let chroma = saturation * min(lightness, 1 - lightness)
        let channel = { (offset: Double) -> UInt8 in
            let sector = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            let value = lightness - chroma * max(-1, min(sector - 3, 9 - sector, 1))
            return UInt8((value * 255).rounded())
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4))
    }
}

/// The "dots" identicon of Substrate accounts: a light disc with 19 dots.
///
/// Source: polkadot-js/ui packages/ui-shared, icon `polkadot`; originally paritytech/oo7 polkadot-identicon.
public struct PolkadotIcon: Sendable, Equatable {
    /// One coloured disc of the icon.
    public struct Dot: Sendable, Equatable {
        /// Centre; x to the right, y downwards, (0, 0) the middle of the disc of radius 32.
        public let x: Double
        public let y: Double
        public let color: IconColor
    }

    /// Radius of the disc, in the unit of all other lengths.
    public static let discRadius = 32.0
    public static let dotRadius = 5.0
    public static let discColor = IconColor(red: 0xee, green: 0xee, blue: 0xee)

    /// 19 dots, the middle one last.
    public let dots: [Dot]

    /// The icon of an account id, 32 bytes (any other length works and means nothing).
    public init(accountID: [UInt8]) {
        let zero = BLAKE2b.hash([UInt8](repeating: 0, count: 32), length: 64)
        let id = zip(BLAKE2b.hash(accountID, length: 64), zero).map { $0 &- $1 }
        let palette = Self.palette(id)
        let choice = (Int(id[30]) + Int(id[31]) * 256) % Self.schemes.reduce(0) { $0 + $1.frequency }
        let rotation = Int(id[28] % 6) * 3
        var passed = 0
        let scheme = Self.schemes.first { scheme in
            passed += scheme.frequency
            return choice < passed
        }!
        dots = Self.centres.enumerated().map { index, centre in
            let source = index < 18 ? (index + rotation) % 18 : 18
            return Dot(x: centre.x, y: centre.y, color: palette[scheme.colors[source]])
        }
    }

    private struct Scheme {
        let frequency: Int
        /// An index into the palette for each dot.
        let colors: [Int]
    }

    /// Target, cube, quazar, flower, cyclic, vertical mirror, horizontal mirror.
    private static let schemes = [
        Scheme(frequency: 1, colors: [0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 0, 28, 0, 1]),
        Scheme(frequency: 20, colors: [0, 1, 3, 2, 4, 3, 0, 1, 3, 2, 4, 3, 0, 1, 3, 2, 4, 3, 5]),
        Scheme(frequency: 16, colors: [1, 2, 3, 1, 2, 4, 5, 5, 4, 1, 2, 3, 1, 2, 4, 5, 5, 4, 0]),
        Scheme(frequency: 32, colors: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3]),
        Scheme(frequency: 32, colors: [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6]),
        Scheme(frequency: 128, colors: [0, 1, 2, 3, 4, 5, 3, 4, 2, 0, 1, 6, 7, 8, 9, 7, 8, 6, 10]),
        Scheme(frequency: 128, colors: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 8, 6, 7, 5, 3, 4, 2, 11]),
    ]

    private static func palette(_ id: [UInt8]) -> [IconColor] {
        let saturation = Double((Int(id[29]) * 70 / 256 + 26) % 80 + 30) / 100
        return id.enumerated().map { index, byte in
            let b = (Int(byte) + index % 28 * 58) % 256
            switch b {
            case 0: return IconColor(red: 0x44, green: 0x44, blue: 0x44)
            case 255: return IconColor(red: 0, green: 0, blue: 0, alpha: 0)
            default:
                let lightness = [0.53, 0.15, 0.35, 0.75][b / 64]
                return IconColor(hue: Double(b % 64 * 360 / 64), saturation: saturation, lightness: lightness)
            }
        }
    }

    private static let centres: [(x: Double, y: Double)] = {
        let r = discRadius * 3 / 4
        let h = r * 3.0.squareRoot() / 2
        return [
            (0, -r), (0, -r / 2), (-h / 2, -r * 3 / 4), (-h, -r / 2), (-h / 2, -r / 4), (-h, 0),
            (-h, r / 2), (-h / 2, r / 4), (-h / 2, r * 3 / 4), (0, r), (0, r / 2), (h / 2, r * 3 / 4),
            (h, r / 2), (h / 2, r / 4), (h, 0), (h, -r / 2), (h / 2, -r / 4), (h / 2, -r * 3 / 4), (0, 0),
        ]
    }()
}
