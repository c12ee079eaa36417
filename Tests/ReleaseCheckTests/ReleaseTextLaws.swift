import Hashing
import TestSupport
import Testing

@testable import ReleaseCheck

enum ReleaseText {
    static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Base64.encode(bytes).utf8) }
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    static let digest = String(repeating: "5e", count: 32)
}

/// SHA256SUMS, MANIFEST and the trusted comment: one form each.
@Suite struct ReleaseTextLaws {
    @Test func `a trusted comment names a version and a commit`() throws {
        let name = try ReleaseFixture.name()
        #expect(name.version == "9.8.7" && name.commit == "0123456789abcdef0123456789abcdef01234567")
        let commit = String(repeating: "a", count: 40)
        for wrong in [
            "", "heliograph", "heliograph 1.2 commit \(commit)", "heliograph 1.2.3.4 commit \(commit)",
            "heliograph 1.02.3 commit \(commit)",
            "heliograph 1.2.3 commit \(commit.dropLast())", "heliograph 1.2.3 commit \(commit)a",
            "heliograph 1.2.3 commit \(commit.uppercased())",
            "heliograph  1.2.3 commit \(commit)", "heliograph 1.2.3 commit \(commit) ",
            "heliograph-hot 1.2.3 commit \(commit)",
            "heliograph 1.2.123456 commit \(commit)", "heliograph ../x commit \(commit)",
            "heliograph 1.2.-3 commit \(commit)",
            "heliograph 1..3 commit \(commit)",
        ] {
            #expect(throws: ReleaseError.badComment, "\(wrong)") {
                try ReleaseName(trustedComment: Array(wrong.utf8))
            }
        }
    }

    @Test func `the sums of a release name its files and no others`() throws {
        let (bytes, name) = (try ReleaseFixture.sums(), try ReleaseFixture.name())
        let files = try ReleaseSums(bytes, of: name).files
        #expect(files.map(\.path) == name.files)
        #expect(try files[0].digest == SHA256.hash(ReleaseFixture.manifest()))
        let lines = bytes.lineRanges.map { Array(bytes[$0]) }
        for index in lines.indices {
            var fewer = lines
            fewer.remove(at: index)
            #expect(throws: ReleaseError.otherFiles(version: "9.8.7")) {
                try ReleaseSums(fewer.flatMap { $0 }, of: name)
            }
            var doubled = lines
            doubled.insert(lines[index], at: index)
            #expect(throws: ReleaseError.badSums(.order(line: index + 2))) {
                try ReleaseSums(doubled.flatMap { $0 }, of: name)
            }
        }
        #expect(throws: ReleaseError.badSums(.order(line: 2))) {
            try ReleaseSums(lines.reversed().flatMap { $0 }, of: name)
        }
        let other = try ReleaseName(
            trustedComment: Array(ReleaseFixture.comment.replacing("9.8.7", with: "9.8.8").utf8))
        #expect(throws: ReleaseError.otherFiles(version: "9.8.8")) { try ReleaseSums(bytes, of: other) }
        for length in 0..<bytes.count {
            // A file that ends with a line is whole, and lacks files.
            let isWhole = length > 0 && bytes[length - 1] == 0x0a
            #expect(throws: isWhole ? ReleaseError.otherFiles(version: "9.8.7") : .badSums(.truncated)) {
                try ReleaseSums(Array(bytes.prefix(length)), of: name)
            }
        }
        for path in [
            "/etc/passwd", "../MANIFEST", "a/b", ".hidden", "a b", "a\u{1b}[2J", "a\\nb", "ä", "-\u{7f}", "",
        ] {
            #expect(throws: ReleaseError.badSums(.path(line: 1)), "\(path)") {
                try ReleaseSums(Array("\(ReleaseText.digest)  \(path)\n".utf8), of: name)
            }
        }
        for start in [
            "\(ReleaseText.digest) *", "\(ReleaseText.digest)   ".uppercased(), "5e  ",
            "\(ReleaseText.digest)\t ",
            "\\\(ReleaseText.digest)  ",
        ] {
            #expect(throws: ReleaseError.badSums(.digest(line: 1)), "\(start)") {
                try ReleaseSums(Array("\(start)MANIFEST\n".utf8), of: name)
            }
        }
    }

    /// A release for two architectures has two packages with the same paths, and a machine reads its own.
    @Test func `a release is for arm64 with its package and its archive, or with neither`() throws {
        let (sums, name) = (try ReleaseFixture.sums(), try ReleaseFixture.name())
        let manifest = try ReleaseFixture.manifest()
        let added = Set(name.filesWithArm64).subtracting(name.files).sorted()
        #expect(added == ["heliograph-9.8.7-linux-arm64.tar.gz", "heliograph_9.8.7_arm64.deb"])
        func sum(_ names: [String]) -> [UInt8] {
            let lines = names.map { "\(ReleaseText.digest)  \($0)\n" }
            let all = sums.lineRanges.map { String(decoding: sums[$0], as: UTF8.self) } + lines
            let sorted = all.sorted { $0.utf8.dropFirst(66).lexicographicallyPrecedes($1.utf8.dropFirst(66)) }
            return Array(sorted.joined().utf8)
        }
        #expect(try ReleaseSums(sum(added), of: name).files.map(\.path) == name.filesWithArm64)
        for one in added {
            #expect(throws: ReleaseError.otherFiles(version: "9.8.7")) {
                try ReleaseSums(sum([one]), of: name)
            }
        }
        let package = "# heliograph_9.8.7_arm64.deb\n\(ReleaseText.digest)  /usr/bin/heliograph\n"
        let folder = "heliograph-9.8.7-linux-arm64"
        let archive = "# \(folder).tar.gz\n\(ReleaseText.digest)  \(folder)/bin/heliograph\n"
        func read(_ text: String, _ own: ReleaseManifest.Architecture) throws -> ReleaseManifest {
            try ReleaseManifest(manifest + Array(text.utf8), of: name, for: own)
        }
        let (amd64, arm64) = (try read(package + archive, .amd64), try read(package + archive, .arm64))
        #expect(try amd64 == ReleaseManifest(manifest, of: name, for: .amd64))
        #expect(arm64.cold.map(\.path) == ["/usr/bin/heliograph"] && arm64.hot.isEmpty)
        #expect(arm64.archive.map(\.path) == ["\(folder)/bin/heliograph"])
        #expect(throws: ReleaseError.badManifest(.missingSection)) { try read("", .arm64) }
        for own in ReleaseManifest.Architecture.allCases {
            #expect(throws: ReleaseError.badManifest(.missingSection)) { try read(package, own) }
            #expect(throws: ReleaseError.self) { try read(archive, own) }
            #expect(throws: ReleaseError.self) { try read(archive + package, own) }
            #expect(throws: ReleaseError.self) { try read(package + archive + archive, own) }
        }
    }

    /// Of two texts that are read alike one would be another release's with this one's signature.
    @Test func `a flipped bit of a manifest is refused or read as another`() throws {
        let (bytes, name) = (try ReleaseFixture.manifest(), try ReleaseFixture.name())
        let manifest = try ReleaseManifest(bytes, of: name)
        #expect([manifest.cold.count, manifest.hot.count, manifest.archive.count] == [3, 1, 3])
        for bit in 0..<bytes.count * 8 {
            if let read = try? ReleaseManifest(bytes.flipping(bit), of: name) { #expect(read != manifest) }
        }
        for length in 0..<bytes.count {
            if let read = try? ReleaseManifest(Array(bytes.prefix(length)), of: name) {
                #expect(read.archive.count < 3)
            }
        }
    }

    /// A replayed release is genuine in every byte: what tells is its version, its date and its number.
    @Test func `a manifest states a day and a number, or nothing`() throws {
        let (name, rest) = (try ReleaseFixture.name(), try ReleaseFixture.manifest())
        func read(_ line: String) throws -> ReleaseManifest {
            try ReleaseManifest(Array("\(line)\n".utf8) + rest, of: name)
        }
        #expect(try ReleaseManifest(rest, of: name).released == nil)
        let manifest = try read("# released 2026-11-23 number 412")
        #expect(
            manifest.released?.date == "2026-11-23" && manifest.released?.number == 412
                && manifest.cold.count == 3)
        for line in [
            "# released 2026-13-23 number 412", "# released 2026-00-23 number 412",
            "# released 2026-11-32 number 412",
            "# released 2026-11-00 number 412", "# released 2026-11-3 number 412",
            "# released 26-11-23 number 412",
            "# released 2026-11-23 number 0412", "# released 2026-11-23 number",
            "# released 2026-11-23 number 1234567890",
            "# released 2026-11-23 number 412 ", "# released 2026-11-23 number x", "# released  number 412",
            "# released 2026-11-23",
            "# released 2026-11-23-1 number 412", "# released 2026-11-23 serial 412",
        ] {
            #expect(throws: ReleaseError.badManifest(.date(line: 1)), "\(line)") { try read(line) }
        }
        // A second such line is no section.
        #expect(throws: ReleaseError.badManifest(.section(line: 2))) {
            try read("# released 2026-11-23 number 412\n# released 2026-11-24 number 413")
        }
    }

    @Test func `a release is older by its version, number by number, and by its number within one version`()
        throws
    {
        func isOlder(_ release: String, _ own: UInt32?, _ program: String, _ number: UInt32?) throws -> Bool {
            let comment = "heliograph \(release) commit \(String(repeating: "a", count: 40))"
            let released = own.map { ReleaseManifest.Released(date: "2026-11-23", number: $0) }
            return try ReleaseName(trustedComment: Array(comment.utf8)).isOlder(
                released, than: program, number: number)
        }
        for (old, new) in [
            ("0.1.0", "0.1.1"), ("0.9.0", "0.10.0"), ("9.9.9", "10.0.0"), ("1.2.3", "1.3.0"),
            ("0.0.99999", "0.1.0"),
        ] {
            // The version decides, whatever the numbers say.
            for (one, other) in [(nil, nil), (412, nil), (nil, 412), (411, 412), (412, 411)]
                as [(UInt32?, UInt32?)]
            {
                #expect(try isOlder(old, one, new, other), "\(old) \(new)")
                #expect(try !isOlder(new, one, old, other), "\(new) \(old)")
            }
            #expect(try !isOlder(new, nil, new, nil) && !isOlder(new, 1, new, nil))
            #expect(
                try isOlder(new, 411, new, 412) && !isOlder(new, 412, new, 412)
                    && !isOlder(new, 413, new, 412))
            // Releases stated no number once.
            #expect(try isOlder(new, nil, new, 1))
        }
    }

    @Test func `a manifest has three sections in order, each path once`() throws {
        let name = try ReleaseFixture.name()
        let (cold, hot, archive) = (
            "# heliograph_9.8.7_amd64.deb\n", "# heliograph-hot_9.8.7_amd64.deb\n",
            "# heliograph-9.8.7-linux-amd64.tar.gz\n"
        )
        func entry(_ path: String) -> String { "\(ReleaseText.digest)  \(path)\n" }
        func read(_ text: String) throws -> ReleaseManifest {
            try ReleaseManifest(Array(text.utf8), of: name)
        }
        let (a, b, c) = (entry("/usr/a"), entry("/usr/b"), entry("heliograph-9.8.7-linux-amd64/c"))
        #expect(try read(cold + a + hot + b + archive + c).hot.map(\.path) == ["/usr/b"])
        #expect(throws: ReleaseError.badManifest(.missingSection)) { try read(cold + a + hot + b) }
        #expect(throws: ReleaseError.badManifest(.section(line: 3))) {
            try read(cold + a + archive + c + hot + b)
        }
        #expect(throws: ReleaseError.badManifest(.section(line: 1))) { try read(a + cold + a) }
        #expect(throws: ReleaseError.badManifest(.emptySection(line: 2))) {
            try read(cold + hot + b + archive + c)
        }
        #expect(throws: ReleaseError.badManifest(.emptySection(line: 6))) {
            try read(cold + a + hot + b + archive)
        }
        #expect(throws: ReleaseError.badManifest(.section(line: 7))) {
            try read(cold + a + hot + b + archive + c + cold + a)
        }
        #expect(throws: ReleaseError.badManifest(.order(line: 3))) {
            try read(cold + a + a + hot + b + archive + c)
        }
        #expect(throws: ReleaseError.badManifest(.order(line: 3))) {
            try read(cold + b + a + hot + b + archive + c)
        }
        // One path in two packages.
        #expect(throws: ReleaseError.badManifest(.order(line: 4))) {
            try read(cold + a + hot + a + archive + c)
        }
        for path in [
            "usr/a", "/etc/a", "/usr/../etc/a", "/usr/./a", "/usr//a", "/usr/a/", "/usr/", "/usr/...",
            "/usr/a b", "/usr/a\u{1b}",
            "/usr/\u{e4}",
            "/usr/" + String(repeating: "a", count: 260), "heliograph-9.8.7-linux-amd64/a",
        ] {
            #expect(throws: ReleaseError.badManifest(.path(line: 2)), "\(path)") {
                try read(cold + entry(path) + hot + b + archive + c)
            }
        }
        for path in [
            "/usr/a", "heliograph-9.8.8-linux-amd64/c", "heliograph-9.8.7-linux-amd64/../c",
            "heliograph-9.8.7-linux-amd64",
        ] {
            #expect(throws: ReleaseError.badManifest(.path(line: 6)), "\(path)") {
                try read(cold + b + hot + entry("/usr/h") + archive + entry(path))
            }
        }
        #expect(throws: ReleaseError.badManifest(.tooManyLines(limit: 20_000))) {
            try read(cold + String(repeating: "\n", count: 20_000))
        }
        #expect(throws: ReleaseError.badManifest(.tooLong(limit: 4 << 20))) {
            try read(String(repeating: "\n", count: (4 << 20) + 1))
        }
    }
}
