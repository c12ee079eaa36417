import Glibc
import HardwareProtocol
import Keys
import SubstratePrimitives
import Synchronization
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// What a TPM does, without one: seals open by their value and PCRs, counters only go up, and wrong values
/// are counted.
final class StandInTPM: Hardware {
    private struct Seal {
        let secret: [UInt8]
        let auth: [UInt8]
        let start: UInt8
    }

    private struct Counter {
        let auth: [UInt8]
        var value: UInt64
        let name: [UInt8]
    }

    private struct State {
        var seals: [[UInt8]: Seal] = [:]
        var counters: [UInt32: Counter] = [:]
        var failures: UInt32 = 0
        var next: UInt8 = 1
        var highest: UInt64 = 40
        var start: UInt8 = 0
        var countsUntilSilence = Int.max
    }

    private let primary: [UInt8]
    private let state = Mutex(State())

    init(number: UInt8 = 1) { primary = [UInt8](repeating: number, count: HardwareRequest.nameLength) }

    /// The machine starts otherwise from now on.
    func startOtherwise() { state.withLock { $0.start += 1 } }
    /// After this many counts it answers nothing about counters.
    func fallSilent(after counts: Int) { state.withLock { $0.countsUntilSilence = counts } }
    func speak() { state.withLock { $0.countsUntilSilence = .max } }
    var counters: Int { state.withLock { $0.counters.count } }
    /// Somebody puts an ordinary index with the same number in the place of each counter.
    func replaceCounters() {
        state.withLock { state in
            for (index, counter) in state.counters {
                var name = counter.name
                name[5] ^= 1
                state.counters[index] = Counter(auth: counter.auth, value: counter.value, name: name)
            }
        }
    }

    private static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withUnsafeBytes { Array($0) }
    }

    func seal(
        _ secret: borrowing SecretBytes, auth: borrowing SecretBytes, pcrs: UInt32
    ) throws(HardwareError) -> TPMSeal {
        let (secret, auth) = (Self.bytes(secret), Self.bytes(auth))
        let blob = state.withLock { state in
            state.next += 1
            let blob = [state.next, pcrs == 0 ? 0 : 1]
            state.seals[blob] = Seal(secret: secret, auth: auth, start: state.start)
            return blob
        }
        return TPMSeal(primary: primary, pcrs: pcrs, blob: blob)
    }

    func unseal(_ seal: TPMSeal, auth: borrowing SecretBytes) throws(HardwareError) -> SecretBytes {
        guard seal.primary == primary else { throw .otherTPM }
        let auth = Self.bytes(auth)
        var secret = try state.withLock { (state) throws(HardwareError) in
            guard let kept = state.seals[seal.blob] else { throw .otherTPM }
            guard state.failures < 3 else { throw .lockedOut }
            guard seal.pcrs == 0 || kept.start == state.start else { throw .pcrsChanged }
            guard kept.auth == auth else {
                state.failures += 1
                throw .wrongAuth
            }
            return kept.secret
        }
        return SecretBytes(wiping: &secret)
    }

    func defineCounter(
        primary: [UInt8], auth: borrowing SecretBytes
    ) throws(HardwareError) -> (place: CounterPlace, value: UInt64) {
        let auth = Self.bytes(auth)
        return state.withLock { state in
            state.next += 1
            // A new counter begins above every one that was.
            state.highest += 1
            let name = [UInt8](repeating: state.next, count: HardwareRequest.nameLength)
            let index = UInt32(state.next)
            state.counters[index] = Counter(auth: auth, value: state.highest, name: name)
            return (CounterPlace(primary: primary, index: index, name: name), state.highest)
        }
    }

    func counter(
        _ place: CounterPlace, auth: borrowing SecretBytes, counts: Bool
    ) throws(HardwareError) -> UInt64 {
        guard place.primary == primary else { throw .otherTPM }
        let auth = Self.bytes(auth)
        return try state.withLock { (state) throws(HardwareError) in
            guard state.countsUntilSilence > 0 else { throw .device }
            guard var counter = state.counters[place.index], counter.name == place.name, counter.auth == auth
            else { throw .otherCounter }
            guard counts else { return counter.value }
            state.countsUntilSilence -= 1
            counter.value += 1
            state.highest = max(state.highest, counter.value)
            state.counters[place.index] = counter
            return counter.value
        }
    }

    func removeCounter(_ place: CounterPlace) throws(HardwareError) {
        try state.withLock { (state) throws(HardwareError) in
            guard state.counters[place.index]?.name == place.name else { throw .otherCounter }
            state.counters[place.index] = nil
        }
    }

    /// What is plugged in beside it.
    let key = StandInKey()
    func bindSecurityKey(salt: [UInt8]) throws(HardwareError) -> BoundSecurityKey { try key.bind(salt) }
    func secret(of key: SecurityKeySlot) throws(HardwareError) -> SecretBytes { try self.key.secret(of: key) }
    func wrap(
        _ secret: borrowing SecretBytes, to key: TokenKey, module: String
    ) throws(HardwareError) -> TokenSlot { try self.key.wrap(secret, to: key, module: module) }
    func secret(of token: TokenSlot) throws(HardwareError) -> SecretBytes { try key.secret(of: token) }

    func facts() throws(HardwareError) -> TPMFacts {
        TPMFacts(
            failures: state.withLock { $0.failures }, failuresAllowed: 3, recoverySeconds: 1000,
            isLockoutGuarded: false, isLockedOut: false)
    }
}

