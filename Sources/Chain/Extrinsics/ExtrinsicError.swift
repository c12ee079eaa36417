import Diagnostics
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Why a transaction cannot be shown in full, and so not signed.
public struct ExtrinsicError: Error, Equatable, Sendable {
    /// What is wrong with the transaction or its metadata.
    public enum Reason: Sendable, Equatable {
        case encoding(SCALEError.Reason)
        case metadata(MetadataError.Reason)
        /// Values nested deeper than `ValueLimits.depth`.
        case tooDeep
        /// More values than `ValueLimits.count`.
        case tooMany
        /// Something that is not a value of its type: a character, an era, padding bits that are set.
        case malformedValue
        /// Bytes that remain after the call, inside its announced length.
        case leftoverAfterCall(count: Int)
        case leftoverAfterExtensions(count: Int)
        /// The runtime's extensions do not say which version a transaction is for.
        case noSpecVersion
        /// The runtime's extensions do not tie a transaction to its chain.
        case noGenesis
        /// Two extensions give the same fact.
        case repeatedExtension
        /// The transaction is for another version of the runtime than the metadata.
        case specVersionMismatch(metadata: UInt32, transaction: UInt32)
        /// The extensions name another chain than the payload.
        case genesisMismatch(payload: GenesisHash, transaction: GenesisHash)
        /// An immortal transaction must name block 0 as the block it starts from.
        case immortalBlockHash(Hash32)
        /// The hash of the metadata is asked for but missing, or present but not asked for.
        case metadataHashInconsistent
        /// The transaction commits to other metadata than the one it was decoded with.
        case metadataHashMismatch(computed: Hash32, transaction: Hash32)
        /// With a metadata proof the transaction must commit to the hash of the metadata.
        case metadataHashDisabled
        /// The hash of the metadata is enabled and the signed bytes do not end with it.
        case metadataHashNotAtEnd
        /// The proof speaks for other specs than those of the network.
        case specsMismatch(SpecsField)
        /// The unit of the proof has no letter, and would read as part of the number before it.
        case unitWithoutLetter(String)
        /// The length in front of an opaque value differs from the length of the value inside.
        case opaqueLength(announced: Int, found: Int)
        /// The bytes rebuilt from the cards differ from the signed bytes: something would not be shown.
        case notDeterminedByCards
        /// More cards or more text than ``CardLimits``.
        case tooMuchToShow
        /// Signed transactions of this runtime do not have extrinsic format 4.
        case extrinsicVersion(UInt8)
        /// The extensions do not have version 0, the only one that format 4 uses.
        case extensionVersion(UInt8)
        /// The runtime takes its signatures in an extension: they are made over the hash of other bytes than
        /// these.
        case signsInExtension
    }

    /// The facts that both a proof and the specs of a network hold.
    public enum SpecsField: String, Sendable {
        case name, base58Prefix, decimals, unit
    }

    public let reason: Reason
    /// Dotted path from the outside in: `call.Balances.transfer_keep_alive.value`, `extensions.CheckNonce`.
    public let place: String

    /// Whether old metadata names types that only a types update describes.
    public var needsTypes: Bool { reason == .metadata(.typesNeeded) }

    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }

    init(_ error: ValueError, in part: String) {
        let reason: Reason =
            switch error.reason {
            case .encoding(let reason): .encoding(reason)
            case .metadata(let reason): .metadata(reason)
            case .tooDeep: .tooDeep
            case .tooMany: .tooMany
            case .opaqueLength(let announced, let found): .opaqueLength(announced: announced, found: found)
            case .notACharacter, .paddingBits, .mismatch: .malformedValue
            }
        self.init(reason, place: ([part] + error.path).joined(separator: "."))
    }
}

extension ExtrinsicError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .badInput(
            "bad-transaction", "the transaction cannot be shown in full: \(detail)",
            hint: Hints.makeAgain)
    }

    /// The place and what is wrong there, for a sentence that names the transaction itself.
    public var detail: String { Sentence.at(place, reason.sentence) }

    public static var examples: [ExtrinsicError] {
        Reason.examples.map { ExtrinsicError($0, place: "call.Balances.transfer_keep_alive") }
    }
}

