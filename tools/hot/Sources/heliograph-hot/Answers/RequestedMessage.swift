import Hashing
import HotStore
import Keys
import SubstratePrimitives
import UOS

/// The key that a payload asks to sign.
struct RequestedSigner {
    let scheme: SignatureScheme
    /// The public key, or the 20-byte address of an Ethereum-style key.
    let payloadKey: [UInt8]

    /// - Parameter store: the store, with the keys that answers and users gave for root keys and paths.
    /// - Throws: ``HotError/derivedSigner(path:)`` for a path whose key is not known: the payload alone
    ///   proves nothing about its signer.
    init(_ signer: SignerReference, _ store: HotStore) throws {
        switch signer {
        case .key(let key): (scheme, payloadKey) = (key.scheme, key.bytes)
        case .ethereum(let address): (scheme, payloadKey) = (.ethereum, address)
        case .derived(let root, let path, let scheme):
            guard let derived = try store.derivedKey(root: root, path: path, scheme: scheme) else {
                throw HotError.derivedSigner(path: path)
            }
            (self.scheme, payloadKey) = (scheme, derived.payloadKey)
        }
    }

    /// - Parameter signature: 64 bytes, or 65 for ecdsa and Ethereum-style keys.
    func signed(_ message: [UInt8], with signature: [UInt8]) -> Bool {
        if scheme == .ethereum {
            return Signature.recover(signature, message: message, scheme: .ethereum)?.payloadKey == payloadKey
        }
        guard let key = PublicKey(scheme: scheme, bytes: payloadKey) else { return false }
        return Signature.verify(signature, message: message, key: key)
    }

    /// `sr25519 key 0x…`
    var line: String { "\(scheme.name) key 0x\(Hex.encode(payloadKey))" }
}

/// A message that was to be signed, codes 03 and 08. It is signed with its tags and never hashed.
struct RequestedMessage {
    let signer: RequestedSigner
    let tagged: [UInt8]

    /// nil for a payload without a message.
    init?(_ bytes: [UInt8], _ store: HotStore) throws {
        guard case .message(let message) = try Payload(bytes).content else { return nil }
        signer = try RequestedSigner(message.signer, store)
        tagged = message.tagged
    }

    func isSigned(by signature: [UInt8]) -> Bool { signer.signed(tagged, with: signature) }
}