extension CeremonyFixture {
    /// Binds the vault to its TPM, after its recovery key was tested.
    /// - Returns: the words of the recovery key.
    @discardableResult
    func bind(pcrs: UInt32 = 0) throws -> HeldSecret {
        let nothing = HeldSecret(SecretBytes())
        let passphrase = HeldSecret(Self.passphrase)
        let words = try makeRecoveryKey()
        try act(CheckRecoveryKey(), in: session(words))
        try act(ChangeFactors(.bindTPM(pcrs: pcrs), passphrase: passphrase, keyFile: nothing))
        return words
    }

    /// - Returns: the words.
    @discardableResult
    func makeRecoveryKey() throws -> HeldSecret {
        let words = HeldSecret(RecoveryKey.drawn().phrase)
        try act(
            MakeRecoveryKey(
                words, passphrase: HeldSecret(Self.passphrase), keyFile: HeldSecret(SecretBytes())))
        return words
    }

    func session(_ words: HeldSecret, whileUncounted: Bool = false) throws -> Session {
        try device.unlock(whileUncounted: whileUncounted) { words.withSecret { $0.copy() } }
    }

    func change(_ change: ChangeFactors.Change) -> ChangeFactors {
        ChangeFactors(
            change, passphrase: HeldSecret(Self.passphrase), keyFile: HeldSecret(SecretBytes()))
    }

    /// Everything in the directory.
    func copy() throws -> [String: [UInt8]] {
        try Dictionary(uniqueKeysWithValues: directory.names.map { ($0, try directory.read($0)) })
    }

    func putBack(_ files: [String: [UInt8]]) throws {
        for name in directory.names { unlink(directory.path(name)) }
        for (name, bytes) in files { try directory.write(bytes, to: name) }
    }
}

