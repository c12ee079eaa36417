import Glibc
import SubstratePrimitives
import SystemIO

/// Names of files and directories that begin a path.
enum PathCompletion {
    /// Entries of a directory that are looked at.
    static let limit = 5_000

    /// Paths that begin with `typed`, directories with a slash behind them, in order of their bytes.
    /// - Parameter roots: where no directory above them may be read, the way there is shown all the same.
    static func candidates(_ typed: String, onlyDirectories: Bool, roots: [String]) -> [String] {
        let slash = typed.unicodeScalars.lastIndex(of: "/")
        let folder = slash.map { String(typed.unicodeScalars[...$0]) } ?? ""
        let name = slash.map { String(typed.unicodeScalars[$0...].dropFirst()) } ?? typed
        var found: [String] = []
        for entry in entries(folder.isEmpty ? "." : folder) where entry.utf8Starts(with: name) {
            // As in every shell, hidden files are for who asks for them.
            if entry.utf8Starts(with: "."), !name.utf8Starts(with: ".") { continue }
            let isFolder = isFolder(folder + entry)
            if isFolder || !onlyDirectories { found.append(folder + entry + (isFolder ? "/" : "")) }
        }
        found += roots.map { $0 + "/" }.filter {
            $0.utf8Starts(with: typed) && !$0.utf8Equals(typed) && !found.containsUTF8(of: $0)
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A name that is not UTF-8 is no word that could be typed.
            if let name, !name.utf8Equals("."), !name.utf8Equals("..") { names.append(name) }
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
