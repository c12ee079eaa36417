import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite struct AtomicFileTests {
    private let directory = TemporaryDirectory()

    @Test func `replacing makes a file for its owner alone, and leaves nothing else`() throws {
        let path = directory.path("a")
        try AtomicFile.replace(path, with: [1, 2])
        #expect(try directory.read("a") == [1, 2])
        #expect(directory.mode("a") == 0o600)
        try AtomicFile.replace(path, with: [3], mode: 0o644)
        #expect(try directory.read("a") == [3])
        #expect(directory.mode("a") == 0o644)
        #expect(directory.names == ["a"])
    }

    @Test(arguments: [AtomicFile.Durability.none, .content, .contentAndName])
    func `each durability writes the same bytes, also for a path without a directory`(
        durability: AtomicFile.Durability
    ) throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try AtomicFile.replace(directory.path("b"), with: bytes, durability: durability)
        #expect(try directory.read("b") == bytes)
        let name = "heliograph-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"  // unseeded: a new name
        defer { unlink(name) }
        try AtomicFile.replace(name, with: [9], durability: durability)
        #expect(access(name, F_OK) == 0)
    }

    @Test func `of a set every file is made, for its owner alone`() throws {
        let names = ["a", "b", "c"]
        try AtomicFile.create(set: names.map { (directory.path($0), Array($0.utf8)) })
        #expect(directory.names.sorted() == names)
        for name in names {
            #expect(try directory.read(name) == Array(name.utf8) && directory.mode(name) == 0o600)
        }
    }

    /// The first obstacle stops the writing, the second the renaming.
    @Test(arguments: ["none/b", "b"])
    func `where one file of a set cannot be made there is none`(second: String) throws {
        #expect(mkdir(directory.path("b"), 0o700) == 0)
        let error = #expect(throws: AtomicFile.SetError.self) {
            try AtomicFile.create(set: ["a", second, "c"].map { (directory.path($0), [1]) })
        }
        #expect(error?.cause.path == directory.path(second) && error?.left == [])
        #expect(directory.names == ["b"])
        #expect(rmdir(directory.path("b")) == 0)
        try AtomicFile.create(set: ["a", "b", "c"].map { (directory.path($0), [1]) })
        #expect(directory.names.sorted() == ["a", "b", "c"])
    }

    /// Two sets that are made at once have their first name in common: whoever comes second replaces nothing,
    /// and leaves nothing of its own behind.
    @Test(arguments: ["a", "b", "c"])
    func `a set replaces no file of another that came meanwhile`(taken: String) throws {
        try directory.write([7], to: taken)
        let error = #expect(throws: AtomicFile.SetError.self) {
            try AtomicFile.create(set: ["a", "b", "c"].map { (directory.path($0), [1]) })
        }
        #expect(error?.cause == SystemError(.create, directory.path(taken), errno: EEXIST))
        #expect(error?.left == [])
        #expect(try directory.names == [taken] && directory.read(taken) == [7])
    }

    @Test func `a symbolic link is replaced, and what it points to stays`() throws {
        try directory.write([1], to: "target")
        #expect(symlink("target", directory.path("link")) == 0)
        try AtomicFile.replace(directory.path("link"), with: [2])
        #expect(try directory.read("target") == [1])
        #expect(try directory.read("link") == [2])
        var status = stat()
        #expect(lstat(directory.path("link"), &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFREG)
    }

    /// Whoever may write to a directory would choose which files come to be there.
    @Test func `nobody takes the name of a temporary file first`() throws {
        let taken = ["d", "e", "f"].map { ".\($0).\(getpid()).new" }
        for name in taken { #expect(mkdir(directory.path(name), 0o700) == 0) }
        try AtomicFile.create(whole: directory.path("d"), with: [9])
        try AtomicFile.create(set: [(directory.path("e"), [10])])
        for byte in [11, 12] as [UInt8] {
            try AtomicFile.replace(directory.path("f"), with: [byte], isShared: true)
        }
        #expect(directory.names == taken + ["d", "e", "f"])
    }

    @Test func `a temporary name that is in use is another error than the file's own`() throws {
        let (path, new) = (directory.path("a"), directory.path("new"))
        #expect(mkdir(new, 0o700) == 0)
        #expect(throws: SystemError(.createBeside, path, errno: EEXIST)) {
            try AtomicFile.create(whole: path, with: [1], temporary: new)
        }
        #expect(directory.names == ["new"] && rmdir(new) == 0)
        try AtomicFile.create(whole: path, with: [1], temporary: new)
        #expect(directory.names == ["a"])
        #expect(throws: SystemError(.create, path, errno: EEXIST)) {
            try AtomicFile.create(whole: path, with: [2], temporary: new)
        }
    }

    @Test func `a name of 255 bytes has a temporary one, also where a letter is cut`() throws {
        for name in [String(repeating: "n", count: 255), "n" + String(repeating: "ü", count: 127)] {
            try AtomicFile.replace(directory.path(name), with: [1])
            try AtomicFile.replace(directory.path(name), with: [2])
            #expect(try directory.read(name) == [2])
            unlink(directory.path(name))
            try AtomicFile.create(whole: directory.path(name), with: [3])
            #expect(try directory.read(name) == [3])
        }
        let error = #expect(throws: SystemError.self) {
            try AtomicFile.replace(directory.path(String(repeating: "n", count: 256)), with: [1])
        }
        #expect(error?.errno == ENAMETOOLONG && directory.names.count == 2)
    }

    @Test func `a rename that fails leaves the old and no new file`() throws {
        #expect(mkdir(directory.path("e"), 0o700) == 0)
        let error = #expect(throws: SystemError.self) {
            try AtomicFile.replace(directory.path("e"), with: [1])
        }
        #expect(error == SystemError(.rename, directory.path("e"), errno: EISDIR))
        #expect(directory.names == ["e"])
    }

    @Test func `a file in a directory that is not there is refused by its own path`() {
        let path = directory.path("none/f")
        let error = #expect(throws: SystemError.self) { try AtomicFile.replace(path, with: [1]) }
        #expect(error == SystemError(.create, path, errno: ENOENT))
    }

    @Test func `a write that is cut off leaves the old content and no new file`() async {
        // The limit on the length of files is the process's own.
        await #expect(processExitsWith: .exitCode(0)) {
            let directory = TemporaryDirectory()
            try directory.write([1, 2, 3], to: "g")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100, rlim_max: 100)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
            let bytes = [UInt8](repeating: 9, count: 101)
            do {
                try AtomicFile.replace(directory.path("g"), with: bytes)
                exit(2)
            } catch let error as SystemError {
                guard error == SystemError(.write, directory.path("g"), errno: EFBIG), !error.isTooLarge
                else { exit(3) }
            }
            do {
                try bytes.withUnsafeBytes { try AtomicFile.create(directory.path("h"), with: $0) }
                exit(4)
            } catch {}
            guard try directory.read("g") == [1, 2, 3], directory.names == ["g"] else { exit(5) }
            try AtomicFile.replace(directory.path("g"), with: Array(bytes.dropLast()))
            guard try directory.read("g").count == 100, directory.names == ["g"] else { exit(6) }
            exit(0)
        }
    }

    @Test func `creating refuses a file and a link, and touches neither`() throws {
        try directory.write([1], to: "i")
        #expect(symlink("nowhere", directory.path("j")) == 0)
        for name in ["i", "j"] {
            let error = #expect(throws: SystemError.self) { try create(name, [2]) }
            #expect(error == SystemError(.create, directory.path(name), errno: EEXIST))
        }
        #expect(try directory.read("i") == [1])
        #expect(directory.names == ["i", "j"])
        try create("k", [3, 4])
        #expect(try directory.read("k") == [3, 4])
        #expect(directory.mode("k") == 0o600)
    }

    /// A result is written where a person wants it, also where nobody can wait for its name.
    @Test func `names are waited for where the file system can be asked`() throws {
        try Directory.sync(directory.path("."))
        let (odd, gone) = ("/proc", directory.path("gone"))
        #expect(throws: SystemError(.sync, odd, errno: EINVAL)) { try Directory.sync(odd) }
        #expect(throws: SystemError(.open, gone, errno: ENOENT)) { try Directory.sync(gone) }
        for path in [directory.path("."), odd, gone] { try Directory.syncIfPossible(path) }
    }

    @Test func `creating a whole file refuses a file and a link, and leaves nothing beside it`() throws {
        try directory.write([1], to: "i")
        #expect(symlink("nowhere", directory.path("j")) == 0)
        #expect(mkdir(directory.path("k"), 0o700) == 0)
        for name in ["i", "j", "k"] {
            let error = #expect(throws: SystemError.self) {
                try AtomicFile.create(whole: directory.path(name), with: [2])
            }
            #expect(error == SystemError(.create, directory.path(name), errno: EEXIST))
        }
        #expect(try directory.read("i") == [1])
        try AtomicFile.create(whole: directory.path("l"), with: [3, 4], mode: 0o644)
        #expect(try directory.read("l") == [3, 4])
        #expect(directory.mode("l") == 0o644)
        #expect(directory.names == ["i", "j", "k", "l"])
    }

    private func create(_ name: String, _ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try AtomicFile.create(directory.path(name), with: $0) }
    }
}

