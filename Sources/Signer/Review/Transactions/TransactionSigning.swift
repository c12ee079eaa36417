import Extrinsics
import Keys
import SubstratePrimitives
import TrustStore
import UOS

/// A signature that was verified, with what it is over.
public struct SignedTransaction: Sendable {
    public let reviewed: ReviewedTransaction
    /// ``SignatureScheme/signatureLength`` bytes.
    public let signature: [UInt8]
    public let key: PublicKey
    public var scheme: SignatureScheme { key.scheme }

    /// Of the account that signed, as its network writes it.
    public var address: String { key.address(prefix: reviewed.specs?.base58Prefix ?? 42) }

    /// The signature with its scheme, as a chain takes it.
    public var multiSignature: MultiSignature { MultiSignature(scheme: scheme, bytes: signature) }

    /// What goes back when this signature was asked for alone.
    public var answer: Answer {
        switch reviewed.subject {
        case .transaction: .transaction(multiSignature)
        case .message: .message(signature)
        }
    }

    /// The answer as text: MultiSignature in hex for a transaction, the bare signature for a message.
    public var text: String { answer.text }
}

extension Approval {
    /// What a key of this scheme signs. The scheme is that of the key; a payload may name another one.
    package static func message(_ reviewed: ReviewedTransaction, scheme: SignatureScheme) throws(ReviewError) -> [UInt8] {
        if let form = ethereumForm(of: reviewed.signingBytes, reviewed.subject, scheme: scheme) { throw .ethereumPayload(form) }
        return message(reviewed.signingBytes, reviewed.subject)
    }

    private static func message(_ bytes: [UInt8], _ subject: ReviewedTransaction.Subject) -> [UInt8] {
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
        let message = message(bytes, subject)
        return EthereumForm(bytes) ?? (message == bytes ? nil : EthereumForm(hash: message))
    }

    /// Decodes the payload once more, compares it with what was shown, signs, and verifies the signature.
    ///
    /// - Parameters:
    ///   - data: the store as it is now, not as it was when the cards were made.
    ///   - key: derived for this one signature; for an underived signer by ``UnderivedKey/keyPair(entropy:)``.
    public func sign(data: ChainData, key: borrowing KeyPair) throws -> SignedTransaction {
        if let record = reviewed.key {
            guard key.publicKey == record.publicKey else { throw ReviewError.derivedKeyDiffers(hasPassword: record.hasPassword) }
        } else {
            guard let underived = reviewed.underived, key.scheme == underived.scheme else { throw ReviewError.unknownSigner }
            // Another spelling of a path that is held, such as //00 for //0.
            if let held = data.state.key(key.publicKey) { throw DerivationRefusal.collision(path: held.path) }
        }
        let again = try TransactionReview(data, additions: reviewed.additions).review(try Payload(reviewed.payload))
        guard again.count == 1, again[0].shows(the: reviewed) else { throw ReviewError.changedSinceShown }
        let message = try Self.message(again[0], scheme: key.scheme)
        let signature = try key.sign(message)
        guard Signature.verify(signature, message: message, key: key.publicKey) else { throw ReviewError.signatureDoesNotVerify }
        return SignedTransaction(reviewed: reviewed, signature: signature, key: key.publicKey)
    }
}

extension ReviewedTransaction {
    /// Whether a person who reads the one has read the other.
    func shows(the other: ReviewedTransaction) -> Bool {
        cards == other.cards && signingBytes == other.signingBytes && key?.publicKey == other.key?.publicKey && refusal == other.refusal
            && underived == other.underived && metadataHash == other.metadataHash
    }
}
