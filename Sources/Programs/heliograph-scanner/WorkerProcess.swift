import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// The broker's end of one worker: two pipes and a process that may die at any time.
final class WorkerProcess {
    /// A worker is replaced after this many pictures, so that one that was taken over sees few others.
    static let picturesPerLife = 512

    private let process: ForkedProcess
    /// Requests go in here.
    var requests: Int32 { process.requests }
    /// Answers come out here.
    var answers: Int32 { process.answers }
    var isReady = false
    var task: PictureTask?
    /// When the current task must be done, in seconds of the monotonic clock.
    var deadline = Double.infinity
    /// Which entry's file this worker keeps.
    var keptFile: InputEntry?
    var pictures = 0
    /// How long the current task may take, or the last one if no task is running.
    private var clock = PictureClock(now: 0, used: 0)

    /// Starts to count the time of a task.
    func startClock() {
        clock = PictureClock(now: Clock.now, used: process.processorTime)
        deadline = clock.nextLook
    }

    /// Seconds of processor time since then.
    var taskTime: Double { max(0, process.processorTime - clock.usedBefore) }

    /// The limit in seconds that a worker exceeded whose ``deadline`` passed; nil where it has to be waited
    /// for, until a new deadline.
    func overdue() -> Double? {
        guard task != nil else { return PictureClock.timeLimit }
        let limit = clock.exceeded(now: Clock.now, used: process.processorTime)
        deadline = clock.nextLook
        return limit
    }

    /// What is still to be written: of the first, all behind `sent` bytes.
    private var outgoing: ArraySlice<[UInt8]> = []
    private var sent = 0
    private var incoming: [UInt8] = []

    init(choice: DecoderChoice, each: Bool) throws(SandboxError) {
        process = try ForkedProcess { input, output in
            var loop = WorkerLoop(input: input, output: output, choice: choice, each: each)
            loop.run()
        }
    }

    var wantsToSend: Bool { !outgoing.isEmpty }

    /// A large file is not copied on its way.
    func send(_ head: [UInt8], _ data: [UInt8]) {
        outgoing = data.isEmpty ? [head] : [head, data]
        sent = 0
        flush()
    }

    /// Writes what the pipe takes. A worker that is gone shows on the answers' side.
    func flush() {
        while let part = outgoing.first {
            let count = part.withUnsafeBytes {
                Descriptor.writeSome(requests, UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            guard count > 0 else { return }
            sent += count
            if sent == part.count {
                outgoing.removeFirst()
                sent = 0
            }
        }
    }

    enum Receipt {
        case replies([WorkerReply])
        /// The worker closed its end or wrote something that is not an answer.
        case ended
    }

    func receive() -> Receipt {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = chunk.withUnsafeMutableBytes { Descriptor.readSome(answers, into: $0) }
        if count < 0, errno == EAGAIN { return .replies([]) }
        guard count > 0 else { return .ended }
        incoming += chunk[..<count]
        var replies: [WorkerReply] = []
        while incoming.count >= WorkerReply.headerLength {
            var rest = incoming[1...]
            guard let length = rest.takeWord(), length <= WorkerReply.maximumLength else { return .ended }
            guard rest.count >= Int(length) else { break }
            guard let reply = WorkerReply(kind: incoming[0], body: rest.prefix(Int(length))) else {
                return .ended
            }
            replies.append(reply)
            incoming.removeFirst(WorkerReply.headerLength + Int(length))
        }
        return .replies(replies)
    }

    /// Ends the process. Returns the signal that it had died of before, if any.
    @discardableResult
    func end() -> Int32? { process.end() }
}
