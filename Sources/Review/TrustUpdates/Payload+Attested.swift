import UOS

extension Payload {
    /// The one of several readings of the same RaptorQ frames that is an update or a list of contacts with a
    /// valid signature; nil unless exactly one is.
    ///
    /// Nothing else about the readings counts: not that only one reads as a payload, nor that only one is
    /// left. Payloads without a signature of their own (transactions, messages, derivations, unsigned
    /// updates) are settled by one more frame only.
    ///
    /// The signature may be any key's, and that is enough for this question, which is what was sent and not
    /// who is trusted:
    /// - An honest sender's frames, read in the wrong numbering, are bytes that the verifier never signed. A
    ///   signature that fits them would be a forgery, whoever the verifier is. Keys under which one signature
    ///   fits many messages verify nothing: libsodium refuses those of small order, and the identity of
    ///   sr25519.
    /// - An attacker who sends the frames can make one reading an update signed by a key of his own. That
    ///   gains nothing over sending the update in one plain code: exactly these bytes are shown, with the
    ///   attacker's key on the card, and ``UpdateReviewer`` compares the key with the verifiers that the
    ///   vault trusts. Where both readings carry a signature that fits, neither is taken.
    ///
    /// Requiring a trusted verifier here would gain nothing: the review requires it of every update. What no
    /// trusted verifier signed is refused there, or is first trust, which a person decides with the key on
    /// the card.
    /// - Parameter read: gives the payload in its expanded form, or nil when the bytes are none.
    public static func attested(among readings: [[UInt8]], read: ([UInt8]) throws -> Payload?) rethrows
        -> Payload?
    {
        let fitting = try readings.compactMap(read).filter { payload in
            switch payload.content {
            case .update(let update): update.signature?.isValid(over: update.signedBytes) ?? false
            case .contactList(let contacts): ContactListPlan.isSigned(contacts)
            // A signature by a member's key settles nothing here: a group's messages are settled by one more
            // frame.
            case .transaction, .message, .bulk, .compressedMetadata, .group, .importDerivations, .importPaths,
                .derivationsRequest:
                false
            }
        }
        return fitting.count == 1 ? fitting[0] : nil
    }
}
