import Cards
import Metadata
import SubstratePrimitives

/// A call that was decoded to its last bit.
public struct DecodedCall: Sendable {
    public let cards: [Card]
    /// By the type of the runtime's outer call.
    public let value: Value
    public let summary: CallSummary
    /// What the extensions may still show.
    let budget: CardBudget
}

/// A transaction that was decoded to its last bit.
public struct DecodedTransaction: Sendable {
    public let method: [Card]
    public let extensions: [Card]
    public let warnings: [Card]
    /// Call ‖ explicit extensions ‖ implicit extensions: what is signed, before hashing.
    public let signingBytes: [UInt8]
    public let callBytes: [UInt8]
    /// The outer call, by the type `source.extrinsic.call`.
    public let call: Value
    /// Explicit and implicit parts, in the order of the runtime's extensions.
    public let explicit: [Value]
    public let implicit: [Value]
    public let facts: TransactionFacts
    public internal(set) var hashCheck: MetadataHashCheck
    /// Unknown extensions that carry bytes.
    public let unknownExtensions: [UnknownExtension]
    /// Name by the metadata, version by the transaction; the two versions are equal.
    public let runtimeVersion: RuntimeVersion
    public let source: TransactionSource
    public let summary: CallSummary
}

/// What the extensions of a transaction say; nil for what its runtime has no extension for.
public struct TransactionFacts: Sendable, Equatable {
    public internal(set) var specVersion: UInt32?
    public internal(set) var txVersion: UInt32?
    public internal(set) var genesisHash: GenesisHash?
    public internal(set) var era: Era?
    public internal(set) var blockHash: Hash32?
    public internal(set) var nonce: UInt128?
    /// In the smallest unit of the native token.
    public internal(set) var tip: UInt128?
    /// Whether the transaction commits to the hash of the metadata; nil where the runtime cannot check it.
    public internal(set) var metadataHashEnabled: Bool?
    public internal(set) var metadataHash: Hash32?
}

/// An unknown extension and the bytes that a transaction carries for it.
public struct UnknownExtension: Sendable, Equatable {
    public let identifier: ExactText
    /// Explicit part, then implicit part; not both are empty.
    public let bytes: [UInt8]
}

/// What a transaction's parts are decoded by: full metadata, or a metadata proof.
public struct TransactionSource: Sendable {
    public let registry: any TypeRegistry
    public let extrinsic: ExtrinsicDefinition
    public let runtimeVersion: RuntimeVersion

    public init(registry: any TypeRegistry, extrinsic: ExtrinsicDefinition, runtimeVersion: RuntimeVersion) {
        self.registry = registry
        self.extrinsic = extrinsic
        self.runtimeVersion = runtimeVersion
    }

    public init(_ metadata: RuntimeMetadata) {
        self.init(
            registry: metadata.registry, extrinsic: metadata.extrinsic,
            runtimeVersion: metadata.runtimeVersion)
    }
}

extension TransactionSource {
    /// Whether a place lies in the extension of that role.
    func isPart(_ place: String, of role: TransactionExtension.Role) -> Bool {
        extrinsic.extensions.contains {
            TransactionExtension.role(of: $0, in: registry) == role
                && "\(place).".utf8Starts(with: "extensions.\($0.identifier).")
        }
    }
}
