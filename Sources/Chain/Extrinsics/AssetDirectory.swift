import SubstratePrimitives

/// The unit of a token that is not the chain's own.
public struct AssetUnit: Sendable, Equatable, Codable {
    public let symbol: String
    public let decimals: UInt8

    public init(symbol: String, decimals: UInt8) {
        self.symbol = symbol
        self.decimals = decimals
    }

    public static func == (one: AssetUnit, other: AssetUnit) -> Bool {
        one.symbol.utf8Equals(other.symbol) && one.decimals == other.decimals
    }
}

/// What names an asset in a call or an XCM message.
public enum AssetKey: Sendable, Hashable {
    /// An id of the pallet of that name in the runtime: decimal digits of an integer, else `0x` and the hex
    /// of the encoded id.
    case pallet(String, id: String)
    /// `0x` and the hex of the encoded location.
    case location(String)

    /// The id as text.
    public var id: String {
        switch self {
        case .pallet(_, let id), .location(let id): id
        }
    }

    public static func == (one: AssetKey, other: AssetKey) -> Bool {
        switch (one, other) {
        case (.pallet(let one, let oneID), .pallet(let other, let otherID)):
            one.utf8Equals(other) && oneID.utf8Equals(otherID)
        case (.location(let one), .location(let other)): one.utf8Equals(other)
        case (.pallet, _), (.location, _): false
        }
    }
}

/// Knows the units of assets. It may hold only what someone trusted has signed: it decides what a person
/// reads.
public protocol AssetDirectory: Sendable {
    func unit(of asset: AssetKey) -> AssetUnit?
}
