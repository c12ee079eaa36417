import FoundationEssentials
import Glibc
import Hashing
import SystemIO
import TestSupport
import Testing

@testable import ReleaseCheck

/// Files in a release directory, and files that are installed.
@Suite struct ReleaseFileLaws {
    /// A copy of the fixture that a law changes.
    private func release(_ body: (String) throws -> Void) throws {
        let work = TemporaryDirectory()
        let folder = "\(work.path)/release"
        try Directory.make(folder)
        for name in try Directory.names(Checkout.path(ReleaseFixture.folder)) {
            try write(Checkout.read("\(ReleaseFixture.folder)/\(name)"), "\(folder)/\(name)")
        }
        try body(folder)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        try AtomicFile.replace(path, with: bytes, mode: 0o644, durability: .none)
    }

    private func open(_ folder: String) throws -> ReleaseDirectory {
        try ReleaseDirectory(folder, key: MinisignKey(file: ReleaseFixture.key()))
    }

    @Test func `every file that is there is verified`() throws {
        try release { folder in
            #expect(try open(folder).files.allSatisfy(\.isThere))
            for name in try ReleaseFixture.name().files where name != "MANIFEST" {
                unlink("\(folder)/\(name)")
            }
            #expect(
                try open(folder).files.map(\.isThere) == [true, false, false, false, false, false, false])
            unlink("\(folder)/MANIFEST")
            #expect(throws: ReleaseError.noManifest) { try open(folder) }
        }
    }

    @Test func `a file that differs, a link and a directory are refused`() throws {
        for name in try ReleaseFixture.name().files {
            try release { folder in
                let path = "\(folder)/\(name)"
                let bytes = try Checkout.read("\(ReleaseFixture.folder)/\(name)")
                for changed in [[], Array(bytes.dropLast()), bytes + [0x0a], bytes.flipping(bytes.count * 4)]
                {
                    try write(changed, path)
                    #expect(throws: ReleaseError.filesDiffer([name])) { try open(folder) }
                }
                // What a link leads to is right now.
                try write(bytes, folder + "-elsewhere")
                unlink(path)
                symlink(folder + "-elsewhere", path)
                // MANIFEST is read, the others are hashed.
                func expectRefused(_ operation: SystemError.Operation, _ number: Int32) {
                    guard name.utf8.elementsEqual("MANIFEST".utf8) else {
                        #expect(throws: ReleaseError.filesDiffer([name])) { try open(folder) }
                        return
                    }
                    #expect(throws: SystemError(operation, path, errno: number)) { try open(folder) }
                }
                expectRefused(.open, ELOOP)
                unlink(path)
                mkdir(path, 0o700)
                expectRefused(.read, EISDIR)
                rmdir(path)
                mkfifo(path, 0o600)
                #expect(throws: ReleaseError.filesDiffer([name])) { try open(folder) }
            }
        }
    }

    @Test func `a file that the release does not name is refused`() throws {
        for name in ["heliograph_9.8.8_amd64.deb", ".hidden", "key.pub", "sha256sums"] {
            try release { folder in
                try write([], "\(folder)/\(name)")
                #expect(throws: ReleaseError.unnamed([name])) { try open(folder) }
            }
        }
    }

    @Test func `a key from inside the directory is refused`() throws {
        for (key, directory) in [("/r/key", "/r"), ("/r/a/key", "/r"), ("/r/key", "/r/"), ("/key", "/")] {
            #expect(throws: ReleaseError.keyInside(path: key)) {
                try ReleaseDirectory.requireOutside(key, of: directory)
            }
        }
        for (key, directory) in [("/r2/key", "/r"), ("/key", "/r"), ("/r.pub", "/r")] {
            try ReleaseDirectory.requireOutside(key, of: directory)
        }
    }

    @Test func `a key with a second name in the directory is refused, whatever its path`() throws {
        try release { folder in
            let key = folder + ".pub"
            try write(ReleaseFixture.key(), key)
            defer { unlink(key) }
            func require() throws {
                try ReleaseDirectory.requireOutside(OwnedDescriptor(key, O_RDONLY), at: key, of: folder)
            }
            try require()
            #expect(link(key, "\(folder)/zz") == 0)
            #expect(throws: ReleaseError.keyInside(path: key)) { try require() }
            unlink("\(folder)/zz")
            // A link from inside to outside is no second name.
            #expect(symlink(key, "\(folder)/zz") == 0)
            try require()
        }
    }

    @Test func `a file longer than any of a release is not read`() throws {
        try release { folder in
            let path = "\(folder)/long"
            try write([], path)
            #expect(truncate(path, off_t(1) << 42) == 0)
            #expect(try FileDigest.of(path) == .other)
            #expect(truncate(path, off_t(FileDigest.maximumBytes) + 1) == 0)
            #expect(try FileDigest.of(path) == .other)
        }
    }

    @Test func `a program of another release is refused`() throws {
        try release { folder in
            let release = try open(folder)
            try release.requireProgram(version: "9.8.7", commit: release.name.commit)
            for (version, commit) in [
                ("9.8.6", release.name.commit), ("9.8.7", nil), ("9.8.7", ""),
                ("9.8.7", String(repeating: "0", count: 40)),
            ] {
                let error = ReleaseError.otherRelease(
                    program: "\(version) (commit \(commit ?? "unknown"))",
                    release: "9.8.7 (commit \(release.name.commit))")
                #expect(throws: error) { try release.requireProgram(version: version, commit: commit) }
            }
        }
    }

    @Test func `where a program is says how it was installed`() {
        #expect(Installation(program: "/usr/bin/heliograph") == .packages)
        #expect(Installation(program: "/opt/h/bin/heliograph") == .archive(root: "/opt/h"))
        #expect(Installation(program: "/usr/local/bin/heliograph") == .archive(root: "/usr/local"))
        for path in [
            "/bin/heliograph", "heliograph", "/home/me/.build/debug/heliograph", "/usr/bin/heliograph-hot",
            "/x/sbin/heliograph",
        ] {
            #expect(Installation(program: path) == nil)
        }
    }

    /// The fixture's installed files have their own path as content.
    @Test func `installed files are compared with their section`() throws {
        let manifest = try ReleaseManifest(ReleaseFixture.manifest(), of: ReleaseFixture.name())
        let work = TemporaryDirectory()
        let root = work.path
        func install(_ path: String, _ content: String? = nil) throws {
            let file = root + (path.utf8.first == 0x2f ? path : "/\(path)")
            try Directory.make(String(file[..<file.lastIndex(of: "/")!]))
            try write(Array((content ?? path).utf8), file)
        }
        func check(_ installation: Installation = .packages) throws -> InstalledFiles {
            try InstalledFiles(installation, manifest, root: root)
        }
        let cold = manifest.cold.map(\.path)
        #expect(throws: ReleaseError.installedDiffer(differ: [], missing: cold.map { root + $0 })) {
            try check()
        }
        for path in cold { try install(path) }
        var found = try check()
        #expect(found.cold == 3 && found.hot == nil)
        try install("/usr/bin/heliograph-hot", "changed")
        #expect(throws: ReleaseError.installedDiffer(differ: [root + "/usr/bin/heliograph-hot"], missing: []))
        { try check() }
        try install("/usr/bin/heliograph-hot")
        found = try check()
        #expect(found.hot == 1)
        try install(cold[0], "changed")
        #expect(throws: ReleaseError.installedDiffer(differ: [root + cold[0]], missing: [])) { try check() }
        unlink(root + cold[0])
        symlink(root + cold[1], root + cold[0])
        #expect(throws: ReleaseError.installedDiffer(differ: [root + cold[0]], missing: [])) { try check() }
        // The archive, in a folder of another name.
        for path in ["bin/heliograph", "bin/heliograph-scanner", "lib/libx.so.1"] {
            try install("renamed/\(path)", path)
        }
        #expect(try check(.archive(root: "\(root)/renamed")).cold == 3)
        unlink("\(root)/renamed/lib/libx.so.1")
        #expect(throws: ReleaseError.installedDiffer(differ: [], missing: ["\(root)/renamed/lib/libx.so.1"]))
        {
            try check(.archive(root: "\(root)/renamed"))
        }
    }

    @Test func `a package of which a file is missing is not a package that is not installed`() throws {
        let further = "/usr/share/doc/heliograph-hot/copyright"
        let line = Array("\(Hex.encode(SHA256.hash(Array(further.utf8))))  \(further)".utf8)
        var lines = try ReleaseFixture.manifest().split(separator: 0x0a).map { Array($0) }
        let hot = try #require(lines.firstIndex { $0.suffix(15).elementsEqual("/heliograph-hot".utf8) })
        lines.insert(line, at: hot + 1)
        let manifest = try ReleaseManifest(lines.flatMap { $0 + [0x0a] }, of: ReleaseFixture.name())
        let root = TemporaryDirectory()
        for entry in manifest.cold + manifest.hot.dropLast() {
            let file = root.path + entry.path
            try Directory.make(String(file[..<file.lastIndex(of: "/")!]))
            try write(Array(entry.path.utf8), file)
        }
        #expect(throws: ReleaseError.installedDiffer(differ: [], missing: [root.path + further])) {
            try InstalledFiles(.packages, manifest, root: root.path)
        }
    }

    @Test func `a directory and a pipe are not files`() throws {
        let work = TemporaryDirectory()
        #expect(try FileDigest.of(work.path) == .other)
        mkfifo("\(work.path)/pipe", 0o600)
        #expect(try FileDigest.of("\(work.path)/pipe") == .other)
        #expect(try FileDigest.of("\(work.path)/nothing") == .missing)
    }

    /// One package is larger than the buffer, and its length is no multiple of it.
    @Test func `a file is hashed in pieces`() throws {
        let work = TemporaryDirectory()
        for length in [0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 700_001] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try write(bytes, "\(work.path)/file")
            #expect(try FileDigest.of("\(work.path)/file") == .regular(SHA256.hash(bytes)))
        }
    }
}
