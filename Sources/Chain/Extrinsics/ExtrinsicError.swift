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
        /// Something that is no value of its type: a character, an era, padding bits that are set.
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
        /// The runtime takes its signatures in an extension: they are made over the hash of other bytes than these.
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
