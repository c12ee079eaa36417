import CSodium
import Hashing
import SubstratePrimitives

/// A secret key and its public key.
public struct KeyPair: ~Copyable, Sendable {
    public let publicKey: PublicKey
    /// sr25519: scalar ‖ nonce ‖ mini-secret; ed25519: seed ‖ public key; secp256k1: scalar, big-endian.
    private let secret: SecretBytes
    /// Whether 32 bytes lead to this key: false after a soft junction.
    private let hasSeed: Bool

    public var scheme: SignatureScheme { publicKey.scheme }

    private init(publicKey: PublicKey, secret: consuming SecretBytes, hasSeed: Bool) {
        self.publicKey = publicKey
        self.secret = secret
        self.hasSeed = hasSeed
    }

    // MARK: Derivation

    /// The key of a mnemonic's entropy (16 to 32 bytes), a path and a `///password`, which is empty where
    /// there is none.
    public static func derive(
        entropy: borrowing SecretBytes, path: DerivationPath, password: borrowing SecretBytes,
        scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else {
            throw .mnemonic(.entropyLength(entropy.count))
        }
        let miniSecret = SecretBytes(count: 32)
        miniSecret.withUnsafeMutableBytes {
            MiniSecret.derive(entropy: entropy, password: password, into: $0)
        }
        return try derive(miniSecret: miniSecret, path: path, scheme: scheme)
    }

    public static func derive(
        entropy: borrowing SecretBytes, path: DerivationPath = .root, scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        try derive(entropy: entropy, path: path, password: SecretBytes(), scheme: scheme)
    }

    /// The key of a phrase, a path and a `///password`.
    public static func derive(
        phrase: borrowing SecretBytes, path: DerivationPath, password: borrowing SecretBytes,
        scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        let mnemonic: Mnemonic
        do { mnemonic = try Mnemonic(phrase: phrase) } catch { throw .mnemonic(error) }
        return try derive(entropy: mnemonic.entropy, path: path, password: password, scheme: scheme)
    }

    public static func derive(
        phrase: borrowing SecretBytes, path: DerivationPath = .root, scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        try derive(phrase: phrase, path: path, password: SecretBytes(), scheme: scheme)
    }

    /// The key of a 32-byte mini-secret and a path below it.
    ///
    /// Every account passes here, so this is where a path of host keys ends (``DerivationPath/isReserved``).
    public static func derive(
        miniSecret: borrowing SecretBytes, path: DerivationPath = .root, scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        guard !path.isReserved else { throw .reservedPath }
        guard miniSecret.count == 32 else { throw .secretLength(miniSecret.count) }
        switch scheme {
        case .sr25519: return derivingSr25519(miniSecret: miniSecret, path: path)
        case .ed25519: return try derivingEd25519(miniSecret: miniSecret, path: path)
        case .ecdsa, .ethereum:
            return try derivingSecp256k1(miniSecret: miniSecret, path: path, scheme: scheme)
        }
    }

