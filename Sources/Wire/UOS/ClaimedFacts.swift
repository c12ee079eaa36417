import SCALE

/// Numbers that an online machine sends with a transaction (code a4). A person may read them, but nobody has
/// checked them.
///
/// They contain no text, name or address, so the online machine cannot use them to talk to the person. Every
/// field is optional. The encoding: version `00` ‖ an option for each field in the order below. Amounts are
/// u128 in the smallest unit of the chain's own token, block number and time are u64; all little-endian.
/// Source: `Payloads.md` in `heliograph.docc`.
public struct ClaimedFacts: Sendable, Equatable {
    /// The only version.
    static let version: UInt8 = 0

    /// What the chain will charge for the transaction, without the tip.
    public var fee: UInt128?
    /// The spendable balance of the signer's account before the transaction, without reserved and frozen
    /// amounts.
    public var balance: UInt128?
    /// The balance below which the chain removes an account.
    public var existentialDeposit: UInt128?
    /// ``balance`` after the transaction.
    public var balanceAfter: UInt128?
    /// The newest finalised block when the claims were made.
    public var block: UInt64?
    /// When they were made, in seconds since 1970-01-01 UTC.
    public var time: UInt64?

    /// Claims of nothing.
    public init() {}

    init(from reader: inout SCALEReader) throws(SCALEError) {
        let offset = reader.offset
        let version = try reader.u8()
        guard version == Self.version else { throw SCALEError(.invalidDiscriminant(version), offset: offset) }
        fee = try Self.amount(&reader)
        balance = try Self.amount(&reader)
        existentialDeposit = try Self.amount(&reader)
        balanceAfter = try Self.amount(&reader)
        block = try Self.number(&reader)
        time = try Self.number(&reader)
    }

    private static func amount(_ reader: inout SCALEReader) throws(SCALEError) -> UInt128? {
        try reader.option { (reader: inout SCALEReader) throws(SCALEError) in try reader.integer(UInt128.self)
        }
    }

    private static func number(_ reader: inout SCALEReader) throws(SCALEError) -> UInt64? {
        try reader.option { (reader: inout SCALEReader) throws(SCALEError) in try reader.integer(UInt64.self)
        }
    }

    /// The encoding that stands between the prelude and the transaction's payload.
    public var bytes: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(Self.version)
            for amount in [fee, balance, existentialDeposit, balanceAfter] {
                writer.option(amount) { $0.integer($1) }
            }
            for number in [block, time] { writer.option(number) { $0.integer($1) } }
        }
    }
}
