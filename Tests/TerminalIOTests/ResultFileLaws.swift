import Glibc
import TestSupport
import Testing

@testable import TerminalIO

/// Results take nobody's place unless a person said so, also what came after the check of the name.
@Suite struct ResultFileLaws {
    private let directory = TemporaryDirectory()

    @Test func `without leave a result replaces neither a file nor a link`() throws {
        let (file, link) = (directory.path("file"), directory.path("link"))
        try directory.write([1], to: "file")
        #expect(symlink("nowhere", link) == 0)
        for path in [file, link] {
            #expect(throws: CommandError.fileExists(path: path)) {
                try Files.write([2], to: path, replacing: false)
            }
        }
        #expect(try directory.read("file") == [1])
        #expect(directory.names == ["file", "link"])
        let new = directory.path("new")
        try Files.write([3], to: new, mode: 0o600, replacing: false)
        #expect(try directory.read("new") == [3] && directory.mode("new") == 0o600)
        let gone = directory.path("gone/new")
        #expect(throws: CommandError.file(path: gone, errno: ENOENT)) {
            try Files.write([4], to: gone, replacing: false)
        }
    }

    @Test func `with leave a result replaces a file, and a link but not what it leads to`() throws {
        try directory.write([1], to: "file")
        try directory.write([2], to: "target")
        #expect(symlink("target", directory.path("link")) == 0)
        for name in ["file", "link"] { try Files.write([3], to: directory.path(name), replacing: true) }
        #expect(try directory.read("file") == [3] && directory.read("link") == [3])
        #expect(try directory.read("target") == [2])
        #expect(throws: CommandError.fileExists(path: directory.path)) {
            try Files.write([4], to: directory.path, replacing: true)
        }
    }
}
