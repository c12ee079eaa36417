import Glibc
import Keys
import SubstratePrimitives
import SystemIO

/// A directory with sealed seeds and keys, as it looks without its passphrase.
///
/// Files: `vault` (key slots, sealed seeds and keys), `attempts` (wrong passphrases), `lock`, `intent` while
/// a change is made. Nothing read here is proven before ``unlock(passphrase:keyFile:patience:hardware:)``; a
/// changed flag or count shows there.
public struct Vault: Sendable {
    public let directory: String
    private let file: VaultFile
    /// What the key slots of an interrupted change state, which are tried after those of the file.
    private let furtherCosts: [KDFCost]

    /// How long to wait for another program that holds the vault.
    public static let defaultPatience = Duration.seconds(3)

    public static func exists(directory: String) -> Bool {
        (try? PrivateFile.read("\(directory)/\(VaultFile.name)", limit: VaultFile.lengthLimit)) != nil
    }

    /// Makes the directory (mode 0700) where it is missing and a vault without seeds in it.
    ///
    /// `development` marks a vault for tests on a connected machine; it is bound to every key slot and cannot
    /// be changed afterwards.
    public static func create(
        directory: String, passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(),
        cost: KDFCost,
        development: Bool = false
    ) throws(VaultError) -> UnlockedVault {
        try PrivateFile.makeDirectory(directory)
        try requirePrivate(directory: directory)
        let lock = try DirectoryLock(directory: directory, patience: defaultPatience)
        try requireNone(directory: directory)
        do throws(VaultError) {
            var file = VaultFile(id: SealedBox.randomBytes(16), development: development)
            let dataKey = SecretBytes(randomCount: SealedBox.keyLength)
            file.slots = [
                try KeySlots.wrap(dataKey, in: file, passphrase: passphrase, keyFile: keyFile, cost: cost)
            ]
            try PrivateFile.remove(VaultIntent.name, in: directory)
            try FailedAttempts.none.write(directory: directory)
            let vault = UnlockedVault(
                directory: directory, lock: lock, file: file, dataKey: dataKey, slot: 0, attemptsBefore: .none
            )
            try vault.writeFirst()
            return vault
        } catch {
            // A refusal leaves nothing behind.
            for name in [FailedAttempts.name, DirectoryLock.name] { unlink("\(directory)/\(name)") }
            throw error
        }
    }

    /// Refuses a directory that holds a vault or the remains of one: a store with its log, or an intent,
    /// which has all seeds. A new vault would replace them.
    /// - Throws: ``VaultError/exists(_:)``, ``VaultError/lost(_:)``
    public static func requireNone(directory: String) throws(VaultError) {
        func isThere(_ name: String) throws(VaultError) -> Bool {
            try permissions("\(directory)/\(name)", followingLinks: false) != nil
        }
        for name in [VaultFile.name, VaultIntent.name] { if try isThere(name) { throw .exists(directory) } }
        if try isThere(storeFile) { throw .lost(directory) }
    }

    /// Reads the header; needs no passphrase and takes no lock.
    /// - Throws: ``VaultError/exposed(_:isDirectory:)`` where other users can read or change the files.
    public static func open(directory: String) throws(VaultError) -> Vault {
        try requirePrivate(directory: directory)
        let file = try readFile(directory)
        // One that cannot be read, or is not of this file, is refused at the unlock before anything is
        // derived.
        let further = (try? readIntent(directory)).map { intent in
            (try? isAhead(intent, of: file)) == true ? costs(of: intent.next) : []
        }
        return Vault(directory: directory, file: file, furtherCosts: further ?? [])
    }

    private static func readFile(_ directory: String) throws(VaultError) -> VaultFile {
        let path = "\(directory)/\(VaultFile.name)"
        guard let bytes = try PrivateFile.read(path, limit: VaultFile.lengthLimit) else {
            throw .missing(directory)
        }
        return try VaultFile(bytes)
    }

    private static func readIntent(_ directory: String) throws(VaultError) -> VaultIntent? {
        let path = "\(directory)/\(VaultIntent.name)"
        return try PrivateFile.read(path, limit: VaultIntent.lengthLimit).map { (bytes) throws(VaultError) in
            try VaultIntent(bytes)
        }
    }

    /// 16 bytes that tell vaults apart.
    public var id: [UInt8] { file.id }
    public var isDevelopment: Bool { file.development }
    public var seedNames: [String] { file.seeds.map(\.name) }

