import Glibc
import ScanProtocol
import SystemIO

/// Gets QR codes from pictures without parsing a picture: starts `heliograph-scanner` and reads its events.
///
/// This process links no picture library. What it gave up (sockets, files, see `Sandbox`) the scanner has
/// given up too.
public struct ScannerClient: Sendable {
    /// What to read, and how.
    public struct Request: Sendable {
        /// Files, folders, and `-` for standard input, in the order in which they are read.
        public var inputs: [String]
        /// Folders from which new pictures are read as they arrive. The scan then ends only when the consumer
        /// stops it.
        public var watched: [String]
        public var decoder: DecoderChoice
        /// Video devices. After the inputs, the first one that takes pictures is used. The scan then ends
        /// only when the consumer stops it, or with the camera.
        public var cameras: [String]
        /// Whether pictures of what the camera sees are wanted, a few a second.
        public var previews: Bool
        /// A descriptor that ends the scan when something can be read from it, such as a terminal on which a
        /// key is pressed.
        public var stopper: Int32?

        public init(
            inputs: [String], watched: [String] = [], decoder: DecoderChoice = .auto, cameras: [String] = [],
            previews: Bool = false,
            stopper: Int32? = nil
        ) {
            self.inputs = inputs
            self.watched = watched
            self.decoder = decoder
            self.cameras = cameras
            self.previews = previews
            self.stopper = stopper
        }
    }

    /// What a camera is and sees, beside its codes.
    public enum CameraNews: Sendable {
        case found(CameraDescription)
        case preview(PreviewPicture)
    }

    /// What the consumer wants after each code.
    public enum Decision: Sendable {
        case goOn
        /// The payload is complete: only check whether the next stills have another one, which the person
        /// should know.
        case enough
        /// Read no further.
        case stop
    }

    /// Stills that are read after the last needed one. A video or a watched folder ends at once.
    public static let furtherStills = 16
    /// Milliseconds that they may take together.
    private static let furtherTime = 1000

    /// Path of the scanner program.
    public let program: String

    public init(program: String) { self.program = program }

    /// The scanner in the folder of the running program.
    ///
    /// Call it before the lock-down, so that the path can be given to `Sandbox.Rules.executable`.
    public init() throws(ScannerClientError) {
        guard let program = OwnProgram.beside("heliograph-scanner") else {
            throw .cannotStart(program: "heliograph-scanner", errno: errno)
        }
        self.init(program: program)
    }

    /// Scans until the inputs end, `code` says so, or the person interrupts (SIGINT).
    ///
    /// - `picture`: called for each picture with the counts so far, for a progress line.
    /// - `camera`: called with the camera that is used, and with what it sees.
    /// - `code`: called once for each different byte string, after its picture, in the order of the pictures.
    public func scan(
        _ request: Request, picture: (ScanReport) -> Void = { _ in }, camera: (CameraNews) -> Void = { _ in },
        code: ([UInt8]) -> Decision
    ) throws(ScannerClientError) -> ScanReport {
        let process = try ScannerProcess(program: program, arguments: arguments(request))
        process.stopper = request.stopper
        var interruption = Interruption(endsScanner: process.process)
        var report = ScanReport()
        let isWhole: Bool
        do throws(ScannerClientError) {
            isWhole = try follow(
                process, &report, seesFurther: request.watched.isEmpty, picture, camera, code)
        } catch {
            _ = interruption.end()
            throw error
        }
        report.wasInterrupted = interruption.end() || process.wasStopped
        guard isWhole || report.wasInterrupted else { throw process.end() }
        process.stop()
        return report
    }

    /// False when the scanner closed its end before the scanner or the consumer was finished.
    private func follow(
        _ process: ScannerProcess, _ report: inout ScanReport, seesFurther: Bool,
        _ picture: (ScanReport) -> Void,
        _ camera: (CameraNews) -> Void, _ code: ([UInt8]) -> Decision
    ) throws(ScannerClientError) -> Bool {
        var isStill = false
        var last = Int.max
        var end: ContinuousClock.Instant?
        while end.map({ process.hasMore(before: $0) }) ?? true, let event = try process.next() {
            switch event {
            case .code(let bytes):
                report.distinctCodes += 1
                let decision = code(bytes)
                guard decision != .goOn else { break }
                report.stoppedEarly = true
                guard decision == .enough, isStill, seesFurther else { return true }
                last = min(last, report.images + Self.furtherStills)
                end = end ?? .now + .milliseconds(Self.furtherTime)
            case .picture(let name, let frame, let outcome):
                isStill = frame == nil
                guard report.images < last, isStill || !report.stoppedEarly else { return true }
                report.count(name: name, frame: frame, outcome: outcome)
                picture(report)
            case .sandboxFailed(let step, let errno):
                throw .sandboxUnavailable(step: step, errno: errno)
            case .camera(let description): camera(.found(description))
            case .preview(let seen): camera(.preview(seen))
            case .raw, .endOfFile, .waiting: throw .notUnderstood
            case .finished:
                return true
            }
        }
        return end != nil
    }

