import Keys

/// A directory with sealed seeds, as it looks without its passphrase.
///
/// Files: `vault` (key slots and sealed seeds), `attempts` (wrong passphrases), `lock`. Nothing read here is proven before
/// ``unlock(passphrase:keyFile:patience:)``; a changed flag or count shows there.
public struct Vault: Sendable {
    public let directory: String
    private let file: VaultFile

    /// How long to wait for another program that holds the vault.
    public static let defaultPatience = Duration.seconds(3)

    public static func exists(directory: String) -> Bool {
        (try? PrivateFile.read("\(directory)/\(VaultFile.name)", limit: VaultFile.lengthLimit)) != nil
    }

    /// Makes the directory (mode 0700) where it is missing and a vault without seeds in it.
    ///
    /// `development` marks a vault for tests on a connected machine; it is bound to every key slot and cannot be changed afterwards.
    public static func create(
        directory: String, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(), cost: KDFCost,
        development: Bool = false
    ) throws(VaultError) -> UnlockedVault {
        try PrivateFile.makeDirectory(directory)
        let lock = try DirectoryLock(directory: directory, patience: defaultPatience)
        guard try PrivateFile.read("\(directory)/\(VaultFile.name)", limit: VaultFile.lengthLimit) == nil else { throw .exists }
        var file = VaultFile(id: SealedBox.randomBytes(16), development: development)
        let dataKey = SecretBytes(randomCount: SealedBox.keyLength)
        file.slots = [try KeySlots.wrap(dataKey, in: file, passphrase: passphrase, keyFile: keyFile, cost: cost)]
        try FailedAttempts.none.write(directory: directory)
        var vault = UnlockedVault(directory: directory, lock: lock, file: file, dataKey: dataKey, slot: 0, failures: 0)
        try vault.store(file)
        return vault
    }

    /// Reads the header; needs no passphrase and takes no lock.
    public static func open(directory: String) throws(VaultError) -> Vault {
        Vault(directory: directory, file: try readFile(directory))
    }

    private static func readFile(_ directory: String) throws(VaultError) -> VaultFile {
        guard let bytes = try PrivateFile.read("\(directory)/\(VaultFile.name)", limit: VaultFile.lengthLimit) else { throw .missing }
        return try VaultFile(bytes)
    }

    /// 16 bytes that tell vaults apart.
    public var id: [UInt8] { file.id }
    public var isDevelopment: Bool { file.development }
    public var seedNames: [String] { file.seeds.map(\.name) }
    public var slots: [KeySlotInfo] { file.slots.map { KeySlotInfo(needsKeyFile: $0.needsKeyFile, cost: $0.cost) } }
    /// Grows by one with every change of the vault; a smaller number than before means that an older file was put in its place.
    public var revision: UInt64 { file.revision }

    /// Wrong passphrases since the last right one, and the seconds that the next attempt must wait now.
    public func failedAttempts() throws(VaultError) -> (count: UInt32, delay: UInt64) {
        let attempts = try FailedAttempts.read(directory: directory)
        return (attempts.count, attempts.remainingDelay(now: FailedAttempts.secondsSinceBoot()))
    }

    /// Opens the vault and holds its lock until the result goes away.
    ///
    /// The attempt is counted on disk before it is made; a right passphrase resets the count.
    public func unlock(
        passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(), patience: Duration = Vault.defaultPatience
    ) throws(VaultError) -> UnlockedVault {
        let lock = try DirectoryLock(directory: directory, patience: patience)
        // Another program may have changed the file since it was opened here.
        let current = try Self.readFile(directory)
        let failures = try FailedAttempts.read(directory: directory).count
        let opened = try Self.attempt(current, directory: directory, passphrase: passphrase, keyFile: keyFile)
        let slot = opened.index
        let vault = UnlockedVault(
            directory: directory, lock: lock, file: current, dataKey: opened.takeKey(), slot: slot, failures: failures)
        try vault.checkSeal()
        return vault
    }

    static func attempt(
        _ file: VaultFile, directory: String, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes
    ) throws(VaultError) -> KeySlots.OpenedSlot {
        var attempts = try FailedAttempts.read(directory: directory)
        let now = FailedAttempts.secondsSinceBoot()
        let wait = attempts.remainingDelay(now: now)
        guard wait == 0 else { throw .mustWait(seconds: wait) }
        attempts = FailedAttempts(count: attempts.count == .max ? .max : attempts.count + 1, bootSeconds: now)
        try attempts.write(directory: directory)
        guard let opened = try KeySlots.unwrap(file, passphrase: passphrase, keyFile: keyFile) else {
            throw .wrongPassphrase(failures: attempts.count, delay: FailedAttempts.delay(after: attempts.count))
        }
        try FailedAttempts.none.write(directory: directory)
        return opened
    }
}

/// What a key slot shows without a passphrase.
public struct KeySlotInfo: Sendable, Hashable {
    public let needsKeyFile: Bool
    public let cost: KDFCost
}
