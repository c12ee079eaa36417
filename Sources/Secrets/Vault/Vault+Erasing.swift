import CSodium
import Glibc
import SubstratePrimitives
import SystemIO

extension Vault {
    /// What an erasure did to a vault's directory.
    public struct Erasure: Sendable, Equatable {
        /// Names of the files that were overwritten and removed.
        public let removed: [String]
        /// Names in the directory that are no files of this vault, such as those of a former one that a restore moved aside.
        public let left: [String]

        public static func == (one: Erasure, other: Erasure) -> Bool {
            one.removed.utf8ElementsEqual(other.removed) && one.left.utf8ElementsEqual(other.left)
        }
    }

    /// Bytes that are written at a time.
    private static let block = 1 << 16

    /// Overwrites and removes the files of a vault. What holds key slots goes first: once those are gone, the passphrase opens nothing here, wherever
    /// a cut of power stops the rest.
    ///
    /// Copies of the files and what a drive keeps of overwritten blocks are not reached.
    /// - Throws: ``VaultError/inUse`` while another program has the vault open; ``VaultError/system(operation:errno:)``
    public static func erase(directory: String) throws(VaultError) -> Erasure {
        let lock = try DirectoryLock(directory: directory, patience: defaultPatience)
        let all = try names(directory)
        let (slots, others) = (all.filter(holdsSlots), all.filter { !holdsSlots($0) && isErased($0) })
        for part in [slots, others] {
            for name in part { try overwrite("\(directory)/\(name)") }
            for name in part { try PrivateFile.remove(name, in: directory) }
        }
        try PrivateFile.remove(DirectoryLock.name, in: directory)
        lock.release()
        return Erasure(removed: (slots + others).sorted(), left: try names(directory).sorted())
    }

    /// Names in a vault's directory that an erasure leaves there.
    public static func notErased(directory: String) throws(VaultError) -> [String] {
        try names(directory).filter { !holdsSlots($0) && !isErased($0) && !$0.utf8Equals(DirectoryLock.name) }.sorted()
    }

    /// The vault file, the file of an interrupted change, and what a killed program left half written of them.
    private static func holdsSlots(_ name: String) -> Bool {
        [VaultFile.name, VaultIntent.name].contains { name.utf8Equals($0) || isLeftover(name, of: $0) }
    }

    private static func isErased(_ name: String) -> Bool {
        if isOwn(name) { return !name.utf8Equals(DirectoryLock.name) }
        return [FailedAttempts.name, "journal"].contains { isLeftover(name, of: $0) } || name.utf8Starts(with: ".store.")
    }

    private static func isLeftover(_ name: String, of file: String) -> Bool {
        name.utf8Starts(with: ".\(file).") && name.utf8Ends(with: ".new")
    }

    /// Random bytes over the whole length, on the disk when this returns.
    private static func overwrite(_ path: String) throws(VaultError) {
        let file = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
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
            randombytes_buf(&bytes, bytes.count)
            let written = pwrite(file, bytes, min(bytes.count, length - offset), off_t(offset))
            guard written > 0 else { throw .system(operation: "write", errno: errno) }
            offset += written
        }
        guard fsync(file) == 0 else { throw .system(operation: "sync", errno: errno) }
    }
}
