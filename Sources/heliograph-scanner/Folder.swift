import Glibc
import Optics
import ScanEvents

/// Lists folders.
enum Folder {
    /// Paths of the files in a folder, in natural order of the whole path. Hidden ones are left out.
    /// - Parameter depth: how many levels of subfolders are listed too; nil leaves them out.
    static func files(_ path: String, limit: Int, depth: Int?) throws(PictureProblem) -> [String] {
        var found: [String] = []
        try collect(path, limit: limit, depth: depth, into: &found)
        return found.sorted(by: NaturalOrder.precedes)
    }

    private static func collect(_ path: String, limit: Int, depth: Int?, into found: inout [String]) throws(PictureProblem) {
        guard let folder = opendir(path) else { throw .cannotOpen(errno: errno) }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) { String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self) }
            guard !name.hasPrefix(".") else { continue }
            let full = path.hasSuffix("/") ? path + name : path + "/" + name
            guard isFolder(full, Int32(item.pointee.d_type)) else {
                guard found.count < limit else { throw .tooManyFiles(limit: UInt32(limit)) }
                found.append(full)
                continue
            }
            guard let depth else { continue }
            guard depth > 0 else { throw .tooManyFiles(limit: UInt32(limit)) }
            try collect(full, limit: limit, depth: depth - 1, into: &found)
        }
    }

    /// Links to folders are not followed: they may lead in circles.
    private static func isFolder(_ path: String, _ type: Int32) -> Bool {
        if type != Int32(DT_UNKNOWN) { return type == Int32(DT_DIR) }
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}