    /// Keys that no seed gives, as the file says.
    public var importedKeys: [PublicKey] { file.keys.map(\.key) }
    public var slots: [KeySlotInfo] {
        file.slots.map(KeySlotInfo.init)
    }
    /// The cost of trying a passphrase at every slot; nil if this program would choose as much or more for a
    /// new vault, which has one slot.
    public var unusualCost: KDFCost? { Self.unusual(Self.costs(of: file) + furtherCosts) }
    static func unusual(_ costs: [KDFCost]) -> KDFCost? {
        KDFCost.total(of: costs).flatMap { $0.isUnusual ? $0 : nil }
    }
    static func costs(of file: VaultFile) -> [KDFCost] { file.slots.compactMap(\.cost) }
    /// Grows by one with every change of the vault; a smaller number than before means that an older file was
    /// put in its place.
    public var revision: UInt64 { file.revision }

    /// Wrong passphrases since the last right one, and the seconds that the next attempt must wait now. A
    /// file that is missing counts as tampering: the longest delay.
    public func failedAttempts() throws(VaultError) -> (count: UInt32, delay: UInt64) {
        guard let attempts = try FailedAttempts.read(directory: directory) else {
            return (FailedAttempts.countOfLongestDelay, FailedAttempts.longestDelay)
        }
        return (attempts.count, attempts.remainingDelay(now: FailedAttempts.secondsSinceBoot()))
    }

    /// Refuses if another program has the vault open, before anybody types a passphrase for it. The vault may
    /// be opened elsewhere in between: ``unlock(passphrase:keyFile:patience:hardware:)`` decides.
    /// - Throws: ``VaultError/inUse``
    public func requireFree(patience: Duration = Vault.defaultPatience) throws(VaultError) {
        try DirectoryLock(directory: directory, patience: patience).release()
    }

    /// Opens the vault and holds its lock until the result goes away.
    ///
    /// The attempt is counted on disk before it is made; a right passphrase resets the count.
    ///
    /// The person was shown the cost of the opened file. Somebody could replace the file while the passphrase
    /// is typed, so the replacement may cost no more than that or than the usual cost.
    /// - Throws: ``VaultError/costChanged`` before anything is derived or counted.
    public func unlock(
        passphrase: borrowing SecretBytes, keyFile: borrowing SecretBytes = SecretBytes(),
        patience: Duration = Vault.defaultPatience, hardware: any Hardware = NoHardware()
    ) throws(VaultError) -> UnlockedVault {
        let lock = try DirectoryLock(directory: directory, patience: patience)
        try Self.clearLeftovers(directory: directory)
        // Another program may have changed the file since it was opened here.
        let current = try Self.readFile(directory)
        let intent = try Self.readIntent(directory)
        let isAhead =
            try intent.map { (intent) throws(VaultError) in try Self.isAhead(intent, of: current) } ?? false
        let candidates = [current] + (isAhead ? intent.map { [$0.next] } ?? [] : [])
        if let cost = Self.unusual(candidates.flatMap(Self.costs(of:))) {
            guard let told = unusualCost, cost.work <= told.work, cost.memory <= told.memory else {
                throw .costChanged
            }
        }
        let opened = try Self.attempt(
            candidates, directory: directory, passphrase: passphrase, keyFile: keyFile, hardware: hardware)
        let (index, before, slot) = (opened.file, opened.before, opened.slot)
        let vault = UnlockedVault(
            directory: directory, lock: lock, file: candidates[index], dataKey: opened.takeKey(), slot: slot,
            attemptsBefore: before, hardware: hardware)
        try vault.checkSeal()
        guard let intent else { return vault }
        if !isAhead {
            vault.interrupted = .inPlace
        } else if index == 1 {
            vault.interrupted = .opened
        } else {
            try vault.checkSeal(of: intent)
            if intent.next.slots == current.slots {
                vault.interrupted = .announced(VaultChange(intent.next))
            } else {
                // The same passphrase may open both. A TPM that says nothing of the other does not keep this
                // one closed.
                do throws(VaultError) {
                    let key = try KeySlots.unwrap(
                        intent.next, passphrase: passphrase, keyFile: keyFile, hardware: hardware)?
                        .takeKey()
                    vault.interrupted = .announced(VaultChange(intent.next, dataKey: key))
                } catch {
                    guard case .hardware = error else { throw error }
                    vault.interrupted = .announced(VaultChange(intent.next, dataKey: nil))
                }
            }
        }
        return vault
    }

    /// Whether the intent's change is not in place yet. An intent that fits neither state of the vault file
    /// is not left by a crash.
    private static func isAhead(_ intent: VaultIntent, of current: VaultFile) throws(VaultError) -> Bool {
        if intent.next == current { return false }
        guard intent.id == current.id, intent.formerRevision == current.revision else {
            throw .tampered("intent")
        }
        // A change keeps the cost of the derivation, and no forged file may make an attempt more expensive.
        let (costs, next) = (costs(of: current), costs(of: intent.next))
        guard next.count <= costs.count, next.allSatisfy(Set(costs).contains) else {
            throw .tampered("intent")
        }
        return true
    }

