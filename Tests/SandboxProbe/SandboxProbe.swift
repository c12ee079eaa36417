import CSeccomp
import Glibc
import Sandbox

/// What tests run as a process of its own: it locks itself down as a command of a kind does, and then tries
/// one system call.
///
/// It ends with the call's errno, with 0 where the call succeeded, or by the signal that the kernel sent.
@main
enum SandboxProbe {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 2, let kind = Kind(rawValue: words[0]) else {
            fail("usage: sandbox-probe KIND CALL [ARGUMENT…] | KIND hold")
        }
        switch words[1] {
        case "hold": try hold(kind)
        case "descriptors": try descriptors()
        case "map-file": try mapFile(kind)
        case "write-then-map": try protect(kind)
        case "end-own-child": try endOwnChild(kind)
        case "dumpable": try dumpable()
        case "later": try later(words.dropFirst(2).map { $0 }, kind)
        case "limits": limits()
        case "drain": drain()
        default: try call(words[1], words.dropFirst(2).map(argument), kind)
        }
    }

    /// Who locks itself down: as the commands of `heliograph` and the two parts of the scanner do.
    enum Kind: String {
        case none, reading, vault, forking, starting, worker
        /// Started what it had to start.
        case started

        func enter() throws {
            switch self {
            case .none: break
            case .reading: _ = try Sandbox.lockDown(.init())
            case .vault: _ = try Sandbox.lockDown(.init(writable: ["/tmp"]))
            case .forking: _ = try Sandbox.lockDown(.init(forks: true))
            case .starting: _ = try Sandbox.lockDown(.init(executable: ["/bin/true"]))
            case .started: try Sandbox.giveUpStarting(Sandbox.lockDown(.init(executable: ["/bin/true"])))
            case .worker:
                try Sandbox.harden()
                try Sandbox.becomeWorker(.init(memory: 1 << 33, processorTime: 60))
            }
        }
    }

    private static func fail(_ text: String) -> Never {
        _ = (text + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(255)
    }

    /// A number in decimal or with 0x; `self` and `parent` are process ids, `slash`, `name`, `null`, `users`
    /// and `libraries` are texts.
    private static func argument(_ word: String) -> Int {
        func text(_ text: String) -> Int { Int(bitPattern: strdup(text)) }
        switch word {
        case "self": return Int(getpid())
        case "parent": return Int(getppid())
        case "slash": return text("/")
        case "name": return text("tmpfs")
        case "null": return text("/dev/null")
        case "users": return text("/etc/passwd")
        case "libraries": return text("/etc/ld.so.cache")
        case "page":
            return Int(
                bitPattern: mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        case "space": return Int(bitPattern: calloc(1, 4096))
        default:
            guard let number = word.hasPrefix("0x") ? Int(word.dropFirst(2), radix: 16) : Int(word) else {
                fail("\(word) is no argument")
            }
            return number
        }
    }

    /// Says that it writes nothing, and reads its input to the end.
    private static func drain() {
        close(STDOUT_FILENO)
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) > 0 {}
    }

    private static func call(_ name: String, _ arguments: [Int], _ kind: Kind) throws {
        let number = seccomp_syscall_resolve_name(name)
        guard number >= 0 else { exit(254) }
        var all = arguments + [Int](repeating: 0, count: 6 - arguments.count)
        try kind.enter()
        let result = heliograph_probe_call(Int(number), &all)
        _exit(result == -1 ? errno : 0)
    }

    /// Locks itself down, writes a byte to standard output, and reads until its input ends.
    ///
    /// Root looks into every process, so a root drops to another user first; that user's own processes may be
    /// traced by the user until the lock-down.
    private static func hold(_ kind: Kind) throws {
        if geteuid() == 0 {
            guard setgid(65534) == 0, setuid(65534) == 0 else { fail("cannot drop to another user") }
        }
        _ = heliograph_dumpable(1)
        try kind.enter()
        _ = write(STDOUT_FILENO, "+", 1)
        while getchar() != EOF {}
    }

    /// Writes a byte, waits for one, and tries a call then.
    private static func later(_ words: [String], _ kind: Kind) throws {
        var byte: UInt8 = 0
        guard !words.isEmpty, write(STDOUT_FILENO, "+", 1) == 1, read(STDIN_FILENO, &byte, 1) == 1 else {
            fail("later CALL [ARGUMENT…]")
        }
        try call(words[0], words.dropFirst().map(argument), kind)
    }

    /// Writes its limits, what it has open, and how much of an environment it has.
    private static func limits() {
        let kinds = [RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_NOFILE].map { kind in
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(kind.rawValue), &limit)
            return limit.rlim_cur == limit.rlim_max ? "\(limit.rlim_max)" : "soft"
        }
        let open = (0..<64).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init)
        let variables = sequence(first: environ) { $0 + 1 }.prefix { $0.pointee != nil }.count
        let text = [kinds.joined(separator: " "), open.joined(separator: " "), "\(variables)"].joined(
            separator: ";")
        _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }

    private static func dumpable() throws {
        _ = heliograph_dumpable(1)
        guard heliograph_is_dumpable() == 1 else { exit(2) }
        try Sandbox.harden()
        exit(heliograph_is_dumpable())
    }

    /// 0 when only the two descriptors that are kept are open.
    private static func descriptors() throws {
        for number: Int32 in [3, 4, 63, 900] { guard dup2(0, number) == number else { exit(2) } }
        for kept: (Int32, Int32) in [(0, 1), (4, 63), (63, 3)] {
            guard let child = try Sandbox.fork() else {
                try Sandbox.closeDescriptors(except: kept.0, kept.1)
                let open = (0..<1024).filter { fcntl($0, F_GETFD) >= 0 }
                _exit(open == [kept.0, kept.1].sorted() ? 0 : 1)
            }
            var status: Int32 = -1
            guard waitpid(child, &status, 0) == child, status == 0 else { exit(1) }
        }
        exit(0)
    }

    /// Maps the C library as code, as a program's start does.
    private static func mapFile(_ kind: Kind) throws {
        let file = open("/usr/lib/os-release", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { exit(253) }
        try kind.enter()
        _exit(mmap(nil, 64, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? errno : 0)
    }

    /// Writes into a page and makes it executable, as injected code has to.
    private static func protect(_ kind: Kind) throws {
        guard let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) else {
            exit(253)
        }
        try kind.enter()
        page.storeBytes(of: 0xc3, as: UInt8.self)
        _exit(mprotect(page, 4096, PROT_READ | PROT_EXEC) == -1 ? errno : 0)
    }

    private static func endOwnChild(_ kind: Kind) throws {
        try kind.enter()
        let child: pid_t
        do throws(SandboxError) {
            guard let forked = try Sandbox.fork() else {
                sleep(30)
                _exit(0)
            }
            child = forked
        } catch {
            _exit(error.errno)
        }
        guard kill(child, SIGKILL) == 0 else { _exit(errno) }
        var status: Int32 = 0
        _exit(waitpid(child, &status, 0) == child && status & 0x7f == SIGKILL ? 0 : 252)
    }
}
