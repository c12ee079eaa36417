import HardwareProtocol
import Hashing
import Keys
import SubstratePrimitives
import Synchronization
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// What a FIDO2 security key does, without one: a secret of its own for each credential, each salt, and with
/// its PIN another one than without.
final class StandInKey: Sendable {
    fileprivate struct State {
        var number: UInt8 = 1
        var isPluggedIn = true
        var hasPIN = false
        var typed = true
        var touches = 0
        var salts: [[UInt8]] = []
    }

    fileprivate let state = Mutex(State())

    func pullOut() { state.withLock { $0.isPluggedIn = false } }
    func plugIn(_ number: UInt8) { state.withLock { ($0.isPluggedIn, $0.number) = (true, number) } }
    func setPIN() { state.withLock { $0.hasPIN = true } }
    /// Whether the person types the right PIN from now on.
    func typesPIN(_ isRight: Bool) { state.withLock { $0.typed = isRight } }
    var touches: Int { state.withLock { $0.touches } }
    /// Every salt that it was asked with.
    var salts: [[UInt8]] { state.withLock { $0.salts } }

    func bind(_ salt: [UInt8]) throws(HardwareError) -> BoundSecurityKey {
        let (number, hasPIN) = state.withLock { ($0.number, $0.hasPIN) }
        let slot = SecurityKeySlot(credential: [number, 7], salt: salt, isVerified: hasPIN)
        return BoundSecurityKey(slot, secret: try secret(of: slot))
    }

    func secret(of key: SecurityKeySlot) throws(HardwareError) -> SecretBytes {
        try state.withLock { (state) throws(HardwareError) in
            guard state.isPluggedIn else { throw .noKey(19) }
            guard key.credential == [state.number, 7] else { throw .otherKey }
            guard !key.isVerified || state.typed else { throw .wrongPIN(left: 7) }
            state.touches += 1
            state.salts.append(key.salt)
        }
        var made = BLAKE2b.hash(key.credential + key.salt + [key.isVerified ? 1 : 0], length: 32)
        return SecretBytes(wiping: &made)
    }
}

/// A token: it gives back what was given to it, for its PIN.
extension StandInKey {
    func wrap(
        _ secret: borrowing SecretBytes, to key: TokenKey, module: String
    ) throws(HardwareError) -> TokenSlot {
        let bytes = secret.withUnsafeBytes { Array($0) }
        let number = try state.withLock { (state) throws(HardwareError) in
            guard state.isPluggedIn else { throw .noToken }
            guard state.typed else { throw .wrongPIN(left: nil) }
            return state.number
        }
        let bound = TokenKey(
            label: key.label, serial: [UInt8](repeating: number, count: TokenKey.serialLength), id: [number])
        return TokenSlot(module: ExactText(module), key: bound, blob: bytes.map { $0 ^ number })
    }

    func secret(of token: TokenSlot) throws(HardwareError) -> SecretBytes {
        var opened = try state.withLock { (state) throws(HardwareError) in
            guard state.isPluggedIn else { throw .noToken }
            guard token.key.id == [state.number] else { throw .otherToken }
            guard state.typed else { throw .wrongPIN(left: nil) }
            return token.blob.map { $0 ^ state.number }
        }
        return SecretBytes(wiping: &opened)
    }
}

@Suite struct TokenSlotLaws {
    @Test func `without its token, with another one and without the PIN the passphrase opens nothing`() throws
    {
        let fixture = try CeremonyFixture()
        let key = try #require(TokenKey(label: "card"))
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: false)) {
            try fixture.act(fixture.change(.bindToken(key, module: "/module.so")))
        }
        #expect(throws: CeremonyError.factorNotBound(.token(label: "", module: ""))) {
            try fixture.act(fixture.change(.unbindToken))
        }
        let words = try fixture.makeRecoveryKey()
        try fixture.act(CheckRecoveryKey(), in: fixture.session(words))
        try fixture.act(fixture.change(.bindToken(key, module: "/module.so")))
        #expect(
            try KeySlotInfo.rule(of: fixture.device.vault().slots)
                == "opens with the passphrase and the token card with its PIN; or with the printed recovery key"
        )
        _ = try fixture.session()
        let blob = try fixture.directory.read("vault")
        try fixture.act(
            ChangePassphrase(
                to: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes())))
        #expect(try fixture.directory.read("vault") != blob)
        _ = try fixture.session()
        let token = fixture.tpm.key
        token.plugIn(2)
        #expect(throws: VaultError.hardware(.otherToken)) { _ = try fixture.session() }
        token.pullOut()
        #expect(throws: VaultError.hardware(.noToken)) { _ = try fixture.session() }
        token.plugIn(1)
        token.typesPIN(false)
        #expect(throws: VaultError.hardware(.wrongPIN(left: nil))) { _ = try fixture.session() }
        #expect(try fixture.device.vault().failedAttempts().count == 0)
        #expect(throws: CeremonyError.recoveryKeyInUse) {
            try fixture.act(fixture.change(.unbindRecoveryKey), in: fixture.session(words))
        }
        token.typesPIN(true)
        try fixture.act(fixture.change(.unbindToken))
        token.pullOut()
        _ = try fixture.session()
    }
}

