import CSeccomp
import CV4L2
import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// Each law runs in a process of its own: a lock-down cannot be taken back.
@Suite struct LockDownTests {
    /// Exits with 0 when `condition` holds, else with `line`, so that a failure says where.
    /// At once: what `exit` would clear up is in use by threads that the sandbox has stopped.
    private static func require(_ condition: Bool, _ code: Int32) { if !condition { _exit(code) } }

    private static func hasLandlock() throws -> Bool {
        try Requirement.isMet(heliograph_landlock_abi() >= 1, "the kernel has no Landlock")
    }

    @Test func noSocketOfAnyFamilyCanBeOpened() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let before = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            Self.require(before >= 0, 1)
            _ = try lockedDown(.init())
            for family in [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET] {
                Self.require(socket(family, Int32(SOCK_STREAM.rawValue), 0) == -1 && errno == EPERM, 2)
            }
            var pair: [Int32] = [0, 0]
            Self.require(
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == -1 && errno == EPERM, 3)
            // A socket from before is of no use either.
            Self.require(listen(before, 1) == -1 && errno == EPERM, 4)
            _exit(0)
        }
    }

    @Test func ioUringIsRefused() async {
        await #expect(processExitsWith: .exitCode(0)) {
            _ = try lockedDown(.init())
            Self.require(heliograph_probe_io_uring() == -1 && errno == EPERM, 1)
            _exit(0)
        }
    }

    @Test func theKernelConfirmsTheFilterAndTheFlags() async {
        await #expect(processExitsWith: .exitCode(0)) {
            Self.require(Sandbox.enforced()?.seccompFilters == 0, 1)
            let report = try lockedDown(.init(readable: ["/proc"]))
            guard let state = Sandbox.enforced() else { _exit(2) }
            Self.require(state.noNewPrivileges && state.seccompFilters >= 1, 3)
            let allowed = report.allowedCalls.flatMap(\.allNames)
            Self.require(
                allowed.contains("read") && !allowed.contains("socket") && !allowed.contains("execve"), 4)
            var limit = rlimit()
            Self.require(
                getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 && limit.rlim_max == 0, 5)
            _exit(0)
        }
    }

    @Test func onlyTheGivenPathsCanBeReadAndWritten() async throws {
        guard try Self.hasLandlock() else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            var template = Array("/tmp/heliograph-sandbox-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { _exit(1) }
            let base = String(cString: made)
            for name in ["read", "write", "other"] { Self.require(mkdir(base + "/" + name, 0o700) == 0, 2) }
            for name in ["read", "other"] {
                Self.require(close(open(base + "/\(name)/file", O_CREAT | O_WRONLY, 0o600)) == 0, 3)
            }
            let report = try lockedDown(
                .init(readable: [base + "/read"], writable: [base + "/write/result.png"]))
            Self.require(report.landlock.abi != nil, 11)
            Self.require(open(base + "/read/file", O_RDONLY) >= 0, 4)
            Self.require(open(base + "/read/file", O_WRONLY) == -1 && errno == EACCES, 5)
            Self.require(open(base + "/other/file", O_RDONLY) == -1 && errno == EACCES, 6)
            Self.require(open(base + "/write/result.tmp", O_CREAT | O_WRONLY, 0o600) >= 0, 7)
            Self.require(rename(base + "/write/result.tmp", base + "/write/result.png") == 0, 8)
            Self.require(open("/etc/passwd", O_RDONLY) == -1 && errno == EACCES, 9)
            _exit(0)
        }
    }

    @Test func onlyTheGivenProgramsCanBeStarted() async throws {
        guard try Self.hasLandlock() else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            let report = try lockedDown(.init(executable: ["/bin/true"]))
            func run(_ program: String) -> Int32 {
                var child: pid_t = 0
                var arguments = [strdup(program), nil]
                let result = posix_spawn(&child, program, nil, nil, &arguments, environ)
                var status: Int32 = -1
                return result == 0 && waitpid(child, &status, 0) == child ? status : -1
            }
            Self.require(run("/bin/true") == 0, 1)
            Self.require(report.landlock.abi != nil, 2)
            Self.require(run("/bin/echo") == -1, 3)
            _exit(0)
        }
    }

    @Test func withoutProgramsNothingCanBeStarted() async {
        await #expect(processExitsWith: .exitCode(0)) {
            _ = try lockedDown(.init(readable: ["/"]))
            var child: pid_t = 0
            var arguments = [strdup("/bin/true"), nil]
            Self.require(posix_spawn(&child, "/bin/true", nil, nil, &arguments, environ) != 0, 1)
            _exit(0)
        }
    }

    /// A page of a mapped file that has no room on the disk looks like this.
    @Test func aBusErrorIsAnErrorOfInputAndOutput() async {
        await #expect(processExitsWith: .exitCode(74)) {
            try Sandbox.harden()
            var path = Array("/tmp/heliograph-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            unlink(path)
            _ = ftruncate(file, 4096)
            let memory = mmap(nil, 4096, PROT_READ, MAP_SHARED, file, 0)
            _ = ftruncate(file, 0)
            _exit(Int32(memory!.load(as: UInt8.self)))
        }
    }

    @Test func aWorkerCannotOpenAFile() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Sandbox.harden()
            try Sandbox.becomeWorker(.init(memory: 1 << 33, processorTime: 60))
            _exit(open("/etc/passwd", O_RDONLY) == -1 && errno == EPERM ? 0 : 1)
        }
    }

    @Test func aWorkerThatAsksForASocketIsKilled() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            try Sandbox.harden()
            try Sandbox.becomeWorker(.init(memory: 1 << 33, processorTime: 60))
            _ = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        }
    }

    @Test func aWorkerThatMapsExecutableMemoryIsKilled() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            try Sandbox.harden()
            try Sandbox.becomeWorker(.init(memory: 1 << 33, processorTime: 60))
            _ = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        }
    }

    @Test func theLoopbackInterfaceIsListed() throws {
        let interfaces = try NetworkInterface.all()
        #expect(interfaces.contains { $0.isLoopback })
        #expect(interfaces.map(\.name) == interfaces.map(\.name).sorted())
    }
}

