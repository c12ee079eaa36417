import Extrinsics
import SubstratePrimitives

/// The bytes that go into the signature scheme.
package enum SigningMessage {
    /// What a key of this scheme signs. The scheme is that of the key; a payload may name another one.
    /// - Throws: ``ReviewError/ethereumPayload(_:)``
    package static func bytes(_ reviewed: ReviewedTransaction, scheme: SignatureScheme) throws(ReviewError) -> [UInt8] {
        if let form = ethereumForm(of: reviewed.signingBytes, reviewed.subject, scheme: scheme) { throw .ethereumPayload(form) }
        return bytes(reviewed.signingBytes, reviewed.subject)
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
