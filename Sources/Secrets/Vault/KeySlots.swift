import HardwareProtocol
import Keys
import SubstratePrimitives

/// Wrapping and unwrapping a vault's data key.
enum KeySlots {
    /// Hardware that takes part in a new slot.
    enum Wish: Equatable {
        /// A new secret, sealed to the TPM and these PCRs: a bit for each.
        case tpm(pcrs: UInt32)
        /// A credential that the security key makes now.
        case newSecurityKey
        /// A credential that it made, with another salt.
        case securityKey(SecurityKeySlot)
        /// A new secret, encrypted to a key of a token.
        case token(TokenKey, module: ExactText)
    }

    /// A slot of the passphrase, and of the key file and the hardware where they are given.
    /// - Parameter wishes: the hardware, in the order of the kinds.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes, cost: KDFCost, with wishes: [Wish] = [],
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
        var mixed = stretched.mixed(keyFile)
        for wish in wishes {
            do throws(HardwareError) {
                let made = try bind(wish, stretched, hardware)
                slot.factors.append(made.factor)
                mixed = KeyedHash.derive(mixing: made.takeSecret(), key: mixed, length: SealedBox.keyLength)
            } catch { throw .hardware(error) }
        }
        let key = wrappingKey(mixed)
        slot.box = SealedBox.seal(dataKey, key: key, bindingTo: file.associatedBytes(of: slot))
        return slot
    }

    private struct Bound: ~Copyable {
        let factor: KeySlot.Factor
        let secret: SecretBytes

        consuming func takeSecret() -> SecretBytes { secret }
    }

    private static func bind(
        _ wish: Wish, _ stretched: borrowing Stretched, _ hardware: any Hardware
    ) throws(HardwareError) -> Bound {
        switch wish {
        case .tpm(let pcrs):
            let secret = SecretBytes(randomCount: HardwareRequest.secretLength)
            let seal = try hardware.seal(secret, auth: stretched.authValue, pcrs: pcrs)
            return Bound(factor: .tpm(seal), secret: secret)
        case .newSecurityKey:
            let made = try hardware.bindSecurityKey(
                salt: SealedBox.randomBytes(HardwareRequest.secretLength))
            return Bound(factor: .securityKey(made.slot), secret: made.secret.withSecret { $0.copy() })
        case .securityKey(let former):
            let key = SecurityKeySlot(
                credential: former.credential,
                salt: SealedBox.randomBytes(HardwareRequest.secretLength), isVerified: former.isVerified)
            return Bound(factor: .securityKey(key), secret: try hardware.secret(of: key))
        case .token(let key, let module):
            let secret = SecretBytes(randomCount: HardwareRequest.secretLength)
            let token = try hardware.wrap(secret, to: key, module: module.text)
            return Bound(factor: .token(token), secret: secret)
        }
    }

    /// A slot of new words.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, words: borrowing RecoveryKey
    ) throws(VaultError) -> KeySlot {
        try wrap(dataKey, in: file, lock: words.lock, proof: words.proof)
    }

    /// A slot of the words of another slot, which nobody has at hand.
    /// - Parameter former: the data key of that slot.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, like slot: KeySlot,
        under former: borrowing SecretBytes
    ) throws(VaultError) -> KeySlot {
        guard case .recoveryKey(let lock, _, let sealed)? = slot.factors.first,
            let proof = SealedBox.open(sealed, key: proofKey(former), bindingTo: file.id + lock)
        else { throw .malformed("slots") }
        return try wrap(dataKey, in: file, lock: lock, proof: proof)
    }

    /// The public part alone is not enough: it stands in the file, so anybody could make a vault that these
    /// words open, with a data key of his own, and read whatever is put into it. What is mixed in here is
    /// known to who has the words or the data key, and nobody else.
    static func wrap(
        _ dataKey: borrowing SecretBytes, in file: VaultFile, lock: [UInt8], proof: borrowing SecretBytes
    ) throws(VaultError) -> KeySlot {
        guard let shared = RecoveryLock.shared(with: lock) else { throw .malformed("slots") }
        let sealed = SealedBox.seal(proof, key: proofKey(dataKey), bindingTo: file.id + lock)
        var slot = KeySlot(
            factors: [.recoveryKey(lock: lock, ephemeral: shared.ephemeral, proof: sealed)],
            box: SealedBox.Box(nonce: [], ciphertext: []))
        let key = KeyedHash.derive(mixing: proof, key: shared.takeKey(), length: SealedBox.keyLength)
        slot.box = SealedBox.seal(dataKey, key: key, bindingTo: file.associatedBytes(of: slot))
        return slot
    }

    private static func proofKey(_ dataKey: borrowing SecretBytes) -> SecretBytes {
        KeyedHash.derive(
            Array("heliograph recovery proof seal".utf8), key: dataKey, length: SealedBox.keyLength)
    }

    /// The data key and the index of the slot that opened; nil if none opens. Slots that need a key file are
    /// tried only with one, and the others only without.
    ///
    /// The words of a recovery key may stand in the place of a passphrase. Those of this vault are told by
    /// the public part in its slot, and are never tried as a passphrase. Other words may be one.
    static func unwrap(
        _ file: VaultFile, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes,
        hardware: any Hardware = NoHardware()
    ) throws(VaultError) -> OpenedSlot? {
        if let words = RecoveryKey(phrase: passphrase) {
            let lock = words.lock
            if file.slots.contains(where: { $0.recoveryLock == lock }) { return unwrap(file, words) }
        }
        try KeyFile.check(keyFile)
        for (index, slot) in file.slots.enumerated() where slot.needsKeyFile == (keyFile.count > 0) {
            guard let stretching = slot.stretching else { continue }
            let stretched = try Stretched(passphrase, stretching)
            guard let mixed = try mixed(slot, stretched, keyFile, hardware) else { continue }
            let key = wrappingKey(mixed)
            if let dataKey = SealedBox.open(slot.box, key: key, bindingTo: file.associatedBytes(of: slot)) {
                return OpenedSlot(index: index, dataKey: dataKey)
            }
        }
        return nil
    }

    /// All factors of a slot that begins with a passphrase; nil where a TPM says that it is a wrong one.
    ///
    /// Each further factor is mixed in by a keyed hash of it, so that all of them are needed, and none of them
    /// tells anything without the others. The TPM comes first: with a wrong passphrase nobody is asked for a
    /// touch.
    private static func mixed(
        _ slot: KeySlot, _ stretched: borrowing Stretched, _ keyFile: borrowing SecretBytes,
        _ hardware: any Hardware
    ) throws(VaultError) -> SecretBytes? {
        var mixed = stretched.mixed(keyFile)
        do throws(HardwareError) {
            for factor in slot.factors {
                switch factor {
                case .passphrase, .recoveryKey, .keyFile: continue
                case .tpm(let seal):
                    mixed = KeyedHash.derive(
                        mixing: try hardware.unseal(seal, auth: stretched.authValue), key: mixed,
                        length: SealedBox.keyLength)
                case .securityKey(let key):
                    mixed = KeyedHash.derive(
                        mixing: try hardware.secret(of: key), key: mixed, length: SealedBox.keyLength)
                case .token(let token):
                    mixed = KeyedHash.derive(
                        mixing: try hardware.secret(of: token), key: mixed, length: SealedBox.keyLength)
                }
            }
        } catch {
            if error == .wrongAuth { return nil }
            throw .hardware(error)
        }
        return mixed
    }

    /// The key over the data key.
    private static func wrappingKey(_ mixed: borrowing SecretBytes) -> SecretBytes {
        KeyedHash.derive(
            Array("heliograph wrapping key".utf8), key: mixed, length: SealedBox.keyLength)
    }

    private static func unwrap(_ file: VaultFile, _ words: borrowing RecoveryKey) -> OpenedSlot? {
        for (index, slot) in file.slots.enumerated() {
            guard case .recoveryKey(let lock, let ephemeral, _)? = slot.factors.first,
                let shared = RecoveryLock.key(of: words, lock: lock, ephemeral: ephemeral)
            else { continue }
            let key = KeyedHash.derive(mixing: words.proof, key: shared, length: SealedBox.keyLength)
            guard
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

        /// What the passphrase and the key file are worth together; an empty one stands for none.
        func mixed(_ keyFile: borrowing SecretBytes) -> SecretBytes {
            let own = KeyedHash.derive(
                Array("heliograph passphrase factor".utf8), key: key, length: SealedBox.keyLength)
            return KeyedHash.derive(mixing: keyFile, key: own, length: SealedBox.keyLength)
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
