import Glibc
import SubstratePrimitives
import SystemIO

extension Vault {
    /// What the files of a vault, of its store and its backups begin with, and a database of SQLite with what
    /// it has not yet taken in: a write-ahead log of either byte order, and a rollback journal. Source:
    /// sqlite.org/fileformat2.html.
    private static let beginnings: [[UInt8]] =
        ["HELIOG", "SQLite format 3\0"].map { Array($0.utf8) } + [
            [0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83],
            [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7],
        ]

    /// Whether a result must not be written to a path, because a file of a vault is or may be there.
    ///
    /// A vault may have lost its file and have its store still, with the log and the keys of groups: nothing
    /// that is named as a vault's is written into a directory that has something of one, and nothing that
    /// begins as one is replaced, whatever its name. Names are looked at, and no file but the one that would
    /// be replaced is opened: what lies beside it may be a pipe.
    /// - Parameters:
    ///   - path: of the result, absolute or from the working directory.
    ///   - replacingBackup: whether the file may be a backup.
    public static func forbids(output path: String, replacingBackup: Bool = false) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if isOwn(name), isPlace(directory) { return true }
        guard let start = beginning(of: path) else { return false }
        if replacingBackup, start.starts(with: VaultBackup.magic) { return false }
        return beginnings.contains { start.starts(with: $0) }
    }

    /// Whether a directory has a file with a name of a vault's. One that cannot be listed may have.
    private static func isPlace(_ directory: String) -> Bool {
        guard let names = try? names(directory) else { return true }
        return names.contains {
            isOwn($0) && !$0.utf8Starts(with: storePrefix) || $0.utf8Starts(with: storeFile)
        }
    }

    /// The first bytes of a file that is there; nil where nothing or no file is.
    private static func beginning(of path: String) -> [UInt8]? {
        let file = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
