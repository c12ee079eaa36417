import Extrinsics
import FixtureRuntime
import SubstratePrimitives
import TestSupport

/// Values of policies as tests write them: numbers are in the smallest unit of the fixture's token.
extension TransactionPolicy.Limit: ExpressibleByStringLiteral {
    public init(stringLiteral raw: String) { self = .hlo(UInt128(raw)!) }

    static func hlo(_ raw: UInt128) -> Self { Self(TransactionPolicy.Amount(text: HLO.text(raw))!) }
}

extension TransactionPolicy.NetworkName: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text: text) }
}

extension TransactionPolicy.CallPattern: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text: text)! }
}

extension Tokens: ExpressibleByIntegerLiteral {
    public init(integerLiteral raw: UInt64) { self = .hlo(UInt128(raw)) }

    static func hlo(_ raw: UInt128) -> Tokens {
        Tokens(raw, AssetUnit(symbol: HLO.symbol, decimals: HLO.decimals))
    }
}

extension TransactionPolicy.Account {
    static func typed(_ text: String) -> Self { Self(text: text)! }
}

/// An account as the fixture's network writes it.
func address(_ account: [UInt8]) -> String { TransactionPolicy.Account.address(of: account, prefix: 42) }

extension NetworkSpecs {
    /// The fixture's network under another name.
    static func fixture(_ name: String = "heliotest", _ scheme: SignatureScheme = .sr25519) -> NetworkSpecs {
        var specs = FixtureRuntime.standard.specs
        (specs.name, specs.scheme) = (name, scheme)
        return specs
    }
}
