import Glibc
import Hashing
import Sandbox
import SystemIO

/// Files of the command line.
enum Files {
    /// 64 MiB: far above the largest published metadata, and small enough for memory.
    static let maximumSize = 64 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HotError.cannotRead(path: path, errno: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HotError.cannotRead(path: path, errno: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
            guard bytes.count <= maximumSize else { throw HotError.tooLarge(path: path, limit: maximumSize) }
        }
        guard !bytes.isEmpty else { throw HotError.emptyInput(path: path) }
        return bytes
    }

    /// Writes a temporary file and renames it, so that a reader never sees a partial file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let partial = "\(path).\(getpid()).part"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw HotError.cannotWrite(path: path, errno: errno) }
        do {
            guard Descriptor.write(descriptor, bytes) else { throw HotError.cannotWrite(path: path, errno: errno) }
            guard close(descriptor) == 0, rename(partial, path) == 0 else { throw HotError.cannotWrite(path: path, errno: errno) }
        } catch {
            unlink(partial)
            throw error
        }
    }

    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw HotError.cannotWrite(path: path, errno: errno) }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// `HEX` or `@FILE`, a file of hex text or of raw bytes.
    static func bytes(_ argument: String, name: String) throws -> [UInt8] {
        guard argument.hasPrefix("@") else {
            guard let bytes = Hex.decode(argument), !bytes.isEmpty else { throw HotError.notHex(source: name) }
            return bytes
        }
        return hexOrRaw(try read(String(argument.dropFirst())))
    }

    /// Decodes hex text, ignoring white space around it; returns anything else unchanged.
    static func hexOrRaw(_ content: [UInt8]) -> [UInt8] {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
        let text = content.drop { blank.contains($0) }.reversed().drop { blank.contains($0) }.reversed()
        guard let bytes = String(validating: Array(text), as: UTF8.self).flatMap({ Hex.decode($0) }), !bytes.isEmpty else { return content }
        return bytes
    }
}
