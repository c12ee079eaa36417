import SubstratePrimitives

extension KeyPair {
    /// The key of a phrase at a path of either type.
    ///
    /// - `password`: the `///password` of a Substrate path, the BIP-39 passphrase of a path of numbers.
    public static func derive(
        _ mnemonic: borrowing Mnemonic, path: AccountPath, password: borrowing SecretBytes,
        scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        switch path {
        case .substrate(let path):
            return try derive(entropy: mnemonic.entropy, path: path, password: password, scheme: scheme)
        case .hd(let path):
            return try derive(seed: HDSeed(mnemonic, passphrase: password), path: path, scheme: scheme)
        }
    }

    /// The key of the English phrase of an entropy at a path of either type.
    ///
    /// - `password`: the `///password` of a Substrate path, the BIP-39 passphrase of a path of numbers.
    public static func derive(
        entropy: borrowing SecretBytes, path: AccountPath, password: borrowing SecretBytes,
        scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        if case .substrate(let path) = path {
            return try derive(entropy: entropy, path: path, password: password, scheme: scheme)
        }
        let mnemonic: Mnemonic
        do throws(MnemonicError) { mnemonic = try Mnemonic(entropy: entropy.copy()) } catch {
            throw .mnemonic(error)
        }
        return try derive(mnemonic, path: path, password: password, scheme: scheme)
    }

    /// The key of a seed at a path of numbers.
    public static func derive(seed: borrowing HDSeed, path: HDPath, scheme: SignatureScheme) throws(KeyError)
        -> KeyPair
    {
        do throws(HDPathError) { try path.requireKeys(of: scheme) } catch { throw .path(error) }
        let secret = try withSecretScratch(HDNode.length) { node throws(KeyError) in
            try HDNode.derive(seed, path, into: node)
            return SecretBytes(copying: UnsafeRawBufferPointer(start: node, count: 32))
        }
        return try derive(miniSecret: secret, scheme: scheme)
    }
}
