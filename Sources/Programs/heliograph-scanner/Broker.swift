import Glibc
import ImageDecoding
import Sandbox
import ScanProtocol
import SystemIO

/// Opens inputs, hands pictures to workers, and reports in the order of the pictures.
///
/// One thread and one loop around `poll`, so that workers can be forked at any time. It parses no picture.
final class Broker {
    enum Failure: Error {
        case sandbox(step: String, errno: Int32)
        /// Nobody reads the results any more: a consumer that has what it needs.
        case readerGone
    }

    /// Milliseconds of a worker's processor time after which no further try is started on a picture.
    static let budget: UInt32 = 1000
    /// Milliseconds that reading one frame of a live video may take: two workers at 30 frames a second.
    /// Frames arrive faster than they are read.
    static let liveBudget: UInt32 = 60
    /// Milliseconds for a camera's picture. The budget is small because the next picture is as good as this
    /// one.
    static let cameraBudget: UInt32 = 100
    /// Seconds from one preview to the next.
    static let previewInterval = 0.2
    /// Seconds for a worker to be shut in.
    static let startLimit = 10.0
    /// Bytes of an animation, or of a frame of a video, that all workers read at the same time. The goal is
    /// that all processes together stay below 150 MB.
    static let sharedBytes = 16 << 20
    /// Results that may wait for an earlier picture before no new picture is begun.
    static let waitingLimit = 256
    /// Pictures of a video without a new code before it is given up: five minutes at 30 a second.
    static let patientPictures = 9000

    private let choice: DecoderChoice
    /// Whether a picture is read again in the next file.
    private let each: Bool
    private let feeder: InputFeeder
    private let output: Output
    private var workers: [WorkerProcess] = []
    /// Inputs of which not every result is reported yet, in order.
    private var entries: [InputEntry] = []
    /// Video frames that were read while all workers were busy.
    private var frames: [(entry: InputEntry, index: Int, data: [UInt8])] = []
    /// The video whose frames are larger than ``sharedBytes``: a file of a few kilobytes can have frames of a
    /// hundred megabytes. One worker at a time reads them, and none is read ahead.
    private var largeVideo: InputEntry?
    /// What came after the last frame of a video that was read ahead.
    private var nextOffer: InputFeeder.Offer?
    private var inputsEnded = false
    private var hashes = PixelHashes()
    private var failedStarts = 0
    /// What all pictures have cost.
    private var account = ScanAccount(isCommand: true)
    /// When the next preview is due; never where none is wanted.
    private var nextPreview: Double

    init(feeder: InputFeeder, choice: DecoderChoice, each: Bool, output: Output, previews: Bool) {
        self.each = each
        nextPreview = previews ? 0 : .infinity
        self.feeder = feeder
        self.choice = choice
        self.output = output
    }

