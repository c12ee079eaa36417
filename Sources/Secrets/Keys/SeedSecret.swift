import SubstratePrimitives

/// What a vault keeps of a seed.
public struct SeedSecret: ~Copyable, Sendable {
    /// What the bytes are.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The entropy of a recovery phrase: 16, 20, 24, 28 or 32 bytes.
        case phrase = 0
        /// A master secret of SLIP-0039, from which BIP-32 starts without any words: 16 to 32 bytes, an even
        /// number.
        ///
        /// The same bytes as entropy lead to other keys, so the two kinds share none: a master secret has no
        /// key at a `//` path, and no phrase.
        case master = 1

        /// Whether it has secrets of this number of bytes.
        public func allows(length: Int) -> Bool {
            switch self {
            case .phrase: [16, 20, 24, 28, 32].contains(length)
            case .master: (16...32).contains(length) && length.isMultiple(of: 2)
            }
        }
    }

    public let kind: Kind
    public let bytes: SecretBytes

    /// nil for a length that the kind does not have.
    public init?(_ kind: Kind, _ bytes: consuming SecretBytes) {
        guard kind.allows(length: bytes.count) else { return nil }
        self.kind = kind
        self.bytes = bytes
    }

    /// Whether both are one seed, in a time that depends on kinds and lengths only.
    public borrowing func isEqual(to other: borrowing SeedSecret) -> Bool {
        kind == other.kind && bytes.isEqual(to: other.bytes)
    }

    /// The sr25519 key that names the seed in a store. For a phrase it is the key of the empty path. A master
    /// secret has no such key, so its name comes from a secret of its own, and no payload can mean it by a
    /// root that other wallets compute.
    public borrowing func root() throws(KeyError) -> PublicKey {
        switch kind {
        case .phrase: try KeyPair.derive(entropy: bytes, scheme: .sr25519).publicKey
        case .master:
            try KeyPair.derive(
                miniSecret: KeyedHash.derive(
                    Array("heliograph: name of a master secret".utf8), key: bytes, length: 32),
                scheme: .sr25519
            ).publicKey
        }
    }
}

extension KeyPair {
    /// The key of a seed at a path.
    /// - Parameters:
    ///   - seed: the entropy of a phrase, or a master secret.
    ///   - path: below the seed.
    ///   - password: the `///password` of a Substrate path, or the BIP-39 passphrase of a path of numbers;
    ///     empty for a master secret, whose shares had their own.
    ///   - scheme: of the key.
    /// - Throws: ``KeyError/masterSecretPath`` for a `//` path of a master secret,
    ///   ``KeyError/masterSecretPassword``
    public static func derive(
        _ seed: borrowing SeedSecret, path: AccountPath, password: borrowing SecretBytes = SecretBytes(),
        scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        switch seed.kind {
        case .phrase:
            return try derive(entropy: seed.bytes, path: path, password: password, scheme: scheme)
        case .master:
            guard case .hd(let path) = path else { throw .masterSecretPath }
            guard password.count == 0 else { throw .masterSecretPassword }
            return try derive(seed: HDSeed(master: seed.bytes), path: path, scheme: scheme)
        }
    }
}
