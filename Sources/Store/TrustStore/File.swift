import Glibc

/// A file descriptor that is closed when it goes away.
struct File: ~Copyable {
    let descriptor: Int32

    /// - Parameter flags: as `open(2)`; the file is never followed through a link and never inherited.
    init(_ path: String, _ flags: Int32) throws(StoreError) {
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0 { throw Self.failure() }
    }

    deinit { close(descriptor) }

    static func failure() -> StoreError {
        switch errno {
        case ENOENT: .missing
        case EEXIST: .alreadyExists
        case let code: .inputOutput(code: code)
        }
    }

    /// Waits until no other program holds the file. Given back when the file is closed.
    func lock() throws(StoreError) {
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw Self.failure() }
        }
    }

    /// Everything in the file, refused above `limit` bytes.
    func read(limit: Int) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.pread(descriptor, &chunk, chunk.count, off_t(bytes.count))
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.failure()
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .inputOutput(code: EFBIG) }
        }
    }

    /// Writes all bytes at `offset` and waits until they are on the disk.
    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + written, $0.count - written, off_t(offset + written)) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.failure()
            }
            written += count
        }
        try sync()
    }

    func truncate(to length: Int) throws(StoreError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure() }
        try sync()
    }

    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw Self.failure() }
    }

    /// Replaces `name` in `directory` by a file with these bytes, so that a reader sees the old or the new ones.
    static func replace(_ name: String, in directory: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = "\(directory)/\(name).new"
        unlink(temporary)
        try File(temporary, O_WRONLY | O_CREAT | O_EXCL).write(bytes, at: 0)
        guard rename(temporary, "\(directory)/\(name)") == 0 else { throw failure() }
        try File(directory, O_RDONLY | O_DIRECTORY).sync()
    }
}
