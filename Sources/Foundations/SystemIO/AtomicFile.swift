import Glibc

/// Files that appear under their name complete or not at all.
public enum AtomicFile {
    /// What a power failure cannot undo after a file is replaced.
    public enum Durability: Sendable {
        /// Nothing: the file can be made again.
        case none
        /// The bytes: the name refers to the old ones or to the new ones.
        case content
        /// The bytes and the name: it refers to the new ones.
        case contentAndName
    }

    /// Writes these bytes to the file at `path`, replacing it if it exists. A reader sees the old bytes or
    /// the new ones; a symbolic link is replaced, not followed.
    ///
    /// The bytes go to a new file beside it, which is removed when this fails.
    /// - Parameters:
    ///   - path: of the file; a link there is replaced.
    ///   - bytes: the whole new content.
    ///   - mode: of the file, less the umask.
    ///   - durability: what is on the disk when this returns.
    ///   - isShared: whether others may write to the directory, as to `/tmp`. They must not be able to take
    ///     the temporary name first, so it is drawn; in a directory of one's own it has the number of the
    ///     process, and what a killed program left there goes with the next change.
    public static func replace(
        _ path: String, with bytes: UnsafeRawBufferPointer, mode: mode_t = 0o600,
        durability: Durability = .contentAndName, isShared: Bool = false
    ) throws(SystemError) {
        let directory = split(path).directory
        let new: String
        if isShared {
            new = temporaryName(beside: path)
            try write(bytes, toTemporary: new, mode: mode, durability: durability, named: path)
        } else {
            new = temporaryName(beside: path, marked: "\(getpid())")
            unlink(new)
            try write(bytes, toNew: new, mode: mode, durability: durability, named: path)
        }
        guard rename(new, path) == 0 else {
            let error = SystemError(.rename, path)
            unlink(new)
            throw error
        }
        if durability == .contentAndName { try Directory.sync(directory.isEmpty ? "." : directory) }
    }

