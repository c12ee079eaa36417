import Glibc
import ImageDecoding
import ScanProtocol

/// A path as the system has it. A name from an old drive or an archive need not be UTF-8, and as a `String`
/// it would be repaired to one that leads nowhere.
struct FilePath: Hashable {
    /// Without the zero at the end.
    let bytes: [UInt8]

    init(_ path: String) { bytes = Array(path.utf8) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// To show.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The path of a file in this folder.
    func member(_ name: [UInt8]) -> FilePath {
        let slash = UInt8(ascii: "/")
        return FilePath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
    }

    /// Passes the path to a system call.
    func call<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}

/// Lists folders.
enum Folder {
    struct Listing {
        /// Paths in natural order. Hidden ones are left out.
        var files: [FilePath] = []
        /// Folders that were not listed, or not to their end, and why; the others are.
        var problems: [(path: String, problem: PictureProblem)] = []
    }

    /// The files in a folder.
    /// - Parameter depth: how many levels of subfolders are listed too; nil leaves them out.
    static func list(_ path: String, limit: Int, depth: Int?) -> Listing {
        var listing = Listing()
        collect(FilePath(path), limit: limit, depth: depth, into: &listing)
        // A watch takes nothing from a folder that it cannot see whole, and looks too often to sort for
        // nothing.
        guard depth != nil || listing.problems.isEmpty else { return listing }
        listing.files.sort { NaturalOrder.precedes($0.bytes, $1.bytes) }
        return listing
    }

    private static func collect(_ path: FilePath, limit: Int, depth: Int?, into listing: inout Listing) {
        guard let folder = path.call({ opendir($0) }) else {
            listing.problems.append((path.text, .cannotOpen(errno: errno)))
            return
        }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                Array($0.prefix(while: { $0 != 0 }))
            }
            guard name.first != UInt8(ascii: ".") else { continue }
            let full = path.member(name)
            guard isFolder(full, Int32(item.pointee.d_type)) else {
                guard listing.files.count < limit else {
                    listing.problems.append((path.text, .tooManyFiles(limit: UInt32(limit))))
                    return
                }
                listing.files.append(full)
                continue
            }
            guard let depth else { continue }
            if depth > 0 {
                collect(full, limit: limit, depth: depth - 1, into: &listing)
            } else {
                listing.problems.append((full.text, .tooManyFiles(limit: UInt32(limit))))
            }
        }
    }

    /// Links to folders are not followed: they may lead in circles.
    private static func isFolder(_ path: FilePath, _ type: Int32) -> Bool {
        if type != Int32(DT_UNKNOWN) { return type == Int32(DT_DIR) }
        var information = stat()
        return path.call({ lstat($0, &information) }) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }
}

/// Names as a person sorts them: `frame2` before `frame10`.
enum NaturalOrder {
    static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var a = left[...]
        var b = right[...]
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
        return left.lexicographicallyPrecedes(right)
    }

    /// Takes a run of digits off the front and returns it without leading zeros.
    private static func number(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: isDigit)
        bytes.removeFirst(digits.count)
        return digits.drop(while: { $0 == UInt8(ascii: "0") })
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
