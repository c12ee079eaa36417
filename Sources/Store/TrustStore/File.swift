import Glibc
import SystemIO

/// A file of the store, whose errors are the store's. Never followed through a link.
struct File: ~Copyable {
    private let file: OwnedDescriptor

    /// - Parameter flags: as `open(2)`.
    init(_ path: String, _ flags: Int32) throws(StoreError) {
        do throws(SystemError) { file = try OwnedDescriptor(path, flags | O_NOFOLLOW) } catch {
            throw StoreError(error)
        }
    }

    /// The error of the last system call.
    static func failure() -> StoreError { StoreError(errno: errno) }

    /// Waits until no other program holds the file. The lock is released when the file is closed.
    func lock() throws(StoreError) {
        do throws(SystemError) { try file.lock() } catch { throw StoreError(error) }
    }

    /// Everything in the file, refused above `limit` bytes.
    func read(limit: Int) throws(StoreError) -> [UInt8] {
        do throws(SystemError) { return try file.contents(limit: limit) } catch { throw StoreError(error) }
    }

    /// Writes all bytes at `offset` and waits until they are on the disk.
    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { (bytes) throws(SystemError) in
                try file.write(UnsafeRawBufferPointer(bytes), at: offset)
            }
            try file.sync()
        } catch {
            throw StoreError(error)
        }
    }

    func truncate(to length: Int) throws(StoreError) {
        do throws(SystemError) {
            try file.truncate(to: length)
            try file.sync()
        } catch {
            throw StoreError(error)
        }
    }

    func sync() throws(StoreError) {
        do throws(SystemError) { try file.sync() } catch { throw StoreError(error) }
    }
}

extension StoreError {
    init(_ error: SystemError) { self.init(errno: error.errno) }

    fileprivate init(errno: Int32) {
        self =
            switch errno {
            case ENOENT: .missing
            case EEXIST: .alreadyExists
            default: .inputOutput(code: errno)
            }
    }
}
