import Glibc
import Optics
import ScanProtocol

/// Lists folders.
enum Folder {
    struct Listing {
        /// Paths in natural order. Hidden ones are left out.
        var files: [String] = []
        /// Folders that were not listed, or not to their end, and why; the others are.
        var problems: [(path: String, problem: PictureProblem)] = []
    }

    /// The files in a folder.
    /// - Parameter depth: how many levels of subfolders are listed too; nil leaves them out.
    static func list(_ path: String, limit: Int, depth: Int?) -> Listing {
        var listing = Listing()
        collect(path, limit: limit, depth: depth, into: &listing)
        listing.files.sort(by: NaturalOrder.precedes)
        return listing
    }

    private static func collect(_ path: String, limit: Int, depth: Int?, into listing: inout Listing) {
        guard let folder = opendir(path) else {
            listing.problems.append((path, .cannotOpen(errno: errno)))
            return
        }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let full = path.hasSuffix("/") ? path + name : path + "/" + name
            guard isFolder(full, Int32(item.pointee.d_type)) else {
                guard listing.files.count < limit else {
                    listing.problems.append((path, .tooManyFiles(limit: UInt32(limit))))
                    return
                }
                listing.files.append(full)
                continue
            }
            guard let depth else { continue }
            if depth > 0 {
                collect(full, limit: limit, depth: depth - 1, into: &listing)
            } else {
                listing.problems.append((full, .tooManyFiles(limit: UInt32(limit))))
            }
        }
    }

    /// Links to folders are not followed: they may lead in circles.
    private static func isFolder(_ path: String, _ type: Int32) -> Bool {
        if type != Int32(DT_UNKNOWN) { return type == Int32(DT_DIR) }
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}

/// Names as a person sorts them: `frame2` before `frame10`.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        var a = Array(left.utf8)[...]
        var b = Array(right.utf8)[...]
        while let first = a.first, let second = b.first {
            if isDigit(first), isDigit(second) {
                let x = number(&a)
                let y = number(&b)
                if x.count != y.count { return x.count < y.count }
                if x != y { return x.lexicographicallyPrecedes(y) }
            } else {
                if first != second { return first < second }
                a.removeFirst()
                b.removeFirst()
            }
        }
        if a.isEmpty != b.isEmpty { return a.isEmpty }
        // Names that differ in leading zeros only still need one order.
        return left < right
    }

    /// Takes a run of digits off the front and returns it without leading zeros.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes.removeFirst(digits.count)
        return digits.drop(while: { $0 == UInt8(ascii: "0") })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