extension ExtrinsicError.Reason {
    /// What is wrong with the transaction, without the place.
    public var sentence: String {
        switch self {
        case .encoding(let reason): reason.sentence
        case .metadata(let reason): "the metadata does not describe it: \(reason.sentence)"
        case .tooDeep: "values are nested too deeply"
        case .tooMany: "there are too many values"
        case .malformedValue: "the value is malformed"
        case .leftoverAfterCall(let count): "\(Sentence.leftover(count)) after the call"
        case .leftoverAfterExtensions(let count): "\(Sentence.leftover(count)) after the extensions"
        case .noSpecVersion: "no extension names the runtime version"
        case .noGenesis: "no extension names the genesis hash"
        case .repeatedExtension: "two extensions state the same fact"
        case .specVersionMismatch(let metadata, let transaction):
            "the transaction is for runtime version \(transaction), but the metadata is for \(metadata)"
        case .genesisMismatch(let payload, let transaction):
            "the extensions name genesis hash 0x\(transaction.hex), but the payload names 0x\(payload.hex)"
        case .immortalBlockHash(let hash):
            "an immortal transaction must name the genesis block, but this one names block 0x\(hash.hex)"
        case .metadataHashInconsistent: "the metadata hash and its mode contradict each other"
        case .metadataHashMismatch(let computed, let transaction):
            """
            the transaction commits to metadata hash 0x\(transaction.hex), but it was read with metadata of \
            hash 0x\(computed.hex)
            """
        case .metadataHashDisabled: "a transaction with a metadata proof must commit to the metadata hash"
        case .metadataHashNotAtEnd:
            "the signed bytes do not end with the metadata hash: the chain may read them differently"
        case .specsMismatch(let field):
            "the metadata proof and the network specs have different \(field.plural)"
        case .unitWithoutLetter(let unit): "the metadata proof has the unit \"\(unit)\", which has no letter"
        case .opaqueLength(let announced, let found):
            "the value has \(Sentence.count(found, "byte")), but its length prefix says \(announced)"
        case .notDeterminedByCards: "the cards do not show every byte"
        case .tooMuchToShow: "there is too much to show"
        case .extrinsicVersion(let version):
            "only transactions of format 4 are supported, but the runtime uses format \(version)"
        case .extensionVersion(let version):
            "only extensions of version 0 are supported, but the runtime uses version \(version)"
        case .signsInExtension:
            """
            the runtime expects the signature in an extension (VerifySignature), which signs other bytes: \
            this is not supported
            """
        }
    }

    static var examples: [Self] {
        let one = Hash32.blake2b(of: [1])
        let two = Hash32.blake2b(of: [2])
        return [
            .encoding(.truncated(needed: 1, available: 0)), .metadata(.unknownVariant(200)), .tooDeep,
            .tooMany, .malformedValue,
            .leftoverAfterCall(count: 1), .leftoverAfterExtensions(count: 2), .noSpecVersion, .noGenesis,
            .repeatedExtension,
            .specVersionMismatch(metadata: 1000, transaction: 1001),
            .genesisMismatch(payload: one, transaction: two),
            .immortalBlockHash(one), .metadataHashInconsistent,
            .metadataHashMismatch(computed: one, transaction: two),
            .metadataHashDisabled,
            .metadataHashNotAtEnd, .specsMismatch(.decimals), .unitWithoutLetter("000"),
            .opaqueLength(announced: 9, found: 8),
            .notDeterminedByCards, .tooMuchToShow,
            .extrinsicVersion(5), .extensionVersion(1), .signsInExtension,
        ]
    }
}

extension ExtrinsicError.SpecsField {
    fileprivate var plural: String {
        switch self {
        case .name: "names"
        case .base58Prefix: "address prefixes"
        case .decimals: "decimals"
        case .unit: "units"
        }
    }
}
