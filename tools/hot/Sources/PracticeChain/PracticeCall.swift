import FixtureRuntime
import SCALE
import SubstratePrimitives

/// A call of the practice runtime, as far as the chain carries it out.
indirect enum PracticeCall {
    /// Bytes on the chain, which change nothing.
    case remark
    case transfer(to: Hash32, amount: UInt128, keepsAlive: Bool)
    case transferAll(to: Hash32, keepsAlive: Bool)
    /// Calls one after the other, until one fails.
    case batch([PracticeCall])
    /// All calls or none.
    case batchAll([PracticeCall])
    /// All calls, failed or not.
    case forceBatch([PracticeCall])
    /// What always fails here, since nobody has a proxy, a threshold account or an asset.
    case impossible(PracticeFailure)

    /// Levels of calls within calls, as Substrate's decoder of calls allows at least.
    private static let deepest = 32
    private static let names: [UInt8: (pallet: String, calls: [UInt8: String])] = Dictionary(
        uniqueKeysWithValues: PracticeNetwork.runtime.pallets.map { pallet in
            (
                pallet.index,
                (pallet.name, Dictionary(uniqueKeysWithValues: pallet.calls.map { ($0.index, $0.name) }))
            )
        })

    /// - Throws: `SCALEError` or ``PracticeRefusal/malformedExtrinsic``.
    init(_ reader: inout SCALEReader, depth: Int) throws {
        guard depth < Self.deepest, let (pallet, calls) = Self.names[try reader.u8()],
            let name = calls[try reader.u8()]
        else { throw PracticeRefusal.malformedExtrinsic }
        switch (ExactText(pallet), ExactText(name)) {
        case ("System", "remark"), ("System", "remark_with_event"):
            _ = try reader.byteVector()
            self = .remark
        case ("Balances", "transfer_allow_death"), ("Balances", "transfer_keep_alive"):
            let to = try Self.account(&reader)
            let amount = try reader.amount()
            self =
                to.map {
                    .transfer(to: $0, amount: amount, keepsAlive: name.utf8Ends(with: "keep_alive"))
                } ?? .impossible(.other)
        case ("Balances", "transfer_all"):
            let to = try Self.account(&reader)
            let keepsAlive = try reader.bool()
            self = to.map { .transferAll(to: $0, keepsAlive: keepsAlive) } ?? .impossible(.other)
        case ("Utility", "batch"): self = .batch(try Self.calls(&reader, depth))
        case ("Utility", "batch_all"): self = .batchAll(try Self.calls(&reader, depth))
        case ("Utility", "force_batch"): self = .forceBatch(try Self.calls(&reader, depth))
        case ("Proxy", "proxy"):
            _ = try Self.account(&reader)
            _ = try reader.option { (reader) throws(SCALEError) in try reader.u8() }
            _ = try PracticeCall(&reader, depth: depth + 1)
            self = .impossible(.badOrigin)
        case ("Multisig", "as_multi"):
            _ = try reader.integer(UInt16.self)
            _ = try reader.vector(minimumElementSize: 32) { (reader) throws(SCALEError) in
                try reader.hash32()
            }
            _ = try reader.option { (reader) throws(SCALEError) in try reader.bytes(count: 8) }
            _ = try PracticeCall(&reader, depth: depth + 1)
            _ = (try reader.compact(), try reader.compact())
            self = .impossible(.badOrigin)
        case ("Assets", "transfer"):
            _ = try reader.compact()
            _ = try Self.account(&reader)
            _ = try reader.amount()
            self = .impossible(.fundsUnavailable)
        default: throw PracticeRefusal.malformedExtrinsic
        }
    }

    private static func calls(_ reader: inout SCALEReader, _ depth: Int) throws -> [PracticeCall] {
        try (0..<(try reader.count(minimumElementSize: 2))).map { _ in
            try PracticeCall(&reader, depth: depth + 1)
        }
    }

    /// nil for the forms of an address that lead to no account here.
    private static func account(_ reader: inout SCALEReader) throws -> Hash32? {
        switch try reader.u8() {
        case 0: return try reader.hash32()
        case 1: _ = try reader.compact()
        case 2: _ = try reader.byteVector()
        case 3: _ = try reader.bytes(count: 32)
        case 4: _ = try reader.bytes(count: 20)
        default: throw PracticeRefusal.malformedExtrinsic
        }
        return nil
    }
}

/// Why a call fails, as the runtime's `DispatchError` encodes it.
enum PracticeFailure: Error {
    case other, badOrigin, insufficientBalance, fundsUnavailable, mustStayAlive

    var bytes: [UInt8] {
        switch self {
        case .other: [0]
        case .badOrigin: [2]
        // Error 2 of the pallet Balances.
        case .insufficientBalance: [3, 5, 2, 0, 0, 0]
        case .fundsUnavailable: [7, 0]
        case .mustStayAlive: [7, 1]
        }
    }
}
