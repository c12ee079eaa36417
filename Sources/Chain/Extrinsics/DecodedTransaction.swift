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
