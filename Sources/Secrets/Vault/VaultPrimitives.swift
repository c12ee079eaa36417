import Keys

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