    /// The devices that take pictures, and why another one may not be asked. The scanner opens them, never
    /// this process.
    public func cameras(among devices: [String]) throws(ScannerClientError) -> (
        found: [CameraDescription], problems: [ScanReport.Problem]
    ) {
        let process = try ScannerProcess(
            program: program, arguments: ["--events", "--cameras", "--"] + devices)
        var found: [CameraDescription] = []
        var report = ScanReport()
        while let event = try process.next() {
            switch event {
            case .camera(let description): found.append(description)
            case .picture(let name, let frame, let outcome):
                report.count(name: name, frame: frame, outcome: outcome)
            case .sandboxFailed(let step, let errno): throw .sandboxUnavailable(step: step, errno: errno)
            case .finished:
                process.stop()
                return (found, report.problems)
            case .code, .preview, .raw, .endOfFile, .waiting: throw .notUnderstood
            }
        }
        throw process.end()
    }

    /// Bytes of a raw picture, at most.
    private static let longestPicture = 64 << 20

    /// Takes pictures of a camera as its driver gives them. Nothing decodes them.
    /// - `count`: how many are wanted; fewer come where the camera goes away.
    /// - `cameras`: devices, of which the first that takes pictures is used.
    /// - `frame`: gets each picture, and may wipe it.
    /// - Throws: also `CameraProblem`, where the camera gives none
    public func rawFrames(_ count: Int, cameras: [String], frame: (inout [UInt8]) -> Void) throws {
        var arguments = ["--events", "--raw", "\(count)"]
        for device in cameras { arguments += ["--camera", device] }
        let process = try ScannerProcess(program: program, arguments: arguments)
        defer { process.stop() }
        var (picture, taken): ([UInt8], Int) = ([], 0)
        while let event = try process.next() {
            switch event {
            case .raw(let bytes, let isLast):
                guard picture.count + bytes.count <= Self.longestPicture, taken < count else {
                    throw ScannerClientError.notUnderstood
                }
                picture += bytes
                guard isLast else { break }
                frame(&picture)
                (picture, taken) = ([], taken + 1)
            case .camera: break
            case .picture(_, _, .problem(.camera(let problem))): if taken == 0 { throw problem }
            case .sandboxFailed(let step, let errno):
                throw ScannerClientError.sandboxUnavailable(step: step, errno: errno)
            case .finished: return
            case .code, .picture, .preview, .endOfFile, .waiting: throw ScannerClientError.notUnderstood
            }
        }
        throw process.end()
    }

    /// The expanded bytes of a zstd frame. A disposable worker of the scanner expands it, never this process.
    /// - `length`: how many bytes that must be, exactly; at most `ExpansionRequest.maximumLength`.
    public func expand(_ frame: [UInt8], length: UInt32) throws(ScannerClientError) -> [UInt8] {
        let request: ExpansionRequest
        do throws(ExpansionProblem) {
            request = try ExpansionRequest(frame: frame, length: length)
        } catch {
            throw .expansion(error)
        }
        let process = try ScannerProcess(program: program, arguments: ["--expand"], input: request.encoded)
        guard let reply = try process.reply(length: length) else { throw process.end() }
        process.stop()
        switch reply {
        case .expanded(let bytes): return bytes
        case .problem(let problem): throw .expansion(problem)
        case .sandboxFailed(let step, let errno): throw .sandboxUnavailable(step: step, errno: errno)
        }
    }

    private func arguments(_ request: Request) -> [String] {
        var arguments = ["--events", "--decoder", request.decoder.rawValue]
        for folder in request.watched { arguments += ["--watch", folder] }
        for device in request.cameras { arguments += ["--camera", device] }
        if request.previews { arguments.append("--previews") }
        return arguments + ["--"] + request.inputs
    }
}

/// Ctrl-C while a scanner runs ends the scanner and not this program, which then reports what was collected.
/// So do other signals, for a scan that names them.
///
/// One scan runs at a time. ``end()`` restores the previous signal disposition.
struct Interruption {
    private nonisolated(unsafe) static var scanner: pid_t = 0
    private nonisolated(unsafe) static var wasCaught = false

    private var before: [(signal: Int32, action: sigaction)] = []

    /// Whether a signal came since the scan began.
    static var wasNoticed: Bool { wasCaught }

    init(endsScanner process: pid_t, on signals: [Int32] = [SIGINT]) {
        Self.scanner = process
        Self.wasCaught = false
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.wasCaught = true
            // The reader wakes when the scanner's end of the pipe closes, whatever it was doing when the
            // signal came.
            kill(Interruption.scanner, SIGKILL)
        }
        for signal in signals {
            var former = sigaction()
            sigaction(signal, &action, &former)
            before.append((signal, former))
        }
    }

    /// Call it before the scanner is reaped: after that its process id may belong to another process.
    /// - Returns: whether the person interrupted the scan.
    mutating func end() -> Bool {
        for former in before {
            var action = former.action
            sigaction(former.signal, &action, nil)
        }
        return Self.wasCaught
    }
}