@Suite struct TPMSlotLaws {
    @Test func `a TPM is bound only beside words that were tested`() throws {
        let fixture = try CeremonyFixture()
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: false)) {
            try fixture.act(fixture.change(.bindTPM(pcrs: 0)))
        }
        let words = try fixture.makeRecoveryKey()
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: true)) {
            try fixture.act(fixture.change(.bindTPM(pcrs: 0)))
        }
        // The passphrase proves nothing about the paper, and the words nothing about the passphrase.
        #expect(throws: CeremonyError.recoveryKeyNeeded) { try fixture.act(CheckRecoveryKey()) }
        try fixture.act(CheckRecoveryKey(), in: fixture.session(words))
        #expect(throws: CeremonyError.openedWithRecoveryKey) {
            try fixture.act(fixture.change(.bindTPM(pcrs: 0)), in: fixture.session(words))
        }
        try fixture.act(fixture.change(.bindTPM(pcrs: 0)))
        #expect(
            try KeySlotInfo.rule(of: fixture.device.vault().slots)
                == "opens with the passphrase and this machine's TPM; or with the printed recovery key")
        #expect(throws: CeremonyError.recoveryKeyInUse) {
            try fixture.act(fixture.change(.unbindRecoveryKey))
        }
        // Other words are other words: they are tested, too.
        try fixture.makeRecoveryKey()
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: true)) {
            try fixture.act(fixture.change(.bindTPM(pcrs: 0)))
        }
    }

    @Test func `without its TPM, with another one and after another start the passphrase opens nothing`()
        throws
    {
        let fixture = try CeremonyFixture()
        try fixture.bind(pcrs: 1 << 7)
        _ = try fixture.session()
        let vault = try fixture.device.vault()
        #expect(throws: VaultError.hardware(.noProgram)) {
            _ = try vault.unlock(passphrase: CeremonyFixture.passphrase)
        }
        #expect(throws: VaultError.hardware(.otherTPM)) {
            _ = try vault.unlock(passphrase: CeremonyFixture.passphrase, hardware: StandInTPM(number: 2))
        }
        fixture.tpm.startOtherwise()
        #expect(throws: VaultError.hardware(.pcrsChanged)) { _ = try fixture.session() }
        // What hardware refuses is no wrong passphrase.
        #expect(try vault.failedAttempts().count == 0)
    }

    @Test func `wrong passphrases are counted by the TPM, and the words open while it is locked`() throws {
        let fixture = try CeremonyFixture()
        let words = try fixture.bind()
        for _ in 0..<3 {
            #expect {
                _ = try fixture.device.unlock { SecretBytes(utf8: "wrong") }
            } throws: {
                if case VaultError.wrongPassphrase(failures: 1, _) = $0 { true } else { false }
            }
            // An intruder removes the vault's own count.
            try fixture.directory.write(
                Array("HELIOGA2".utf8) + [UInt8](repeating: 0, count: 12) + [0, 0, 0, 0, 0, 1, 0, 0] + [0],
                to: "attempts")
        }
        #expect(throws: VaultError.hardware(.lockedOut)) { _ = try fixture.session() }
        _ = try fixture.session(words)
    }

    @Test func `a new passphrase stays bound, and one that the words set is not`() throws {
        let fixture = try CeremonyFixture()
        let words = try fixture.bind()
        try fixture.act(
            ChangePassphrase(to: HeldSecret(SecretBytes(utf8: "new")), keyFile: HeldSecret(SecretBytes())))
        #expect(try fixture.device.vault().slots.contains(where: \.needsTPM))
        _ = try fixture.device.unlock { SecretBytes(utf8: "new") }
        try fixture.act(
            ChangePassphrase(
                to: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes())),
            in: fixture.session(words))
        #expect(try !fixture.device.vault().slots.contains(where: \.needsTPM))
        _ = try fixture.session()
        #expect(try GenerationCounter(fixture.state.settings) == nil)
    }
}

@Suite struct CounterLaws {
    private func note(_ fixture: CeremonyFixture, _ text: String = "a note") throws {
        try fixture.act(NoteInLog(text))
    }