    private static func derivingSr25519(miniSecret: borrowing SecretBytes, path: DerivationPath) -> KeyPair {
        let secret = SecretBytes(count: Sr25519.secretLength + 32)
        var hasSeed = true
        let publicKey = secret.withUnsafeMutableBytes { bytes in
            let expanded = bytes.bindMemory(to: UInt8.self).baseAddress!
            let seed = expanded + Sr25519.secretLength
            miniSecret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: seed, count: 32).copyMemory(from: $0)
            }
            Sr25519.expand(miniSecret: seed, into: expanded)
            for junction in path.junctions {
                if junction.isHard {
                    Sr25519.deriveHard(secret: expanded, chainCode: junction.chainCode, into: seed)
                    Sr25519.expand(miniSecret: seed, into: expanded)
                } else {
                    Sr25519.deriveSoft(secret: expanded, chainCode: junction.chainCode)
                    sodium_memzero(seed, 32)
                }
                hasSeed = junction.isHard
            }
            return Sr25519.publicKey(secret: expanded)
        }
        return KeyPair(
            publicKey: PublicKey(scheme: .sr25519, bytes: publicKey)!, secret: secret, hasSeed: hasSeed)
    }

    private static func derivingEd25519(miniSecret: borrowing SecretBytes, path: DerivationPath)
        throws(KeyError) -> KeyPair
    {
        let secret = SecretBytes(count: Ed25519.secretLength)
        let publicKey = try secret.withUnsafeMutableBytes { bytes throws(KeyError) in
            try HardDerivation.run(miniSecret: miniSecret, path: path, tag: "Ed25519HDKD", into: bytes)
            return Ed25519.expand(secret: bytes.bindMemory(to: UInt8.self).baseAddress!)
        }
        return KeyPair(
            publicKey: PublicKey(scheme: .ed25519, bytes: publicKey)!, secret: secret, hasSeed: true)
    }

    private static func derivingSecp256k1(
        miniSecret: borrowing SecretBytes, path: DerivationPath, scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        let secret = SecretBytes(count: Secp256k1.secretLength)
        let publicKey = try secret.withUnsafeMutableBytes { bytes throws(KeyError) in
            try HardDerivation.run(miniSecret: miniSecret, path: path, tag: "Secp256k1HDKD", into: bytes)
            return Secp256k1.publicKey(secret: bytes.bindMemory(to: UInt8.self).baseAddress!)
        }
        guard let publicKey, let key = PublicKey(scheme: scheme, bytes: publicKey) else {
            throw .unusableSecret
        }
        return KeyPair(publicKey: key, secret: secret, hasSeed: true)
    }

    /// The sr25519 key pair of a host key: the only keys below a reserved path, never an account.
    package static func deriveHost(entropy: borrowing SecretBytes, index: UInt32) throws(KeyError) -> KeyPair
    {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else {
            throw .mnemonic(.entropyLength(entropy.count))
        }
        let miniSecret = SecretBytes(count: 32)
        miniSecret.withUnsafeMutableBytes {
            MiniSecret.derive(entropy: entropy, password: SecretBytes(), into: $0)
        }
        return derivingSr25519(miniSecret: miniSecret, path: .host(index: index))
    }

    /// The sr25519 key of scalar ‖ nonce; the scalar is below the group order and not zero.
    static func sr25519(expanded: borrowing SecretBytes) -> KeyPair {
        let secret = SecretBytes(count: Sr25519.secretLength + 32)
        let publicKey = secret.withUnsafeMutableBytes { bytes in
            expanded.withUnsafeBytes { bytes.copyBytes(from: $0) }
            return Sr25519.publicKey(secret: bytes.bindMemory(to: UInt8.self).baseAddress!)
        }
        return KeyPair(
            publicKey: PublicKey(scheme: .sr25519, bytes: publicKey)!, secret: secret, hasSeed: false)
    }

    // MARK: Use

    /// An sr25519 signature under the context of threshold groups, verified before it is returned. For host
    /// keys, which sign nothing else.
    package borrowing func signGroupMessage(_ message: [UInt8]) throws(KeyError) -> [UInt8] {
        precondition(scheme == .sr25519, "host keys are sr25519 keys")
        let signature = secret.withUnsafeBytes { secret in
            message.withUnsafeBytes {
                Sr25519.sign(
                    $0, secret: secret.bindMemory(to: UInt8.self).baseAddress!, publicKey: publicKey.bytes,
                    context: .group)
            }
        }
        guard
            message.withUnsafeBytes({
                Sr25519.verify(signature, message: $0, publicKey: publicKey.bytes, context: .group)
            })
        else {
            throw .signatureCheckFailed
        }
        return signature
    }

    /// The number a with publicKey = a·B, 32 bytes below the group order: the scalar of sr25519, and for
    /// ed25519 the clamped hash of the seed, reduced. nil for the schemes of another group. A threshold group
    /// is dealt from it.
    package borrowing func withScalar<R: ~Copyable, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R)
        throws(E) -> R?
    {
        switch scheme {
        case .sr25519:
            return try secret.withUnsafeBytes { secret throws(E) in
                try body(secret.bindMemory(to: UInt8.self).baseAddress!)
            }
        case .ed25519:
            return try withSecretScratch(96) { scratch throws(E) in
                secret.withUnsafeBytes {
                    Ed25519.scalar(
                        secret: $0.bindMemory(to: UInt8.self).baseAddress!, wide: scratch, into: scratch + 64)
                }
                return try body(scratch + 64)
            }
        case .ecdsa, .ethereum: return nil
        }
    }

    /// A signature over exactly these bytes, as ``Signature`` describes; verified under the public key before
    /// it is returned.
    /// - `nonce`: matters to sr25519 alone. Signatures of the other schemes are fixed by key and message.
    public borrowing func sign(
        _ message: [UInt8], domain: SigningDomain = .substrate, nonce: SigningNonce = .hedged
    ) throws(KeyError) -> [UInt8] {
        try verified(
            unverifiedSignature(message, domain: domain, nonce: nonce), over: message, domain: domain)
    }

    /// Gives a signature back only if it verifies. A fault of the machine while it signs can make one from
    /// which the secret follows.
    package borrowing func verified(
        _ signature: [UInt8]?, over message: [UInt8], domain: SigningDomain = .substrate
    ) throws(KeyError) -> [UInt8] {
        guard let signature, Signature.verify(signature, message: message, key: publicKey, domain: domain)
        else {
            throw .signatureCheckFailed
        }
        return signature
    }

    /// The signature without the check, so that a benchmark can time the two apart.
    package borrowing func unverifiedSignature(
        _ message: [UInt8], domain: SigningDomain = .substrate, nonce: SigningNonce = .hedged
    ) -> [UInt8]? {
        let message = domain.bytes(message, scheme: scheme)
        return secret.withUnsafeBytes { secret in
            let secret = secret.bindMemory(to: UInt8.self).baseAddress!
            return message.withUnsafeBytes { bytes -> [UInt8]? in
                switch scheme {
                case .sr25519:
                    Sr25519.sign(
                        bytes, secret: secret, publicKey: publicKey.bytes, context: domain.context,
                        nonce: nonce.ofSr25519)
                case .ed25519: Ed25519.sign(bytes, secret: secret)
                case .ecdsa, .ethereum:
                    Secp256k1.sign(digest: Signature.digest(message, scheme: scheme), secret: secret)
                }
            }
        }
    }

    /// The content of a secret QR code: the 32-byte seed, or scalar ‖ nonce (64 bytes) if a soft junction
    /// leaves no seed.
    public borrowing func exportSecret() -> SecretBytes {
        switch scheme {
        case .sr25519:
            hasSeed
                ? secret.slice(Sr25519.secretLength..<(Sr25519.secretLength + 32))
                : secret.slice(0..<Sr25519.secretLength)
        case .ed25519, .ecdsa, .ethereum: secret.slice(0..<32)
        }
    }
}

