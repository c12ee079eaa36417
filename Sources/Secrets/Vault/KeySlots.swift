import Keys

/// Wrapping and unwrapping a vault's data key.
enum KeySlots {
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes,
        cost: KDFCost
    ) throws(VaultError) -> VaultFile.KeySlot {
        guard cost.isAllowed(development: file.development) else { throw .costOutOfBounds }
        guard passphrase.count > 0 || file.development else { throw .emptyPassphrase }
        try KeyFile.check(keyFile)
        var slot = VaultFile.KeySlot(
            needsKeyFile: keyFile.count > 0,
            salt: SealedBox.randomBytes(Argon2id.saltLength),
            cost: cost,
            box: SealedBox.Box(nonce: [], ciphertext: []))
        let key = try wrappingKey(slot, passphrase: passphrase, keyFile: keyFile)
        slot.box = SealedBox.seal(dataKey, key: key, bindingTo: file.associatedBytes(of: slot))
        return slot
    }

    /// The data key and the index of the slot that opened; nil if none opens. Slots that need a key file are
    /// tried only with one, and the others only without.
    static func unwrap(
        _ file: VaultFile, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes
    ) throws(VaultError) -> OpenedSlot? {
        try KeyFile.check(keyFile)
        for (index, slot) in file.slots.enumerated() where slot.needsKeyFile == (keyFile.count > 0) {
            let key = try wrappingKey(slot, passphrase: passphrase, keyFile: keyFile)
            if let dataKey = SealedBox.open(slot.box, key: key, bindingTo: file.associatedBytes(of: slot)) {
                return OpenedSlot(index: index, dataKey: dataKey)
            }
        }
        return nil
    }

    struct OpenedSlot: ~Copyable {
        let index: Int
        let dataKey: SecretBytes

        consuming func takeKey() -> SecretBytes { dataKey }
    }

    private static func wrappingKey(
        _ slot: VaultFile.KeySlot, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes
    ) throws(VaultError) -> SecretBytes {
        let stretched = try Argon2id.derive(passphrase: passphrase, salt: slot.salt, cost: slot.cost)
        let mixed = KeyedHash.derive(mixing: keyFile, key: stretched, length: SealedBox.keyLength)
        return KeyedHash.derive(
            Array("heliograph wrapping key".utf8), key: mixed, length: SealedBox.keyLength)
    }
}

/// The vault's own primitives for a known-answer test; the vault itself gives them random salts and nonces.
package enum VaultPrimitives {
    /// 32 bytes: salt 00…0f, 2 passes, 1024 KiB.
    package static func argon2id(_ passphrase: String) throws(VaultError) -> [UInt8] {
        let salt = (0..<Argon2id.saltLength).map { UInt8($0) }
        let key = try Argon2id.derive(
            passphrase: SecretBytes(utf8: passphrase), salt: salt, cost: KDFCost(passes: 2, memory: 1024))
        return key.withUnsafeBytes { Array($0) }
    }

    /// XChaCha20-Poly1305: nil when anything differs from the sealing.
    package static func open(
        _ ciphertext: [UInt8], nonce: [UInt8], key: borrowing SecretBytes, bindingTo associated: [UInt8]
    ) -> [UInt8]? {
        SealedBox.openBytes(
            SealedBox.Box(nonce: nonce, ciphertext: ciphertext), key: key, bindingTo: associated)
    }
}
