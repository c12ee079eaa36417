import Diagnostics
import Hashing
import SubstratePrimitives
import UOS

/// Why a state proof does not prove what it says. Each refuses the whole payload.
public enum StateProofError: Error, Equatable, Sendable {
    /// What is shown of an account, asset, location or hash that an item asks for.
    public enum Subject: Equatable, Sendable {
        /// With the address prefix of its network.
        case account(AccountID32, prefix: UInt16)
        case asset(UInt32)
        case location([UInt8])
        case callHash(Hash32)
    }

    /// Why no other parachain is reached.
    public enum Hop: Equatable, Sendable {
        /// The header has none or several `RPSR` digests, or one of fewer than 33 bytes.
        case noRelayState
        /// The relay chain has no head for this parachain.
        case missing(UInt32)
        /// The head is not one byte vector.
        case head(UInt32)
        /// This program lists no parachain of that number below the relay chain.
        case unlisted(UInt32)
        /// It is the chain of the transaction.
        case own(UInt32)
        /// The state under the head is of a runtime of another name than the listed one.
        case otherName(UInt32, expected: ExactText, found: ExactText)
    }

    /// A length that only the check of the proof meets is above its limit.
    case limit(StateLimit, Int)
    /// Not one header in its only encoding; bytes from its start.
    case header(offset: Int)
    /// The header is of another block than the one in the signed bytes.
    case headerHash(found: Hash32, named: Hash32)
    /// The era does not start at this block.
    case phase(block: UInt32)
    case immortal
    /// No block hash stands at the end of the signed bytes, or not where one extension says so.
    case noCheckpoint
    /// The walk asked for another node; counted from 1.
    case nodeHash(Int)
    case nodeMissing
    /// Nodes that no walk asked for.
    case leftover(Int)
    /// Not a node in its only encoding; counted from 1.
    case node(Int)
    case foreign(Subject)
    /// The state is of another runtime than the transaction.
    case runtime(signed: RuntimeVersion, found: RuntimeVersion)
    /// The state has no `LastRuntimeUpgrade` or no `Timestamp.Now`.
    case missing(StateItem.Kind)
    case migration(block: UInt32)
    /// The chain is one that migrates in steps, and item `0f` is missing.
    case migrationUnknown
    /// The value does not fit its row.
    case layout(StateItem.Kind, bytes: Int, RuntimeVersion)
    /// No row is built in for this runtime.
    case noLayout(StateItem.Kind, RuntimeVersion)
    /// The stored metadata describes the entry in another way than the built-in row.
    case layoutsDiffer(StateItem.Kind, RuntimeVersion)
    /// Neither rows nor metadata for the chain.
    case network(ExactText)
    case hop(Hop)
}