/// What Landlock refuses by itself: in these laws no filter of system calls is there to refuse it first. What
/// both refuse stays refused where one of the two has a gap.
@Suite struct LandlockAloneLaws {
    /// At once: what `exit` would clear up is in use by threads that the sandbox has stopped.
    private static func require(_ condition: Bool, _ code: Int32) { if !condition { _exit(code) } }

    private static func isKnown(_ abi: Int, _ what: String) throws -> Bool {
        try Requirement.isMet(heliograph_landlock_abi() >= abi, "the kernel's Landlock does not know \(what)")
    }

    private static func enter(_ rules: Sandbox.Rules) throws {
        require(heliograph_no_new_privileges() == 0, 90)
        guard case .enforced = try LandlockRuleset.enforce(rules) else { _exit(91) }
        require(Sandbox.refusesSockets() == false, 92)
    }

    /// The errno of a call on a new socket at 127.0.0.1; 0 where it succeeds.
    private static func tcp(_ port: UInt16, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return -1 }
        defer { close(socket) }
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafeBytes(of: &address) {
            call(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count)) == 0
                ? 0 : errno
        }
    }

    /// The errno of a call on a new local socket; a name that starts with a zero byte is abstract.
    private static func local(_ name: [UInt8], _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return -1 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, byte) in name.enumerated() { path[index] = byte }
        }
        let length = socklen_t(2 + name.count)
        return withUnsafeBytes(of: &address) {
            call(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, length) == 0 ? 0 : errno
        }
    }

    @Test func noPortIsBoundAndNoneConnectedTo() async throws {
        guard try Self.isKnown(4, "TCP") else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            Self.require(Self.tcp(9, connect) != EACCES && Self.tcp(0, bind) == 0, 1)
            try Self.enter(.init())
            Self.require(Self.tcp(9, connect) == EACCES, 2)
            Self.require(Self.tcp(0, bind) == EACCES, 3)
            _exit(0)
        }
    }

    @Test func onlyTheCameraTakesItsRequests() async throws {
        guard try Self.isKnown(5, "devices") else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            func ask(_ path: String) -> Int32 {
                let device = open(path, O_RDWR)
                Self.require(device >= 0, 1)
                var space = [UInt8](repeating: 0, count: 256)
                return heliograph_video_request(device, CameraRequest.dequeueBuffer.number, &space) == 0
                    ? 0 : errno
            }
            Self.require(ask("/dev/null") == ENOTTY, 2)
            try Self.enter(.init(camera: .openedLater(["/dev/zero"])))
            Self.require(ask("/dev/zero") == ENOTTY, 3)
            // May be read and written, and takes no requests.
            Self.require(ask("/dev/null") == EACCES, 4)
            _exit(0)
        }
    }

    @Test func noSignalLeavesAndNoAbstractSocketIsReached() async throws {
        guard try Self.isKnown(6, "scopes") else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            let name = [0] + Array("heliograph-\(getpid())".utf8)
            Self.require(Self.local(name) { bind($0, $1, $2) == 0 && listen($0, 4) == 0 ? 0 : -1 } == 0, 1)
            Self.require(Self.local(name, connect) == 0 && kill(getppid(), 0) == 0, 2)
            try Self.enter(.init())
            Self.require(Self.local(name, connect) == EPERM, 3)
            Self.require(kill(getppid(), 0) == -1 && errno == EPERM, 4)
            Self.require(kill(getpid(), 0) == 0, 5)
            _exit(0)
        }
    }

    @Test func aFolderThatIsWrittenToGetsFilesAndFoldersOnly() async throws {
        guard try Self.isKnown(3, "truncation") else { return }
        await #expect(processExitsWith: .exitCode(0)) {
            var template = Array("/tmp/heliograph-sandbox-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { _exit(1) }
            let base = String(cString: made)
            for name in ["write", "read"] {
                Self.require(mkdir("\(base)/\(name)", 0o700) == 0, 2)
                Self.require(close(open("\(base)/\(name)/file", O_CREAT | O_WRONLY, 0o600)) == 0, 3)
            }
            try Self.enter(.init(readable: ["\(base)/read"], writable: ["\(base)/write"]))
            func at(_ name: String) -> String { "\(base)/write/\(name)" }
            func isRefused(_ result: Int32) -> Bool { result == -1 && errno == EACCES }
            Self.require(
                close(open(at("new"), O_CREAT | O_RDWR, 0o600)) == 0 && truncate(at("new"), 0) == 0, 4)
            Self.require(mkdir(at("folder"), 0o700) == 0 && rename(at("new"), at("folder/new")) == 0, 5)
            Self.require(unlink(at("folder/new")) == 0 && rmdir(at("folder")) == 0, 6)
            Self.require(isRefused(symlink("/etc", at("link"))), 7)
            Self.require(isRefused(mkfifo(at("pipe"), 0o600)), 8)
            Self.require(Self.local(Array(at("socket").utf8) + [0], bind) == EACCES, 14)
            Self.require(isRefused(mknod(at("device"), S_IFCHR | 0o600, 0x103)) || errno == EPERM, 9)
            Self.require(isRefused(open(at("file"), O_RDONLY) < 0 ? 0 : Self.execute(at("file"))), 10)
            Self.require(
                isRefused(truncate("\(base)/read/file", 0)) && isRefused(unlink("\(base)/read/file")), 11)
            Self.require(isRefused(rename("\(base)/read/file", at("moved"))) || errno == EXDEV, 12)
            Self.require(isRefused(open("/etc/passwd", O_RDONLY)) && isRefused(open(base, O_RDONLY)), 13)
            _exit(0)
        }
    }

    private static func execute(_ path: String) -> Int32 {
        chmod(path, 0o700)
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        return execv(path, &arguments)
    }
}
