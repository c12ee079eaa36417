import Glibc
import Hashing
import Sandbox
import SystemIO

/// Small files that a command reads or writes itself. Pictures go to the scanner.
enum Files {
    /// The largest file that is read whole: twice the largest update that is published, in hex.
    static let maximumBytes = 64 << 20

    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path: path, errno: errno) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else { throw .fileTooLarge(path: path, limit: maximumBytes) }
        }
    }

    /// Whether two paths lead to one file or folder.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The file that a text names with `@`; nil for digits.
    static func named(by text: String) -> String? { text.hasPrefix("@") ? String(text.dropFirst()) : nil }

    /// Hex digits, white space allowed at the ends: the text itself, or with `@` the file that holds it.
    static func hex(_ text: String) throws(CommandError) -> [UInt8] {
        let digits: String
        if text.hasPrefix("@") {
            digits = String(decoding: try read(String(text.dropFirst())), as: UTF8.self)
        } else {
            digits = text
        }
        guard let bytes = Hex.decode(digits.trimmed) else {
            throw .badHex(source: text.hasPrefix("@") ? String(text.dropFirst()) : "--hex")
        }
        return bytes
    }

    /// Writes a result beside its place and renames it, so that no half of it is ever seen under its name.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(CommandError) {
        let unfinished = path + ".part"
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .file(path: path, errno: errno) }
        defer { close(descriptor) }
        guard Descriptor.write(descriptor, bytes), fsync(descriptor) == 0, rename(unfinished, path) == 0 else {
            let reason = errno
            unlink(unfinished)
            throw .file(path: path, errno: reason)
        }
    }

    /// Makes a folder and those above it, closed to other users.
    static func makeFolder(_ path: String) throws(CommandError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .file(path: made, errno: errno) }
        }
    }
}

extension String {
    /// Words of a code are joined by hyphens.
    var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }

    /// Without white space at both ends.
    var trimmed: String {
        let inner = drop { $0.isWhitespace }
        guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(inner[...last])
    }
}
