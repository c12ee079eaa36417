import Extrinsics
import Keys
import SubstratePrimitives
import UOS

/// The bytes that go into the signature scheme.
package enum SigningMessage {
    /// The bytes that a key of this scheme signs. The scheme is that of the key; a payload may name another
    /// one.
    /// - Parameter account: the signer's, where the review did not know it yet.
    /// - Throws: ``ReviewError/ethereumPayload(_:)``, ``ReviewError/otherStatement(_:)``,
    ///   ``ReviewError/ed25519Payload(_:)``, ``ReviewError/hashedPayload(_:)``, ``ReviewError/ownDomain``
    package static func bytes(
        _ reviewed: ReviewedTransaction, scheme: SignatureScheme, account: [UInt8]? = nil
    ) throws(ReviewError) -> [UInt8] {
        let account = account ?? reviewed.signingAccount
        if let form = statementForm(of: reviewed.signingBytes, reviewed.subject, account: account) {
            throw .otherStatement(form)
        }
        if let form = ethereumForm(of: reviewed.signingBytes, reviewed.subject, scheme: scheme) {
            throw .ethereumPayload(form)
        }
        if let form = ed25519Form(
            of: reviewed.signingBytes, reviewed.subject, scheme: scheme, account: account)
        {
            throw .ed25519Payload(form)
        }
        if let form = hashedForm(of: reviewed.signingBytes, reviewed.subject, scheme: scheme) {
            throw .hashedPayload(form)
        }
        guard !isOfOwnDomain(reviewed.signingBytes, reviewed.subject) else { throw .ownDomain }
        return bytes(reviewed.signingBytes, reviewed.subject)
    }

    /// Whether bytes start like this program's own signed data, such as a list of contacts
    /// (``SigningDomain/heliograph``). A chain whose metadata gives index 255 to a pallet and a call could
    /// have such a transaction, and a list could then be signed as one. For a message the content counts,
    /// although `<Bytes>` is signed in front of it: nobody has an honest use for it.
    package static func isOfOwnDomain(_ bytes: [UInt8], _ subject: ReviewedTransaction.Subject) -> Bool {
        switch subject {
        case .transaction: bytes.starts(with: SigningDomain.marker)
        case .message:
            bytes.dropFirst(MessagePayload.openingTag.count).starts(with: SigningDomain.marker)
                || bytes.starts(with: SigningDomain.marker)
        }
    }

    private static func bytes(_ bytes: [UInt8], _ subject: ReviewedTransaction.Subject) -> [UInt8] {
        switch subject {
        case .transaction: Extrinsics.signedMessage(of: bytes)
        case .message: bytes
        }
    }

    /// The statement outside of transactions that a runtime would take the signature for, too.
    ///
    /// For a long transaction the hash is signed, and 32 bytes can be a small statement: one in 2³². The long
    /// bytes are checked as well, because nobody needs a signature over bytes with two meanings. Some pallets
    /// take a message with its tags and some without, and a statement inside it would be shown as unreadable
    /// bytes.
    static func statementForm(of bytes: [UInt8], _ subject: ReviewedTransaction.Subject, account: [UInt8]?)
        -> StatementForm?
    {
        let form = StatementForm(bytes[...], account: account)
        switch subject {
        case .transaction:
            if bytes.starts(with: MessagePayload.openingTag) { return .message }
            let message = Self.bytes(bytes, subject)
            return form
                ?? (message == bytes
                    ? nil : StatementForm(message[...], account: account) ?? StatementForm(hashed: bytes))
        case .message:
            let content = bytes.dropFirst(MessagePayload.openingTag.count).dropLast(
                MessagePayload.closingTag.count)
            return form ?? StatementForm(content, account: account)
        }
    }

    /// The Ethereum form of the signed bytes, for an Ethereum-style key; other keys do not sign a Keccak-256
    /// hash.
    ///
    /// Keccak-256 gets the signing bytes, or the BLAKE2b-256 of long ones. The long bytes themselves are
    /// checked too: nobody needs a signature over bytes that mean something on both kinds of chain, and no
    /// real transaction is lost.
    static func ethereumForm(
        of bytes: [UInt8], _ subject: ReviewedTransaction.Subject, scheme: SignatureScheme
    ) -> EthereumForm? {
        guard scheme == .ethereum else { return nil }
        let message = Self.bytes(bytes, subject)
        return EthereumForm(bytes) ?? (message == bytes ? nil : EthereumForm(hash: message))
    }

    /// The meaning on another kind of chain of bytes that an ed25519 key signs. Long bytes are checked as
    /// well, although only their hash is signed, which is too short for any of these forms.
    ///
    /// For long bytes the form of Aptos is left out: a long remark of letters alone has it by accident.
    static func ed25519Form(
        of bytes: [UInt8], _ subject: ReviewedTransaction.Subject, scheme: SignatureScheme, account: [UInt8]?
    ) -> Ed25519Form? {
        guard scheme == .ed25519, let form = Ed25519Form(bytes, account: account) else { return nil }
        return form == .aptos && Self.bytes(bytes, subject) != bytes ? nil : form
    }

    /// The meaning on another kind of chain of bytes whose BLAKE2b-256 is signed. An ed25519 key signs that
    /// hash in place of long bytes. An ecdsa key signs the hash of any bytes, and for long ones the hash of
    /// the hash, which no known chain makes. sr25519 signs under its own context, and an Ethereum-style key
    /// signs a Keccak-256.
    static func hashedForm(
        of bytes: [UInt8], _ subject: ReviewedTransaction.Subject, scheme: SignatureScheme
    ) -> HashedForm? {
        let isLong = Self.bytes(bytes, subject) != bytes
        switch scheme {
        case .ed25519: return isLong ? HashedForm(bytes) : nil
        case .ecdsa: return isLong ? nil : HashedForm(bytes)
        case .sr25519, .ethereum: return nil
        }
    }
}
