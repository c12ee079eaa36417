import Cards
import SubstratePrimitives

extension Card {
    /// A balance or a tip.
    /// - Parameters:
    ///   - planck: in the smallest unit.
    ///   - asset: the text of the asset's id; nil for the chain's own token.
    init(_ kind: Kind, _ planck: UInt128, decimals: UInt8, unit: String, asset: String? = nil, isDerived: Bool = false) {
        self.init(kind, digits: String(planck), decimals: decimals, unit: unit, asset: asset, isDerived: isDerived)
    }

    /// The same for an amount of any length, as decimal digits without a zero in front.
    init(_ kind: Kind, digits: String, decimals: UInt8, unit: String, asset: String? = nil, isDerived: Bool = false) {
        let amount = TokenAmount(planck: digits, decimals: decimals, unit: unit)
        self.init(
            kind, amount.text,
            fields: [
                Field("amount", amount.number), Field("unit", amount.unit), Field("raw", digits), Field("plain", amount.plain),
                Field("symbol", amount.symbol), Field("decimals", .number(Int(decimals))), Field("asset", asset),
            ], isDerived: isDerived)
    }
}
