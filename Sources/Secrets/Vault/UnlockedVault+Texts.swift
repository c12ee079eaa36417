import Keys

extension UnlockedVault {
    /// Encrypts a text that the trust store keeps, with XChaCha20-Poly1305 under a key of its own that is
    /// derived from the data key.
    /// - `context`: names the use.
    /// - `associated`: what the text belongs to; the same bytes open it.
    /// - `change`: a change of the vault after which it is to open; nil for now.
    /// - Returns: the nonce, 24 bytes, and the ciphertext with its tag of 16.
    public func sealed(
        text: [UInt8], context: String, bindingTo associated: [UInt8], after change: VaultChange? = nil
    ) -> [UInt8] {
        let key = change.map { derivedKey(context: context, after: $0) } ?? derivedKey(context: context)
        let box = text.withUnsafeBytes { SealedBox.seal($0, key: key, bindingTo: associated) }
        return box.nonce + box.ciphertext
    }

    /// Seals a secret, which stays in guarded memory.
    /// - Parameters:
    ///   - secret: any bytes.
    ///   - context: names the use.
    ///   - associated: what the secret belongs to; the same bytes open it.
    ///   - change: of the vault, after which it is to open; nil for now.
    public func sealed(
        secret: borrowing SecretBytes, context: String, bindingTo associated: [UInt8],
        after change: VaultChange? = nil
    ) -> [UInt8] {
        let key = change.map { derivedKey(context: context, after: $0) } ?? derivedKey(context: context)
        let box = SealedBox.seal(secret, key: key, bindingTo: associated)
        return box.nonce + box.ciphertext
    }

    /// The secret; nil unless ``sealed(secret:context:bindingTo:after:)`` made it for the same context and
    /// bytes.
    public func opened(secret sealed: [UInt8], context: String, bindingTo associated: [UInt8]) -> SecretBytes?
    {
        guard sealed.count >= SealedBox.nonceLength else { return nil }
        let box = SealedBox.Box(
            nonce: Array(sealed[..<SealedBox.nonceLength]),
            ciphertext: Array(sealed[SealedBox.nonceLength...]))
        return SealedBox.open(box, key: derivedKey(context: context), bindingTo: associated)
    }

    /// The text; nil unless ``sealed(text:context:bindingTo:after:)`` made it for the same context and bytes.
    public func opened(text sealed: [UInt8], context: String, bindingTo associated: [UInt8]) -> [UInt8]? {
        guard sealed.count >= SealedBox.nonceLength else { return nil }
        let box = SealedBox.Box(
            nonce: Array(sealed[..<SealedBox.nonceLength]),
            ciphertext: Array(sealed[SealedBox.nonceLength...]))
        return SealedBox.openBytes(box, key: derivedKey(context: context), bindingTo: associated)
    }
}
