import Diagnostics
import Hashing
import SCALE
import SubstratePrimitives

extension ExtrinsicError: DiagnosticError {
    /// One code: whatever cannot be shown, a script makes the transaction again.
    public enum Code: String, CaseIterable, Sendable { case badTransaction = "bad-transaction" }

    public var code: Code { .badTransaction }
    public var sentence: String { "the transaction cannot be shown in full: \(detail)" }

    /// The place and what is wrong there, for a sentence that names the transaction itself.
    public var detail: String { Sentence.at(place, reason.sentence) }

    public static var examples: [ExtrinsicError] { Reason.examples.map { ExtrinsicError($0, place: "call.Balances.transfer_keep_alive") } }
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
        case .immortalBlockHash(let hash): "an immortal transaction must name the genesis block, but this one names block 0x\(hash.hex)"
        case .metadataHashInconsistent: "the metadata hash and its mode contradict each other"
        case .metadataHashMismatch(let computed, let transaction):
            "the transaction commits to metadata hash 0x\(transaction.hex), but it was read with metadata of hash 0x\(computed.hex)"
        case .metadataHashDisabled: "a transaction with a metadata proof must commit to the metadata hash"
        case .metadataHashNotAtEnd: "the signed bytes do not end with the metadata hash: the chain may read them differently"
        case .specsMismatch(let field): "the metadata proof and the network specs have different \(field.plural)"
        case .unitWithoutLetter(let unit): "the metadata proof has the unit \"\(unit)\", which has no letter"
        case .opaqueLength(let announced, let found):
            "the value has \(Sentence.count(found, "byte")), but its length prefix says \(announced)"
        case .notDeterminedByCards: "the cards do not show every byte"
        case .tooMuchToShow: "there is too much to show"
        case .extrinsicVersion(let version): "only transactions of format 4 are supported, but the runtime uses format \(version)"
        case .extensionVersion(let version): "only extensions of version 0 are supported, but the runtime uses version \(version)"
        case .signsInExtension:
            "the runtime expects the signature in an extension (VerifySignature), which signs other bytes: this is not supported"
        }
    }

    static var examples: [Self] {
        let one = Hash32.blake2b(of: [1])
        let two = Hash32.blake2b(of: [2])
        return [
            .encoding(.truncated(needed: 1, available: 0)), .metadata(.unknownVariant(200)), .tooDeep, .tooMany, .malformedValue,
            .leftoverAfterCall(count: 1), .leftoverAfterExtensions(count: 2), .noSpecVersion, .noGenesis, .repeatedExtension,
            .specVersionMismatch(metadata: 1000, transaction: 1001), .genesisMismatch(payload: one, transaction: two),
            .immortalBlockHash(one), .metadataHashInconsistent, .metadataHashMismatch(computed: one, transaction: two),
            .metadataHashDisabled,
            .metadataHashNotAtEnd, .specsMismatch(.decimals), .unitWithoutLetter("000"), .opaqueLength(announced: 9, found: 8),
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