@Suite struct OwnedDescriptorTests {
    private let directory = TemporaryDirectory()

    @Test func `a descriptor is closed with its owner and handed to no program`() throws {
        let path = try directory.write([1, 2, 3], to: "a")
        let number: Int32
        do {
            let file = try OwnedDescriptor(path, O_RDONLY)
            number = file.number
            #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
            let links = try Directory.names("/proc/self/fd")
            #expect(links.contains("\(number)"))
        }
        var target = [CChar](repeating: 0, count: 256)
        let length = readlink("/proc/self/fd/\(number)", &target, target.count)
        #expect(
            length < 0
                || !String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
                    .hasPrefix(path)
        )
    }

    @Test func `opening says which file and why`() {
        let path = directory.path("none")
        func open() throws(SystemError) { _ = try OwnedDescriptor(path, O_RDONLY) }
        let error = #expect(throws: SystemError.self) { try open() }
        #expect(error == SystemError(.open, path, errno: ENOENT))
        #expect(error?.sentence == "cannot open \(path): no such file or directory")
        #expect(error?.code.rawValue == "input-output")
    }

    @Test func `contents begin at the start, reading on does not`() throws {
        let path = try directory.write(Array("abcdef".utf8), to: "b")
        let file = try OwnedDescriptor(path, O_RDWR)
        var two: [UInt8] = [0, 0]
        let filled = try two.withUnsafeMutableBytes { try file.fill($0) }
        #expect(filled == 2)
        #expect(two == Array("ab".utf8))
        let (all, rest) = try (file.contents(limit: 6), file.readAll(limit: 4))
        #expect(all == Array("abcdef".utf8))
        #expect(rest == Array("cdef".utf8))
        do {
            _ = try file.contents(limit: 5)
            Issue.record("six bytes were read under a limit of five")
        } catch {
            #expect(error == SystemError(.read, path, errno: EFBIG))
        }
        var back = [UInt8](repeating: 0, count: 10)
        let length = try back.withUnsafeMutableBytes { try Descriptor.fill($0, from: file.number, at: 3) }
        #expect(length == 3)
        #expect(back.prefix(4) == Array("def".utf8)[...] + [0])
    }

    @Test func `bytes are written at their offset, and a file is cut to its length`() throws {
        let path = try directory.write([1, 2, 3, 4], to: "c")
        let file = try OwnedDescriptor(path, O_RDWR)
        try [8, 9].withUnsafeBytes { try file.write(UnsafeRawBufferPointer(rebasing: $0[0..<1]), at: 2) }
        try file.sync()
        #expect(try directory.read("c") == [1, 2, 8, 4])
        try file.truncate(to: 3)
        #expect(try directory.read("c") == [1, 2, 8])
    }

    @Test func `a lock is held until its owner goes away`() throws {
        let path = try directory.write([], to: "lock")
        let other = try OwnedDescriptor(path, O_RDWR)
        do {
            let holder = try OwnedDescriptor(path, O_RDWR)
            try holder.lock()
            let isTaken = try other.tryLock()
            #expect(!isTaken)
        }
        let isTaken = try other.tryLock()
        #expect(isTaken)
    }

    @Test func `a call that signals interrupt is made again, and another error is not`() {
        var calls = 0
        let result = retrying { () -> Int in
            calls += 1
            errno = calls < 3 ? 4 : ENOENT
            return calls < 5 ? -1 : 7
        }
        let reason = errno
        #expect(calls == 3)
        #expect(result == -1)
        #expect(reason == ENOENT)
        #expect(
            retrying { () -> Int32 in
                errno = 4
                return 0
            } == 0)
    }
}

