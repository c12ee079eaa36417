import Diagnostics
import FoundationEssentials
import Glibc
import Hashing
import HotStore
import HotTransactions
import SubstratePrimitives
import Synchronization
import SystemIO

/// Files of the command line.
enum Files {
    /// 64 MiB: far above the largest published metadata, and small enough for memory.
    static let maximumSize = 64 << 20

    /// What this command reads, as far as it is known: no result replaces it.
    private static let inputs = Mutex<[String]>([])

    /// Notes files and directories that this command reads, before its results are checked. What is read
    /// later is noted then.
    /// - Parameter paths: `-` for standard input, which may be a file too.
    static func note(inputs paths: [String]) {
        inputs.withLock { $0 += paths.map { $0.utf8Equals("-") ? "/dev/stdin" : $0 } }
    }

    /// The files among arguments that are `HEX` or `@FILE`.
    static func named(by arguments: [String?]) -> [String] {
        arguments.compactMap { $0 }.filter { $0.utf8Starts(with: "@") }.map { String($0.dropFirst()) }
    }

    /// Whether a file is what this command reads, or stands in a directory that it reads.
    private static func isInput(_ path: String, in folder: String) -> Bool {
        inputs.withLock { inputs in
            inputs.contains { isSame($0, path) || isFolder($0) && isSame($0, folder) }
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    static func read(_ path: String) throws -> [UInt8] {
        note(inputs: [path])
        return try readOwn(path)
    }

    /// Reads a file that this program keeps and writes again.
    static func readOwn(_ path: String) throws -> [UInt8] {
        // nil for a pipe that nobody writes to.
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes =
                path == "-"
                ? try Descriptor.readAll(STDIN_FILENO, limit: maximumSize)
                : try Descriptor.readFile(path, limit: maximumSize)
        } catch {
            throw error.isTooLarge
                ? HotError.tooLarge(path: path, limit: maximumSize)
                : HotError.cannotRead(path: path, errno: error.errno)
        }
        guard let bytes else { throw HotError.silentPipe(path: path) }
        guard !bytes.isEmpty else { throw HotError.emptyInput(path: path) }
        return bytes
    }

    /// Refuses an output that cannot or should not be written, before any work is done. A new file and a
    /// writable existing one are allowed. Refused are a link, a device, a pipe, a file of this program or of
    /// a vault, and what the command reads: the result would replace it.
    /// - Throws: ``HotError/outputRefused(path:_:)``, ``HotError/isDirectory(path:)``,
    ///   ``HotError/cannotWrite(path:errno:)``
    static func require(output path: String) throws {
        func refuse(_ obstacle: HotError.OutputObstacle) -> HotError { .outputRefused(path: path, obstacle) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        // Of another database, too: by its name alone nobody tells which one is in use.
        if HotStore.isOwn(String(name)) { throw refuse(.database) }
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if holdsVault(folder) { throw refuse(.vault) }
        let found: Permissions?
        do throws(SystemError) { found = try Permissions.of(path, followingLinks: false) } catch {
            throw HotError.cannotWrite(path: path, errno: error.errno)
        }
        if let found {
            if found.isLink { throw refuse(.link) }
            if isFolder(path) { throw HotError.isDirectory(path: path) }
            if !found.isFile { throw refuse(.notAFile) }
            if isInput(path, in: folder) { throw refuse(.input) }
            if isKept(path) { throw refuse(.kept) }
            // A rename needs no right to the file that it replaces, and root has every right: the mode is a
            // wish.
            if found.mode & 0o222 == 0 || access(path, W_OK) != 0 { throw refuse(.readOnly) }
        }
        guard isFolder(folder) else {
            throw HotError.cannotWrite(path: path, errno: exists(folder) ? ENOTDIR : ENOENT)
        }
        guard access(folder, W_OK | X_OK) == 0 else { throw HotError.cannotWrite(path: path, errno: errno) }
    }

    /// Checks the paths of several results of one command, which must not replace each other.
    static func require(outputs paths: [String?]) throws {
        let paths = paths.compactMap { $0 }
        for (index, path) in paths.enumerated() {
            if paths[..<index].contains(where: { Directory.isSamePlace($0, path) }) {
                throw HotError.outputRefused(path: path, .otherResult)
            }
            try require(output: path)
        }
    }

    /// A vault, its backup, its count of wrong passphrases or its journal, under any name; and a database, as
    /// a store is.
    private static let keptStarts = [Array("HELIOG".utf8), Array("SQLite forma".utf8)]

    /// Whether a file is one that a vault or a database consists of; one that cannot be read is taken for it.
    private static func isKept(_ path: String) -> Bool {
        do throws(SystemError) {
            let start = try firstBytes(OwnedDescriptor(path, O_RDONLY))
            return keptStarts.contains { start.starts(with: $0) }
        } catch {
            return true
        }
    }

    /// How a vault's file starts; one that cannot be read is taken for a vault's.
    private static let vaultMark = Array("HELIOGVT".utf8)

    /// A vault may have lost its own file and still have its store.
    private static func holdsVault(_ folder: String) -> Bool {
        if exists("\(folder)/store.sqlite") { return true }
        let path = "\(folder)/vault"
        guard let found = try? Permissions.of(path, followingLinks: true), found.isFile else { return false }
        do throws(SystemError) {
            return try firstBytes(OwnedDescriptor(path, O_RDONLY)).starts(with: vaultMark)
        } catch {
            return true
        }
    }

    /// Writes a temporary file and renames it, so that a reader never sees a partial file.
    /// - Throws: what ``require(output:)`` does.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try require(output: path)
        do throws(SystemError) {
            try AtomicFile.replace(path, with: bytes, mode: 0o644, durability: .none, isShared: true)
        } catch {
            throw HotError.cannotWrite(path: path, errno: error.errno)
        }
    }

    /// The exact bytes that a key signs: hex text in a file named `.hex`, else the bytes themselves.
    static func write(signingBytes bytes: [UInt8], to path: String) throws {
        try write(path.hasSuffix(".hex") ? Array((Hex.encode(bytes) + "\n").utf8) : bytes, to: path)
        Console.note("\(path): \(Sentence.count(bytes.count, "byte")) to sign")
    }

    static func makeFolder(_ path: String) throws {
        do throws(SystemError) {
            try Directory.make(path, mode: 0o755, withParents: false)
        } catch {
            throw HotError.cannotWrite(path: path, errno: error.errno)
        }
    }

    /// The path of a directory that a person wrote with a slash at its end, or without one.
    static func withoutSlash(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path is a directory, or a regular file that starts as a picture or a video does. Other files
    /// are read once and not looked at before.
    static func holdsPictures(_ path: String) throws -> Bool {
        var status = stat()
        guard path != "-", stat(path, &status) == 0 else { return false }
        if status.st_mode & S_IFMT == S_IFDIR { return true }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let start: [UInt8]
        do throws(SystemError) {
            start = try firstBytes(OwnedDescriptor(path, O_RDONLY))
        } catch {
            throw HotError.cannotRead(path: path, errno: error.errno)
        }
        // PNG, JPEG, PNM (P1 to P6 and white space) and Y4M: no hex, JSON, metadata or payload starts so.
        if start.starts(with: [0x89, 0x50, 0x4e, 0x47]) || start.starts(with: [0xff, 0xd8, 0xff])
            || start.starts(with: "YUV4MPEG2 ".utf8)
        {
            return true
        }
        return start[0] == UInt8(ascii: "P") && (0x31...0x36).contains(start[1])
            && [0x20, 0x09, 0x0a, 0x0d].contains(start[2])
    }

    /// Twelve bytes; what the file lacks of them is zero.
    private static func firstBytes(_ descriptor: consuming OwnedDescriptor) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        _ = try Descriptor.fill(buffer, from: descriptor.number)
        return Array(buffer)
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// `HEX` or `@FILE`, a file of hex text or of raw bytes.
    static func bytes(_ argument: String, name: String) throws -> [UInt8] {
        guard argument.hasPrefix("@") else {
            guard let bytes = Hex.decode(argument), !bytes.isEmpty else {
                throw HotError.notHex(source: name)
            }
            return bytes
        }
        return hexOrRaw(try read(String(argument.dropFirst())))
    }

    /// Levels and values of a JSON file: far above what a call or a list of assets needs, and what a library
    /// reads in a moment.
    private static let jsonLimits = StrictJSON.Limits(depth: 64, values: 1 << 17, takesEveryNumber: true)

    /// Decodes a JSON file that has one meaning and bounded size.
    ///
    /// Libraries differ in which of two equal keys they take, so a person might read one amount in the file
    /// while another is encoded.
    /// - Parameter fault: makes the error for a fault in the file.
    static func json<T: Decodable>(_ type: T.Type, _ bytes: [UInt8], _ fault: (String) -> HotError) throws
        -> T
    {
        _ = try parse(bytes, fault)
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
            throw fault(ImportedFile.detail(error))
        }
    }

    /// The value of a JSON text whose meaning depends on a SCALE type.
    /// - Parameter fault: makes the error for a fault in the text.
    static func value(_ bytes: [UInt8], _ fault: (String) -> HotError) throws -> JSONValue {
        JSONValue(try parse(bytes, fault))
    }

    private static func parse(_ bytes: [UInt8], _ fault: (String) -> HotError) throws -> StrictJSON.Value {
        do { return try StrictJSON.parse(bytes, limits: jsonLimits) } catch {
            if case .malformed = error { throw fault("it is not valid JSON") }
            throw fault(error.sentence)
        }
    }

    /// Whether a file starts as a JSON array or object, which no derivation path does.
    static func isJSON(_ content: [UInt8]) -> Bool {
        let first = content.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// Decodes hex text, ignoring white space around it; returns anything else unchanged.
    static func hexOrRaw(_ content: [UInt8]) -> [UInt8] {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
        let text = content.drop { blank.contains($0) }.reversed().drop { blank.contains($0) }.reversed()
        guard let bytes = String(validating: Array(text), as: UTF8.self).flatMap({ Hex.decode($0) }),
            !bytes.isEmpty
        else { return content }
        return bytes
    }
}
