import Glibc

/// Makes, lists and removes directories.
public enum Directory {
    /// Makes a directory; an existing one is left as it is.
    /// - `mode`: of what this makes, less the umask.
    /// - `withParents`: makes the directories above it too where they are missing.
    public static func make(_ path: String, mode: mode_t = 0o700, withParents: Bool = true)
        throws(SystemError)
    {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        let error = SystemError(.makeDirectory, path)
        let parent = parent(of: path)
        guard withParents, error.errno == ENOENT, !parent.isEmpty else { throw error }
        try make(parent, mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw SystemError(.makeDirectory, path) }
    }

    /// The directories that ``make(_:mode:withParents:)`` would make for a path, the deepest first, and the
    /// one above them.
    public static func missing(_ path: String) -> (missing: [String], above: String) {
        var (missing, place) = ([String](), path)
        var status = stat()
        while !place.isEmpty, lstat(place, &status) != 0, errno == ENOENT {
            missing.append(place)
            place = parent(of: place)
        }
        if place.isEmpty { place = path.utf8.first == UInt8(ascii: "/") ? "/" : "." }
        return (missing, place)
    }

    /// Removes a directory that is empty; whether it is gone.
    @discardableResult
    public static func removeEmpty(_ path: String) -> Bool { rmdir(path) == 0 }

    /// The names in a directory, without `.` and `..`, in no order.
    /// - Throws: also when the directory cannot be read to its end.
    public static func names(_ path: String) throws(SystemError) -> [String] {
        guard let directory = opendir(path) else { throw SystemError(.list, path) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.utf8.elementsEqual(".".utf8), !name.utf8.elementsEqual("..".utf8) { names.append(name) }
        }
        guard errno == 0 else { throw SystemError(.list, path) }
        return names
    }

    /// The path with its symbolic links resolved, so that it names the same directory even if a link changes
    /// later. If the end of the path does not exist yet, only the existing part is resolved. A path without
    /// links stays unchanged.
    public static func resolved(_ path: String) -> String {
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).map {
            String($0)!
        }
        let root = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        let leadsThroughLink = parts.indices.contains { index in
            var status = stat()
            return lstat(root + parts[...index].joined(separator: "/"), &status) == 0
                && status.st_mode & S_IFMT == S_IFLNK
        }
        guard leadsThroughLink else { return path }
        var missing: [String] = []
        while !parts.isEmpty {
            if let found = realpath(root + parts.joined(separator: "/"), nil) {
                defer { free(found) }
                return ([String(cString: found)] + missing).joined(separator: "/")
            }
            missing.insert(parts.removeLast(), at: 0)
        }
        return path
    }

    /// Whether two paths name the same file: the same name in the same directory, even if the paths spell the
    /// directory differently. The files need not exist.
    public static func isSamePlace(_ one: String, _ other: String) -> Bool {
        func parts(_ path: String) -> (folder: String, name: Substring.UTF8View) {
            let bytes = Substring(path).utf8
            guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", bytes) }
            let folder = slash == bytes.startIndex ? "/" : String(Substring(bytes[..<slash]))
            return (folder, bytes[bytes.index(after: slash)...])
        }
        let (first, second) = (parts(one), parts(other))
        guard first.name.elementsEqual(second.name) else { return false }
        var (left, right) = (stat(), stat())
        guard stat(first.folder, &left) == 0, stat(second.folder, &right) == 0 else {
            return first.folder.utf8.elementsEqual(second.folder.utf8)
        }
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }

    /// Waits until the names in the directory are on the disk.
    public static func sync(_ path: some StringProtocol) throws(SystemError) {
        try OwnedDescriptor(String(path), O_RDONLY | O_DIRECTORY).sync()
    }

    /// Like `sync`, for a directory that a person chose for a result. It does not wait if this process may
    /// not read the directory, or if the file system does not support it.
    public static func syncIfPossible(_ path: some StringProtocol) throws(SystemError) {
        do throws(SystemError) { try sync(path) } catch {
            guard error.operation == .open || error.errno == EINVAL else { throw error }
        }
    }

    /// The path before the last slash, without slashes at its end; empty for a plain name and for `/`.
    private static func parent(of path: String) -> String {
        var rest = path.utf8[...]
        while rest.last == UInt8(ascii: "/") { rest.removeLast() }
        while let last = rest.last, last != UInt8(ascii: "/") { rest.removeLast() }
        while rest.last == UInt8(ascii: "/") { rest.removeLast() }
        return String(Substring(rest))
    }
}