    /// Counts an attempt, makes it with the slots of each file in turn, and resets the count when one opens.
    static func attempt(
        _ files: [VaultFile], directory: String, passphrase: borrowing SecretBytes,
        keyFile: borrowing SecretBytes, hardware: any Hardware
    ) throws(VaultError) -> Attempted {
        guard let before = try FailedAttempts.read(directory: directory) else {
            try suspect(.attempts, directory: directory, remembering: true)
        }
        let now = FailedAttempts.secondsSinceBoot()
        let wait = before.remainingDelay(now: now)
        guard wait == 0 else {
            throw .mustWait(seconds: wait, afterTampering: before.suspicions.contains(.delay))
        }
        let counted = before.next(count: before.count == .max ? .max : before.count + 1, now: now)
        try counted.write(directory: directory)
        for (index, file) in files.enumerated() {
            let tried: KeySlots.OpenedSlot?
            do throws(VaultError) {
                tried = try KeySlots.unwrap(
                    file, passphrase: passphrase, keyFile: keyFile, hardware: hardware)
            } catch {
                // Hardware that gives nothing says nothing about the passphrase, unless it was wrong for a
                // file before.
                if case .hardware = error, index == 0, !file.slots.contains(where: \.needsPassphraseAlone) {
                    try counted.next(count: before.count, now: before.bootSeconds).write(directory: directory)
                }
                throw error
            }
            guard let opened = tried else { continue }
            var reset = counted.next(count: 0, now: 0)
            reset.suspicions = []
            try reset.write(directory: directory)
            let slot = opened.index
            return Attempted(file: index, slot: slot, before: before, dataKey: opened.takeKey())
        }
        throw .wrongPassphrase(failures: counted.count, delay: FailedAttempts.delay(after: counted.count))
    }

    /// A passphrase that was right.
    struct Attempted: ~Copyable {
        /// The index of the file that opened, and of its slot.
        let file: Int
        let slot: Int
        /// What the count of wrong passphrases was before this attempt.
        let before: FailedAttempts
        private let dataKey: SecretBytes

        init(file: Int, slot: Int, before: FailedAttempts, dataKey: consuming SecretBytes) {
            self.file = file
            self.slot = slot
            self.before = before
            self.dataKey = dataKey
        }

        consuming func takeKey() -> SecretBytes { dataKey }
    }

    // MARK: Tampering with the files beside the vault

    /// Starts the longest delay because a file beside the vault is missing or was put back.
    /// - Parameter remembering: whether the log has no line of it yet: the next right passphrase opens, and
    ///   the line is written then.
    /// - Throws: always: ``VaultError/companionTampered(_:delay:)``
    static func suspect(
        _ file: VaultError.Companion, directory: String, remembering: Bool
    ) throws(VaultError) -> Never {
        let now = FailedAttempts.secondsSinceBoot()
        let before =
            try FailedAttempts.read(directory: directory)
            ?? FailedAttempts(count: 0, bootSeconds: 0, sequence: 0)
        var told = before.next(count: max(before.count, FailedAttempts.countOfLongestDelay), now: now)
        told.suspicions.insert(.delay)
        if remembering { told.suspicions.insert(.init(file)) }
        try told.write(directory: directory)
        throw .companionTampered(file, delay: FailedAttempts.longestDelay)
    }

    /// Starts the longest delay before the passphrase is known, because a file that another module keeps is
    /// missing or was put back.
    public func suspect(_ file: VaultError.Companion) throws(VaultError) {
        let lock = try DirectoryLock(directory: directory, patience: Self.defaultPatience)
        let told = try FailedAttempts.read(directory: directory)?.suspicions ?? []
        if told.contains(.init(file)) { return lock.release() }
        try Self.suspect(file, directory: directory, remembering: true)
    }
}

extension Vault {
    /// Files of a vault, and what the names of its store's files begin with.
    private static let ownFiles = [
        VaultFile.name, VaultIntent.name, FailedAttempts.name, DirectoryLock.name, journalName,
    ]
    static let journalName = "journal"
    static let storePrefix = "store."
    static let storeFile = "store.sqlite"

