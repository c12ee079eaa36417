import ArgumentParser
import Glibc
import SystemIO
import TestSupport
import Testing
import UOS

@testable import CommandKit
@testable import TerminalIO
@testable import heliograph

/// What `scan --serve` takes, and where its answers go.
@Suite struct QueueLaws {
    private static func message(_ text: String) throws -> Payload {
        let tagged = Array("<Bytes>\(text)</Bytes>".utf8)
        return try Payload(
            [0x53, 0x01, 0x03] + [UInt8](repeating: 7, count: 32) + tagged + [UInt8](repeating: 9, count: 32))
    }

    @Test func `a time span has a number and a unit, from a second to thirty days`() {
        #expect(QueueTime(argument: "1s")?.seconds == 1 && QueueTime(argument: "10m")?.seconds == 600)
        #expect(QueueTime(argument: "720h")?.seconds == 2_592_000)
        for text in [
            "", "s", "0s", "721h", "2592001s", "4294967296s", "1", "-1s", "+1s", "1.5h", "1d", "1 s",
        ] {
            #expect(QueueTime(argument: text) == nil, "\(text)")
        }
    }

    @Test func `a queue takes one watched directory and no option of a single answer`() throws {
        func parse(_ words: [String]) throws -> any ParsableCommand {
            try Heliograph.parseAsRoot(["scan"] + words)
        }
        let queue = ["--watch", "in", "--serve"]
        #expect(try parse(queue + ["--for", "8h", "--present", "skip"]) is Scan)
        for words in [
            ["--serve"], ["in", "--serve"], queue + ["in"], queue + ["--watch", "other"],
            queue + ["--hex", "00"],
            queue + ["--frames", "a"], queue + ["--camera"], queue + ["--out", "a.png"],
            queue + ["--terminal"], queue + ["--approve"], queue + ["--replace"], queue + ["--seed", "main"],
            queue + ["--accept-new-key"], queue + ["--accept-proved-network"],
            queue + ["--password-fd", "4"],
            ["--watch", "in", "--for", "8h"], ["--watch", "in", "--present", "sign"],
        ] {
            #expect(throws: (any Error).self, "\(words)") { try parse(words) }
        }
    }

    @Test func `an answer is named by its picture and its payload, and lies in the directory`() throws {
        let folder = AnswerFolder("/queue")
        let (one, other) = (try Self.message("one"), try Self.message("other"))
        let name = folder.answer(to: "/elsewhere/rent.png", one)
        #expect(name.hasPrefix("/queue/rent.") && name.hasSuffix(".answer.png"))
        #expect(name.utf8.count == "/queue/rent.".utf8.count + 16 + ".answer.png".utf8.count)
        #expect(folder.answer(to: "rent.png", one) == name && folder.answer(to: "rent.jpg", one) == name)
        #expect(folder.answer(to: "rent.png", other) != name)
        for picture in ["..", "a/..", String(repeating: "ü", count: 127), "/", ".png"] {
            let path = folder.answer(to: picture, one)
            let last = path.utf8.dropFirst("/queue/".utf8.count)
            #expect(last.count <= 230 && !last.contains(UInt8(ascii: "/")), "\(picture)")
        }
    }

    @Test func `an answer takes nobody's place, and the same answer is there already`() throws {
        let directory = TemporaryDirectory()
        let folder = AnswerFolder(directory.path)
        let path = directory.path("a.answer.png")
        try folder.requireFree(path)
        try folder.write([1, 2], to: path)
        try folder.write([1, 2], to: path)
        for bytes: [UInt8] in [[1], [1, 2, 3], [2, 1]] {
            #expect(throws: CommandError.fileExists(path: path)) { try folder.write(bytes, to: path) }
        }
        #expect(throws: CommandError.fileExists(path: path)) { try folder.requireFree(path) }
        #expect(try directory.read("a.answer.png") == [1, 2])
        let link = directory.path("link.answer.png")
        // Also one that leads to the same bytes: its target is not the directory's.
        for target in [path, directory.path("nowhere")] {
            #expect(symlink(target, link) == 0)
            #expect(throws: CommandError.fileExists(path: link)) { try folder.requireFree(link) }
            #expect(throws: CommandError.fileExists(path: link)) { try folder.write([1, 2], to: link) }
            unlink(link)
        }
        #expect(mkfifo(link, 0o600) == 0)
        #expect(throws: CommandError.fileExists(path: link)) { try folder.write([1, 2], to: link) }
        #expect(directory.names == ["a.answer.png", "link.answer.png"])
    }

    @Test func `a queue has no directory that is missing or the vault's`() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "file")
        try AnswerFolder.requireFit(directory.path, vault: directory.path("v"))
        #expect(throws: CommandError.outputRefused(path: directory.path, .vaultFile)) {
            try AnswerFolder.requireFit(directory.path, vault: directory.path + "/.")
        }
        for (name, number) in [("file", ENOTDIR), ("none", ENOENT)] {
            let path = directory.path(name)
            #expect(throws: CommandError.file(path: path, errno: number)) {
                try AnswerFolder.requireFit(path, vault: directory.path)
            }
        }
    }
}
