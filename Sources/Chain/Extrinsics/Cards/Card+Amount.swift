import Cards
import SubstratePrimitives

extension Card {
    /// A balance or a tip.
    /// - Parameters:
    ///   - planck: in the smallest unit.
    ///   - asset: the text of the asset's id; nil for the chain's own token.
    init(_ kind: Kind, _ planck: UInt128, decimals: UInt8, unit: String, asset: String? = nil, isDerived: Bool = false) {
        let amount = TokenAmount(planck: planck, decimals: decimals, unit: unit)
        self.init(
            kind, amount.text,
            fields: [
                Field("amount", amount.number), Field("unit", amount.unit), Field("raw", String(planck)), Field("plain", amount.plain),
                Field("symbol", amount.symbol), Field("decimals", .number(Int(decimals))), Field("asset", asset),
            ], isDerived: isDerived)
    }
}
