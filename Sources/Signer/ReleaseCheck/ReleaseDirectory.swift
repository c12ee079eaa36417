import Glibc
import Hashing
import SystemIO

/// A release in a directory after its signature and every file in it were found right.
///
/// Whoever filled the directory may have chosen every byte in it. Therefore only the key from elsewhere is
/// believed first; it signs SHA256SUMS, which has the digest of MANIFEST, and each file is read only once
/// what names it is proved.
public struct ReleaseDirectory: Sendable {
    /// A file that SHA256SUMS names.
    public struct File: Sendable, Equatable {
        public let name: String
        /// False for a file that was not fetched.
        public let isThere: Bool
    }

    public let name: ReleaseName
    public let trustedComment: String
    public let keyName: String
    public let algorithm: MinisignSignature.Algorithm
    public let files: [File]
    public let manifest: ReleaseManifest

    /// - Parameters:
    ///   - path: the directory, without links.
    ///   - key: from outside of it: ``requireOutside(_:of:)``.
    public init(_ path: String, key: MinisignKey) throws {
        let sums = try Self.read(path, ReleaseSums.fileName, limit: ReleaseSums.maximumBytes)
        let signature = try MinisignSignature(
            file: Self.read(path, ReleaseSums.signatureName, limit: MinisignSignature.maximumBytes))
        let comment = try signature.verify(sums, with: key)
        name = try ReleaseName(trustedComment: comment)
        trustedComment = String(decoding: comment, as: UTF8.self)
        keyName = key.name
        algorithm = signature.algorithm
        let listed = try ReleaseSums(sums, of: name).files
        try Self.requireNamed(try Directory.names(path), listed)

        // MANIFEST decides about installed files, so the bytes that were hashed are those that are read.
        var manifest: [UInt8]?
        var differ: [String] = []
        var files: [File] = []
        for file in listed {
            let isManifest = file.path.utf8.elementsEqual(ReleaseManifest.fileName.utf8)
            let found: FileDigest
            if isManifest {
                do throws(SystemError) {
                    let bytes = try Self.read(path, file.path, limit: ReleaseManifest.maximumBytes)
                    manifest = bytes
                    found = .regular(SHA256.hash(bytes))
                } catch {
                    guard error.errno == ENOENT else { throw error }
                    throw ReleaseError.noManifest
                }
            } else {
                found = try FileDigest.of("\(path)/\(file.path)")
            }
            switch found {
            case .regular(file.digest), .missing: break
            case .regular, .other: differ.append(file.path)
            }
            files.append(File(name: file.path, isThere: found != .missing))
        }
        guard differ.isEmpty else { throw ReleaseError.filesDiffer(differ) }
        guard let manifest else { throw ReleaseError.noManifest }
        self.manifest = try ReleaseManifest(manifest, of: name)
        self.files = files
    }

    /// Refuses a key that whoever filled the directory may have put there.
    /// - Parameters: both paths without links.
    public static func requireOutside(_ key: String, of directory: String) throws(ReleaseError) {
        let (key, directory) = (Array(key.utf8), Array(directory.utf8))
        let prefix = directory.last == UInt8(ascii: "/") ? directory : directory + [UInt8(ascii: "/")]
        guard !key.starts(with: prefix) else { throw .keyInside(path: String(decoding: key, as: UTF8.self)) }
    }

    /// Refuses a key that is a file of the directory under a name elsewhere: by a hard link, or where the
    /// directory is mounted a second time.
    ///
    /// Only files directly in the directory are compared. A release has no directories, so a directory with
    /// the key in it is refused as a file that the release does not name.
    /// - `key`: the open key file.
    public static func requireOutside(_ key: borrowing OwnedDescriptor, at path: String, of directory: String)
        throws
    {
        var status = stat()
        guard fstat(key.number, &status) == 0 else { throw SystemError(.read, path) }
        for name in try Directory.names(directory) {
            var other = stat()
            guard lstat("\(directory)/\(name)", &other) == 0 else { continue }
            guard (other.st_dev, other.st_ino) != (status.st_dev, status.st_ino) else {
                throw ReleaseError.keyInside(path: path)
            }
        }
    }

    /// Refuses a running program of another release than the one that it checks: its installed files belong
    /// to its own. `commit` is nil where the program does not know it.
    public func requireProgram(version: String, commit: String?) throws(ReleaseError) {
        guard version.utf8.elementsEqual(name.version.utf8), let commit,
            commit.utf8.elementsEqual(name.commit.utf8)
        else {
            throw .otherRelease(
                program: "\(version) (commit \(commit ?? "unknown"))",
                release: "\(name.version) (commit \(name.commit))")
        }
    }

    /// A package of another version beside those that are proved would be installed with them.
    private static func requireNamed(_ names: [String], _ listed: [ReleaseDigest]) throws(ReleaseError) {
        let known = Set(
            (listed.map(\.path) + [ReleaseSums.fileName, ReleaseSums.signatureName]).map { Array($0.utf8) })
        let unnamed = names.filter { !known.contains(Array($0.utf8)) }
        guard unnamed.isEmpty else {
            throw .unnamed(unnamed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    private static func read(_ directory: String, _ name: String, limit: Int) throws(SystemError) -> [UInt8] {
        try OwnedDescriptor("\(directory)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readAll(limit: limit)
    }
}
