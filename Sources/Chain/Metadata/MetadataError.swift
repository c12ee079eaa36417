import Diagnostics
import SCALE

/// Why a blob is not usable metadata, or why metadata cannot answer a question.
public struct MetadataError: Error, Equatable, Sendable {
    /// What is wrong with the metadata.
    public enum Reason: Sendable, Equatable {
        /// The blob does not start with `meta`.
        case notMetadata
        /// A metadata version other than 12 to 16.
        case unsupportedVersion(UInt8)
        /// The bytes are too few, too many, or not SCALE.
        case encoding(SCALEError.Reason)
        /// Metadata of version 12 or 13 names types that only a types supplement describes.
        case typesNeeded
        /// The types supplement is not a list of type entries.
        case typesMalformed
        /// A type name of version 12 or 13 that neither the supplement nor the built-in names explain.
        case unknownTypeName(String)
        /// A type id that the registry does not hold.
        case unknownType(UInt32)
        /// An id that does not stand at its own place in the registry.
        case misplacedType(UInt32)
        /// An index that the enumeration does not have.
        case unknownVariant(UInt8)
        /// Two variants of one enumeration, or two pallets, carry one index.
        case duplicateIndex(UInt8)
        /// A type definition that no value can follow: a compact of something that is not an unsigned
        /// integer, a bit sequence over something that is not u8…u64.
        case malformedType(UInt32)
        /// The runtime lacks a pallet of that name.
        case missingPallet(String)
        /// The pallet lacks a constant of that name.
        case missingConstant(pallet: String, name: String)
        /// A constant that does not decode as its own type, or lacks a field that is needed.
        case malformedConstant(pallet: String, name: String)
        /// The runtime lists no extrinsic version that signed transactions use.
        case noExtrinsicVersion
        /// The metadata announces more than a limit allows.
        case limit(MetadataLimit)
        /// Only version 15 and later have what is asked for.
        case versionTooOld(UInt8)
    }

    /// What is wrong.
    public let reason: Reason
    /// Dotted path of the part, `types.17`, `pallets.Balances`.
    public let place: String

    /// An error in a part of the metadata.
    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }
}

/// Bounds on what metadata may announce, so that a hostile blob ends in an error soon.
public enum MetadataLimit: String, Sendable {
    /// More types than ``MetadataLimits/types``.
    case types
    /// More fields in one type than ``MetadataLimits/fields``.
    case fields
    /// Type expressions nested deeper than ``MetadataLimits/nesting``.
    case nesting
    /// More extensions of a transaction than ``MetadataLimits/extensions``.
    case extensions
}

/// The bounds themselves, each far above what known runtimes need.
public enum MetadataLimits {
    /// Types in a registry: an id beyond 16 bits belongs to no runtime that is known.
    public static let types = 1 << 16
    /// Fields or elements of one composite, variant or tuple: far more than a person could read.
    public static let fields = 1 << 12
    /// Levels of one type expression or wrapper: bounds recursion, far above what runtimes nest.
    public static let nesting = 32
    /// Extensions that a metadata proof may list: far more than a runtime has, and few enough to show each
    /// with its warning.
    public static let extensions = 256
}

/// Runs `body` and gives a reading fault its place.
func located<T>(_ place: @autoclosure () -> String, _ body: () throws(SCALEError) -> T) throws(MetadataError)
    -> T
{
    do throws(SCALEError) {
        return try body()
    } catch {
        throw MetadataError(.encoding(error.reason), place: place())
    }
}

extension MetadataError: DiagnosticError {
    public var diagnostic: Diagnostic {
        if case .notMetadata = reason {
            .badInput("not-metadata", "the metadata is unusable: \(detail)", hint: Hints.fetchAgain)
        } else {
            .badInput("bad-metadata", "the metadata is unusable: \(detail)", hint: Hints.fetchAgain)
        }
    }

    /// The place and what is wrong there, for a sentence that names the metadata itself.
    public var detail: String { Sentence.at(place, reason.sentence) }

    public static var examples: [MetadataError] {
        Reason.examples.map { MetadataError($0, place: "types.17") }
    }
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
            .notMetadata, .unsupportedVersion(11), .encoding(.leftover(count: 2)), .typesNeeded,
            .typesMalformed,
            .unknownTypeName("Weight"),
            .unknownType(5), .misplacedType(6), .unknownVariant(7), .duplicateIndex(8), .malformedType(9),
            .missingPallet("System"),
            .missingConstant(pallet: "System", name: "Version"),
            .malformedConstant(pallet: "System", name: "SS58Prefix"),
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