@Suite struct DirectoryTests {
    private let directory = TemporaryDirectory()

    @Test func `a directory is made with its parents, for its owner alone, and once`() throws {
        let path = directory.path("a/b/c")
        try Directory.make(path + "/")
        for name in ["a", "a/b", "a/b/c"] { #expect(directory.mode(name) == 0o700) }
        #expect(chmod(path, 0o750) == 0)
        try Directory.make(path)
        #expect(directory.mode("a/b/c") == 0o750)
        try Directory.make("/")
    }

    @Test func `without its parents a directory is refused`() throws {
        let path = directory.path("x/y")
        let error = #expect(throws: SystemError.self) { try Directory.make(path, withParents: false) }
        #expect(error == SystemError(.makeDirectory, path, errno: ENOENT))
        try directory.write([1], to: "file")
        let under = directory.path("file/z/w")
        #expect(throws: SystemError(.makeDirectory, under, errno: ENOTDIR)) { try Directory.make(under) }
        #expect(directory.names == ["file"])
        let name = "heliograph-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"  // unseeded: a new name
        defer { rmdir(name) }
        try Directory.make(name, mode: 0o711)
        var status = stat()
        #expect(stat(name, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o711)
    }

    @Test func `two paths are one place where the name and the directory are the same`() throws {
        #expect(mkdir(directory.path("a"), 0o700) == 0 && mkdir(directory.path("b"), 0o700) == 0)
        #expect(symlink("a", directory.path("link")) == 0)
        func isSame(_ one: String, _ other: String) -> Bool {
            Directory.isSamePlace(directory.path(one), directory.path(other))
        }
        #expect(
            isSame("x", "x") && isSame("a/x", "link/x") && isSame("a/x", "b/../a/x") && isSame("a/x", "a//x"))
        #expect(
            !isSame("a/x", "a/y") && !isSame("a/x", "b/x") && !isSame("x", "a/x") && !isSame("a/x", "a/X"))
        // A directory that is not there is compared by its text.
        #expect(isSame("gone/x", "gone/x") && !isSame("gone/x", "lost/x"))
        #expect(
            Directory.isSamePlace("x", "./x") && Directory.isSamePlace("/x", "/../x")
                && !Directory.isSamePlace("x", "/x"))
    }

    @Test func `names are those in the directory, hidden ones too`() throws {
        for name in [".hidden", "...", "a", "b"] { try directory.write([], to: name) }
        #expect(try Directory.names(directory.path).sorted() == ["...", ".hidden", "a", "b"])
        let none = directory.path("none")
        #expect(throws: SystemError(.list, none, errno: ENOENT)) { try Directory.names(none) }
        let file = directory.path("a")
        #expect(throws: SystemError(.list, file, errno: ENOTDIR)) { try Directory.names(file) }
    }
}

