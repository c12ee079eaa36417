import Hashing
import NodeAnswers
import SCALE
import SubstratePrimitives

/// What an account has of the chain's own token, in its smallest unit.
public struct AccountBalance: Sendable, Equatable {
    /// Not reserved. It may be frozen.
    public let free: UInt128
    /// Set aside, and not part of ``free``.
    public let reserved: UInt128
    /// Must stay, as ``spendable`` counts it.
    public let frozen: UInt128
    /// Whether reserved amounts count against the frozen ones, as the account's flags say.
    let countsReserved: Bool

    /// An account that the chain does not know.
    public static let none = AccountBalance(free: 0, reserved: 0, frozen: 0, countsReserved: true)

    /// What can leave the account; the existential deposit is still part of it.
    public var spendable: UInt128 {
        let held = countsReserved ? frozen - min(frozen, reserved) : frozen
        return free - min(free, held)
    }

    private init(free: UInt128, reserved: UInt128, frozen: UInt128, countsReserved: Bool) {
        (self.free, self.reserved, self.frozen, self.countsReserved) = (
            free, reserved, frozen, countsReserved
        )
    }

    /// The value of `System.Account` with balances, 80 bytes: nonce ‖ consumers ‖ providers ‖ sufficients,
    /// u32 each ‖ free ‖ reserved ‖ frozen ‖ flags, u128 each. Runtimes before the flags have a second frozen
    /// amount there, whose highest bit is never set; the larger one counts. nil for another length: a chain
    /// that keeps balances in another way.
    ///
    /// Source: polkadot-sdk, `frame/system/src/lib.rs` (`AccountInfo`) and `frame/balances/src/types.rs`
    /// (`AccountData`, `ExtraFlags`).
    public init?(accountInfo bytes: [UInt8]) {
        guard bytes.count == 80 else { return nil }
        let (frozen, last) = (Self.amount(bytes, 2), Self.amount(bytes, 3))
        let hasFlags = last >> 127 == 1
        self.init(
            free: Self.amount(bytes, 0), reserved: Self.amount(bytes, 1),
            frozen: hasFlags ? frozen : max(frozen, last),
            countsReserved: hasFlags)
    }

    private static func amount(_ bytes: [UInt8], _ index: Int) -> UInt128 {
        UInt128(littleEndian: bytes[(16 + 16 * index)...].prefix(16))
    }
}

extension UInt128 {
    /// - Parameter bytes: 16, the lowest first.
    fileprivate init(littleEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }
    }
}

/// What a runtime says of a call when it executes it and keeps nothing.
public enum DryRun: Sendable, Equatable {
    case succeeds
    case fails(CallFailure)
    /// The runtime did not execute it.
    case notExecuted

    /// The start of the result of `DryRunApi_dry_run_call`; the events and messages behind it are not read.
    /// nil where that start is malformed.
    ///
    /// Source: polkadot-sdk, `polkadot/xcm/xcm-runtime-apis/src/dry_run.rs` (`CallDryRunEffects`);
    /// `substrate/frame/support/src/dispatch.rs` (`PostDispatchInfo`).
    public init?(_ bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        do throws(SCALEError) {
            guard try !reader.bool() else {
                self = .notExecuted
                return
            }
            let fails = try reader.bool()
            // How much weight it took, and whether a fee is due.
            _ = try reader.option { (reader: inout SCALEReader) throws(SCALEError) in
                (try reader.compact(), try reader.compact())
            }
            guard try reader.u8() <= 1 else { return nil }
            self = fails ? .fails(try CallFailure(&reader)) : .succeeds
        } catch {
            return nil
        }
    }
}

/// Why a call fails (`DispatchError`).
public enum CallFailure: Sendable, Equatable {
    /// The pallet by its index, the error by its index in the pallet.
    case module(pallet: UInt8, error: UInt8)
    case token(UInt8)
    case other(UInt8)

    /// The start of an encoded `DispatchError`; nil where it ends too early.
    public init?(_ bytes: [UInt8]) {
        var reader = SCALEReader(bytes)
        guard let failure = try? CallFailure(&reader) else { return nil }
        self = failure
    }

    fileprivate init(_ reader: inout SCALEReader) throws(SCALEError) {
        switch try reader.u8() {
        case 3: self = .module(pallet: try reader.u8(), error: try reader.u8())
        case 7: self = .token(try reader.u8())
        case let kind: self = .other(kind)
        }
    }

    /// In words.
    ///
    /// Source: polkadot-sdk, `substrate/primitives/runtime/src/lib.rs` (`DispatchError`, `TokenError`).
    /// - Parameter pallets: names by index.
    public func sentence(_ pallets: [UInt8: String]) -> String {
        switch self {
        case .module(let pallet, let error): "error \(error) of the pallet \(pallets[pallet] ?? "\(pallet)")"
        case .token(let kind): Self.word(kind, Self.tokens) ?? "error \(kind) of the token"
        case .other(let kind): Self.word(kind, Self.kinds) ?? "dispatch error \(kind)"
        }
    }

