import Glibc
import SystemIO
import TestSupport
import Testing

/// Interrupts the calling thread every millisecond until it goes away, with a signal whose handler does
/// nothing and whose calls the kernel does not restart.
private final class SignalStorm {
    private nonisolated(unsafe) static var count = 0
    private var thread = pthread_t()
    private let state: UnsafeMutablePointer<State>

    private struct State {
        let target: pthread_t
        var isOver = false
    }

    init() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in SignalStorm.count += 1 }
        sigaction(SIGUSR1, &action, nil)
        // The threads that tests run on block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        Self.count = 0
        state = .allocate(capacity: 1)
        state.initialize(to: State(target: pthread_self()))
        pthread_create(
            &thread, nil,
            { raw in
                let state = raw!.assumingMemoryBound(to: State.self)
                while !state.pointee.isOver {
                    pthread_kill(state.pointee.target, SIGUSR1)
                    usleep(1000)
                }
                return nil
            }, state)
    }

    /// Ends it. Returns how many signals came.
    func end() -> Int {
        state.pointee.isOver = true
        pthread_join(thread, nil)
        state.deallocate()
        return Self.count
    }
}

/// Work for another thread.
private final class Work {
    let delay: UInt32
    let body: @Sendable () -> Void

    init(_ delay: UInt32, _ body: @escaping @Sendable () -> Void) {
        self.delay = delay
        self.body = body
    }
}

/// Does work on a thread of its own after some milliseconds.
private func later(_ milliseconds: UInt32, _ body: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { raw in
            let work = Unmanaged<Work>.fromOpaque(raw!).takeRetainedValue()
            usleep(work.delay * 1000)
            work.body()
            return nil
        }, Unmanaged.passRetained(Work(milliseconds, body)).toOpaque())
    return thread
}

@Suite(.serialized) struct DescriptorTests {
    init() { signal(SIGPIPE, SIG_IGN) }

    @Test func `bytes written whole are read whole, and fewer are nil`() throws {
        let pipe = try Pipe()
        #expect(Descriptor.write(pipe.writing, [1, 2, 3, 4, 5]))
        pipe.closeWriting()
        #expect(Descriptor.read(pipe.reading, count: 3) == [1, 2, 3])
        #expect(Descriptor.read(pipe.reading, count: 3) == nil)
        #expect(Descriptor.read(pipe.reading, count: 0) == [])
    }

    @Test func `a buffer is filled from many small writes, and to the end of a short input`() throws {
        let pipe = try Pipe()
        let writing = pipe.writing
        let writer = later(0) { for byte in UInt8(0)..<200 { _ = Descriptor.write(writing, [byte]) } }
        var buffer = [UInt8](repeating: 0xff, count: 150)
        #expect(try buffer.withUnsafeMutableBytes { try Descriptor.fill($0, from: pipe.reading) } == 150)
        #expect(buffer == Array(0..<150))
        pthread_join(writer, nil)
        pipe.closeWriting()
        #expect(try buffer.withUnsafeMutableBytes { try Descriptor.fill($0, from: pipe.reading) } == 50)
        #expect(buffer.prefix(50) == Array(150..<200)[...])
    }

