import Glibc
import HardwareProtocol
import Keys
import SubstratePrimitives
import SystemIO

/// A vault whose data key is in memory. The key is wiped and the lock released when the last reference goes
/// away.
///
/// A change is made in three steps, because the trust store has to agree: a method such as
/// ``adding(seed:entropy:kind:)`` makes it, ``announce(_:storeGeneration:)`` puts it on the disk beside the
/// vault file, and ``complete(_:)`` puts it in place.
public final class UnlockedVault {
    public let directory: String
    /// nil for a vault inside a backup, which is changed in memory only.
    private let lock: DirectoryLock?
    private var dataKey: SecretBytes
    private var file: VaultFile
    /// The slot that opened.
    private var slot: Int
    /// What the file of wrong passphrases said before this unlock wrote it.
    private let attemptsBefore: FailedAttempts
    /// What took part in opening it, or may.
    public let hardware: any Hardware
    /// Whether its store opens although the counter of a TPM does not vouch for it: for the command that
    /// gives the counter up.
    public var acceptsUncounted = false
    /// A change that a crash interrupted, or that this process could not put in place.
    public internal(set) var interrupted: Interrupted?

    /// A change whose intent is on the disk.
    public enum Interrupted {
        /// The vault file is the one before the change.
        case announced(VaultChange)
        /// The vault file is the one after it; only the intent is left over.
        case inPlace
        /// The passphrase opened the vault file of the intent, which has other keys than the one in place.
        case opened
    }

    init(
        directory: String, lock: consuming DirectoryLock?, file: VaultFile, dataKey: consuming SecretBytes,
        slot: Int,
        attemptsBefore: FailedAttempts, hardware: any Hardware = NoHardware()
    ) {
        self.directory = directory
        self.lock = lock
        self.file = file
        self.dataKey = dataKey
        self.slot = slot
        self.attemptsBefore = attemptsBefore
        self.hardware = hardware
    }

    /// Whether it is being restored from a backup: the files beside it are not those that the backup's store
    /// knew.
    public var isInBackup: Bool { lock == nil }

    public var id: [UInt8] { file.id }
    public var isDevelopment: Bool { file.development }
    public var revision: UInt64 { file.revision }
    public var slots: [KeySlotInfo] {
        file.slots.map(KeySlotInfo.init)
    }
    /// The slot that opened, an index into ``slots``.
    public var currentSlot: Int { slot }

    /// Whether a change takes a seed or an imported key out of the file.
    public func loses(by change: VaultChange) -> Bool {
        let left = Set(change.file.seeds.map { Array($0.name.utf8) })
        let keys = Set(change.file.keys.map(\.key))
        return !seedNames.allSatisfy { left.contains(Array($0.utf8)) }
            || !importedKeys.allSatisfy(keys.contains)
    }

    // MARK: Seeds

    /// In the order in which they were added.
    public var seedNames: [String] { file.seeds.map(\.name) }

    /// Marks the length of a master secret in the sealed seed: no entropy is so long.
    private static let masterMark: UInt8 = 0x80