    @Test func `a vault that is put back whole is refused, by every way in`() throws {
        let fixture = try CeremonyFixture()
        let words = try fixture.bind()
        let older = try fixture.copy()
        try note(fixture)
        let newer = try fixture.copy()
        try fixture.putBack(older)
        for open in [{ try fixture.session() }, { try fixture.session(words) }] {
            do {
                _ = try open()
                Issue.record("an older vault opens")
            } catch StoreError.counterDiffers(let store, let counter) {
                #expect(store < counter)
            }
        }
        try fixture.putBack(newer)
        _ = try fixture.session()
        // Its owner may give the counter up, knowingly.
        try fixture.putBack(older)
        let session = try fixture.device.unlock(whileUncounted: true) { CeremonyFixture.passphrase }
        guard case .counterDiffers? = session.counterProblem else {
            Issue.record("nothing is told")
            return
        }
        // Nothing else is done meanwhile that would keep the counter.
        #expect(throws: StoreError.self) {
            try fixture.act(
                ChangePassphrase(
                    to: HeldSecret(SecretBytes(utf8: "new")), keyFile: HeldSecret(SecretBytes())),
                in: session)
        }
        // An older store that goes on would look like the newest one some commits later.
        let generation = try fixture.state.generation
        #expect(throws: StoreError.self) { try fixture.act(NoteInLog("more"), in: session) }
        #expect(try fixture.state.generation == generation)
        try fixture.act(fixture.change(.unbindTPM), in: session)
        #expect(try fixture.events.last?["without_counter"] == "vault-rolled-back")
        #expect(fixture.tpm.counters == 0)
    }

    /// Whoever put it back may also have locked the TPM, so that its owner comes with the words.
    @Test func `a new passphrase by the words says that the counter does not vouch for the vault`() throws {
        let fixture = try CeremonyFixture()
        let words = try fixture.bind()
        let older = try fixture.copy()
        try note(fixture)
        try fixture.putBack(older)
        let session = try fixture.session(words, whileUncounted: true)
        guard case .counterDiffers? = session.counterProblem else {
            Issue.record("nothing is told")
            return
        }
        try fixture.act(
            ChangePassphrase(to: HeldSecret(SecretBytes(utf8: "new")), keyFile: HeldSecret(SecretBytes())),
            in: session)
        #expect(try fixture.events.last?["without_counter"] == "vault-rolled-back")
    }

    /// The program ends between the two, or the TPM does.
    @Test func `an act whose commit is not counted gives nothing out, and the vault opens after it`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        do {
            let session = try fixture.session()
            let approval = try session.preview(RevealPhrase(seed: "main")).confirm()
            fixture.tpm.fallSilent(after: 0)
            #expect(throws: StoreError.counterSilent(.device)) { _ = try session.perform(approval) }
            #expect(try fixture.events.last?.kind == .seedShown)
            // A second commit would put the store ahead by two.
            let generation = try fixture.state.generation
            #expect(throws: (any Error).self) { try fixture.act(NoteInLog("more"), in: session) }
            #expect(try fixture.state.generation == generation)
        }
        #expect(throws: StoreError.counterSilent(.device)) { _ = try fixture.session() }
        fixture.tpm.speak()
        _ = try fixture.session()
        try note(fixture)
        _ = try fixture.session()
    }

    /// Each commit of an unlock and of an act is cut off from its count once.
    @Test func `whichever count is lost, the vault opens again and none is left behind`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        var lost = 0
        for counts in 0..<4 {
            fixture.tpm.fallSilent(after: counts)
            do { try note(fixture, "lost after \(counts)") } catch {
                #expect(error as? StoreError == .counterSilent(.device))
                lost += 1
            }
            fixture.tpm.speak()
            _ = try fixture.session()
            let older = try fixture.copy()
            try note(fixture)
            let newer = try fixture.copy()
            try fixture.putBack(older)
            #expect(throws: StoreError.self) { _ = try fixture.session() }
            try fixture.putBack(newer)
        }
        #expect(lost > 0)
    }

    @Test func `something else in the counter's place is refused`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        fixture.tpm.replaceCounters()
        #expect(throws: StoreError.counterSilent(.otherCounter)) { _ = try fixture.session() }
    }

    @Test func `a passphrase, other words and a binding anew keep one counter`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        let nothing = HeldSecret(SecretBytes())
        let words = try fixture.makeRecoveryKey()
        let before = try GenerationCounter(fixture.state.settings)?.place
        try fixture.act(ChangePassphrase(to: HeldSecret(CeremonyFixture.passphrase), keyFile: nothing))
        #expect(try GenerationCounter(fixture.state.settings)?.place == before)
        _ = try fixture.session()
        try fixture.act(CheckRecoveryKey(), in: fixture.session(words))
        try fixture.act(fixture.change(.bindTPM(pcrs: 2)))
        _ = try fixture.session()
        #expect(fixture.tpm.counters == 1)
        try fixture.act(fixture.change(.unbindTPM))
        #expect(fixture.tpm.counters == 0)
        _ = try fixture.session()
    }

    /// The words of a person and a file of his are no reason to give the counter up.
    @Test func `a key file that is bound or given up beside a TPM keeps its counter`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        let file = HeldSecret(SecretBytes(count: 32))
        let passphrase = HeldSecret(CeremonyFixture.passphrase)
        func session() throws -> Session {
            try fixture.device.unlock(keyFile: SecretBytes(count: 32)) { CeremonyFixture.passphrase }
        }
        try fixture.act(fixture.change(.bindKeyFile(file)))
        #expect(fixture.tpm.counters == 1)
        try fixture.act(NoteInLog("counted"), in: session())
        try fixture.act(
            ChangeFactors(.unbindKeyFile, passphrase: passphrase, keyFile: file), in: session())
        #expect(fixture.tpm.counters == 1)
        _ = try fixture.session()
    }

    @Test func `a backup opens by the words on another machine, and brings no counter`() throws {
        let fixture = try CeremonyFixture()
        let words = try fixture.bind()
        let backup = try fixture.act(BackUpVault())
        let other = CeremonyFixture(empty: ())
        let restore = RestoreVault(backup, passphrase: words, keyFile: HeldSecret(SecretBytes()))
        _ = try other.device.perform(other.device.preview(restore).confirm()) { SecretBytes() }
        #expect(try GenerationCounter(other.state.settings) == nil)
        _ = try other.session(words)
    }

    /// The log of 20 acts, and what a TPM's memory bears.
    @Test func `an act counts as often as it commits, and the status says how often that was`() throws {
        let fixture = try CeremonyFixture()
        try fixture.bind()
        let first = try #require(try GenerationCounter(fixture.state.settings)).counts(
            at: fixture.state.generation)
        for _ in 0..<20 { try note(fixture) }
        let last = try #require(try GenerationCounter(fixture.state.settings)).counts(
            at: fixture.state.generation)
        #expect(first == 1)
        #expect((20...40).contains(last - first))
    }
}