    @Test func `more bytes than the limit are refused, as many are not`() throws {
        for (count, limit) in [(100, 100), (0, 0), (70_000, 70_000), (101, 100), (70_001, 70_000), (1, 0)] {
            let pipe = try Pipe()
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let writing = pipe.takeWriting()
            // More than a pipe holds.
            let writer = later(0) {
                _ = Descriptor.write(writing, bytes)
                close(writing)
            }
            defer { pthread_join(writer, nil) }
            if count <= limit {
                #expect(try Descriptor.readAll(pipe.reading, limit: limit) == bytes)
            } else {
                let error = #expect(throws: SystemError.self) {
                    try Descriptor.readAll(pipe.reading, limit: limit, path: "input")
                }
                #expect(error?.isTooLarge == true)
                #expect(error?.code == "file-too-large")
                #expect(error?.path == "input")
            }
        }
    }

    /// A program that asks a person before it writes holds the pipe open and is silent for as long as the
    /// person thinks.
    // As much as a pipe holds, so that the writer ends where nobody reads.
    @Test(arguments: [(5, 5), (0, 5), (60_000, 60_000), (6, 5)])
    func `a pipe is awaited while somebody may write to it, and told when nobody does`(count: Int, limit: Int)
        throws
    {
        let directory = TemporaryDirectory()
        let path = directory.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try Descriptor.readFile(path, limit: limit, milliseconds: 50) == nil)
        let writing = open(path, O_RDWR | O_CLOEXEC)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let writer = later(400) {
            _ = Descriptor.write(writing, bytes)
            close(writing)
        }
        defer { pthread_join(writer, nil) }
        if count > limit {
            #expect { try Descriptor.readFile(path, limit: limit, milliseconds: 50) } throws: {
                ($0 as? SystemError)?.isTooLarge == true
            }
        } else {
            #expect(try Descriptor.readFile(path, limit: limit, milliseconds: 50) == bytes)
        }
    }

    @Test func `a read that signals interrupt misses nothing`() throws {
        let pipe = try Pipe()
        let writing = pipe.writing
        let slowWriter = later(20) {
            for start in stride(from: 0, to: Self.bytes.count, by: 50_000) {
                _ = Descriptor.write(writing, Array(Self.bytes[start..<(start + 50_000)]))
                usleep(5000)
            }
        }
        let storm = SignalStorm()
        #expect(Descriptor.read(pipe.reading, count: Self.bytes.count) == Self.bytes)
        #expect(storm.end() > 10)
        pipe.closeReading()
        pthread_join(slowWriter, nil)
    }

    @Test func `a write that signals interrupt misses nothing`() throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        nonisolated(unsafe) var received: [UInt8] = []
        let slowReader = later(20) {
            while let part = Descriptor.read(reading, count: 50_000) {
                received += part
                usleep(5000)
            }
        }
        let storm = SignalStorm()
        let isWritten = Descriptor.write(pipe.writing, Self.bytes)
        #expect(storm.end() > 10)
        pipe.closeWriting()
        pthread_join(slowReader, nil)
        #expect(isWritten)
        #expect(received == Self.bytes)
    }

    /// More than a pipe holds.
    private static let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func `writing where nobody reads says why`() throws {
        signal(SIGPIPE, SIG_IGN)
        let writing = try Pipe().takeWriting()
        defer { close(writing) }
        let isWritten = Descriptor.write(writing, [1])
        let reason = errno
        #expect(!isWritten)
        #expect(reason == EPIPE)
    }

    @Test func `a read of a bad descriptor throws with its number`() {
        let error = #expect(throws: SystemError.self) { try Descriptor.readAll(-1, limit: 10, path: "x") }
        #expect(error == SystemError(.read, "x", errno: EBADF))
        #expect(error?.code == "input-output")
    }

    @Test func `signals neither end a wait nor make it longer`() throws {
        let pipe = try Pipe()
        let storm = SignalStorm()
        let start = ContinuousClock.now
        var entries = [pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)]
        let ready = Descriptor.poll(&entries, milliseconds: 100)
        let waited = ContinuousClock.now - start
        #expect(storm.end() > 5)
        #expect(ready == 0)
        #expect(waited >= .milliseconds(100))
        #expect(waited < .seconds(20))
        #expect(Descriptor.write(pipe.writing, [1]))
        #expect(Descriptor.poll(&entries, milliseconds: -1) == 1)
        #expect(entries[0].revents == Int16(POLLIN))
    }

    @Test func `the end of a child is awaited through signals, and told by code or signal`() throws {
        for (script, code, signal) in [
            ("sleep 0.1; exit 7", Int32(7), nil), ("kill -9 $$", nil, Int32(9)), ("exit 0", 0, nil),
        ] {
            let child = try SpawnedProcess("/bin/sh", ["-c", script])
            let storm = SignalStorm()
            let status = child.wait()
            _ = storm.end()
            #expect(status != nil)
            #expect(status?.code == code)
            #expect(status?.signal == signal)
            #expect(ProcessStatus.wait(for: child.id) == nil)
        }
    }
}
