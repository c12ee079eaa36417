import Glibc

/// Who may read and write a file.
public struct Permissions: Sendable {
    /// The permission bits.
    public let mode: mode_t
    /// The user id of the owner.
    public let owner: uid_t
    /// Not a directory, a link, a pipe, a socket or a device.
    public let isFile: Bool
    public let isDirectory: Bool
    /// A symbolic link, which only a look that follows none finds.
    public let isLink: Bool

    /// The permissions of the file or directory at `path`; nil if nothing is there.
    /// - `followingLinks`: whether a symbolic link stands for its target.
    public static func of(_ path: String, followingLinks: Bool) throws(SystemError) -> Permissions? {
        var status = stat()
        guard retrying({ followingLinks ? stat(path, &status) : lstat(path, &status) }) == 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(.open, path)
        }
        let kind = status.st_mode & S_IFMT
        return Permissions(
            mode: status.st_mode & 0o7777, owner: status.st_uid, isFile: kind == S_IFREG,
            isDirectory: kind == S_IFDIR,
            isLink: kind == S_IFLNK)
    }
}
