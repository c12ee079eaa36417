import HardwareProtocol
import Keys

/// Wrapping and unwrapping a vault's data key.
enum KeySlots {
    /// A slot of the passphrase, and of the key file and the TPM where they are given.
    /// - Parameter pcrs: of the TPM to which a factor is sealed, a bit for each; nil for a slot without it.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes, cost: KDFCost, tpm pcrs: UInt32? = nil,
        hardware: any Hardware = NoHardware()
    ) throws(VaultError) -> KeySlot {
        guard cost.isAllowed(development: file.development) else { throw .costOutOfBounds }
        guard passphrase.count > 0 || file.development else { throw .emptyPassphrase }
        try KeyFile.check(keyFile)
        let stretching = KeySlot.Stretching(salt: SealedBox.randomBytes(Argon2id.saltLength), cost: cost)
        var slot = KeySlot(
            factors: [.passphrase(stretching)] + (keyFile.count > 0 ? [.keyFile] : []),
            box: SealedBox.Box(nonce: [], ciphertext: []))
        let stretched = try Stretched(passphrase, stretching)
        let secret =
            pcrs == nil ? SecretBytes() : SecretBytes(randomCount: HardwareRequest.secretLength)
        if let pcrs {
            do throws(HardwareError) {
                slot.factors.append(.tpm(try hardware.seal(secret, auth: stretched.authValue, pcrs: pcrs)))
            } catch { throw .hardware(error) }
        }
        let key = stretched.wrappingKey(keyFile: keyFile, tpm: secret)
        slot.box = SealedBox.seal(dataKey, key: key, bindingTo: file.associatedBytes(of: slot))
        return slot
    }

    /// A slot of a recovery key, of which its public part is enough.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, lock: [UInt8]
    ) throws(VaultError) -> KeySlot {
        guard let shared = RecoveryLock.shared(with: lock) else { throw .malformed("slots") }
        var slot = KeySlot(
            factors: [.recoveryKey(lock: lock, ephemeral: shared.ephemeral)],
            box: SealedBox.Box(nonce: [], ciphertext: []))
        slot.box = SealedBox.seal(dataKey, key: shared.takeKey(), bindingTo: file.associatedBytes(of: slot))
        return slot
    }

    /// The data key and the index of the slot that opened; nil if none opens. Slots that need a key file are
    /// tried only with one, and the others only without.
    ///
    /// The words of a recovery key may stand in the place of a passphrase. They have a checksum, so they are
    /// told apart from one, and are never tried as a passphrase where the vault has a slot for such words:
    /// that would cost a derivation, and an attempt.
    static func unwrap(
        _ file: VaultFile, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes,
        hardware: any Hardware = NoHardware()
    ) throws(VaultError) -> OpenedSlot? {
        if file.slots.contains(where: { $0.recoveryLock != nil }), let words = RecoveryKey(phrase: passphrase)
        {
            return unwrap(file, words)
        }
        try KeyFile.check(keyFile)
        for (index, slot) in file.slots.enumerated() where slot.needsKeyFile == (keyFile.count > 0) {
            guard let stretching = slot.stretching else { continue }
            let stretched = try Stretched(passphrase, stretching)
            guard let secret = try factor(of: slot, stretched, hardware) else { continue }
            let key = stretched.wrappingKey(keyFile: keyFile, tpm: secret)
            if let dataKey = SealedBox.open(slot.box, key: key, bindingTo: file.associatedBytes(of: slot)) {
                return OpenedSlot(index: index, dataKey: dataKey)
            }
        }
        return nil
    }

    /// What the TPM adds; empty for a slot without one, nil after a wrong passphrase.
    private static func factor(
        of slot: KeySlot, _ stretched: borrowing Stretched, _ hardware: any Hardware
    ) throws(VaultError) -> SecretBytes? {
        guard let seal = slot.tpmSeal else { return SecretBytes() }
        do throws(HardwareError) { return try hardware.unseal(seal, auth: stretched.authValue) } catch {
            if error == .wrongAuth { return nil }
            throw .hardware(error)
        }
    }

    private static func unwrap(_ file: VaultFile, _ words: borrowing RecoveryKey) -> OpenedSlot? {
        for (index, slot) in file.slots.enumerated() {
            guard case .recoveryKey(let lock, let ephemeral)? = slot.factors.first,
                let key = RecoveryLock.key(of: words, lock: lock, ephemeral: ephemeral),
                let dataKey = SealedBox.open(slot.box, key: key, bindingTo: file.associatedBytes(of: slot))
            else { continue }
            return OpenedSlot(index: index, dataKey: dataKey)
        }
        return nil
    }

    struct OpenedSlot: ~Copyable {
        let index: Int
        let dataKey: SecretBytes

        consuming func takeKey() -> SecretBytes { dataKey }
    }

    /// What Argon2id makes of a passphrase. Every use of it has a label of its own and gets a key that tells
    /// nothing about the other uses.
    private struct Stretched: ~Copyable {
        private let key: SecretBytes

        init(_ passphrase: borrowing SecretBytes, _ stretching: KeySlot.Stretching) throws(VaultError) {
            key = try Argon2id.derive(
                passphrase: passphrase, salt: stretching.salt, cost: stretching.cost)
        }

        /// The key over the data key. Each further factor is mixed in by a keyed hash of it, so that all of
        /// them are needed, and none of them tells anything without the others.
        func wrappingKey(keyFile: borrowing SecretBytes, tpm: borrowing SecretBytes) -> SecretBytes {
            let own = KeyedHash.derive(
                Array("heliograph passphrase factor".utf8), key: key, length: SealedBox.keyLength)
            let mixed = KeyedHash.derive(mixing: keyFile, key: own, length: SealedBox.keyLength)
            let all =
                tpm.count == 0
                ? mixed.copy() : KeyedHash.derive(mixing: tpm, key: mixed, length: SealedBox.keyLength)
            return KeyedHash.derive(
                Array("heliograph wrapping key".utf8), key: all, length: SealedBox.keyLength)
        }

        /// What the TPM asks for before it unseals. It is no part of the wrapping key: whoever gets it out of
        /// a TPM, or out of the process that carries it there, still has to guess the passphrase.
        var authValue: SecretBytes {
            KeyedHash.derive(
                Array("heliograph TPM authorization".utf8), key: key, length: HardwareRequest.secretLength)
        }
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
