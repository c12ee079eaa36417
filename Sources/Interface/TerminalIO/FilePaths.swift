import Glibc
import SubstratePrimitives

/// Small files that a command reads or writes itself, and what their paths name. Pictures go to the scanner.
package enum Files {
    /// This program's own file.
    package static let program = "/proc/self/exe"
    /// How large that file is at most: with its symbols it has more than 64 MiB.
    package static let programBytes = 512 << 20

    /// Whether anything is at a path, also a link that leads nowhere.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether two paths lead to one file or folder.
    package static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }

    /// Descriptors that are looked at; whoever starts a program gives it low ones.
    private static let descriptors: Range<Int32> = 0..<4096

    /// Whether this program reads a file through a descriptor that it was started with, such as one with a
    /// passphrase or a key file. The file may have another name by now; what counts is its device and inode.
    package static func isReadThroughDescriptor(_ path: String) -> Bool {
        var (file, opened) = (stat(), stat())
        guard stat(path, &file) == 0 else { return false }
        return descriptors.contains { descriptor in
            guard fstat(descriptor, &opened) == 0, opened.st_dev == file.st_dev, opened.st_ino == file.st_ino
            else { return false }
            let mode = fcntl(descriptor, F_GETFL)
            return mode >= 0 && mode & O_ACCMODE != O_WRONLY
        }
    }

    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The directory that a path is in; `.` where it names none. A directory itself stays.
    package static func directory(of path: String) -> String {
        if isDirectory(path) { return path }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static let pngEndings = [".png", ".apng"]
    /// Endings of all common picture formats, including those that this program does not write.
    private static let pictureEndings =
        pngEndings + [".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pnm", ".pbm", ".pgm", ".ppm"]

    /// Whether a name says that its file is PNG, which is what pictures of this program are.
    package static func isNamedAsPNG(_ path: String) -> Bool { ends(path, withOneOf: pngEndings) }

    /// Whether a name says that its file is a picture.
    package static func isNamedAsPicture(_ path: String) -> Bool { ends(path, withOneOf: pictureEndings) }

    /// ASCII letters count in either case.
    private static func ends(_ path: String, withOneOf endings: [String]) -> Bool {
        let bytes = path.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        return endings.contains { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// The file that a text names with `@`; nil for digits.
    package static func named(by text: String) -> String? {
        text.utf8Starts(with: "@") ? String(text.unicodeScalars.dropFirst()) : nil
    }
}

extension String {
    /// Without white space at both ends.
    package var trimmed: String {
        let inner = drop { $0.isWhitespace }
        guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(inner[...last])
    }
}