/// Hard derivation of ed25519 and secp256k1 secrets: BLAKE2b-256(SCALE string of a tag ‖ secret ‖ chain code)
/// for each junction.
enum HardDerivation {
    /// Writes the 32-byte secret at the end of the path to the start of `out`.
    static func run(
        miniSecret: borrowing SecretBytes, path: DerivationPath, tag: StaticString,
        into out: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        if let soft = path.junctions.firstIndex(where: { !$0.isHard }) { throw .softJunction(index: soft) }
        miniSecret.withUnsafeBytes { out.copyMemory(from: $0) }
        let start = out.bindMemory(to: UInt8.self).baseAddress!
        let tagBytes = [UInt8(tag.utf8CodeUnitCount << 2)] + Array(tag.description.utf8)
        withSecretScratch(tagBytes.count + 64) { input in
            for junction in path.junctions {
                input.update(from: tagBytes, count: tagBytes.count)
                (input + tagBytes.count).update(from: start, count: 32)
                (input + tagBytes.count + 32).update(from: junction.chainCode, count: 32)
                BLAKE2b.hash(
                    UnsafeRawBufferPointer(start: input, count: tagBytes.count + 64),
                    into: UnsafeMutableRawBufferPointer(start: start, count: 32))
            }
        }
    }
}