    /// Seals 16 to 32 bytes under a new name: the entropy of a phrase, or a master secret.
    public func adding(
        seed name: String, entropy: borrowing SecretBytes, kind: SeedSecret.Kind = .phrase
    ) throws(VaultError) -> VaultChange {
        guard Self.isValid(seedName: name) else { throw .invalidSeedName }
        guard index(of: name) == nil else { throw .seedExists(name) }
        guard kind.allows(length: entropy.count) else { throw .entropyLength(entropy.count) }
        guard file.seeds.count < VaultFile.seedLimit else { throw .full }
        var next = try successor()
        // All seeds have the same sealed length, so that the file shows neither how many words one has nor
        // its kind.
        let padded = SecretBytes(count: VaultFile.sealedSeedLength - SealedBox.tagLength)
        padded.withUnsafeMutableBytes { padded in
            padded[0] = UInt8(entropy.count) | (kind == .master ? Self.masterMark : 0)
            entropy.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: padded[1...]).copyMemory(from: $0)
            }
        }
        next.seeds.append(
            Self.sealed(padded, name: name, revision: next.revision, in: file, dataKey: dataKey))
        return VaultChange(next)
    }

    public func removing(seed name: String) throws(VaultError) -> VaultChange {
        guard let index = index(of: name) else { throw .noSuchSeed(name) }
        var next = try successor()
        next.seeds.remove(at: index)
        return VaultChange(next)
    }

    /// A seed of either kind, in memory of its own.
    public func stored(seed name: String) throws(VaultError) -> SeedSecret {
        guard let index = index(of: name) else { throw .noSuchSeed(name) }
        let padded = try padded(file.seeds[index])
        let mark = padded.withUnsafeBytes { $0[0] }
        let count = Int(mark & ~Self.masterMark)
        guard count < padded.count,
            let seed = SeedSecret(
                mark & Self.masterMark == 0 ? .phrase : .master, padded.slice(1..<(1 + count)))
        else { throw .tampered("seed") }
        return seed
    }

    /// The entropy of a seed's phrase, in memory of its own.
    ///
    /// This is what all acts use that know nothing of kinds, so that none takes a master secret for entropy.
    /// - Throws: ``VaultError/noPhrase(_:)``
    public func seed(_ name: String) throws(VaultError) -> SecretBytes {
        let seed = try stored(seed: name)
        switch seed.kind {
        case .phrase: return seed.bytes.copy()
        case .master: throw .noPhrase(name)
        }
    }

    /// Lends the entropy of a seed's phrase to `body`.
    public func withSeed<R: ~Copyable>(_ name: String, _ body: (borrowing SecretBytes) throws -> R) throws
        -> R
    {
        let seed = try seed(name)
        return try body(seed)
    }

    private func padded(_ seed: VaultFile.SealedSeed) throws(VaultError) -> SecretBytes {
        let associated = file.associatedBytes(ofSeed: seed.name, revision: seed.revision)
        guard let padded = SealedBox.open(seed.box, key: Self.ownKey("seeds", dataKey), bindingTo: associated)
        else {
            throw .tampered("seed")
        }
        return padded
    }

    private static func sealed(
        _ padded: borrowing SecretBytes, name: String, revision: UInt64, in file: VaultFile,
        dataKey: borrowing SecretBytes
    ) -> VaultFile.SealedSeed {
        let box = SealedBox.seal(
            padded, key: ownKey("seeds", dataKey),
            bindingTo: file.associatedBytes(ofSeed: name, revision: revision))
        return VaultFile.SealedSeed(name: name, revision: revision, box: box)
    }

    private func index(of name: String) -> Int? {
        // Bytes, not characters: two spellings of "é" are two names.
        file.seeds.firstIndex { $0.name.utf8Equals(name) }
    }

    /// 1 to 64 bytes of UTF-8 without control characters.
    public static func isValid(seedName name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    // MARK: Imported keys

    /// In the order in which they were added.
    public var importedKeys: [PublicKey] { file.keys.map(\.key) }

    /// Seals the secrets of keys that no seed gives. One that is there already is sealed again.
    public func adding(keys: [ForeignKey]) throws(VaultError) -> VaultChange {
        var next = try successor()
        for key in keys {
            let publicKey = key.publicKey
            next.keys.removeAll { $0.key == publicKey }
            next.keys.append(
                Self.sealed(
                    key.pair.exportSecret(), of: publicKey, revision: next.revision, in: file,
                    dataKey: dataKey))
        }
        guard next.keys.count <= VaultFile.keyLimit else { throw .full }
        return VaultChange(next)
    }

    /// The file without the secret of a key: nothing in the vault makes it again.
    public func removing(key: PublicKey) throws(VaultError) -> VaultChange {
        var next = try successor()
        next.keys.removeAll { $0.key == key }
        return VaultChange(next)
    }

    /// The key pair of an imported key.
    /// - Throws: ``VaultError/tampered(_:)`` also where the vault has no secret for it: the trust store and
    ///   the vault file list the same keys.
    public func keyPair(imported key: PublicKey) throws(VaultError) -> KeyPair {
        guard let sealed = file.keys.first(where: { $0.key == key }) else { throw .tampered("key") }
        let secret = try secret(sealed)
        do throws(KeyError) {
            let pair = try KeyPair.importing(secret, scheme: key.scheme)
            if pair.publicKey == key { return pair }
        } catch {}
        throw .tampered("key")
    }

    /// The secret of an imported key, as ``KeyPair/importing(_:scheme:)`` takes it.
    private func secret(_ sealed: VaultFile.SealedKey) throws(VaultError) -> SecretBytes {
        let associated = file.associatedBytes(ofKey: sealed.key, revision: sealed.revision)
        guard
            let padded = SealedBox.open(
                sealed.box, key: Self.ownKey("imported keys", dataKey), bindingTo: associated)
        else { throw .tampered("key") }
        let count = padded.withUnsafeBytes { Int($0[0]) }
        guard count == 32 || count == 64 else { throw .tampered("key") }
        return padded.slice(1..<(1 + count))
    }

    /// - Parameter secret: 32 or 64 bytes. All have the same sealed length, so that the file does not show
    ///   which keys have a seed of their own.
    private static func sealed(
        _ secret: borrowing SecretBytes, of key: PublicKey, revision: UInt64, in file: VaultFile,
        dataKey: borrowing SecretBytes
    ) -> VaultFile.SealedKey {
        let padded = SecretBytes(count: VaultFile.sealedKeyLength - SealedBox.tagLength)
        padded.withUnsafeMutableBytes { padded in
            padded[0] = UInt8(secret.count)
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: padded[1...]).copyMemory(from: $0)
            }
        }
        let box = SealedBox.seal(
            padded, key: ownKey("imported keys", dataKey),
            bindingTo: file.associatedBytes(ofKey: key, revision: revision))
        return VaultFile.SealedKey(key: key, revision: revision, box: box)
    }

    // MARK: Keys

    /// A key for another use, such as the seal of a store: 16 to 64 bytes that depend on the vault and on
    /// `context` only.
    public func derivedKey(context: String, length: Int = 32) -> SecretBytes {
        Self.derivedKey(context: context, length: length, dataKey)
    }

    /// The derived key as it will be after a change.
    public func derivedKey(context: String, after change: VaultChange) -> SecretBytes {
        change.withDataKey(or: dataKey) { Self.derivedKey(context: context, length: 32, $0) }
    }

    private static func derivedKey(context: String, length: Int, _ dataKey: borrowing SecretBytes)
        -> SecretBytes
    {
        KeyedHash.derive(Array("heliograph use: \(context)".utf8), key: dataKey, length: length)
    }

    private static func ownKey(_ context: String, _ dataKey: borrowing SecretBytes) -> SecretBytes {
        KeyedHash.derive(
            Array("heliograph vault: \(context)".utf8), key: dataKey, length: SealedBox.keyLength)
    }

    func backupKey() -> SecretBytes { Self.ownKey("backup", dataKey) }

    func fileContent() -> VaultFile { file }

    // MARK: Passphrases

    /// Checks the passphrase again; a wrong one is counted like any other.
    public func confirm(passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes())
        throws(VaultError)
    {
        _ = try Vault.attempt(
            [file], directory: directory, passphrase: passphrase, keyFile: keyFile, hardware: hardware)
    }

    /// Whether the recovery key opened it, not the passphrase.
    public var isOpenedByRecoveryKey: Bool { file.slots[slot].recoveryLock != nil }

    /// The public part of the recovery key; nil where no recovery key opens the vault.
    public var recoveryLock: [UInt8]? { file.slots.compactMap(\.recoveryLock).first }

    /// What deriving a key from the passphrase costs here.
    public var passphraseCost: KDFCost? { file.slots.compactMap(\.cost).first }

    /// What becomes of the recovery key in a change of the slots.
    public enum RecoveryChange: Sendable {
        /// The printed words stay right: their public part is in the slot, and a new data key is sealed to
        /// it.
        case kept
        /// These words take the place of others, or of none.
        case replaced(HeldSecret)
        /// No words open the vault any more.
        case removed
    }

    /// What becomes of the hardware in a change of the slots.
    public enum HardwareChange: Sendable {
        /// Needed if it took part in opening the vault. Whoever opened it by the recovery key may have lost
        /// it.
        case kept
        /// The TPM is needed from now on, while these PCRs are as they are: a bit for each. The rest is kept.
        case boundTPM(pcrs: UInt32)
        case removedTPM
        /// The security key that is plugged in is needed from now on.
        case boundSecurityKey
        case removedSecurityKey
        /// A token is needed from now on.
        case boundToken(TokenKey, module: String)
        case removedToken
    }

    /// The hardware of the next slot of a passphrase, in the order of the kinds.
    private func wishes(after change: HardwareChange) -> [KeySlots.Wish] {
        let opened = file.slots[slot]
        var (tpm, key, token) = (
            opened.tpmSeal.map { KeySlots.Wish.tpm(pcrs: $0.pcrs) },
            opened.securityKey.map(KeySlots.Wish.securityKey),
            opened.token.map { KeySlots.Wish.token($0.key, module: $0.module) }
        )
        switch change {
        case .kept: break
        case .boundTPM(let pcrs): tpm = .tpm(pcrs: pcrs)
        case .removedTPM: tpm = nil
        case .boundSecurityKey: key = .newSecurityKey
        case .removedSecurityKey: key = nil
        case .boundToken(let wanted, let module): token = .token(wanted, module: ExactText(module))
        case .removedToken: token = nil
        }
        return [tpm, key, token].compactMap(\.self)
    }

    /// The secret that the TPM unseals here, sealed; nil where none is needed.
    public var tpmSeal: TPMSeal? { file.slots.compactMap(\.tpmSeal).first }

    /// Replaces the passphrase (and key file). The data key is replaced, too, so that an older vault file
    /// with its old passphrase, key file or recovery key opens nothing that is sealed from then on. One slot
    /// has the passphrase afterwards: the passphrases of others are not known, so they cannot be kept.
    public func changingPassphrase(
        to passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(), cost: KDFCost,
        recovery: RecoveryChange = .kept, hardware change: HardwareChange = .kept
    ) throws(VaultError) -> VaultChange {
        var next = try successor()
        let key = SecretBytes(randomCount: SealedBox.keyLength)
        next.slots = [
            try KeySlots.wrap(
                key, in: file, passphrase: passphrase, keyFile: keyFile, cost: cost,
                with: wishes(after: change), hardware: hardware)
        ]
        switch recovery {
        case .kept:
            for slot in file.slots where slot.recoveryLock != nil {
                next.slots.append(try KeySlots.wrap(key, in: file, like: slot, under: dataKey))
            }
        case .replaced(let phrase):
            let slot = try phrase.withSecret { (phrase: borrowing SecretBytes) throws(VaultError) in
                guard let words = RecoveryKey(phrase: phrase) else { throw .malformed("recovery key") }
                return try KeySlots.wrap(key, in: file, words: words)
            }
            next.slots.append(slot)
        case .removed: break
        }
        next.seeds = []
        for seed in file.seeds {
            let padded = try padded(seed)
            next.seeds.append(
                Self.sealed(padded, name: seed.name, revision: seed.revision, in: file, dataKey: key))
        }
        next.keys = []
        for each in file.keys {
            next.keys.append(
                Self.sealed(
                    try secret(each), of: each.key, revision: each.revision, in: file, dataKey: key))
        }
        return VaultChange(next, dataKey: key)
    }

    // MARK: The trust store's side

    /// What the store's seal names: the revision, u64, and a keyed BLAKE2b-256 of the slots, seeds and
    /// keys. 40 bytes.
    public var reference: [UInt8] { Self.reference(file, dataKey) }

    /// The reference as it will be after a change.
    public func reference(after change: VaultChange) -> [UInt8] {
        change.withDataKey(or: dataKey) { Self.reference(change.file, $0) }
    }

    private static func reference(_ file: VaultFile, _ dataKey: borrowing SecretBytes) -> [UInt8] {
        let revision = (0..<8).map { UInt8(truncatingIfNeeded: file.revision >> (8 * $0)) }
        return revision
            + KeyedHash.authenticate(file.contentPart(), key: ownKey("file content", dataKey), length: 32)
    }

    /// The newest generation of the store that this device has confirmed.
    public var storeGeneration: UInt64 { file.storeGeneration }

    /// Records that a generation of the store is on the disk; never lowers the number.
    public func confirm(storeGeneration generation: UInt64) throws(VaultError) {
        guard generation > file.storeGeneration else { return }
        var changed = file
        changed.storeGeneration = generation
        changed = Self.sealed(changed, dataKey)
        // After a cut of power the former file may be there, which names an older generation: a store that is
        // newer than that opens.
        try write(changed, durability: .content)
        file = changed
    }

    /// How often the count of wrong passphrases was written; 0 where its file is missing.
    public func attemptsSequence() throws(VaultError) -> UInt64 {
        try FailedAttempts.read(directory: directory)?.sequence ?? 0
    }

    /// ``attemptsSequence()`` as this unlock found it; the largest number for a backup, which has no such
    /// file.
    public var attemptsSequenceBefore: UInt64 { isInBackup ? .max : attemptsBefore.sequence }

    /// Wrong passphrases since the last right one; 0 where the count stands for a delay.
    public var failedAttemptsBefore: UInt32 {
        attemptsBefore.suspicions.contains(.delay) ? 0 : attemptsBefore.count
    }

    /// Whether tampering with a file was already reported, so that the longest delay has passed.
    public func wasTold(of file: VaultError.Companion) -> Bool {
        attemptsBefore.suspicions.contains(.init(file))
    }

    /// Starts the longest delay because a file beside the vault was put back. The log has its line already.
    /// - Throws: always: ``VaultError/companionTampered(_:delay:)``
    public func suspect(_ file: VaultError.Companion) throws(VaultError) -> Never {
        try Vault.suspect(file, directory: directory, remembering: false)
    }

    // MARK: Changing

    /// The file with its next revision.
    private func successor() throws(VaultError) -> VaultFile {
        guard file.revision < .max else { throw .full }
        var next = file
        next.revision += 1
        return next
    }

    /// Puts a change on the disk beside the vault file. It takes effect only when the store names it.
    /// - `generation`: the generation that the store will have.
    public func announce(_ change: VaultChange, storeGeneration generation: UInt64) throws(VaultError) {
        precondition(change.file.revision == file.revision + 1, "a change of another file")
        change.file.storeGeneration = generation
        change.file = change.withDataKey(or: dataKey) { Self.sealed(change.file, $0) }
        var intent = VaultIntent(from: file, to: change.file)
        intent.seal = KeyedHash.authenticate(
            intent.sealedPart(), key: Self.ownKey("intent", dataKey), length: VaultFile.sealLength)
        if !isInBackup { try PrivateFile.replace(VaultIntent.name, in: directory, with: intent.encoded()) }
    }

    /// Puts an announced change in place. The change is in force from here on, even if the disk refuses: then
    /// the intent stays, and ``finishInterrupted()`` must succeed before the next change.
    public func complete(_ change: VaultChange) throws(VaultError) {
        file = change.file
        if let key = change.takeDataKey() {
            dataKey = key
            slot = 0
        }
        interrupted = .announced(change)
        try finishInterrupted()
    }

    /// Tries again to put the last change in place, where the disk refused it.
    public func finishInterrupted() throws(VaultError) {
        guard let interrupted else { return }
        switch interrupted {
        case .announced(let change): try complete(interrupted: change)
        case .opened: try write(file)
        case .inPlace: break
        }
        try removeIntent()
    }

    private func complete(interrupted change: VaultChange) throws(VaultError) {
        try write(change.file)
        file = change.file
    }

    /// Removes the intent of a change that the store did not commit.
    public func removeIntent() throws(VaultError) {
        if !isInBackup { try PrivateFile.remove(VaultIntent.name, in: directory) }
        interrupted = nil
    }

    // MARK: Storing

    /// Removes the files of a vault that was just made. A vault that was ever changed is never removed.
    public func discardNew() {
        guard file.revision == 1, file.seeds.isEmpty, file.keys.isEmpty else { return }
        for name in [VaultFile.name, FailedAttempts.name, DirectoryLock.name] {
            unlink("\(directory)/\(name)")
        }
    }

    private func write(_ file: VaultFile, durability: AtomicFile.Durability = .contentAndName)
        throws(VaultError)
    {
        if isInBackup { return }
        try PrivateFile.replace(VaultFile.name, in: directory, with: file.encoded(), durability: durability)
    }

    /// Writes the first file of a vault.
    func writeFirst() throws(VaultError) {
        file.revision = 1
        file = Self.sealed(file, dataKey)
        try write(file)
    }

    private static func sealed(_ file: VaultFile, _ dataKey: borrowing SecretBytes) -> VaultFile {
        var sealed = file
        sealed.seal = KeyedHash.authenticate(
            sealed.sealedPart(), key: ownKey("file seal", dataKey), length: VaultFile.sealLength)
        return sealed
    }

    func checkSeal() throws(VaultError) {
        guard KeyedHash.verify(file.seal, message: file.sealedPart(), key: Self.ownKey("file seal", dataKey))
        else {
            throw .tampered("vault file")
        }
    }

    /// The intent's own seal, where the key before the change is known.
    func checkSeal(of intent: VaultIntent) throws(VaultError) {
        guard KeyedHash.verify(intent.seal, message: intent.sealedPart(), key: Self.ownKey("intent", dataKey))
        else {
            throw .tampered("intent")
        }
    }
}

extension UnlockedVault {
    /// Makes a change without a store beside the vault.
    package func apply(_ change: VaultChange) throws(VaultError) {
        try announce(change, storeGeneration: storeGeneration)
        try complete(change)
    }
}