    func run() throws(Failure) {
        let processors = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8)
        for _ in 0..<processors { try startWorker() }
        defer { for worker in workers { worker.end() } }
        while true {
            // A report can end a video, and with it make room for the next input.
            repeat { try dispatch() } while try report()
            if let count = feeder.waitingNews(), !output.waiting(count) { throw .readerGone }
            if inputsEnded, entries.isEmpty, frames.isEmpty { break }
            try waitForEvents()
        }
        guard output.finish() else { throw .readerGone }
    }

    // MARK: workers

    private func startWorker() throws(Failure) {
        do throws(SandboxError) {
            let worker = try WorkerProcess(choice: choice, each: each)
            worker.deadline = Clock.now + Self.startLimit
            workers.append(worker)
        } catch {
            throw .sandbox(step: error.step.rawValue, errno: error.errno)
        }
    }

    private func replace(_ worker: WorkerProcess, with problem: (_ signal: Int32?) -> PictureProblem)
        throws(Failure)
    {
        let spent = worker.taskTime
        let signal = worker.end()
        workers.removeAll { $0 === worker }
        if !worker.isReady {
            // Workers that die before they are shut in would be started for ever.
            failedStarts += 1
            if failedStarts > 3 { throw .sandbox(step: SandboxError.Step.seccomp.rawValue, errno: EPERM) }
        }
        if let task = worker.task {
            settle(task, .init(.problem(problem(signal))), seconds: spent)
        }
        try startWorker()
    }

    // MARK: giving out work

    private func dispatch() throws(Failure) {
        while let worker = workers.first(where: { $0.isReady && $0.task == nil }) {
            if worker.pictures >= WorkerProcess.picturesPerLife {
                worker.end()
                workers.removeAll { $0 === worker }
                try startWorker()
                continue
            }
            guard give(worker) else { return }
        }
        readAhead()
    }

    /// Finds the next picture for a worker. False when there is none now.
    private func give(_ worker: WorkerProcess) -> Bool {
        if let entry = entries.first(where: { $0.hasUnreadFrames && mayKeep($0, worker) }) {
            sendFrame(of: entry, to: worker)
            return true
        }
        if !frames.isEmpty {
            let (entry, index, data) = frames.removeFirst()
            return sendVideoFrame(entry, index, data, to: worker)
        }
        guard !isLargeVideoBusy, !inputsEnded,
            entries.reduce(0, { $0 + $1.results.count }) < Self.waitingLimit
        else {
            return false
        }
        switch takeOffer() {
        case .file(let entry):
            entries.append(entry)
            if let limit = commandLimit {
                (entry.count, entry.nextFrame, entry.bytes) = (0, 0, nil)
                entry.endProblem = .skipped(limit)
                return give(worker)
            }
            sendFile(entry, to: worker)
        case .failed(let entry):
            entries.append(entry)
            return give(worker)
        case .videoHeader(let entry, let line):
            entries.append(entry)
            if let limit = commandLimit {
                skip(entry, limit)
                return give(worker)
            }
            begin(.init(entry: entry, frame: 0, phase: .videoHeader), on: worker)
            worker.send(WorkerRequest.head(.videoHeader, length: line.count), line)
        case .videoFrame(let entry, let index, let data):
            return sendVideoFrame(entry, index, data, to: worker)
        case .cameraBegun(let entry):
            entries.append(entry)
            return give(worker)
        case .cameraFrame(let entry, let index, let format, let data):
            sendCameraFrame(entry, index, format, data, to: worker)
        case .waiting:
            return false
        case .ended:
            inputsEnded = true
            return false
        }
        return true
    }

    /// A copy of a file is in every worker that reads frames of it; of a large one, one copy is enough.
    private func mayKeep(_ entry: InputEntry, _ worker: WorkerProcess) -> Bool {
        (entry.bytes?.count ?? 0) <= Self.sharedBytes
            || workers.allSatisfy { $0 === worker || $0.keptFile !== entry }
    }

    private func begin(_ task: PictureTask, on worker: WorkerProcess) {
        worker.task = task
        worker.startClock()
        worker.pictures += 1
        task.entry.nextFrame = max(task.entry.nextFrame, task.frame + 1)
    }

    private func sendFile(_ entry: InputEntry, to worker: WorkerProcess) {
        guard let bytes = entry.bytes else { return }
        guard each || hashes.insert(bytes) else {
            entry.count = 1
            entry.nextFrame = 1
            entry.bytes = nil
            entry.results[0] = .init(.known)
            return
        }
        begin(.init(entry: entry, frame: 0, phase: .opening), on: worker)
        worker.keptFile = entry
        worker.send(WorkerRequest.head(.file, length: bytes.count, budget: Self.budget), bytes)
    }

    /// Asks for the next frame of a file. The file goes with it unless the worker has it already.
    private func sendFrame(of entry: InputEntry, to worker: WorkerProcess) {
        let frame = entry.nextFrame
        let hasFile = worker.keptFile === entry
        begin(.init(entry: entry, frame: frame, phase: hasFile ? .reading : .opening), on: worker)
        worker.keptFile = entry
        let data = hasFile ? [] : entry.bytes ?? []
        worker.send(
            WorkerRequest.head(
                hasFile ? .frame : .file, length: data.count, frame: UInt32(frame), budget: Self.budget), data
        )
        let isLastFrame = entry.nextFrame == entry.count
        if isLastFrame, hasFile { entry.bytes = nil }
    }

    private func sendVideoFrame(_ entry: InputEntry, _ index: Int, _ data: [UInt8], to worker: WorkerProcess)
        -> Bool
    {
        guard each || hashes.insert(data) else {
            entry.results[index] = .init(.known)
            return give(worker)
        }
        largeVideo = data.count > Self.sharedBytes ? entry : nil
        let isBehind = feeder.descriptor != nil && frames.count >= framesAhead
        begin(.init(entry: entry, frame: index, phase: .reading), on: worker)
        let budget = isBehind ? Self.liveBudget : Self.budget
        worker.send(WorkerRequest.head(.videoFrame, length: data.count, budget: budget), data)
        return true
    }

    private func sendCameraFrame(
        _ entry: InputEntry, _ index: Int, _ format: CameraFormat, _ data: [UInt8], to worker: WorkerProcess
    ) {
        let isPreview = Clock.now >= nextPreview
        if isPreview { nextPreview = Clock.now + Self.previewInterval }
        var message = data
        CameraPicture.putHead(format, wantsPreview: isPreview, into: &message)
        begin(.init(entry: entry, frame: index, phase: .reading), on: worker)
        worker.send(
            WorkerRequest.head(.cameraFrame, length: message.count, budget: Self.cameraBudget), message)
    }

    /// How many video frames are read while all workers are busy: enough to bridge a slow picture, little
    /// memory.
    private let framesAhead = 3

    private var isLargeVideoBusy: Bool {
        largeVideo.map { large in workers.contains { $0.task?.entry === large } } ?? false
    }

    private func readAhead() {
        while !inputsEnded, !isLargeVideoBusy, nextOffer == nil, feeder.isReadingVideo,
            frames.count < framesAhead
        {
            let offer = feeder.next()
            switch offer {
            case .videoFrame(let entry, let index, let data): frames.append((entry, index, data))
            case .waiting: return
            case .file, .failed, .videoHeader, .cameraBegun, .cameraFrame, .ended: nextOffer = offer
            }
        }
    }

    private func takeOffer() -> InputFeeder.Offer {
        defer { nextOffer = nil }
        return nextOffer ?? feeder.next()
    }

    // MARK: reporting

    /// Reports what is known of the first inputs. False when there was nothing.
    private func report() throws(Failure) -> Bool {
        var didReport = false
        while let entry = entries.first {
            while let result = entry.results.removeValue(forKey: entry.emitted) {
                try emit(result, of: entry)
                entry.emitted += 1
                didReport = true
            }
            guard entry.isDone else { break }
            if let problem = entry.endProblem {
                let frame = entry.isNumbered && entry.emitted > 0 ? UInt32(entry.emitted) : nil
                guard output.picture(entry.name, frame: frame, .problem(problem)) else { throw .readerGone }
            }
            guard output.endOfFile(entry.name) else { throw .readerGone }
            entries.removeFirst()
            didReport = true
        }
        return didReport
    }

    private func emit(_ result: InputEntry.Result, of entry: InputEntry) throws(Failure) {
        let frame = entry.isNumbered ? UInt32(entry.emitted) : nil
        guard output.picture(entry.name, frame: frame, result.outcome) else { throw .readerGone }
        var isNews = false
        for code in result.codes {
            guard let isNew = output.code(code) else { throw .readerGone }
            isNews = isNews || isNew
        }
        entry.picturesWithoutNews = isNews ? 0 : entry.picturesWithoutNews + 1
        if entry.picturesWithoutNews == Self.patientPictures {
            feeder.abandon(entry, .nothingNew(pictures: UInt32(Self.patientPictures)))
        }
    }

    // MARK: waiting

    private func waitForEvents() throws(Failure) {
        var polled = [pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)]
        for worker in workers {
            polled.append(pollfd(fd: worker.answers, events: Int16(POLLIN), revents: 0))
            polled.append(
                pollfd(fd: worker.wantsToSend ? worker.requests : -1, events: Int16(POLLOUT), revents: 0))
        }
        let wantsInput =
            !inputsEnded && !isLargeVideoBusy && frames.count < framesAhead && !feeder.isAwaitingFormat
        polled.append(
            pollfd(fd: wantsInput ? feeder.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0))
        var wake = workers.map(\.deadline).min() ?? .infinity
        if wantsInput { wake = min(wake, feeder.wakeTime) }
        let milliseconds = wake == .infinity ? -1 : Int(min(max(0, (wake - Clock.now) * 1000 + 1), 3_600_000))
        guard Descriptor.poll(&polled, milliseconds: milliseconds) >= 0 else { return }
        if polled[0].revents & Int16(POLLERR | POLLHUP) != 0 { throw .readerGone }
        if polled[polled.count - 1].revents != 0 { feeder.readAvailable() }
        for (index, worker) in workers.enumerated() {
            if polled[2 + 2 * index].revents & Int16(POLLOUT) != 0 { worker.flush() }
            if polled[1 + 2 * index].revents != 0 { try receive(from: worker) }
        }
        for worker in workers where worker.deadline < Clock.now {
            guard let seconds = worker.overdue() else { continue }
            try replace(worker) { _ in .tookTooLong(milliseconds: UInt32(seconds * 1000)) }
        }
    }

    private func receive(from worker: WorkerProcess) throws(Failure) {
        switch worker.receive() {
        case .ended:
            try replace(worker) { .crashed(signal: $0 ?? 0) }
        case .replies(let replies):
            for reply in replies { try take(reply, from: worker) }
        }
    }

    private func take(_ reply: WorkerReply, from worker: WorkerProcess) throws(Failure) {
        switch reply {
        case .sandboxFailed(let step, let errno):
            throw .sandbox(step: step, errno: errno)
        case .ready:
            worker.isReady = true
            worker.deadline = .infinity
        case .opened(let frames, let problem):
            guard let task = worker.task, task.phase == .opening, frames > 0, frames <= PictureLimits.frames
            else { return }
            worker.task?.phase = .reading
            guard task.entry.count == nil else { return }
            task.entry.count = Int(frames)
            task.entry.endProblem = problem
            task.entry.isNumbered = frames > 1
            if frames == 1 { task.entry.bytes = nil }
        case .video(let luma, let rest):
            guard let task = worker.task, task.phase == .videoHeader, luma > 0,
                luma <= 2 * PictureLimits.pixels,
                rest <= 8 * PictureLimits.pixels
            else { return }
            feeder.beginFrames(luma: Int(luma), rest: Int(rest))
            task.entry.nextFrame = 0
            release(worker)
        case .codes(let codes):
            finish(worker, .init(codes.isEmpty ? .noCode : .codes(codes.count), codes: codes))
        case .known:
            finish(worker, .init(.known))
        case .preview(let picture):
            guard worker.task?.phase == .reading, nextPreview < .infinity else { return }
            guard output.preview(picture) else { throw .readerGone }
        case .problem(let problem):
            finish(worker, .init(.problem(problem)))
        }
    }

    private func finish(_ worker: WorkerProcess, _ result: InputEntry.Result) {
        if let task = worker.task { settle(task, result, seconds: worker.taskTime) }
        release(worker)
    }

    /// Why no further picture is read. Whoever watches a folder or holds a camera ends that.
    private var commandLimit: ScanLimit? { feeder.isOpenEnded ? nil : account.exceeded }

    /// Counts what a picture cost, and skips what is left where that is too much.
    private func charge(_ entry: InputEntry, _ result: InputEntry.Result, seconds: Double) {
        let timedOut = if case .problem(.tookTooLong) = result.outcome { true } else { false }
        let hasCode = !result.codes.isEmpty
        entry.account.charge(seconds: seconds, timedOut: timedOut, hasCode: hasCode, isLive: entry.isLive)
        account.charge(seconds: seconds, timedOut: timedOut, hasCode: hasCode, isLive: entry.isLive)
        if let limit = commandLimit {
            for entry in entries { skip(entry, limit) }
        } else if let limit = entry.account.exceeded {
            skip(entry, limit)
        }
    }

    /// Gives no further picture of an entry to a worker. Those that a worker has are still reported.
    private func skip(_ entry: InputEntry, _ limit: ScanLimit) {
        if case .skipped? = entry.endProblem { return }
        for frame in frames where frame.entry === entry {
            entry.results[frame.index] = .init(.problem(.skipped(limit)))
        }
        frames.removeAll { $0.entry === entry }
        feeder.abandon(entry, .skipped(limit))
        if entry.hasUnreadFrames {
            entry.count = entry.nextFrame
            entry.endProblem = .skipped(limit)
            entry.bytes = nil
        }
    }

    private func settle(_ task: PictureTask, _ result: InputEntry.Result, seconds: Double) {
        defer { charge(task.entry, result, seconds: seconds) }
        // Files that never opened count as one picture.
        if task.phase == .opening, task.entry.count == nil { task.entry.count = task.frame + 1 }
        if task.phase == .videoHeader, case .problem(let problem) = result.outcome {
            feeder.abandon(task.entry, problem)
        } else {
            task.entry.results[task.frame] = result
        }
    }

    private func release(_ worker: WorkerProcess) {
        worker.task = nil
        worker.deadline = .infinity
    }
}