    private static func word(_ index: UInt8, _ words: [String]) -> String? {
        Int(index) < words.count ? words[Int(index)] : nil
    }

    private static let tokens = [
        "the funds are unavailable", "the account must stay alive", "the amount is below the minimum",
        "the account cannot be created",
        "the asset is unknown", "the funds are frozen", "the operation is unsupported",
        "a hold cannot be created",
        "the account must keep the amount", "the account is blocked",
    ]
    private static let kinds = [
        "an unspecified error", "an account was not found", "the origin is not allowed to make the call",
        "an error of a pallet",
        "consumers of the account remain", "the account has no provider",
        "the account has too many consumers", "an error of the token",
        "an arithmetic error", "too many nested transactions", "resources are exhausted",
        "the state is corrupt",
        "a resource is unavailable",
        "the root origin is not allowed", "an error of the trie",
    ]
}

/// What one node says of a transaction in a block.
public struct Inclusion: Sendable, Equatable {
    /// The block's number, as its header says.
    public let number: UInt32
    /// Whether the node's newest finalized block is this one or a later one.
    public let isFinal: Bool
    /// The block that the node has at this number: with ``isFinal``, its final one.
    public let canonical: Hash32?
    /// The indices of the transaction in the block, from 0. There is exactly one, unless the node is wrong.
    public let places: [UInt32]
    public let events: Events
    public let metadata: Metadata

    /// The value of `System.Events` at the block.
    public enum Events: Sendable, Equatable {
        case bytes([UInt8])
        /// The node has none, although every block has some.
        case none
        /// The node refuses to answer, for example because it discarded the state of the block. That says
        /// nothing about the answers of other nodes.
        case untold(RPCError)
    }

    /// The metadata of the runtime that executed the block. The block's events are read with it, so it must
    /// be right: metadata with the names of two events swapped would call a failure a success.
    public enum Metadata: Sendable, Equatable {
        /// Nobody asked, or the block is not final.
        case notAsked
        /// BLAKE2b-256 of it.
        case hash(Hash32)
        /// The runtime does not offer the format.
        case none
        /// As for ``Events/untold(_:)``.
        case untold(RPCError)
    }

    /// All facts of it, for a comparison. Events and metadata that a node does not give are unknown, so
    /// readers of the result check each answer's ``events`` and ``metadata``.
    public var facts: [NodeFact] {
        [
            NodeFact("block number", "\(number)"),
            NodeFact("block hash", canonical.map { "0x\($0.hex)" } ?? "none"),
            NodeFact("block is final", isFinal ? "yes" : "no"),
            NodeFact(
                "transaction in the block",
                places.isEmpty ? "none" : places.map { "\($0)" }.joined(separator: " ")),
            eventsFact, metadataFact,
        ]
    }

    private var eventsFact: NodeFact {
        switch events {
        case .bytes(let bytes): NodeFact("events", "0x\(Hash32.blake2b(of: bytes).hex)")
        case .none: NodeFact("events", "none")
        case .untold: .unknown("events")
        }
    }

    private var metadataFact: NodeFact {
        switch metadata {
        case .hash(let hash): NodeFact("metadata", "0x\(hash.hex)")
        case .none: NodeFact("metadata", "none")
        case .notAsked, .untold: .unknown("metadata")
        }
    }
}

/// The answer to `TaggedTransactionQueue_validate_transaction`.
public enum ValidityAnswer {
    /// The answer about a transaction with an invalid signature and the metadata hash enabled. `BadProof`
    /// says that the runtime made the bytes that the signature should cover, its hash among them;
    /// `CannotLookup` says that it could not. nil for every other answer.
    ///
    /// Source: polkadot-sdk, `substrate/primitives/runtime/src/transaction_validity.rs`;
    /// `substrate/frame/metadata-hash-extension/src/lib.rs`.
    public static func hasMetadataHash(_ bytes: [UInt8]) -> Bool? {
        switch bytes {
        case [1, 0, 4]: true
        case [1, 1, 0]: false
        default: nil
        }
    }
}

/// The answer to `TransactionPaymentApi_query_info`.
public enum FeeAnswer {
    /// The fee without the tip: the last 16 bytes, behind the weight (8 bytes, or two compact numbers) and
    /// the class (`00`, `01` or `02`). nil for other bytes.
    ///
    /// Source: polkadot-sdk, `substrate/frame/transaction-payment/src/types.rs` (`RuntimeDispatchInfo`).
    public static func fee(_ bytes: [UInt8]) -> UInt128? {
        guard (19...35).contains(bytes.count), bytes[bytes.count - 17] <= 2 else { return nil }
        return UInt128(littleEndian: bytes.suffix(16))
    }
}
