import SystemIO

/// Where the files of a release are installed, told by where the running program is.
public enum Installation: Sendable, Equatable {
    /// Installed by the packages, at absolute paths.
    case packages
    /// From the archive, below this directory, whatever its name.
    case archive(root: String)

    /// - Parameter program: the path of the running program, without links.
    public init?(program: String) {
        let path = Array(program.utf8)
        let end = Array("/bin/heliograph".utf8)
        guard path.count > end.count, path.suffix(end.count).elementsEqual(end) else { return nil }
        self =
            path.elementsEqual("/usr/bin/heliograph".utf8)
            ? .packages : .archive(root: String(decoding: path.dropLast(end.count), as: UTF8.self))
    }

    /// The one directory that all its files are below.
    public var directory: String {
        switch self {
        case .packages: "/usr"
        case .archive(let root): root
        }
    }
}

/// The installed files of a release after each was found equal to MANIFEST.
public struct InstalledFiles: Sendable, Equatable {
    public let cold: Int
    /// nil where no file of the package `heliograph-hot` is installed, or where the archive is.
    public let hot: Int?

    /// Compares every installed file with MANIFEST. `root` is put before absolute paths; tests use a
    /// directory of their own.
    public init(_ installation: Installation, _ manifest: ReleaseManifest, root: String = "") throws {
        var differ: [String] = []
        var missing: [String] = []
        /// - Returns: how many are there.
        func check(_ entries: [(path: String, digest: [UInt8])]) throws -> Int {
            var absent: [String] = []
            for entry in entries {
                switch try FileDigest.of(entry.path) {
                case .regular(entry.digest): break
                case .regular, .other: differ.append(entry.path)
                case .missing: absent.append(entry.path)
                }
            }
            missing += absent
            return entries.count - absent.count
        }
        switch installation {
        case .packages:
            cold = try check(manifest.cold.map { (root + $0.path, $0.digest) })
            let before = missing
            let found = try check(manifest.hot.map { (root + $0.path, $0.digest) })
            // A package is installed whole or not at all.
            if found == 0 { missing = before }
            hot = found == 0 ? nil : found
        case .archive(let directory):
            cold = try check(
                manifest.archive.map { entry in
                    let inner = entry.path.utf8.drop { $0 != UInt8(ascii: "/") }
                    return (directory + String(decoding: Array(inner), as: UTF8.self), entry.digest)
                })
            hot = nil
        }
        guard differ.isEmpty, missing.isEmpty else {
            throw ReleaseError.installedDiffer(differ: differ, missing: missing)
        }
    }
}
