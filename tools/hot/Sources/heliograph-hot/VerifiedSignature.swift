import Hashing
import HotStore
import Keys
import SubstratePrimitives
import UOS

/// A verifier's signature that was checked against the bytes it stands over. No other signature goes into the hot database or an update.
struct VerifiedSignature {
    let signature: UpdateSignature
    /// What the signature covers.
    let message: [UInt8]

    /// nil if the signature does not match.
    init?(_ signature: UpdateSignature, over message: [UInt8]) {
        guard Signature.verify(signature.signature, message: message, key: signature.key) else { return nil }
        self.signature = signature
        self.message = message
    }

    /// The signature that the hot database keeps over these bytes. It is checked again: the hot database decides no trust.
    init?(over message: [UInt8], in store: HotStore) throws {
        guard let (key, signature) = try store.signature(over: message) else { return nil }
        self.init(UpdateSignature(key: key, signature: signature), over: message)
    }

    func keep(in store: HotStore) throws { try store.keepSignature(signature.signature, by: signature.key, over: message) }

    /// `signed by the sr25519 key 0x…`
    var line: String { Self.line(signature.key) }

    /// What a person is told of an update; nil for an unsigned one.
    static func line(_ key: PublicKey?) -> String {
        key.map { "signed by the \($0.scheme.name) key 0x\(Hex.encode($0.bytes))" } ?? "unsigned update"
    }
}
