import HotStore
import Keys
import SubstratePrimitives
import UOS

/// An update as it is published: with a verifier's stored signature, if there is one.
struct PublishedUpdate {
    let payload: [UInt8]
    /// nil for an unsigned update.
    let verifier: PublicKey?

    /// A stored signature that does not verify is ignored: the hot database decides no trust.
    init(_ update: OutgoingUpdate, _ store: HotStore) throws {
        var attestation: UpdateSignature?
        if let (key, signature) = try store.signature(over: update.message),
            Signature.verify(signature, message: update.message, key: key)
        {
            attestation = UpdateSignature(key: key, signature: signature)
        }
        payload = update.bytes(signature: attestation)
        verifier = attestation?.key
    }

    /// The newest metadata of a network: in a format that a verifier signed, else in the oldest format, which most signers support.
    static func newestMetadata(of network: HotNetwork, _ store: HotStore) throws -> HotMetadata? {
        let all = try store.metadata().filter { $0.network == network.name }
        guard let newest = all.map(\.version).max() else { return nil }
        let candidates = all.filter { $0.version == newest }.sorted { $0.format < $1.format }
        let signed = try candidates.first { try PublishedUpdate(MetadataForm.plain.update(of: $0, in: network), store).verifier != nil }
        return signed ?? candidates.first
    }
}
