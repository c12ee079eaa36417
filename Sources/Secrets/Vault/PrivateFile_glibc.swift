import Glibc
import SystemIO

/// Files that only their owner may read, written so that a cut of power leaves the old content or the new,
/// never a mixture.
enum PrivateFile {
    /// The content, or nil when there is no such file. Refuses files above `limit` bytes.
    ///
    /// The file is opened without waiting: somebody who can write to the directory could put a pipe without
    /// a writer there.
    /// - Throws: ``VaultError/notAFile(_:)`` for a pipe, a directory and the like.
    static func read(_ path: String, limit: Int) throws(VaultError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            var status = stat()
            if fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                return try file.readAll(limit: limit)
            }
        } catch {
            if error.operation == .open, error.errno == ENOENT { return nil }
            throw error.isTooLarge ? .malformed("length") : VaultError(error)
        }
        throw .notAFile(path)
    }

    /// Replaces `directory/name`: a new file with mode 0600, synced, renamed over the old one, the directory
    /// synced unless `durability` is less.
    static func replace(
        _ name: String, in directory: String, with bytes: [UInt8],
        durability: AtomicFile.Durability = .contentAndName
    ) throws(VaultError) {
        do throws(SystemError) {
            try AtomicFile.replace("\(directory)/\(name)", with: bytes, durability: durability)
        } catch {
            throw VaultError(error)
        }
    }

    /// Removes `directory/name` where it is there, so that a cut of power does not bring it back.
    static func remove(_ name: String, in directory: String) throws(VaultError) {
        guard unlink("\(directory)/\(name)") == 0 else {
            if errno == ENOENT { return }
            throw .system(operation: "remove", errno: errno)
        }
        do throws(SystemError) { try Directory.sync(directory) } catch { throw VaultError(error) }
    }

    /// Makes the directory with mode 0700, and its parents where they are missing.
    static func makeDirectory(_ path: String) throws(VaultError) {
        do throws(SystemError) { try Directory.make(path) } catch { throw VaultError(error) }
    }
}

extension VaultError {
    init(_ error: SystemError) { self = .system(operation: error.operation.rawValue, errno: error.errno) }
}

/// An exclusive advisory lock on `directory/lock`, held until the value goes away (also when the program is
/// killed).
struct DirectoryLock: ~Copyable {
    static let name = "lock"
    private let file: OwnedDescriptor

    /// Waits up to `patience` for another holder, then throws ``VaultError/inUse``.
    init(directory: String, patience: Duration) throws(VaultError) {
        do throws(SystemError) {
            let opened = try OwnedDescriptor("\(directory)/\(Self.name)", O_RDWR | O_CREAT | O_NOFOLLOW)
            let deadline = ContinuousClock.now + patience
            while try !opened.tryLock() {
                guard ContinuousClock.now < deadline else { throw SystemError(.lock, errno: EWOULDBLOCK) }
                usleep(20_000)
            }
            file = opened
        } catch {
            throw error.errno == EWOULDBLOCK
                ? .inUse : .system(operation: "\(error.operation.rawValue) lock", errno: error.errno)
        }
    }

    /// Releases the lock before the end of a scope.
    consuming func release() {}
}
