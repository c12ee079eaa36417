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

/// Knows the units of assets. It may hold only what someone trusted has signed: it decides what a person
/// reads.
public protocol AssetDirectory: Sendable {
    func unit(of asset: AssetKey) -> AssetUnit?
}