    public static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600,
        durability: Durability = .contentAndName, isShared: Bool = false
    ) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
            try replace(
                path, with: UnsafeRawBufferPointer(bytes), mode: mode, durability: durability,
                isShared: isShared)
        }
    }

    /// Makes a file with these bytes, and waits until the bytes and the name are on the disk. An existing
    /// file or link is refused with `EEXIST` and stays unchanged. If writing fails, the new file is removed.
    /// - `mode`: of the file, less the umask.
    public static func create(_ path: String, with bytes: UnsafeRawBufferPointer, mode: mode_t = 0o600)
        throws(SystemError)
    {
        try write(bytes, toNew: path, mode: mode, durability: .content, named: path)
        let directory = split(path).directory
        do throws(SystemError) { try Directory.syncIfPossible(directory.isEmpty ? "." : directory) } catch {
            unlink(path)
            throw error
        }
    }

    /// Makes a file that appears under its name complete or not at all, and waits until bytes and name are on
    /// the disk. What exists under that name, a link included, is left as it is and refused with `EEXIST`.
    ///
    /// Where the file system has no hard links, as on a stick with FAT, the file is written under its own
    /// name, so that a power failure meanwhile can leave a part of it.
    /// - `mode`: of the file, less the umask.
    /// - Throws: `EEXIST` of ``SystemError/Operation/create`` only if this very name is taken, because
    ///   callers take that as "the answer is there already".
    public static func create(whole path: String, with bytes: [UInt8], mode: mode_t = 0o600)
        throws(SystemError)
    {
        try create(whole: path, with: bytes, mode: mode, temporary: temporaryName(beside: path))
    }

    /// - Parameter new: where the bytes wait for their name; a test takes one that is in use.
    static func create(whole path: String, with bytes: [UInt8], mode: mode_t = 0o600, temporary new: String)
        throws(SystemError)
    {
        let directory = split(path).directory
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
            let bytes = UnsafeRawBufferPointer(bytes)
            try write(bytes, toTemporary: new, mode: mode, durability: .content, named: path)
            defer { unlink(new) }
            try place(new, as: path, bytes, mode: mode)
        }
        try Directory.syncIfPossible(directory.isEmpty ? "." : directory)
    }

    /// Why no file of a set was made.
    public struct SetError: Error {
        public let cause: SystemError
        /// Files of the set, whole or under names of their own, that could not be removed either.
        public let left: [String]
    }

    /// Makes all of these files, or none. A name that is in use is refused with `EEXIST`, and what is there
    /// stays. Each file is written under a temporary name and gets its own once all are on the disk. If one
    /// fails, those that were made are removed.
    ///
    /// If two programs make sets with the same first name at once, one set is complete and the other is not
    /// made: only one of them gets that name, and the other stops there. A lock would leave a file in the
    /// folder for the next program, and renaming a whole folder would need a new one.
    /// - `mode`: of the files, less the umask.
    public static func create(set files: [(path: String, bytes: [UInt8])], mode: mode_t = 0o600)
        throws(SetError)
    {
        let made = files.map { (path: $0.path, new: temporaryName(beside: $0.path), bytes: $0.bytes) }
        /// What is on the disk, in the order in which it came there.
        var present: [String] = []
        do throws(SystemError) {
            for file in made {
                try file.bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
                    try write(
                        UnsafeRawBufferPointer(bytes), toTemporary: file.new, mode: mode,
                        durability: .content, named: file.path)
                }
                present.append(file.new)
            }
            for file in made {
                try file.bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
                    try place(file.new, as: file.path, UnsafeRawBufferPointer(bytes), mode: mode)
                }
                present.append(file.path)
            }
            // While one of them is there it can be seen that a killed program left a part of a set.
            for file in made where unlink(file.new) != 0 { throw SystemError(.rename, file.path) }
            var synced: [Substring] = []
            for file in files {
                let directory = split(file.path).directory
                if synced.contains(where: { $0.utf8.elementsEqual(directory.utf8) }) { continue }
                try Directory.sync(directory.isEmpty ? "." : directory)
                synced.append(directory)
            }
        } catch {
            // A directory with the name of a file does not belong to the set.
            throw SetError(
                cause: error,
                left: present.filter { unlink($0) != 0 && errno != ENOENT && errno != EISDIR })
        }
    }

    /// The same as ``write(_:toNew:mode:durability:named:)``, but with a different error for a name that is
    /// taken than for the file itself.
    private static func write(
        _ bytes: UnsafeRawBufferPointer, toTemporary new: String, mode: mode_t, durability: Durability,
        named path: String
    ) throws(SystemError) {
        do throws(SystemError) {
            try write(bytes, toNew: new, mode: mode, durability: durability, named: path)
        } catch {
            guard error.operation == .create, error.errno == EEXIST else { throw error }
            throw SystemError(.createBeside, path, errno: error.errno)
        }
    }

    /// Bytes of a file's name that its temporary name begins with: with the rest they fit into 255.
    private static let longestStem = 200

    /// `.NAME.RANDOM.new` in the directory of a file, with 16 random bytes in hex.
    ///
    /// Nobody else who may write to the directory must be able to take the name first. A guessable number,
    /// such as the process id, would let them: a directory of that name, which `unlink` does not remove,
    /// would make the writing fail.
    private static func temporaryName(beside path: String) -> String {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<4).map { _ in
            let digits = String(random.next() as UInt32, radix: 16)
            return String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }
        return temporaryName(beside: path, marked: digits.joined())
    }

    private static func temporaryName(beside path: String, marked mark: String) -> String {
        let (directory, name) = split(path)
        let stem = String(decoding: name.utf8.prefix(longestStem), as: UTF8.self)
        return "\(directory).\(stem).\(mark).new"
    }

    /// Gives a file its own name beside its temporary one. A rename would replace what is there, and a link
    /// does not. Without hard links the bytes are written again, to a file that must be new.
    private static func place(
        _ new: String, as path: String, _ bytes: UnsafeRawBufferPointer, mode: mode_t
    ) throws(SystemError) {
        guard link(new, path) != 0 else { return }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw SystemError(.create, path) }
        try write(bytes, toNew: path, mode: mode, durability: .content, named: path)
    }

    /// - Parameter path: the name that errors carry.
    private static func write(
        _ bytes: UnsafeRawBufferPointer, toNew new: String, mode: mode_t, durability: Durability,
        named path: String
    ) throws(SystemError) {
        let file: OwnedDescriptor
        do { file = try OwnedDescriptor(creating: new, mode: mode) } catch {
            throw SystemError(error.operation, path, errno: error.errno)
        }
        do throws(SystemError) {
            try file.write(bytes)
            if durability != .none { try file.sync() }
        } catch {
            unlink(new)
            throw SystemError(error.operation, path, errno: error.errno)
        }
    }

    /// The directory with its slash, or an empty text where the path has no slash, and the name in it.
    private static func split(_ path: String) -> (directory: Substring, name: Substring) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path[...]) }
        return (path[...slash], path[path.utf8.index(after: slash)...])
    }
}