extension StateProofError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .limit(let limit, let count): StateFailure.limit(limit, count).diagnostic
        case .header(let offset):
            .badInput(
                "state-header", "the block header in the state proof is malformed at byte \(offset)",
                hint: Hints.scanAgain)
        case .headerHash(let found, let named):
            .refused(
                "state-header-hash",
                """
                the state proof is about block \(Self.short(found)), but the transaction names \
                \(Self.short(named))
                """, hint: Hints.makeAgain)
        case .phase(let block):
            .refused(
                "state-phase", "block \(Sentence.grouped(block)) does not start the transaction's era",
                hint: Hints.makeAgain)
        case .immortal:
            .refused(
                "state-immortal",
                "the transaction never expires, so it names no block whose state can be proven",
                hint: "make it mortal: --era 256")
        case .noCheckpoint:
            .refused(
                "state-no-checkpoint", "the transaction has no CheckMortality extension",
                hint: "make the transaction without a state proof")
        case .nodeHash(let number):
            .badInput(
                "state-node-hash", "the state proof is broken: node \(number) has a wrong hash",
                hint: Hints.makeAgain)
        case .nodeMissing:
            .badInput(
                "state-node-missing", "the state proof is broken: a node is missing", hint: Hints.makeAgain)
        case .leftover(let count):
            .badInput(
                "state-leftover",
                "the state proof is broken: \(Sentence.count(count, "node")) \(Sentence.be(count)) not needed",
                hint: Hints.makeAgain)
        case .node(let number):
            .badInput(
                "state-node", "the state proof is broken: node \(number) is malformed",
                hint: Hints.makeAgain)
        case .foreign(let subject):
            .refused(
                "state-item-foreign",
                "the state proof is about \(subject.words), which the transaction does not name",
                hint: Hints.makeAgain)
        case .runtime(let signed, let found):
            .refused(
                "state-runtime",
                "the transaction is for \(signed.words), but the state is of \(found.words)",
                hint: "the runtime was upgraded: make the transaction again")
        case .missing(let kind):
            .refused(
                "state-runtime", "the state has no value of \(StateEntry(kind).name)", hint: Hints.makeAgain)
        case .migration(let block):
            .refused(
                "state-migration", "the chain is migrating its storage at block \(Sentence.grouped(block))",
                hint: "wait, then make the transaction again")
        case .migrationUnknown:
            .refused(
                "state-migration",
                "the state proof does not show whether the chain is migrating its storage",
                hint: Hints.makeAgain)
        case .layout(let kind, let bytes, let runtime):
            .refused(
                "state-layout",
                "the value of \(StateEntry(kind).name) has an unknown layout (\(Sentence.count(bytes, "byte")))",
                hint: "scan metadata for \(runtime.words)")
        case .noLayout(let kind, let runtime):
            .refused(
                "state-layout", "no layout of \(StateEntry(kind).name) is built in for \(runtime.words)",
                hint: "scan metadata for \(runtime.words)")
        case .layoutsDiffer(let kind, let runtime):
            .refused(
                "state-layout",
                """
                the metadata for \(runtime.words) and the built-in layout disagree about \
                \(StateEntry(kind).name)
                """, hint: "scan metadata for \(runtime.words)")
        case .network(let name):
            .refused(
                "state-network",
                "no layout is built in for \(name.text), and its metadata is not in this vault",
                hint: "scan a metadata update for it")
        case .hop(let hop): .refused("state-hop", hop.words, hint: Hints.makeAgain)
        }
    }

    public static var examples: [StateProofError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        let runtime = RuntimeVersion(specName: "polkadot", specVersion: 2_003_000)
        return [
            .limit(.value, 16_385), .header(offset: 99), .headerHash(found: one, named: other),
            .phase(block: 28_123_457), .immortal, .noCheckpoint, .nodeHash(3), .nodeMissing, .leftover(2),
            .node(3), .foreign(.account(one, prefix: 42)), .foreign(.asset(1984)),
            .foreign(.location([1, 0])), .foreign(.callHash(one)),
            .runtime(signed: RuntimeVersion(specName: "polkadot", specVersion: 2_003_001), found: runtime),
            .missing(.time), .migration(block: 28_123_456), .migrationUnknown,
            .layout(.account, bytes: 84, runtime), .noLayout(.ledger, runtime),
            .layoutsDiffer(.account, runtime), .network("mychain"), .hop(.noRelayState),
            .hop(.missing(1006)), .hop(.head(1004)), .hop(.unlisted(1006)),
            .hop(.own(1000)),
            .hop(.otherName(1004, expected: "people-polkadot", found: "statemint")),
        ]
    }

    /// The ends, as errors name other hashes; a person compares whole ones elsewhere.
    private static func short(_ hash: Hash32) -> String {
        "0x\(hash.hex.prefix(8))...\(hash.hex.suffix(8))"
    }
}

extension RuntimeVersion {
    fileprivate var words: String { "\(specName) \(specVersion)" }
}

extension StateProofError.Subject {
    fileprivate var words: String {
        switch self {
        case .account(let account, let prefix):
            SS58Address(prefix: prefix, account: account.bytes)?.text ?? "account 0x\(account.hex)"
        case .asset(let asset): "asset \(asset)"
        case .location(let location): "the asset at 0x\(Hex.encode(location))"
        case .callHash(let hash): "the multisig call 0x\(hash.hex)"
        }
    }
}

extension StateProofError.Hop {
    fileprivate var words: String {
        switch self {
        case .noRelayState: "the header of this parachain names no relay state"
        case .missing(let para): "parachain \(para) does not exist"
        case .head(let para): "the head of parachain \(para) is malformed"
        case .unlisted(let para): "parachain \(para) is not built in"
        case .own(let para): "parachain \(para) is the chain of the transaction, not another one"
        case .otherName(let para, let expected, let found):
            "parachain \(para) runs \(found.text) instead of \(expected.text)"
        }
    }
}
