import Glibc
import Hashing
import SystemIO

/// What is at a path, by the SHA-256 of its bytes.
enum FileDigest: Equatable {
    case regular([UInt8])
    case missing
    /// A link, a directory, a device or a file that is too long. A release has none of them, and the target
    /// of a link can change without the link.
    case other

    private static let chunk = 1 << 18
    /// The limit for one file, in bytes. No file of a release is longer (`tools/dev release` refuses to make
    /// one). The limit stops sparse files of exabytes, which take no space but years to read.
    static let maximumBytes = 512 << 20

    /// Reads a file through one descriptor, in pieces. A file that is longer than ``maximumBytes`` is
    /// ``other``, and so is one that grows beyond it.
    static func of(_ path: String) throws(SystemError) -> FileDigest {
        let file: OwnedDescriptor
        do {
            // Without O_NONBLOCK a pipe of that name would wait for a writer.
            file = try OwnedDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR: return .missing
            case ELOOP, ENXIO: return .other
            default: throw error
            }
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw SystemError(.read, path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else { return .other }
        var total = 0
        var stream = SHA256Stream()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try file.fill(buffer)
            total += count
            guard total <= maximumBytes else { return .other }
            stream.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return .regular(stream.digest()) }
        }
    }
}