@Suite struct SecurityKeySlotLaws {
    /// Binds the vault to the security key, after its recovery key was tested.
    private func bind(_ fixture: CeremonyFixture) throws -> HeldSecret {
        let words = try fixture.makeRecoveryKey()
        try fixture.act(CheckRecoveryKey(), in: fixture.session(words))
        try fixture.act(fixture.change(.bindSecurityKey))
        return words
    }

    @Test func `a security key is bound only beside words that were tested, and they stay`() throws {
        let fixture = try CeremonyFixture()
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: false)) {
            try fixture.act(fixture.change(.bindSecurityKey))
        }
        #expect(throws: CeremonyError.factorNotBound(.securityKey(isVerified: false))) {
            try fixture.act(fixture.change(.unbindSecurityKey))
        }
        _ = try bind(fixture)
        #expect(
            try KeySlotInfo.rule(of: fixture.device.vault().slots)
                == "opens with the passphrase and the security key; or with the printed recovery key")
        #expect(throws: CeremonyError.recoveryKeyInUse) {
            try fixture.act(fixture.change(.unbindRecoveryKey))
        }
        _ = try fixture.session()
        try fixture.act(fixture.change(.unbindSecurityKey))
        fixture.tpm.key.pullOut()
        _ = try fixture.session()
    }

    @Test func `without its key, with another one and without the PIN the passphrase opens nothing`() throws {
        let fixture = try CeremonyFixture()
        fixture.tpm.key.setPIN()
        let words = try bind(fixture)
        #expect(
            try KeySlotInfo.rule(of: fixture.device.vault().slots)
                == "opens with the passphrase and the security key with its PIN; "
                + "or with the printed recovery key")
        let vault = try fixture.device.vault()
        #expect(throws: VaultError.hardware(.noProgram)) {
            _ = try vault.unlock(passphrase: CeremonyFixture.passphrase)
        }
        fixture.tpm.key.plugIn(2)
        #expect(throws: VaultError.hardware(.otherKey)) { _ = try fixture.session() }
        fixture.tpm.key.pullOut()
        #expect(throws: VaultError.hardware(.noKey(19))) { _ = try fixture.session() }
        fixture.tpm.key.plugIn(1)
        fixture.tpm.key.typesPIN(false)
        #expect(throws: VaultError.hardware(.wrongPIN(left: 7))) { _ = try fixture.session() }
        // What hardware refuses is no wrong passphrase.
        #expect(try vault.failedAttempts().count == 0)
        _ = try fixture.session(words)
        fixture.tpm.key.typesPIN(true)
        _ = try fixture.session()
    }

    /// The vault counts them: the key is touched, and makes its secret whatever the passphrase is.
    @Test func `a wrong passphrase is one with the key, too`() throws {
        let fixture = try CeremonyFixture()
        _ = try bind(fixture)
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
        }
    }

    /// Whoever learned what the key made of a salt learned nothing about the slots after it.
    @Test func `every new slot has another salt, of the same credential`() throws {
        let fixture = try CeremonyFixture()
        _ = try bind(fixture)
        try fixture.act(
            ChangePassphrase(
                to: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes())))
        _ = try fixture.session()
        #expect(Set(fixture.tpm.key.salts).count == 2)
        #expect(fixture.tpm.key.salts.allSatisfy { $0.count == HardwareRequest.secretLength })
    }

    /// The words stand for a key that is lost.
    @Test func `a passphrase that the words set needs no key`() throws {
        let fixture = try CeremonyFixture()
        let words = try bind(fixture)
        fixture.tpm.key.pullOut()
        try fixture.act(
            ChangePassphrase(
                to: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes())),
            in: fixture.session(words))
        _ = try fixture.session()
    }

    @Test func `a vault needs TPM and key together, and one is given up without the other`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        try fixture.act(fixture.change(.bindSecurityKey))
        #expect(
            try KeySlotInfo.rule(of: fixture.device.vault().slots)
                == "opens with the passphrase, this machine's TPM and the security key; "
                + "or with the printed recovery key")
        // With a wrong passphrase the TPM refuses before anybody is asked for a touch.
        let touches = fixture.tpm.key.touches
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
        }
        #expect(fixture.tpm.key.touches == touches)
        try fixture.act(fixture.change(.unbindTPM))
        #expect(fixture.tpm.counters == 0)
        let vault = try fixture.device.vault()
        #expect(vault.slots.contains(where: \.needsSecurityKey) && !vault.slots.contains(where: \.needsTPM))
        try fixture.act(fixture.change(.bindTPM(pcrs: 0)))
        try fixture.act(fixture.change(.unbindSecurityKey))
        #expect(fixture.tpm.counters == 1)
        fixture.tpm.key.pullOut()
        _ = try fixture.session()
    }
}
