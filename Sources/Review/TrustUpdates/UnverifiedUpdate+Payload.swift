import Keys
import Metadata
import SCALE
import SubstratePrimitives
import UOS

extension UnverifiedUpdate {
    /// The update that a payload carries; metadata is read as far as its own facts.
    public init(_ payload: UpdatePayload) throws {
        let content: Content
        switch payload.content {
        case .addSpecs(let specs): content = .addSpecs(specs)
        case .loadTypes(let types):
            var reader = SCALEReader(types)
            _ = try LegacyTypes(from: &reader)
            try reader.finish()
            content = .loadTypes(types)
        case .loadAssets(let list): content = .loadAssets(try AssetUnits(encoded: list))
        case .loadMetadata(let blob, let genesis):
            let metadata = try RuntimeMetadata(blob)
            let facts = MetadataFacts(
                runtimeVersion: metadata.runtimeVersion, ss58Prefix: metadata.ss58Prefix,
                extensionsComplete: metadata.extensionFault == nil
            )
            content = .loadMetadata(blob: blob, genesis: genesis, facts: facts)
        }
        self.init(content, signature: payload.signature, signedBytes: payload.signedBytes)
    }
}

extension UnverifiedUpdate.Content {
    /// What a payload carries of it.
    var payload: UpdatePayload.Content {
        switch self {
        case .addSpecs(let specs): .addSpecs(specs)
        case .loadMetadata(let blob, let genesis, _): .loadMetadata(blob: blob, genesisHash: genesis)
        case .loadTypes(let types): .loadTypes(types)
        case .loadAssets(let units): .loadAssets(units.encoded)
        }
    }
}

extension UpdateSignature {
    /// Whether the signature is the key's over these bytes. Updates know no Ethereum-style signature: it
    /// would be over another digest.
    public func isValid(over bytes: [UInt8]) -> Bool {
        key.scheme != .ethereum && Signature.verify(signature, message: bytes, key: key)
    }
}

extension Payload {
    /// Several readings of the same RaptorQ frames may be possible. This returns the one that is an update or
    /// a list of contacts with a valid signature; nil unless exactly one is.
    ///
    /// Nothing else about the readings counts: not that only one reads as a payload, nor that only one is
    /// left. Payloads without a signature of their own (transactions, messages, derivations, unsigned
    /// updates) need one more frame.
    ///
    /// Any key's signature is enough here, because the question is what was sent, not who is trusted:
    /// - An honest sender's frames, read in the wrong numbering, are bytes that the verifier never signed. A
    ///   signature that fits them would be a forgery, whoever the verifier is. Keys under which one signature
    ///   fits many messages verify nothing: libsodium refuses those of small order, and the identity of
    ///   sr25519.
    /// - An attacker who sends the frames can make one reading an update signed by a key of his own. That
    ///   gains nothing over sending the update in one plain code: exactly these bytes are shown, with the
    ///   attacker's key on the card, and ``UpdateReviewer`` compares the key with the verifiers that the
    ///   vault trusts. Where both readings carry a signature that fits, neither is taken.
    ///
    /// Requiring a trusted verifier here would gain nothing: the review requires it of every update. It
    /// refuses an update that no trusted verifier signed, or asks the person about first trust, with the key
    /// on the card.
    /// - Parameter read: gives the payload in its expanded form, or nil when the bytes are not a payload.
    public static func attested(among readings: [[UInt8]], read: ([UInt8]) throws -> Payload?) rethrows
        -> Payload?
    {
        let fitting = try readings.compactMap(read).filter { payload in
            switch payload.content {
            case .update(let update): update.signature?.isValid(over: update.signedBytes) ?? false
            case .contactList(let contacts): ContactListPlan.isSigned(contacts)
            // A signature by a member's key settles nothing here: a group's messages are settled by one more
            // frame.
            case .transaction, .message, .bulk, .group, .importDerivations, .importPaths,
                .derivationsRequest:
                false
            }
        }
        return fitting.count == 1 ? fitting[0] : nil
    }
}
