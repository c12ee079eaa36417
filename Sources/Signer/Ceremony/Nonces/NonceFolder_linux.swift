import CVfs
import Glibc
import Hashing
import SubstratePrimitives
import SystemIO

/// Files on a file system in RAM, one for each open offer: `VAULT-REQUEST`, both in hex. After a restart, and
/// in a restored disk or backup, there are none, so a vault that was rolled back cannot use a nonce twice.
///
/// The folder is accessible to this user only (0700), and so is each file (0600), which is always new and
/// never a link. The vault encrypts the content. This does not stop somebody who copies a file before it is
/// used, and puts it back together with an older vault while the machine runs.
///
/// Two copies of a vault have a lock each, but they share this folder, so the folder has its own lock: it
/// makes one of two programs wait until the other has taken the nonces. Each function here holds it from
/// opening the folder to its end, so a file cannot be read twice, or replaced, between being read and being
/// removed.
public struct NonceFolder: NonceKeeper {
    /// `tmpfs` and `ramfs`, as `statfs` calls them.
    private static let inMemory: Set<UInt32> = [0x0102_1994, 0x8584_58f6]
    private static let longestBox = 4096

    /// Absolute.
    public let path: String
    /// Why nothing can wait here, as ``checked()`` found.
    public let refusal: NonceError?

    /// A folder of this path, which need not exist.
    public init(_ path: String) { self.init(path, refusal: nil) }

    private init(_ path: String, refusal: NonceError?) { (self.path, self.refusal) = (path, refusal) }

    /// The folder after a check, made before the sandbox closes. A folder that fails the check is neither
    /// written nor read: this program never kept anything there.
    public func checked() -> NonceFolder {
        do throws(NonceError) { try prepare() } catch { return NonceFolder(path, refusal: error) }
        return NonceFolder(path, refusal: nil)
    }

    /// `heliograph` in `$XDG_RUNTIME_DIR`, which is a file system in memory where the system makes it; else
    /// `/dev/shm/heliograph-UID`.
    /// - Parameter runtime: the value of that variable; nil where it is not set.
    public static func ofUser(runtime: String?) -> NonceFolder {
        if let runtime, runtime.utf8.first == UInt8(ascii: "/") {
            return NonceFolder(runtime + "/heliograph")
        }
        return NonceFolder("/dev/shm/heliograph-\(getuid())")
    }

    /// Makes the folder, before a sandbox needs it, and checks it.
    /// - Throws: ``NonceError``
    public func prepare() throws(NonceError) {
        if let refusal { throw refusal }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(SystemError(.write, path)) }
        _ = try opened()
    }

    /// The folder, locked, if it is in memory and only this user can access it. The checks are on the open
    /// folder, so that nothing can be put in its place afterwards.
    private func opened() throws(NonceError) -> OwnedDescriptor {
        let folder = try Self.system { () throws(SystemError) in
            try OwnedDescriptor(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        var facts = stat()
        guard fstat(folder.number, &facts) == 0, facts.st_uid == getuid(), facts.st_mode & 0o7777 == 0o700
        else { throw .notPrivate(path) }
        var system = statfs()
        guard fstatfs(folder.number, &system) == 0 else { throw .system(SystemError(.read, path)) }
        guard Self.inMemory.contains(UInt32(truncatingIfNeeded: system.f_type)) else {
            throw .notInMemory(path)
        }
        do throws(SystemError) { try folder.lock() } catch { throw .system(error) }
        return folder
    }

    /// nil where there is no folder yet.
    private func openedIfThere() throws(NonceError) -> OwnedDescriptor? {
        guard refusal == nil else { return nil }
        do throws(NonceError) {
            return try opened()
        } catch {
            if case .system(let error) = error, error.errno == ENOENT { return nil }
            throw error
        }
    }

    private func name(_ request: Hash32, _ vault: [UInt8]) -> String { "\(Hex.encode(vault))-\(request.hex)" }

    private static func system<R: ~Copyable>(_ body: () throws(SystemError) -> R) throws(NonceError) -> R {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }

    public func keep(_ box: [UInt8], for request: Hash32, of vault: [UInt8]) throws(NonceError) {
        try prepare()
        let folder = try opened()
        let name = name(request, vault)
        let number = retrying {
            openat(folder.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard number >= 0 else {
            if errno == EEXIST { throw .kept }
            throw .system(SystemError(.write, "\(path)/\(name)"))
        }
        defer { close(number) }
        guard fchmod(number, 0o600) == 0, Descriptor.write(number, box), retrying({ fsync(number) }) == 0
        else {
            let error = SystemError(.write, "\(path)/\(name)")
            _ = unlinkat(folder.number, name, 0)
            throw .system(error)
        }
    }

    /// nil where nothing waits. It stays.
    func box(for request: Hash32, of vault: [UInt8]) throws(NonceError) -> [UInt8]? {
        guard let folder = try openedIfThere() else { return nil }
        return try box(name(request, vault), in: folder)
    }

    public func take(_ request: Hash32, of vault: [UInt8]) throws(NonceError) -> [UInt8]? {
        guard let folder = try openedIfThere() else { return nil }
        let name = name(request, vault)
        guard let box = try box(name, in: folder) else { return nil }
        try wipe(name, in: folder)
        return box
    }

    private func box(_ name: String, in folder: borrowing OwnedDescriptor) throws(NonceError) -> [UInt8]? {
        let number = retrying { openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP
                ? .notPrivate("\(path)/\(name)") : .system(SystemError(.read, "\(path)/\(name)"))
        }
        defer { close(number) }
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_uid == getuid(),
            facts.st_mode & (S_IFMT | 0o077) == S_IFREG
        else {
            throw .notPrivate("\(path)/\(name)")
        }
        return try Self.system { () throws(SystemError) in
            try Descriptor.readAll(number, limit: Self.longestBox, path: "\(path)/\(name)")
        }
    }

    public func wipe(_ request: Hash32, of vault: [UInt8]) throws(NonceError) {
        guard let folder = try openedIfThere() else { return }
        try wipe(name(request, vault), in: folder)
    }

    /// Removes a file, then overwrites it: a program that ends between the two leaves nothing that can be
    /// taken.
    private func wipe(_ name: String, in folder: borrowing OwnedDescriptor) throws(NonceError) {
        let number = retrying { openat(folder.number, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) }
        let isGone = unlinkat(folder.number, name, 0) == 0 || errno == ENOENT
        let failure = isGone ? nil : SystemError(.write, "\(path)/\(name)")
        if number >= 0 {
            defer { close(number) }
            var facts = stat()
            if fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
                _ = Descriptor.write(
                    number, [UInt8](repeating: 0, count: min(Int(facts.st_size), Self.longestBox)))
            }
        }
        if let failure { throw .system(failure) }
    }

    public func requests(of vault: [UInt8]) throws(NonceError) -> Set<Hash32> {
        // Opened only because that checks whose folder it is.
        guard let folder = try openedIfThere() else { return [] }
        _ = folder
        let start = Hex.encode(vault) + "-"
        let names = try Self.system { () throws(SystemError) in try Directory.names(path) }
        return Set(
            names.filter { $0.utf8Starts(with: start) }.compactMap {
                Hash32(hex: String($0.dropFirst(start.utf8.count)))
            })
    }
}
