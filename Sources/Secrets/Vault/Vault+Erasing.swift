import CSodium
import Glibc
import SubstratePrimitives
import SystemIO

extension Vault {
    /// What an erasure did to a vault's directory.
    public struct Erasure: Sendable, Equatable {
        /// Names of the files that were overwritten and removed.
        public let removed: [String]
        /// Names in the directory that do not belong to this vault, such as files of an earlier vault that a
        /// restore moved aside.
        public let left: [String]

        public static func == (one: Erasure, other: Erasure) -> Bool {
            one.removed.utf8ElementsEqual(other.removed) && one.left.utf8ElementsEqual(other.left)
        }
    }

    /// Bytes that are written at a time.
    private static let block = 1 << 16
    /// `SEEK_DATA` of `lseek(2)`, which glibc shows to GNU sources alone.
    private static let seekData: Int32 = 3

    /// Overwrites and removes the files of a vault. Files with key slots go first: once they are gone, the
    /// passphrase opens nothing here, even if a power cut stops the rest.
    ///
    /// Erasing stops only for a program that has the vault open. Somebody who can write to the directory
    /// could replace a file by a pipe or a directory, so each name is tried, and failures are reported at the
    /// end. If the lock cannot be made, erasing continues: without it no program can open the vault either.
    ///
    /// It does not reach copies of the files, or overwritten blocks that a drive keeps.
    /// - Throws: ``VaultError/inUse`` while another program has the vault open;
    ///   ``VaultError/erasedInPart(slots:notOverwritten:notRemoved:)``;
    ///   ``VaultError/system(operation:errno:)`` where the directory cannot be read.
    public static func erase(directory: String) throws(VaultError) -> Erasure {
        try erase(directory: directory, removing: PrivateFile.remove(_:in:))
    }

    /// - Parameter remove: removes a file of the directory, by its name.
    static func erase(
        directory: String, removing remove: (_ name: String, _ directory: String) throws(VaultError) -> Void
    ) throws(VaultError) -> Erasure {
        let lock: DirectoryLock?
        do throws(VaultError) {
            lock = try DirectoryLock(directory: directory, patience: defaultPatience)
        } catch {
            if error == .inUse { throw error }
            lock = nil
        }
        let all = try names(directory).sorted()
        let (slots, others) = (all.filter(holdsSlots), all.filter { !holdsSlots($0) && isErased($0) })
        // Two lists: bytes that were overwritten are gone, also where their file could not be removed.
        var notOverwritten: [String] = []
        var notRemoved: [String] = []
        func removeFile(_ name: String) {
            let isGone = isDone { () throws(VaultError) in try remove(name, directory) }
            if !isGone { notRemoved.append(name) }
        }
        for part in [slots, others] {
            for name in part where !isDone({ () throws(VaultError) in try overwrite("\(directory)/\(name)") })
            { notOverwritten.append(name) }
            // A file whose slots are still there keeps its name: without it nobody finds them to overwrite
            // them later.
            for name in part where !(holdsSlots(name) && notOverwritten.containsUTF8(of: name)) {
                removeFile(name)
            }
        }
        removeFile(DirectoryLock.name)
        lock?.release()
        guard notOverwritten.isEmpty, notRemoved.isEmpty else {
            throw .erasedInPart(
                slots: !notOverwritten.contains(where: holdsSlots), notOverwritten: notOverwritten,
                notRemoved: notRemoved)
        }
        return Erasure(removed: (slots + others).sorted(), left: try names(directory).sorted())
    }

    private static func isDone(_ work: () throws(VaultError) -> Void) -> Bool {
        do throws(VaultError) {
            try work()
            return true
        } catch {
            return false
        }
    }

    /// Whether the directory has anything to erase: a file with key slots, whatever it holds and whatever
    /// lies beside it.
    public static func isErasable(directory: String) throws(VaultError) -> Bool {
        try names(directory).contains(where: holdsSlots)
    }

    /// Names in a vault's directory that an erasure leaves there.
    public static func notErased(directory: String) throws(VaultError) -> [String] {
        try names(directory).filter { !holdsSlots($0) && !isErased($0) && !$0.utf8Equals(DirectoryLock.name) }
            .sorted()
    }