@Suite struct SystemErrorTests {
    @Test func `each code has an example, and a sentence names what, where and why`() {
        #expect(SystemError.examples.map(\.code) == ["input-output", "file-too-large"])
        #expect(SystemError(.write, errno: ENOSPC).sentence == "cannot write: no space left on device")
        #expect(
            SystemError(.makeDirectory, "d", errno: EACCES).sentence
                == "cannot make directory d: permission denied")
    }
}

@Suite struct ResolvedDirectoryLaws {
    @Test func `a directory behind a link is named by the directory, and one without links as it is written`()
        throws
    {
        let directory = TemporaryDirectory()
        let real = String(cString: realpath(directory.path, nil))
        #expect(mkdir("\(real)/a", 0o700) == 0 && mkdir("\(real)/a/b", 0o700) == 0)
        #expect(symlink("a", "\(real)/link") == 0 && symlink("\(real)/a/b", "\(real)/last") == 0)
        for (path, resolved) in [
            ("/a/b", "/a/b"), ("//a/./b/", "//a/./b/"), ("/link/b", "/a/b"), ("/last", "/a/b"),
            ("/link/new", "/a/new"),
            ("/link/new/newer", "/a/new/newer"), ("/new", "/new"), ("/last/", "/a/b"), ("/link/../a", "/a"),
        ] {
            #expect(Directory.resolved(real + path) == real + resolved, "\(path)")
        }
        #expect(
            Directory.resolved("relative") == "relative" && Directory.resolved("") == ""
                && Directory.resolved("/") == "/")
    }
}
