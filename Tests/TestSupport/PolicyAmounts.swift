import SubstratePrimitives

/// Tests count in the smallest unit of the fixture's token, of which a HLO has 10^12.
public enum HLO {
    public static let symbol = "HLO"
    public static let decimals: UInt8 = 12

    /// `0.00000000006 HLO` for 60: an amount as a policy has it.
    public static func text(_ raw: UInt128) -> String {
        "\(TokenAmount(planck: raw, decimals: decimals, unit: symbol).plain) \(symbol)"
    }
}

extension String {
    /// The text of a policy with a unit for each limit of the chain's own token that is a bare number.
    public var inHLO: String {
        let keys =
            /"(maximum_amount|minimum_amount|maximum_per_day|maximum_per_week|maximum_per_month|maximum_tip|minimum_remaining)": "([0-9]+)"/
        return replacing(keys) { match in
            "\"\(match.1)\": \"\(UInt128(match.2).map(HLO.text) ?? String(match.2))\""
        }
    }
}
