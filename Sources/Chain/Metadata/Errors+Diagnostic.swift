import Diagnostics
import SCALE

extension MetadataError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// The bytes do not start as metadata does.
        case notMetadata = "not-metadata"
        /// Metadata that is malformed, or of a version that is not supported; the sentence names its place.
        case badMetadata = "bad-metadata"
    }

    /// ``Code/notMetadata`` for bytes that are something else, else ``Code/badMetadata``.
    public var code: Code {
        switch reason {
        case .notMetadata: .notMetadata
        case .unsupportedVersion, .encoding, .typesNeeded, .typesMalformed, .unknownTypeName, .unknownType, .misplacedType, .unknownVariant,
            .duplicateIndex, .malformedType, .missingPallet, .missingConstant, .malformedConstant, .noExtrinsicVersion, .limit,
            .versionTooOld:
            .badMetadata
        }
    }

    public var sentence: String { "the metadata is unusable: \(detail)" }

    /// The place and what is wrong there, for a sentence that names the metadata itself.
    public var detail: String { Sentence.at(place, reason.sentence) }

    public static var examples: [MetadataError] { Reason.examples.map { MetadataError($0, place: "types.17") } }
}

extension MetadataError.Reason {
    /// What is wrong with the metadata, without the place.
    public var sentence: String {
        switch self {
        case .notMetadata: "it does not start with \"meta\""
        case .unsupportedVersion(let version): "metadata version \(version) is not supported"
        case .encoding(let reason): reason.sentence
        case .typesNeeded: "it needs types from a types update"
        case .typesMalformed: "the types that describe it are malformed"
        case .unknownTypeName(let name): "type \(name) is unknown"
        case .unknownType(let id): "type \(id) is missing"
        case .misplacedType(let id): "type \(id) is not at its own index"
        case .unknownVariant(let index): "there is no variant with index \(index)"
        case .duplicateIndex(let index): "duplicate index \(index)"
        case .malformedType(let id): "type \(id) describes no value"
        case .missingPallet(let name): "pallet \(name) is missing"
        case .missingConstant(let pallet, let name): "constant \(name) of pallet \(pallet) is missing"
        case .malformedConstant(let pallet, let name): "constant \(name) of pallet \(pallet) is malformed"
        case .noExtrinsicVersion: "it lists no version of signed transactions"
        case .limit(let limit): limit.sentence
        case .versionTooOld(let version): "metadata version \(version) is too old for this"
        }
    }

    static var examples: [Self] {
        [
            .notMetadata, .unsupportedVersion(11), .encoding(.leftover(count: 2)), .typesNeeded, .typesMalformed,
            .unknownTypeName("Weight"),
            .unknownType(5), .misplacedType(6), .unknownVariant(7), .duplicateIndex(8), .malformedType(9), .missingPallet("System"),
            .missingConstant(pallet: "System", name: "Version"), .malformedConstant(pallet: "System", name: "SS58Prefix"),
            .noExtrinsicVersion, .limit(.nesting), .versionTooOld(14),
        ]
    }
}

extension MetadataLimit {
    var sentence: String {
        switch self {
        case .types: "there are too many types"
        case .fields: "a type has too many fields"
        case .nesting: "types are nested too deeply"
        case .extensions: "there are too many transaction extensions"
        }
    }
}

extension MetadataProofError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A proof of RFC-0078 that is malformed or does not lead to its root; the sentence names its place.
        case badProof = "bad-metadata-proof"
    }

    /// Always ``Code/badProof``.
    public var code: Code { .badProof }
    public var sentence: String { "the metadata proof is invalid: \(Sentence.at(place, reason.sentence))" }

    public static var examples: [MetadataProofError] { Reason.examples.map { MetadataProofError($0, place: "proof.leaves.3") } }
}

extension MetadataProofError.Reason {
    /// What is wrong with the proof, without the place.
    public var sentence: String {
        switch self {
        case .encoding(let reason): reason.sentence
        case .leafCount(let leaves, let indices):
            "\(Sentence.count(leaves, "leaf", plural: "leaves")) and \(Sentence.count(indices, "index", plural: "indices")) do not match"
        case .notATree: "leaves, indices and nodes do not form one complete tree"
        case .repeatedType(let id): "duplicate type \(id)"
        case .malformedLeaf: "malformed leaf"
        case .limit(let limit): limit.sentence
        }
    }

    static var examples: [Self] {
        [.encoding(.invalidUTF8), .leafCount(leaves: 3, indices: 2), .notATree, .repeatedType(4), .malformedLeaf, .limit(.types)]
    }
}

extension ValueError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A value that does not fit its type; the sentence names its place.
        case badValue = "bad-value"
    }

    /// Always ``Code/badValue``.
    public var code: Code { .badValue }
    public var sentence: String { "the value is invalid: \(Sentence.at(path.joined(separator: "."), reason.sentence))" }

    public static var examples: [ValueError] { Reason.examples.map { ValueError($0, path: ["Balances", "transfer_keep_alive", "value"]) } }
}

extension ValueError.Reason {
    /// What is wrong with the value, without the place.
    public var sentence: String {
        switch self {
        case .encoding(let reason): reason.sentence
        case .metadata(let reason): "the metadata does not describe it: \(reason.sentence)"
        case .tooDeep: "values are nested too deeply"
        case .tooMany: "there are too many values"
        case .notACharacter(let number): "\(number) is not a Unicode character"
        case .paddingBits: "the padding bits are not zero"
        case .mismatch: "the value does not match its type"
        case .opaqueLength(let announced, let found):
            "the value has \(Sentence.count(found, "byte")), but its length prefix says \(announced)"
        }
    }

    static var examples: [Self] {
        [
            .encoding(.compactNotShortest), .metadata(.unknownType(5)), .tooDeep, .tooMany, .notACharacter(0xd800), .paddingBits, .mismatch,
            .opaqueLength(announced: 9, found: 8),
        ]
    }
}
