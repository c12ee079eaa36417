import CSeccomp
import Glibc
import SystemIO

/// A program of another project that works on untrusted bytes: started shut in, with a pipe to it and one
/// from it.
///
/// The filter, Landlock and the limits take hold before its first instruction, so nothing rests on what the
/// program does itself. It never has a socket, another process, a file to write or more than the given memory
/// and processor time. It needs its libraries to start, so files can be opened for reading at first; after
/// ``refuseDescriptors()`` nothing can.
public final class ConfinedProgram {
    /// What the kernel lets the program use.
    public struct Limits: Sendable, Equatable {
        /// Bytes of memory that it can write. Not address space: an engine reserves far more of that than it
        /// uses.
        public var memory: UInt64
        /// Seconds of processor time over its whole life.
        public var processorTime: UInt64

        public init(memory: UInt64, processorTime: UInt64) {
            self.memory = memory
            self.processorTime = processorTime
        }
    }

    /// How it ended before it could begin.
    public enum StartFailure: Sendable, Equatable {
        /// It could not be shut in: nothing ran.
        case sandbox(SandboxError.Step)
        /// The file cannot be executed.
        case program
    }

    /// Descriptors of a starting program: more than an event loop and one library at a time need.
    private static let descriptors: UInt64 = 64

    let process: pid_t
    /// What it reads as standard input; -1 once closed.
    private var input: Int32
    /// What it writes to standard output.
    public let output: Int32
    private var status: ProcessStatus?
    private var isReaped = false

    /// - `program`: an absolute path.
    /// - `readable`: files and folders that it needs besides the system's libraries.
    /// - `environment`: all of it, as `NAME=value`.
    public init(
        _ program: String, _ arguments: [String], readable: [String] = [], environment: [String] = [],
        limits: Limits
    ) throws(SandboxError) {
        let filter = try SystemCallFilter.confined()
        let landlock = try LandlockRuleset.make(Sandbox.Rules(readable: readable, executable: [program]))
        defer { if let landlock { close(landlock.ruleset) } }
        guard let down = Sandbox.pipe() else { throw SandboxError(.limits, errno: errno) }
        guard let up = Sandbox.pipe() else {
            let number = errno
            close(down.reading)
            close(down.writing)
            throw SandboxError(.limits, errno: number)
        }
        let words = ([program] + arguments).map { strdup($0) }
        let settings = environment.map { strdup($0) }
        defer { for text in words + settings { free(text) } }
        // A program that ends before it has read everything must not end this one.
        Sandbox.ignoreBrokenPipes()
        let child = filter.withUnsafeBytes { filter in
            (words + [nil]).withUnsafeBufferPointer { words in
                (settings + [nil]).withUnsafeBufferPointer { settings in
                    var plan = heliograph_confined(
                        path: words[0], arguments: words.baseAddress, environment: settings.baseAddress,
                        input: down.reading,
                        output: up.writing, ruleset: landlock?.ruleset ?? -1, filter: filter.baseAddress,
                        filter_length: filter.count,
                        memory: limits.memory, processor_time: limits.processorTime,
                        descriptors: Self.descriptors)
                    return heliograph_start_confined(&plan)
                }
            }
        }
        let number = errno
        close(down.reading)
        close(up.writing)
        guard child > 0 else {
            close(down.writing)
            close(up.reading)
            throw SandboxError(.limits, errno: number)
        }
        (process, input, output) = (child, down.writing, up.reading)
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    deinit {
        end()
        close(output)
    }

    /// Lets it open nothing any more, neither file nor anything else with a descriptor. What it has stays.
    public func refuseDescriptors() throws(SandboxError) {
        guard heliograph_refuse_descriptors(process) == 0 else { throw SandboxError(.limits, errno: errno) }
    }

    /// Hands it as many of the bytes as it takes now.
    /// - Returns: nil when it reads no more.
    public func take(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Descriptor.writeSome(input, $0) }
        if count >= 0 { return count }
        return errno == EAGAIN ? 0 : nil
    }

    /// Waits until it has written something or ended, or until it takes input where `isTaking`.
    public func wait(isTaking: Bool, milliseconds: Int) -> (canRead: Bool, canWrite: Bool) {
        var entries = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
        if isTaking { entries.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
        guard Descriptor.poll(&entries, milliseconds: milliseconds) > 0 else { return (false, false) }
        return (entries[0].revents != 0, isTaking && entries[1].revents != 0)
    }

    /// Ends it with all its threads.
    public func end() {
        guard !isReaped else { return }
        kill(process, SIGKILL)
        _ = finish()
    }

    /// Waits for its end, for a program that closed its output.
    public func finish() -> ProcessStatus? {
        guard !isReaped else { return status }
        isReaped = true
        close(input)
        input = -1
        status = ProcessStatus.wait(for: process)
        return status
    }

    /// Why it did not begin, if it ended before it wrote anything.
    public static func startFailure(_ status: ProcessStatus) -> StartFailure? {
        switch status.code {
        case HELIOGRAPH_CONFINED_LIMITS?: .sandbox(.limits)
        case HELIOGRAPH_CONFINED_LANDLOCK?: .sandbox(.landlock)
        case HELIOGRAPH_CONFINED_SECCOMP?: .sandbox(.seccomp)
        case HELIOGRAPH_CONFINED_START?: .program
        default: nil
        }
    }
}
