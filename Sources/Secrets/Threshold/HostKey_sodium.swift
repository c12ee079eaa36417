import CSodium
import Hashing
import Keys

/// The public key of a member's machine. Messages of a group are verified with it, and shares are encrypted
/// to it. It is a point of ristretto255, whatever the group's scheme.
public struct HostPublicKey: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// - Throws: ``ThresholdError/badHostKey`` unless the bytes are 32 and a canonical point other than the
    ///   identity.
    public init(_ bytes: [UInt8]) throws(ThresholdError) {
        guard Ristretto255.isValid(bytes) else { throw .badHostKey }
        self.bytes = bytes
    }

    /// Eight words of the BIP-39 list, from the first 88 bits of T(`fingerprint`, key). People compare the
    /// words of each key: whoever wants to pass for another needs a second preimage. A hash of the whole
    /// proposal would fall to a collision, because he writes both proposals.
    public var fingerprint: [String] {
        let hash = GroupHash.wide("fingerprint", bytes)
        return (0..<8).map { word in
            var index = 0
            for bit in (11 * word)..<(11 * word + 11) {
                index = index << 1 | Int(hash[bit / 8] >> (7 - bit % 8) & 1)
            }
            return WordList.english.words[index]
        }
    }

    /// Whether the signature (64 bytes) is this machine's over exactly these bytes, under the context of
    /// group messages.
    public func verify(_ signature: [UInt8], message: [UInt8]) -> Bool {
        message.withUnsafeBytes { Sr25519.verify(signature, message: $0, publicKey: bytes, context: .group) }
    }
}

/// The secret key of this machine in all its groups, from a seed at `//heliograph//host//INDEX`. With a
/// group's record it gives the share, so it is as secret as the share. It is not an account: `KeyPair`
/// refuses the path.
public struct HostKey: ~Copyable, Sendable {
    public let publicKey: HostPublicKey
    private let pair: KeyPair

    /// - Parameters:
    ///   - entropy: of the seed's phrase, 16 to 32 bytes.
    ///   - index: the last junction.
    public static func derive(entropy: borrowing SecretBytes, index: UInt32 = 0) throws(KeyError) -> HostKey {
        HostKey(try KeyPair.deriveHost(entropy: entropy, index: index))
    }

    /// A host key of known bytes, for known answers.
    package init(miniSecret: borrowing SecretBytes) throws(KeyError) {
        self.init(try KeyPair.derive(miniSecret: miniSecret, scheme: .sr25519))
    }

    private init(_ pair: consuming KeyPair) {
        guard let publicKey = try? HostPublicKey(pair.publicKey.bytes) else {
            preconditionFailure("a key pair has a valid public key")
        }
        self.publicKey = publicKey
        self.pair = pair
    }

    /// 64 bytes, randomised; verified before they are returned.
    /// - Parameter message: all bytes of the payload before the signature.
    public borrowing func sign(_ message: [UInt8]) throws(KeyError) -> [UInt8] {
        try pair.signGroupMessage(message)
    }

    borrowing func withScalar<R: ~Copyable, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R) throws(E)
        -> R
    {
        guard let result = try pair.withScalar(body) else {
            preconditionFailure("host keys are sr25519 keys")
        }
        return result
    }

    /// The pad that hides one share: Ts(`pad`, K ‖ sid ‖ u8(i) ‖ u8(j) ‖ E ‖ H), where K is a Diffie-Hellman
    /// secret of sender i and receiver j.
    /// - Parameters:
    ///   - scalar, point: their product is K.
    /// - Returns: whether there is a K; `pad` holds 32 bytes then.
    static func pad(
        scalar: UnsafePointer<UInt8>, point: [UInt8], session: [UInt8], from sender: Int, to receiver: Int,
        ephemeral: [UInt8],
        host: [UInt8], into pad: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        withSecretScratch(32) { shared in
            guard crypto_scalarmult_ristretto255(shared, scalar, point) == 0 else { return false }
            let hash = SecretHash(group: "pad")
            hash.append(shared, count: 32)
            hash.append(session + [UInt8(sender), UInt8(receiver)] + ephemeral + host)
            hash.finish(reducedInto: pad)
            return true
        }
    }
}