    /// Refuses a directory that other users can write to, and files in it that they can read or write:
    /// whoever can replace a file owns it, and whoever can read it can guess its passphrase.
    /// - Throws: ``VaultError/exposed(_:isDirectory:)``, ``VaultError/shared(_:)``,
    ///   ``VaultError/notADirectory(_:)``
    public static func requirePrivate(directory: String) throws(VaultError) {
        guard let folder = try permissions(directory, followingLinks: true) else {
            return try requireFound(directory: directory)
        }
        guard folder.isDirectory else { throw .notADirectory(directory) }
        guard folder.mode & 0o022 == 0 else {
            // Closing a directory that is there for many users, such as /tmp, would break the machine.
            let isPrivate = folder.owner == geteuid() && folder.mode & mode_t(S_ISVTX) == 0
            throw isPrivate ? .exposed(directory, isDirectory: true) : .shared(directory)
        }
        guard isOwn(folder) else { throw .foreign(directory, isDirectory: true) }
        for name in try names(directory) where isOwn(name) {
            // A file that no longer exists was replaced by another program, which makes files just as
            // private.
            guard let file = try permissions("\(directory)/\(name)", followingLinks: false) else { continue }
            guard !file.isLink else { throw .link("\(directory)/\(name)") }
            guard file.isFile else { throw .notAFile("\(directory)/\(name)") }
            guard file.mode & 0o077 == 0 else { throw .exposed("\(directory)/\(name)", isDirectory: false) }
            guard isOwn(file) else { throw .foreign("\(directory)/\(name)", isDirectory: false) }
        }
    }

    /// A link to a directory that is not there looks like a directory that can be made, and cannot.
    /// - Throws: ``VaultError/leadsNowhere(_:)``
    public static func requireFound(directory: String) throws(VaultError) {
        guard try permissions(directory, followingLinks: true) == nil else { return }
        if try permissions(directory, followingLinks: false)?.isLink == true {
            throw .leadsNowhere(directory)
        }
    }

    /// Removes half-written files of a killed program. The caller holds the vault's lock, so no living
    /// program writes there.
    static func clearLeftovers(directory: String) throws(VaultError) {
        for name in try names(directory) where isLeftover(name) { unlink("\(directory)/\(name)") }
    }

    private static func isLeftover(_ name: String) -> Bool {
        name.utf8Ends(with: ".new")
            && (ownFiles.contains { name.utf8Starts(with: ".\($0).") }
                || name.utf8Starts(with: ".\(storePrefix)"))
    }

    static func isOwn(_ name: String) -> Bool {
        ownFiles.containsUTF8(of: name) || name.utf8Starts(with: storePrefix)
    }

    static func names(_ directory: String) throws(VaultError) -> [String] {
        do throws(SystemError) { return try Directory.names(directory) } catch { throw VaultError(error) }
    }

    /// Whoever else owns a file may give himself every right. Root has them anyway.
    private static func isOwn(_ file: Permissions) -> Bool { file.owner == geteuid() || file.owner == 0 }

    private static func permissions(_ path: String, followingLinks: Bool) throws(VaultError) -> Permissions? {
        do throws(SystemError) { return try Permissions.of(path, followingLinks: followingLinks) } catch {
            throw VaultError(error)
        }
    }
}

extension Vault {
    /// The first bytes of the files of a vault, its store and its backups, and of an SQLite database with its
    /// write-ahead log of either byte order and its rollback journal. Source: sqlite.org/fileformat2.html.
    private static let beginnings: [[UInt8]] = [
        Array("HELIOG".utf8), database, [0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83],
        [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7],
    ]
    private static let database = Array("SQLite format 3\0".utf8)

    /// Whether a result must not be written to a path, because a file of a vault is or may be there.
    ///
    /// A vault may have lost its file and have its store still, with the log and the keys of groups: nothing
    /// that is named as a vault's is written into a directory that has something of one, and nothing that
    /// begins as one is replaced, whatever its name. Names are looked at, and no file but the one that would
    /// be replaced is opened: what lies beside it may be a pipe.
    /// - Parameters:
    ///   - path: of the result, absolute or from the working directory.
    ///   - replacingBackup: whether the file may be a backup.
    public static func forbids(output path: String, replacingBackup: Bool = false) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        // What looks half written would be removed by the next unlock.
        if isOwn(name) || isLeftover(name), isPlace(directory) { return true }
        if isBesideDatabase(path) { return true }
        guard let start = beginning(of: path) else { return false }
        if replacingBackup, start.starts(with: VaultBackup.magic) { return false }
        return beginnings.contains { start.starts(with: $0) }
    }

    /// Whether a directory has a file with a name of a vault's. One that cannot be listed may have.
    private static func isPlace(_ directory: String) -> Bool {
        guard let names = try? names(directory) else { return true }
        return names.contains {
            isOwn($0) && !$0.utf8Starts(with: storePrefix) || $0.utf8Starts(with: storeFile)
        }
    }

    /// Whether SQLite keeps a file of this name beside a database, such as that of the online side. Commits
    /// go there while the database is open, even if the file is empty now or has no known first bytes.
    private static func isBesideDatabase(_ path: String) -> Bool {
        ["-wal", "-shm", "-journal"].contains { ending in
            path.utf8Ends(with: ending)
                && beginning(of: String(Substring(path.utf8.dropLast(ending.utf8.count)))) == database
        }
    }

    /// The first bytes of a file that is there; nil where nothing or no file is.
    static func beginning(of path: String) -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
