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

    /// Writes a result beside its place and gives it its name, so that no half of it is ever seen under it. A
    /// file of a vault is never replaced, nor a device, a pipe or a directory; and a name that promises hex
    /// gets nothing else.
    /// - Parameters:
    ///   - replacing: whether the person allowed to replace a file of that name.
    ///   - replacingBackup: whether that file may be a backup.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, replacing: Bool,
        replacingBackup: Bool = false
    ) throws(CommandError) {
        if path.utf8Ends(with: hexEnding) { throw .outputRefused(path: path, .hexName) }
        try put(bytes, to: path, mode: mode, replacing: replacing, replacingBackup: replacingBackup)
    }

    /// Between ``Access/requireOutputs()`` and this a person types a passphrase and a word, and meanwhile
    /// others may write to the directory. So the system itself enforces the rule here: unless replacing is
    /// allowed, a new name is made by `link(2)`, which replaces neither a file nor a link.
    private static func put(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, replacing: Bool,
        replacingBackup: Bool = false
    ) throws(CommandError) {
        let isFile = (try? Permissions.of(path, followingLinks: true))?.isFile ?? true
        guard isFile, !Vault.forbids(output: path, replacingBackup: replacingBackup) else {
            throw .fileExists(path: path)
        }
        do throws(SystemError) {
            guard replacing else { return try AtomicFile.create(whole: path, with: bytes, mode: mode) }
            try AtomicFile.replace(path, with: bytes, mode: mode, durability: .content, isShared: true)
            // What is called written is found under its name when a stick is pulled now.
            try Directory.syncIfPossible(directory(of: path))
        } catch {
            let isTaken = error.operation == .create && error.errno == EEXIST
            throw isTaken ? .fileExists(path: path) : .file(path: path, errno: error.errno)
        }
    }

    /// Writes a result that is already in the log. If that fails although ``Access/requireOutputs()`` found
    /// no obstacle, the result is printed, because a signature in the log must not be lost.
    /// - Parameters:
    ///   - picture: the content of the file. A file whose name ends with `.hex` gets `text` instead.
    ///   - replacing: whether the person allowed that a file of that name goes.
    ///   - text: the result in hex for a program, line by line.
    ///   - page: where the result is printed if it cannot be written, so that stdout keeps the one document
    ///     of `--json`.
    package static func deliver(
        _ picture: () throws -> [UInt8], to path: String, replacing: Bool, text: [String], on page: Console
    ) throws {
        do {
            let isHex = path.utf8Ends(with: hexEnding)
            try put(
                isHex ? text.flatMap { Array(($0 + "\n").utf8) } : picture(), to: path, replacing: replacing)
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
