import CSeccomp
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Sandbox

/// A program that is started shut in cannot do more than compute and answer, whatever runs in it.
@Suite struct ConfinedProgramLaws {
    static let limits = ConfinedProgram.Limits(memory: 1 << 28, processorTime: 10)

    /// One system call of a program that does nothing to shut itself in. It may read `/proc`, where Swift
    /// takes the words of a command line from.
    private func outcome(_ words: String, later: Bool = false) throws -> Outcome {
        let words = (["none"] + (later ? ["later"] : []) + words.split(separator: " ").map(String.init))
        let program = try ConfinedProgram(Probe.program, words, readable: ["/proc"], limits: Self.limits)
        if later {
            #expect(Descriptor.read(program.output, count: 1) == [UInt8(ascii: "+")])
            try program.refuseDescriptors()
            #expect(program.take([1]) == 1)
        }
        // The call is made once the output is closed.
        _ = try Descriptor.readAll(program.output, limit: 64)
        let status = try #require(program.finish())
        if let signal = status.signal { return .killed(signal) }
        return switch status.code {
        case 0: .succeeded
        case 254: .unknownCall
        case let code?: .failed(code)
        case nil: .unknownCall
        }
    }

    @Test(arguments: [
        "socket 1 1 0", "socket 2 1 0", "socket 10 2 0", "socket 16 3 0", "socketpair 1 1 0 space",
        "io_uring_setup 4 space",
    ])
    func thereIsNoSocketFromTheBeginning(call: String) throws { #expect(try outcome(call) == .refused) }

    @Test func nothingIsStartedOrForked() throws {
        for call in [
            "fork", "vfork", "clone 17 0 0 0 0", "clone 0x10000011 0 0 0 0", "wait4 -1 0 0 0",
            "execveat -1 0 0 0 0",
        ] {
            let outcome = try outcome(call)
            #expect(outcome == .refused || outcome == .unknownCall, "\(call): \(outcome)")
        }
        // glibc falls back to `clone`, whose flags the filter sees.
        #expect(try outcome("clone3 space 88") == .failed(ENOSYS))
    }

    @Test func nothingIsWrittenRenamedOrRemoved() throws {
        for flags in ["1", "2", "0x40", "0x200", "0x410000"] {
            #expect(try outcome("openat -100 null \(flags) 0") == .refused, "\(flags)")
        }
        for flags in ["1", "2", "0x40", "0x200", "0x410000"] {
            let outcome = try outcome("open null \(flags) 0")
            #expect(outcome == .refused || outcome == .unknownCall, "\(flags): \(outcome)")
        }
        for call in [
            "unlink 0", "rename 0 0", "mkdir 0 0", "truncate 0 0", "chmod 0 0", "symlink 0 0", "link 0 0",
            "mknod 0 0 0",
        ] {
            let outcome = try outcome(call)
            #expect(outcome == .refused || outcome == .unknownCall, "\(call): \(outcome)")
        }
    }

    @Test func onlyLibrariesCanBeReadWhileItStarts() throws {
        guard try Requirement.isMet(heliograph_landlock_abi() >= 1, "the kernel has no Landlock") else {
            return
        }
        #expect(try outcome("openat -100 libraries 0") == .succeeded)
        #expect(try outcome("openat -100 users 0") == .failed(EACCES))
    }

    @Test func afterItsStartNoDescriptorIsMade() throws {
        for call in [
            "openat -100 libraries 0", "openat -100 null 0", "openat -100 slash 0x200000", "dup 0",
            "fcntl 0 0x406 0", "pipe2 space 0",
            "eventfd2 0 0", "epoll_create1 0",
        ] {
            #expect([.failed(EMFILE), .failed(EINVAL)].contains(try outcome(call, later: true)), "\(call)")
            #expect(try outcome(call) == .succeeded, "\(call)")
        }
        #expect(try outcome("socket 1 1 0", later: true) == .refused)
    }

    @Test func limitsAreReadAndNeverSet() throws {
        #expect(try outcome("prlimit64 0 7 0 space") == .succeeded)
        #expect(try outcome("prlimit64 0 7 space 0") == .refused)
        #expect(try outcome("setrlimit 7 space") == .refused)
    }

    @Test func whatNoEngineAsksForEndsIt() throws {
        for call in SystemCallLaws.working where !call.hasPrefix("userfaultfd") {
            #expect(try outcome(call) == .deadly, "\(call)")
        }
        for name in SystemCallLaws.deadly where name != "pkey_mprotect" {
            let outcome = try outcome(name)
            #expect(outcome == .deadly || outcome == .unknownCall, "\(name): \(outcome)")
        }
    }

    @Test func otherProcessesAreOutOfReach() throws {
        for call in [
            "kill parent 0", "kill parent 9", "tgkill parent parent 0", "setpriority 0 parent 5", "prctl 1 0",
            "prctl 4 1",
        ] {
            #expect(try outcome(call) == .refused, "\(call)")
        }
    }

    @Test func itHasItsLimitsThreeDescriptorsAndNoEnvironment() throws {
        setenv("HELIOGRAPH_SECRET", "in the environment", 1)
        let left = open("/dev/null", O_RDONLY)
        defer { close(left) }
        let program = try ConfinedProgram(
            Probe.program, ["none", "limits"], readable: ["/proc"], limits: Self.limits)
        let text = String(decoding: try Descriptor.readAll(program.output, limit: 1000), as: UTF8.self)
        #expect(text == "0 0 \(1 << 28) 10 64;0 1 2;0")
        #expect(program.finish()?.code == 0)
    }

    @Test func aProgramThatIsMissingSaysSo() throws {
        let program = try ConfinedProgram("/nowhere/program", [], limits: Self.limits)
        #expect(try Descriptor.readAll(program.output, limit: 1) == [])
        #expect(ConfinedProgram.startFailure(try #require(program.finish())) == .program)
    }

    @Test func aProgramThatIsNotNamedIsNotStarted() throws {
        guard try Requirement.isMet(heliograph_landlock_abi() >= 1, "the kernel has no Landlock") else {
            return
        }
        // The path of another program as an argument of the first is refused by Landlock.
        #expect(try outcome("execve users 0 0") == .failed(EACCES))
    }

    /// Its end is waited for: without an end of its input neither of the two would go on.
    @Test(.timeLimit(.minutes(1))) func itsInputEndsWhenItsEndIsWaitedFor() throws {
        let program = try ConfinedProgram(
            Probe.program, ["none", "drain"], readable: ["/proc"], limits: Self.limits)
        #expect(try Descriptor.readAll(program.output, limit: 1) == [])
        #expect(program.finish()?.code == 0)
    }

    @Test func itEndsWithItsOwner() throws {
        var program: ConfinedProgram? = try ConfinedProgram(
            Probe.program, ["none", "later", "getpid"], readable: ["/proc"], limits: Self.limits)
        let output = dup(try #require(program).output)
        defer { close(output) }
        #expect(Descriptor.read(output, count: 1) == [UInt8(ascii: "+")])
        // A session of its own has no terminal.
        let process = try #require(program).process
        #expect(getsid(process) == process)
        program = nil
        // Its end of the pipe is closed, so reading ends.
        #expect(try Descriptor.readAll(output, limit: 10) == [])
    }
}