    /// Names that an erasure would overwrite and remove, where the file `vault` does not begin as this
    /// program's do, or is not there: the directory may be no vault. Empty where it begins so.
    public static func erasedUnknown(directory: String) throws(VaultError) -> [String] {
        if beginning(of: "\(directory)/\(VaultFile.name)")?.starts(with: VaultFile.magic) == true {
            return []
        }
        return try names(directory)
            .filter { holdsSlots($0) || isErased($0) || $0.utf8Equals(DirectoryLock.name) }.sorted()
    }

    /// Whether the file has key slots: the vault file, the file of an interrupted change, and half-written
    /// forms of them that a killed program left.
    private static func holdsSlots(_ name: String) -> Bool {
        [VaultFile.name, VaultIntent.name].contains { name.utf8Equals($0) || isLeftover(name, of: $0) }
    }

    /// Exactly the names that this program makes (*Vault files* lists them). If the directory was named by
    /// mistake, a similar name such as `store.ts` is somebody else's file and stays.
    private static func isErased(_ name: String) -> Bool {
        let beside = [FailedAttempts.name, journalName]
        return beside.contains { name.utf8Equals($0) || isLeftover(name, of: $0) } || isStoreFile(name)
            || isLeftover(name, of: storeFile)
    }

    /// The store, a store that is being made (`.new`), and a refused store that was put aside
    /// (`.refused-TIME`, `.refused-TIME-2`), each with the files that SQLite makes beside it.
    private static func isStoreFile(_ name: String) -> Bool {
        ["", "-journal", "-wal", "-shm"].contains { ending in
            guard name.utf8Ends(with: ending) else { return false }
            let stem = name.utf8.dropLast(ending.utf8.count)
            if [storeFile, "\(storeFile).new"].contains(where: { stem.elementsEqual($0.utf8) }) {
                return true
            }
            let refused = "\(storeFile).refused-".utf8
            guard stem.starts(with: refused) else { return false }
            let numbers = stem.dropFirst(refused.count)
                .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            return numbers.count <= 2 && numbers.allSatisfy { isNumber($0) }
        }
    }

    /// `.NAME.RANDOM.new` with 32 hex digits, and `.NAME.PID.new` of an earlier release.
    private static func isLeftover(_ name: String, of file: String) -> Bool {
        let (start, ending) = (".\(file).", ".new")
        guard name.utf8Starts(with: start), name.utf8Ends(with: ending) else { return false }
        let middle = name.utf8.dropFirst(start.utf8.count).dropLast(ending.utf8.count)
        return isNumber(middle) || middle.count == 32 && middle.allSatisfy { isHexDigit($0) }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isNumber(_ digits: some Collection<UInt8>) -> Bool {
        !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Random bytes over all that is written of a file, on the disk when this returns. A hole holds nothing,
    /// and filling one of 20 GB would fill the disk.
    private static func overwrite(_ path: String) throws(VaultError) {
        // Opening a pipe without a reader must not block.
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        var file = Glibc.open(path, flags)
        // An own file without write permission. It is not a link: that gives another error.
        if file < 0, errno == EACCES, chmod(path, 0o600) == 0 { file = Glibc.open(path, flags) }
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .system(operation: "open", errno: errno)
        }
        defer { Glibc.close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw .system(operation: "read", errno: errno) }
        var offset = 0
        let length = Int(facts.st_size)
        var bytes = [UInt8](repeating: 0, count: block)
        while offset < length {
            let data = Int(lseek(file, off_t(offset), seekData))
            if data < 0, errno == ENXIO { break }
            offset = max(offset, data)
            randombytes_buf(&bytes, bytes.count)
            let written = pwrite(file, bytes, min(bytes.count, length - offset), off_t(offset))
            guard written > 0 else { throw .system(operation: "write", errno: errno) }
            offset += written
        }
        guard fsync(file) == 0 || facts.st_mode & S_IFMT != S_IFREG else {
            throw .system(operation: "sync", errno: errno)
        }
    }
}
