import SubstratePrimitives

/// The chain's properties, from `system_properties`.
public struct ChainProperties: Sendable, Equatable {
    public struct Token: Sendable, Equatable {
        public let symbol: String
        public let decimals: UInt8

        public init(symbol: String, decimals: UInt8) {
            self.symbol = symbol
            self.decimals = decimals
        }
    }

    /// nil if only the metadata states it.
    public let ss58Prefix: UInt16?
    /// In the chain's order. Most chains have one; some list several assets.
    public let tokens: [Token]

    /// nil if a known field has an unknown shape, or the numbers of symbols and decimals differ.
    public init?(_ answer: StrictJSON.Value) {
        guard case .object(let fields) = answer else { return nil }
        switch fields["ss58Format"] {
        case nil, .null: ss58Prefix = nil
        case .number(let prefix):
            guard let prefix = UInt16(exactly: prefix) else { return nil }
            ss58Prefix = prefix
        case .bool, .otherNumber, .string, .array, .object: return nil
        }
        let symbols = Self.list(fields["tokenSymbol"]).map(\.string)
        let decimals = Self.list(fields["tokenDecimals"]).map { $0.number.flatMap { UInt8(exactly: $0) } }
        guard symbols.count == decimals.count else { return nil }
        var tokens: [Token] = []
        for case (let symbol, let decimals) in zip(symbols, decimals) {
            guard let symbol, let decimals else { return nil }
            tokens.append(Token(symbol: symbol, decimals: decimals))
        }
        self.tokens = tokens
    }

    /// A single value or a list: nodes send both.
    private static func list(_ value: StrictJSON.Value?) -> [StrictJSON.Value] {
        switch value {
        case nil, .null: []
        case .array(let items): items
        case let value?: [value]
        }
    }
}
