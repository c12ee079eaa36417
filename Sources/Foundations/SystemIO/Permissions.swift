import Glibc

/// Who may read and write a file.
public enum Permissions {
    /// The permission bits of what is at `path`; of a symbolic link, those of its target. nil where nothing is there.
    public static func of(_ path: String) throws(SystemError) -> mode_t? {
        var status = stat()
        guard retrying({ stat(path, &status) }) == 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(.open, path)
        }
        return status.st_mode & 0o7777
    }
}
