import Glibc
import Hashing
import SystemIO

/// What is at a path, by the SHA-256 of its bytes.
enum FileDigest: Equatable {
    case regular([UInt8])
    case missing
    /// A link, a directory, a device: a release has none, and what a link leads to can change without the link.
    case other

    private static let chunk = 1 << 18

    /// Reads a file through one descriptor, in pieces: what is hashed is one file, however large.
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
        guard status.st_mode & S_IFMT == S_IFREG else { return .other }
        var stream = SHA256Stream()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try file.fill(buffer)
            stream.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return .regular(stream.digest()) }
        }
    }
}
