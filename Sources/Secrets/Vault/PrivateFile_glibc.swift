import Glibc

/// Files that only their owner may read, written so that a cut of power leaves the old content or the new, never a mixture.
enum PrivateFile {
    /// The content, or nil when there is no such file. Refuses files above `limit` bytes.
    static func read(_ path: String, limit: Int) throws(VaultError) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(operation: "open", errno: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(operation: "read", errno: errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw .malformed("length") }
            bytes += chunk[..<count]
        }
    }

    /// Replaces `directory/name`: a new file with mode 0600, synced, renamed over the old one, the directory synced.
    static func replace(_ name: String, in directory: String, with bytes: [UInt8]) throws(VaultError) {
        let temporary = "\(directory)/.\(name).\(getpid()).new"
        unlink(temporary)
        let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "create", errno: errno) }
        do throws(VaultError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw .system(operation: "sync", errno: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, "\(directory)/\(name)") == 0 else {
            let reason = errno
            unlink(temporary)
            throw .system(operation: "rename", errno: reason)
        }
        try sync(directory: directory)
    }

    static func sync(directory: String) throws(VaultError) {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(operation: "open directory", errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(operation: "sync directory", errno: errno) }
    }

    /// Makes the directory with mode 0700, and its parents where they are missing.
    static func makeDirectory(_ path: String) throws(VaultError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let reason = errno
        let parent = String(path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? "")
        guard reason == ENOENT, !parent.isEmpty else { throw .system(operation: "make directory", errno: reason) }
        try makeDirectory(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(operation: "make directory", errno: errno) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(VaultError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(operation: "write", errno: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// An exclusive advisory lock on `directory/lock`, held until the value goes away (also when the program is killed).
struct DirectoryLock: ~Copyable {
    private let descriptor: Int32

    /// Waits up to `patience` for another holder, then throws ``VaultError/inUse``.
    init(directory: String, patience: Duration) throws(VaultError) {
        descriptor = Glibc.open("\(directory)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "open lock", errno: errno) }
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let reason = errno
            if reason == EINTR { continue }
            guard reason == EWOULDBLOCK, ContinuousClock.now < deadline else {
                close(descriptor)
                throw reason == EWOULDBLOCK ? .inUse : .system(operation: "lock", errno: reason)
            }
            usleep(20_000)
        }
    }

    /// Gives the lock back before the end of a scope.
    consuming func release() {}

    deinit { close(descriptor) }
}
