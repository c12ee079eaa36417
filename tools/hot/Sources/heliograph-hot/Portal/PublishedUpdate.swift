import HotStore
import SubstratePrimitives
import UOS

/// An update as it is published: with a verifier's stored signature, if there is one.
struct PublishedUpdate {
    let payload: [UInt8]
    /// nil for an unsigned update.
    let verifier: PublicKey?

    /// - Parameter unsigned: whether a stored signature is left out.
    init(_ update: OutgoingUpdate, _ store: HotStore, unsigned: Bool = false) throws {
        let stored = unsigned ? nil : try VerifiedSignature(over: update.message, in: store)
        payload = update.bytes(signature: stored?.signature)
        verifier = stored?.signature.key
    }

    /// - Parameter signature: the signature over the update's message. It is not stored, and no stored one
    ///   replaces it.
    init(_ update: OutgoingUpdate, signedBy signature: VerifiedSignature?) {
        payload = update.bytes(signature: signature?.signature)
        verifier = signature?.signature.key
    }

    /// What a person is told: who signed it, or that nobody did.
    var line: String { VerifiedSignature.line(verifier) }

    /// The metadata of one version of a network (nil: newest): in a format that a verifier signed, else in
    /// the oldest format, which most signers support. nil where nothing is stored.
    static func metadata(of network: HotNetwork, version: UInt32? = nil, _ store: HotStore) throws
        -> HotMetadata?
    {
        let all = try store.metadata().filter { $0.network == network.name }
        guard let version = version ?? all.map(\.version).max() else { return nil }
        let candidates = all.filter { $0.version == version }.sorted { $0.format < $1.format }
        let signed = try candidates.first {
            try PublishedUpdate(MetadataForm.plain.update(of: $0, in: network), store).verifier != nil
        }
        return signed ?? candidates.first
    }
}
