/// What a chain says of itself in `system_properties`.
public struct ChainProperties: Sendable, Equatable {
    public struct Token: Sendable, Equatable {
        public let symbol: String
        public let decimals: UInt8

        public init(symbol: String, decimals: UInt8) {
            self.symbol = symbol
            self.decimals = decimals
        }
    }

    /// nil where the chain leaves it to its metadata.
    public let ss58Prefix: UInt16?
    /// In the chain's order: none, one, or the several of a chain that lists its assets here.
    public let tokens: [Token]

    /// nil when a known field has an unknown shape, or symbols and decimals do not pair up.
    init?(_ answer: JSON) {
        guard case .object(let fields) = answer else { return nil }
        switch fields["ss58Format"] {
        case nil, .null: ss58Prefix = nil
        case .integer(let prefix):
            guard let prefix = UInt16(exactly: prefix) else { return nil }
            ss58Prefix = prefix
        default: return nil
        }
        let symbols = Self.list(fields["tokenSymbol"]).map(\.string)
        let decimals = Self.list(fields["tokenDecimals"]).map { $0.integer.flatMap { UInt8(exactly: $0) } }
        guard symbols.count == decimals.count else { return nil }
        var tokens: [Token] = []
        for case (let symbol, let decimals) in zip(symbols, decimals) {
            guard let symbol, let decimals else { return nil }
            tokens.append(Token(symbol: symbol, decimals: decimals))
        }
        self.tokens = tokens
    }

    /// A value, or the several values of a list; both are in use.
    private static func list(_ value: JSON?) -> [JSON] {
        switch value {
        case nil, .null: []
        case .array(let items): items
        case let value?: [value]
        }
    }
}
