import Glibc

/// An open file or directory. It is closed when the value is released, and no program that is started later
/// inherits it.
public struct OwnedDescriptor: ~Copyable {
    public let number: Int32
    /// As the caller named it, for errors.
    private let path: String

    /// Opens a file.
    /// - `flags`: as `open(2)`. Without `O_NOFOLLOW` a symbolic link is followed.
    /// - `mode`: of a file that this makes, less the umask.
    public init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
        let opened = retrying { open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { throw SystemError(flags & O_EXCL != 0 ? .create : .open, path) }
        number = opened
        self.path = path
    }

    /// Makes a new file. An existing file or link of that name is refused and left as it is.
    public init(creating path: String, mode: mode_t = 0o600) throws(SystemError) {
        try self.init(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }

    deinit { close(number) }

    /// Everything from here to the end, in order. Not for secrets.
    /// - Throws: ``SystemError/isTooLarge`` when there are more than `limit` bytes.
    public func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        try Descriptor.readAll(number, limit: limit, path: path)
    }

    /// Everything in the file from its start, wherever it was read or written before. Not for secrets.
    /// - Throws: ``SystemError/isTooLarge`` when there are more than `limit` bytes.
    public func contents(limit: Int) throws(SystemError) -> [UInt8] {
        try Descriptor.collect(limit: limit, path: path) { buffer, offset in
            Descriptor.readSome(number, into: buffer, at: offset)
        }
    }

    /// Reads until the buffer is full or the file ends, without a copy elsewhere.
    /// - Returns: how many bytes came.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try Descriptor.fill(buffer, from: number, path: path)
    }

    /// Writes all bytes after what was written before.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        guard Descriptor.write(number, bytes) else { throw SystemError(.write, path) }
    }

    /// Writes all bytes at `offset`.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        let isWritten = Descriptor.writeAll(bytes) { rest, written in
            retrying { pwrite(number, rest.baseAddress, rest.count, off_t(offset + written)) }
        }
        guard isWritten else { throw SystemError(.write, path) }
    }

    public func truncate(to length: Int) throws(SystemError) {
        guard retrying({ ftruncate(number, off_t(length)) }) == 0 else { throw SystemError(.truncate, path) }
    }

    /// Waits until content and length, or the names in a directory, are on the disk.
    public func sync() throws(SystemError) {
        guard retrying({ fsync(number) }) == 0 else { throw SystemError(.sync, path) }
    }

    /// Waits until no other open file holds the exclusive lock. It is released when the file is closed or the
    /// program ends.
    public func lock() throws(SystemError) {
        guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw SystemError(.lock, path) }
    }

    /// Takes the exclusive lock if nobody holds it.
    public func tryLock() throws(SystemError) -> Bool {
        if retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(.lock, path) }
        return false
    }
}
