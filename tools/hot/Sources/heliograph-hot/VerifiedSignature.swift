import Hashing
import HotStore
import Keys
import SubstratePrimitives
import UOS

/// A verifier's signature that was checked against the bytes that it signs. No other signature goes into the
/// hot database or an update.
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

    /// The signature that the hot database keeps over these bytes. It is checked again: the hot database
    /// decides no trust.
    init?(over message: [UInt8], in store: HotStore) throws {
        guard let (key, signature) = try store.signature(over: message), DevelopmentKeys.path(of: key) == nil
        else { return nil }
        self.init(UpdateSignature(key: key, signature: signature), over: message)
    }

    /// What became of a signature that was to be kept.
    enum Kept: Equatable {
        case kept
        /// It is by a development key, with this path. Such a signature is never kept, so no later update is
        /// published with it.
        case byDevelopmentKey(String)
        /// There is one by another key, which stays.
        case behind(PublicKey)
    }

    /// Keeps the signature for later updates.
    /// - Parameter replacing: whether it may take the place of a signature by another key. Anyone can sign an
    ///   update, so a file that is imported replaces no verifier's signature by itself.
    func keep(in store: HotStore, replacing: Bool) throws -> Kept {
        if let path = DevelopmentKeys.path(of: signature.key) { return .byDevelopmentKey(path) }
        if !replacing, let former = try VerifiedSignature(over: message, in: store),
            former.signature.key != signature.key
        {
            return .behind(former.signature.key)
        }
        try store.keepSignature(signature.signature, by: signature.key, over: message)
        return .kept
    }

    /// `signed by the sr25519 key 0x…`
    var line: String { Self.line(signature.key) }

    /// What a person is told of an update; nil for an unsigned one.
    static func line(_ key: PublicKey?) -> String {
        key.map { "signed by the \($0.scheme.name) key 0x\(Hex.encode($0.bytes))" } ?? "unsigned update"
    }
}
