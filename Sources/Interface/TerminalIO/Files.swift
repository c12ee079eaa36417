import Glibc
import Hashing
import Lines
import Sandbox
import SubstratePrimitives
import SystemIO
import Vault

extension Files {
    /// The largest file that is read whole: twice the largest update that is published, in hex.
    package static let maximumBytes = 64 << 20
    /// - Parameter limit: of the bytes; a backup may have more than other files.
    package static func read(_ path: String, limit: Int = maximumBytes) throws(CommandError) -> [UInt8] {
        do throws(SystemError) {
            if path == "-" { return try Descriptor.readAll(STDIN_FILENO, limit: limit) }
            if let bytes = try Descriptor.readFile(path, limit: limit) { return bytes }
        } catch {
            throw error.isTooLarge
                ? .fileTooLarge(path: path, limit: limit) : .file(path: path, errno: error.errno)
        }
        throw .silentPipe(path: path)
    }

    /// Hex digits, white space allowed at the ends: the text itself, or with `@` the file that holds it.
    package static func hex(_ text: String) throws(CommandError) -> [UInt8] {
        let file = named(by: text)
        let digits = if let file { String(decoding: try read(file), as: UTF8.self) } else { text }
        guard let bytes = Hex.decode(digits.trimmed) else { throw .badHex(source: file ?? "--hex") }
        return bytes
    }

    /// What a name ends with that gets hex.
    package static let hexEnding = ".hex"

    /// Writes a result beside its place and renames it, so that no half of it is ever seen under its name. A
    /// file of a vault is never replaced, nor a device, a pipe or a directory; and a name that promises hex
    /// gets nothing else.
    /// - Parameter replacingBackup: whether the file may be a backup.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, replacingBackup: Bool = false
    ) throws(CommandError) {
        if path.utf8Ends(with: hexEnding) { throw .outputRefused(path: path, .hexName) }
        try put(bytes, to: path, mode: mode, replacingBackup: replacingBackup)
    }

    private static func put(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, replacingBackup: Bool = false
    ) throws(CommandError) {
        let isFile = (try? Permissions.of(path, followingLinks: true))?.isFile ?? true
        guard isFile, !Vault.forbids(output: path, replacingBackup: replacingBackup) else {
            throw .fileExists(path: path)
        }
        do throws(SystemError) {
            try AtomicFile.replace(path, with: bytes, mode: mode, durability: .content)
            // What is called written is found under its name when a stick is pulled now.
            try Directory.syncIfPossible(directory(of: path))
        } catch {
            throw .file(path: path, errno: error.errno)
        }
    }

    /// Writes a result that is already in the log. If that fails although ``Access/requireOutputs()`` found
    /// no obstacle, the result is printed, because a signature in the log must not be lost.
    /// - Parameters:
    ///   - picture: the content of the file. A file whose name ends with `.hex` gets `text` instead.
    ///   - text: the result in hex for a program, line by line.
    ///   - page: where the result is printed if it cannot be written, so that stdout keeps the one document
    ///     of `--json`.
    package static func deliver(
        _ picture: () throws -> [UInt8], to path: String, text: [String], on page: Console
    ) throws {
        do {
            let isHex = path.utf8Ends(with: hexEnding)
            try put(isHex ? text.flatMap { Array(($0 + "\n").utf8) } : picture(), to: path)
        } catch {
            page.note("\(Escape.terminal(path)) was not written; the result is made, and it follows as text")
            text.forEach(page.print)
            throw error
        }
    }

    /// Makes a folder and those above it, closed to other users.
    /// - Throws: ``CommandError/file(path:errno:)``; `VaultError.leadsNowhere(_:)` for a link to a folder
    ///   that is not there, which nothing makes.
    package static func makeFolder(_ path: String) throws {
        do throws(SystemError) { try Directory.make(path) } catch {
            throw CommandError.file(path: error.path ?? path, errno: error.errno)
        }
        try Vault.requireFound(directory: path)
    }
}
