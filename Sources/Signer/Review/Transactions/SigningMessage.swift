import Extrinsics
import Keys
import SubstratePrimitives
import UOS

/// The bytes that go into the signature scheme.
package enum SigningMessage {
    /// What a key of this scheme signs. The scheme is that of the key; a payload may name another one.
    /// - Throws: ``ReviewError/ethereumPayload(_:)``
    package static func bytes(_ reviewed: ReviewedTransaction, scheme: SignatureScheme) throws(ReviewError) -> [UInt8] {
        if let form = ethereumForm(of: reviewed.signingBytes, reviewed.subject, scheme: scheme) { throw .ethereumPayload(form) }
        guard !isOfOwnDomain(reviewed.signingBytes, reviewed.subject) else { throw .ownDomain }
        return bytes(reviewed.signingBytes, reviewed.subject)
    }

    /// Whether bytes start as those of this program's own signatures do, such as under a list of contacts (``SigningDomain/heliograph``). A chain whose
    /// metadata gives index 255 to a pallet and a call could have such a transaction, and a list could then be signed as one. Of a message the content
    /// counts, although `<Bytes>` stands before it when it is signed: nobody has an honest use for it.
    package static func isOfOwnDomain(_ bytes: [UInt8], _ subject: ReviewedTransaction.Subject) -> Bool {
        switch subject {
        case .transaction: bytes.starts(with: SigningDomain.marker)
        case .message:
            bytes.dropFirst(MessagePayload.openingTag.count).starts(with: SigningDomain.marker) || bytes.starts(with: SigningDomain.marker)
        }
    }

    private static func bytes(_ bytes: [UInt8], _ subject: ReviewedTransaction.Subject) -> [UInt8] {
        switch subject {
        case .transaction: Extrinsics.signedMessage(of: bytes)
        case .message: bytes
        }
    }

    /// The Ethereum form of the signed bytes, for an Ethereum-style key; other keys do not sign a Keccak-256 hash.
    ///
    /// Keccak-256 gets the signing bytes, or the BLAKE2b-256 of long ones. The long bytes themselves are checked too: nobody needs a signature
    /// over bytes that mean something on both kinds of chain, and no real transaction is lost.
    static func ethereumForm(of bytes: [UInt8], _ subject: ReviewedTransaction.Subject, scheme: SignatureScheme) -> EthereumForm? {
        guard scheme == .ethereum else { return nil }
        let message = Self.bytes(bytes, subject)
        return EthereumForm(bytes) ?? (message == bytes ? nil : EthereumForm(hash: message))
    }
}
