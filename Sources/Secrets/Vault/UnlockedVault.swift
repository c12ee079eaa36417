import Glibc
import Keys
import SubstratePrimitives

/// A vault whose data key is in memory. The key is wiped and the lock released when the value goes away.
public struct UnlockedVault: ~Copyable {
    public let directory: String
    /// Wrong passphrases between the last unlock and this one, for the log.
    public let failedAttemptsBefore: UInt32
    /// nil for a vault inside a backup.
    private let lock: DirectoryLock?
    private let dataKey: SecretBytes
    private var file: VaultFile
    /// The slot that opened.
    private let slot: Int

    init(
        directory: String, lock: consuming DirectoryLock?, file: VaultFile, dataKey: consuming SecretBytes, slot: Int, failures: UInt32
    ) {
        self.directory = directory
        self.lock = lock
        self.file = file
        self.dataKey = dataKey
        self.slot = slot
        failedAttemptsBefore = failures
    }

    public var id: [UInt8] { file.id }
    public var isDevelopment: Bool { file.development }
    public var revision: UInt64 { file.revision }
    public var slots: [KeySlotInfo] { file.slots.map { KeySlotInfo(needsKeyFile: $0.needsKeyFile, cost: $0.cost) } }
    /// The slot that opened, an index into ``slots``.
    public var currentSlot: Int { slot }

    // MARK: Seeds

    /// In the order in which they were added.
    public var seedNames: [String] { file.seeds.map(\.name) }

    /// Seals 16 to 32 bytes of entropy under a new name.
    public mutating func addSeed(name: String, entropy: borrowing SecretBytes) throws(VaultError) {
        guard Self.isValid(seedName: name) else { throw .invalidSeedName }
        guard index(of: name) == nil else { throw .seedExists }
        guard [16, 20, 24, 28, 32].contains(entropy.count) else { throw .entropyLength(entropy.count) }
        guard file.seeds.count < VaultFile.seedLimit else { throw .full }
        let revision = file.revision + 1
        // All seeds have the same sealed length, so that the file does not show how many words one has.
        let padded = SecretBytes(count: VaultFile.sealedSeedLength - SealedBox.tagLength)
        padded.withUnsafeMutableBytes { padded in
            padded[0] = UInt8(entropy.count)
            entropy.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: padded[1...]).copyMemory(from: $0) }
        }
        let box = SealedBox.seal(padded, key: seedKey(), bindingTo: file.associatedBytes(ofSeed: name, revision: revision))
        var changed = file
        changed.seeds.append(VaultFile.SealedSeed(name: name, revision: revision, box: box))
        try store(changed)
    }

    public mutating func removeSeed(_ name: String) throws(VaultError) {
        guard let index = index(of: name) else { throw .noSuchSeed }
        var changed = file
        changed.seeds.remove(at: index)
        try store(changed)
    }

    /// The entropy of a seed, in memory of its own.
    public borrowing func seed(_ name: String) throws(VaultError) -> SecretBytes {
        guard let index = index(of: name) else { throw .noSuchSeed }
        let seed = file.seeds[index]
        let associated = file.associatedBytes(ofSeed: seed.name, revision: seed.revision)
        guard let padded = SealedBox.open(seed.box, key: seedKey(), bindingTo: associated) else { throw .tampered("seed") }
        let count = padded.withUnsafeBytes { Int($0[0]) }
        guard [16, 20, 24, 28, 32].contains(count) else { throw .tampered("seed") }
        return padded.slice(1..<(1 + count))
    }

    /// Lends the entropy of a seed to `body`.
    public borrowing func withSeed<R: ~Copyable>(_ name: String, _ body: (borrowing SecretBytes) throws -> R) throws -> R {
        let seed = try seed(name)
        return try body(seed)
    }

    private borrowing func index(of name: String) -> Int? {
        // Bytes, not characters: two spellings of "é" are two names.
        file.seeds.firstIndex { $0.name.utf8Equals(name) }
    }

    /// 1 to 64 bytes of UTF-8 without control characters.
    public static func isValid(seedName name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    // MARK: Keys

    /// A key for another use, such as the seal of a store: 16 to 64 bytes that depend on the vault and on `context` only.
    public borrowing func derivedKey(context: String, length: Int = 32) -> SecretBytes {
        KeyedHash.derive(Array("heliograph use: \(context)".utf8), key: dataKey, length: length)
    }

    private borrowing func ownKey(_ context: String) -> SecretBytes {
        KeyedHash.derive(Array("heliograph vault: \(context)".utf8), key: dataKey, length: SealedBox.keyLength)
    }

    private borrowing func seedKey() -> SecretBytes { ownKey("seeds") }

    borrowing func backupKey() -> SecretBytes { ownKey("backup") }

    borrowing func fileContent() -> VaultFile { file }

    // MARK: Passphrases

    /// Checks the passphrase again; a wrong one is counted like any other.
    public borrowing func confirm(passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes()) throws(VaultError) {
        _ = try Vault.attempt(file, directory: directory, passphrase: passphrase, keyFile: keyFile)
    }

    /// A key slot that was replaced, for ``putBack(_:)``.
    public struct FormerSlot: Sendable {
        fileprivate let index: Int
        fileprivate let slot: VaultFile.KeySlot
    }

    /// Replaces the passphrase (and key file) of the slot that opened. Seeds are not touched.
    /// - Returns: the slot as it was.
    @discardableResult
    public mutating func changePassphrase(
        to passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(), cost: KDFCost
    ) throws(VaultError) -> FormerSlot {
        let former = FormerSlot(index: slot, slot: file.slots[slot])
        var changed = file
        changed.slots[slot] = try KeySlots.wrap(dataKey, in: file, passphrase: passphrase, keyFile: keyFile, cost: cost)
        try store(changed)
        return former
    }

    /// Reverts a change of the passphrase; no slot may have changed since.
    public mutating func putBack(_ former: FormerSlot) throws(VaultError) {
        var changed = file
        changed.slots[former.index] = former.slot
        try store(changed)
    }

    // MARK: Storing

    /// Removes the files of a vault that was just made. A vault that was ever changed is never removed.
    public borrowing func discardNew() {
        guard file.revision == 1, file.seeds.isEmpty else { return }
        for name in [VaultFile.name, FailedAttempts.name] { unlink("\(directory)/\(name)") }
    }

    /// Writes a changed file under a new revision and seal; this value changes only after that.
    mutating func store(_ changed: VaultFile) throws(VaultError) {
        var sealed = changed
        sealed.revision = file.revision + 1
        sealed.seal = KeyedHash.authenticate(sealed.sealedPart(), key: ownKey("file seal"), length: VaultFile.sealLength)
        try PrivateFile.replace(VaultFile.name, in: directory, with: sealed.encoded())
        file = sealed
    }

    borrowing func checkSeal() throws(VaultError) {
        guard KeyedHash.verify(file.seal, message: file.sealedPart(), key: ownKey("file seal")) else { throw .tampered("vault file") }
    }
}
