import ArgumentParser
import Diagnostics
import Glibc
import Hashing
import Lines
import Presentation
import Sandbox
import ScanProtocol
import ScannerClient
import TerminalIO
import UOS

/// INPUT of every command that reads payloads: pictures, folders, video, hex, or frames that were read
/// already.
package struct InputOptions: ParsableArguments {
    @Argument(
        help: "Pictures (PNG, APNG, JPEG, PNM), Y4M videos, directories of them, or - for standard input.",
        completion: .file())
    package var input: [String] = []

    @Option(
        help: ArgumentHelp("A payload in hex, or @FILE to read it from a file.", valueName: "text"),
        completion: .named(.hexOrFile))
    var hex: String?

    @Option(
        help: ArgumentHelp("Read QR contents from this file, one line of hex per code.", valueName: "file"),
        completion: .file())
    var frames: String?

    @Option(
        help: ArgumentHelp(
            "Read new pictures in this directory until the payload is complete.", valueName: "dir"),
        completion: .directory)
    var watch: [String] = []

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Read QR codes with this camera, e.g. /dev/video0 (default: the first one).", valueName: "device"),
        completion: .file())
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "How the camera's picture is shown (default: what TERM can show).", valueName: "style"))
    var preview: PreviewStyle = .auto

    @Option(help: ArgumentHelp("The QR code decoder.", valueName: "name"))
    package var decoder: DecoderChoice = .auto

    package init() {}

    /// The one directory that is watched, where nothing else is read.
    package var watchedAlone: String? {
        let isAlone = input.isEmpty && hex == nil && frames == nil && camera == nil && watch.count == 1
        return isAlone ? watch[0] : nil
    }

    /// Files that must stay readable; `-` is standard input, which is open already.
    package var readable: [String] {
        var paths = input + watch
        if let path = hex.flatMap(Files.named(by:)) { paths.append(path) }
        if let frames { paths.append(frames) }
        return paths
    }

    /// Waiting for pictures may last forever, so a shell locks its vault first.
    package var place: CommandPlace { waits ? .afterLocking : .anywhere }

    /// Whether the input ends only when its payload is complete.
    var waits: Bool { !watch.isEmpty || camera != nil }

    /// Devices that the scanner may open: the named one, or all if none is named.
    package var cameras: [String] { camera.map { $0.isEmpty ? Cameras.devices : [$0] } ?? [] }

    /// The cameras to use, for a command that needs one.
    func camerasToUse() throws(CommandError) -> [String] {
        guard camera == nil || !cameras.isEmpty else { throw .noCamera }
        return cameras
    }

    package var needsScanner: Bool { !input.isEmpty || waits }

    /// Whether files of pictures are named, or a folder that gets them.
    var readsPictures: Bool { !input.isEmpty || !watch.isEmpty }

    /// The one file of a command that reads text and no pictures; nil where anything else was given.
    package var paths: String? {
        guard input.count == 1, hex == nil, frames == nil, !waits else { return nil }
        return input[0]
    }

    package var isEmpty: Bool { !needsScanner && hex == nil && frames == nil }
}

extension DecoderChoice: ExpressibleByArgument {}
extension PreviewStyle: ExpressibleByArgument {}

/// What a command's input held: one payload, readings of it that the frames do not prove, or shares.
package struct PayloadInput {
    var assembler = PayloadAssembler()
    var report = ScanReport()
    private var fromHex: [UInt8]?
    /// Why a code of a queue's file was not taken.
    private var failure: (any DiagnosticError)?

    package init() {}

    /// Takes a code of a file of a queue.
    package mutating func take(_ code: [UInt8]) {
        guard failure == nil else { return }
        do throws(TransportError) { _ = try assembler.add(code) } catch { failure = error }
    }

    /// Refuses that file, whatever its codes are: what they made so far is given back, and no further one is
    /// taken.
    package mutating func refuse(_ limit: ReadingLimit) {
        assembler = PayloadAssembler()
        failure = limit
    }

    /// The end of that file.
    /// - Throws: why its codes are not taken, or why it has none.
    mutating func end(_ report: ScanReport) throws {
        self.report = report
        if let failure { throw failure }
        if assembler.transport.codes == 0, let unread = report.problems.first {
            try Self.refuse(unread)
            throw unread.problem
        }
    }

    /// Reads the whole input, or as much as completes a payload. The counts stay when it fails.
    package mutating func read(_ options: InputOptions, _ console: Console) throws {
        guard !options.isEmpty else { throw CommandError.noInput }
        if let hex = options.hex { fromHex = try HexInput.bytes(hex) }
        if let frames = options.frames { try read(frames: frames) }
        // A payload in hex is whole. A camera beside it is for what the command reads afterwards, and would be
        // watched here for codes that nobody shows yet.
        if fromHex == nil ? options.needsScanner : options.readsPictures { try scan(options, console) }
    }

    /// Of a code that is not a payload.
    static let stray = PayloadAssembler.Progress.collecting(collected: 0, needed: 0)

    private mutating func read(frames path: String) throws {
        for line in String(decoding: try Files.read(path), as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard let code = Hex.decode(String(line).trimmed) else { throw CommandError.badHex(source: path) }
            _ = try assembler.add(code)
        }
    }

    private mutating func scan(_ options: InputOptions, _ console: Console) throws {
        let request = ScannerClient.Request(
            inputs: options.input, watched: options.watch, decoder: options.decoder,
            cameras: fromHex == nil ? try options.camerasToUse() : [])
        var assembler = assembler
        var failure: TransportError?
        var meter = ScanMeter(console, waits: options.waits, preview: options.preview)
        defer { meter.end() }
        // With a camera hands are busy: any key ends the scan.
        let report = try meter.follow(request, console, keyStops: !request.cameras.isEmpty) { code, meter in
            do throws(TransportError) {
                let progress = try assembler.add(code)
                meter.show(progress)
                if options.waits, progress == Self.stray { console.tell(stray: code, on: meter.newest) }
                return progress == .complete ? .enough : .goOn
            } catch {
                failure = error
                return .stop
            }
        }
        self.assembler = assembler
        self.report = report
        meter.end()
        // A video and a camera have a remedy of their own, which a missing payload does not: told as the
        // error, not as a note.
        let refusal =
            assembler.transport.codes == 0 && !report.wasInterrupted
            ? report.problems.firstIndex(where: Self.hasRemedy) ?? Self.unopened(report) : nil
        for (index, problem) in report.problems.enumerated()
        where index != refusal && !isTextOfShare(problem) {
            console.note(Wording.problem(problem))
        }
        if report.furtherProblems > 0 { console.note(Wording.furtherProblems(report.furtherProblems)) }
        if report.wasInterrupted {
            do throws(TransportError) {
                if case .unproved = try result(console).content {
                    console.note(
                        "heliograph: \(CommandError.ambiguousFrames(frames: transport.frames).sentence)")
                }
            } catch {
                console.note("heliograph: \(error.sentence)")
            }
            throw CommandError.interrupted
        }
        if let failure { throw failure }
        if let refusal { try Self.refuse(report.problems[refusal]) }
    }

    /// The first file that could not be opened, where nothing was read because of that.
    private static func unopened(_ report: ScanReport) -> Int? {
        guard report.problems.count == report.images else { return nil }
        return report.problems.firstIndex { if case .cannotOpen = $0.problem { true } else { false } }
    }

    /// Whether it is the text that `seed split` puts beside the picture of a share, where shares were read.
    private func isTextOfShare(_ problem: ScanReport.Problem) -> Bool {
        guard case .notAPicture = problem.problem, case .shares? = (try? assembler.finish())?.content else {
            return false
        }
        let parts = problem.name.utf8.split(separator: UInt8(ascii: "/"))
        let name = parts.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return name.utf8Starts(with: "share-") && name.utf8Ends(with: ".txt")
    }

    private static func hasRemedy(_ problem: ScanReport.Problem) -> Bool {
        if case .cannotOpen = problem.problem { return false }
        return (try? refuse(problem)) == nil
    }

    private static func refuse(_ unread: ScanReport.Problem) throws {
        if case .video(let container) = unread.problem {
            throw CommandError.videoFile(path: unread.name, container)
        }
        if case .camera(let problem) = unread.problem {
            throw InputRefusal(input: unread.name, problem: .camera(problem))
        }
        if case .folderMoved = unread.problem {
            throw InputRefusal(input: unread.name, problem: unread.problem)
        }
        if case .cannotOpen(let number) = unread.problem {
            throw CommandError.file(path: unread.name, errno: number)
        }
    }

    /// Says that the input also had codes of other payloads, which are left out. Otherwise somebody with two
    /// messages in one folder could take one for both.
    package func tellOthers(_ console: Console) {
        let others = transport.otherPayloads
        guard others > 0 else { return }
        console.note("the codes of \(Sentence.count(others, "other payload")) in the input were ignored")
    }

    var transport: PayloadAssembler.Transport {
        var transport = assembler.transport
        if let fromHex {
            // A payload in hex is whole: codes beside it are of the same payload, or of another that is left
            // out.
            if transport.codes > 0, (try? assembler.finish())?.admits(fromHex) != true {
                transport.otherPayloads += 1
            }
            transport.envelope = .hex
            transport.frames = 1
            transport.needed = 1
        }
        return transport
    }

    /// The payload, readings of it that the frames do not prove, or what is missing of it.
    /// - Parameter console: prints how many pictures had no code; nil if one line reports everything.
    package func result(_ console: Console?) throws(TransportError) -> PayloadAssembler.Result {
        if let fromHex { return PayloadAssembler.Result(payload: fromHex, transport: transport) }
        do throws(TransportError) {
            return try assembler.finish()
        } catch {
            if report.imagesWithoutCode > 0 {
                console?.note(
                    """
                    heliograph: \(report.imagesWithoutCode) of \(report.images) \
                    picture\(report.images == 1 ? "" : "s") had no QR code
                    """)
            }
            throw error
        }
    }
}

extension Console {
    /// Names what somebody shows to the camera by mistake, while it goes on waiting. The content of the code
    /// is not shown. An address may be what the command waits for.
    /// - Parameter picture: the file, or the camera.
    func tell(stray code: [UInt8], on picture: String?) {
        guard let foreign = ForeignCode(code), foreign != .address else { return }
        tell(leftOut: PayloadError.foreign(foreign).diagnostic, picture)
    }

    /// A picture that is left out is no error: the command waits for the next one.
    func tell(leftOut diagnostic: Diagnostic, _ picture: String?) {
        endProgress()
        let name = picture.map { "\(Escape.terminal($0)) is left out: " } ?? ""
        note("heliograph: \(name)\(diagnostic.message)\(diagnostic.hint.map { "; \($0)" } ?? "")")
    }
}

/// The line that tells a person how far a scan is, and what the camera sees above it.
struct ScanMeter {
    /// Seconds between two lines of a scan that waits where no terminal is.
    private static let interval = Duration.seconds(5)

    private let console: Console
    /// Whether the scan may take long without a picture's end in sight.
    private let waits: Bool
    private var preview: LivePreview
    private var lastReport = ScanReport()
    private var told: (at: ContinuousClock.Instant, progress: PayloadAssembler.Progress)?
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private var progress: PayloadAssembler.Progress = .collecting(collected: 0, needed: 0)

    init(_ console: Console, waits: Bool = false, preview: PreviewStyle = .none) {
        self.console = console
        self.waits = waits
        self.preview = LivePreview(preview, console)
    }

    var showsPreviews: Bool { preview.isDrawn }

    /// The picture of the newest code: a file, or the camera.
    var newest: String? { lastReport.newest }

    /// Shows the progress: at most ten times a second on a terminal. Elsewhere a waiting scan prints every
    /// few seconds what changed.
    mutating func show(_ report: ScanReport) {
        lastReport = report
        let now = ContinuousClock.now
        guard console.errorIsTerminal else { return tell(now) }
        if let shown, now - shown < .milliseconds(100) { return }
        draw(now)
    }

    /// A picture is reported before its codes, and the effect of a code when the code arrives.
    mutating func show(_ progress: PayloadAssembler.Progress) {
        guard progress != self.progress else { return }
        self.progress = progress
        if console.errorIsTerminal, waits { draw(.now) }
    }

    /// The picture takes the line of progress away, so that comes again.
    mutating func show(_ picture: PreviewPicture) {
        // A person may aim for long; the work is small and bounded.
        WorkLimit.renew()
        preview.draw(picture, console)
        draw(.now)
    }

    private mutating func draw(_ now: ContinuousClock.Instant) {
        shown = now
        console.progress(Wording.scanProgress(lastReport, progress, seconds: (now - start) / .seconds(1)))
    }

    private mutating func tell(_ now: ContinuousClock.Instant) {
        guard waits, told.map({ now - $0.at >= Self.interval && progress != $0.progress }) ?? true else {
            return
        }
        told = (now, progress)
        console.note(Wording.waited(lastReport, progress, seconds: (now - start) / .seconds(1)))
    }

    mutating func end() {
        console.endProgress()
        preview.end(console)
    }
}

/// The video devices of this machine.
package enum Cameras {
    /// Listed when it is first asked for, which ``Command/access()`` does: after the lock-down the directory
    /// of devices cannot be read.
    package static let devices = CameraPaths.all()
}

/// A camera that gave no code, or a directory that is not watched any more. It explains why there is no
/// payload, or none that comes.
package struct InputRefusal: Error, Equatable {
    let input: String
    let problem: PictureProblem

    package init(input: String, problem: PictureProblem) {
        (self.input, self.problem) = (input, problem)
    }
}

extension InputRefusal: DiagnosticError {
    package var diagnostic: Diagnostic {
        problem.diagnostic.saying("\(Escape.terminal(input)): \(problem.sentence)")
    }

    package static var examples: [InputRefusal] {
        CameraProblem.examples.map { InputRefusal(input: "/dev/video0", problem: .camera($0)) }
            + [InputRefusal(input: "inbox", problem: .folderMoved)]
    }
}

extension ScanMeter {
    /// Reads while a person watches: tells what it waits for, and shows what the scanner sees.
    /// - Parameters:
    ///   - keyStops: whether any key ends the reading, because hands are busy.
    ///   - code: decides about each code, and may show how far it is.
    mutating func follow(
        _ request: ScannerClient.Request, _ console: Console, keyStops: Bool,
        code: ([UInt8], inout ScanMeter) -> ScannerClient.Decision
    ) throws(ScannerClientError) -> ScanReport {
        if !request.watched.isEmpty { console.note(Wording.waiting(folders: request.watched)) }
        let keys =
            keyStops && console.errorIsTerminal
            ? console.terminal.flatMap { TerminalMode($0, without: ICANON | ECHO) } : nil
        defer { keys?.restore() }
        var request = request
        if keys != nil { request.stopper = console.terminal }
        request.previews = !request.cameras.isEmpty && showsPreviews
        var meter = self
        defer { self = meter }
        return try ScannerClient().scan(
            request, picture: { meter.show($0) },
            camera: { news in
                switch news {
                case .found(let camera): console.note(Wording.camera(camera, keyStops: keys != nil))
                case .preview(let picture): meter.show(picture)
                }
            }
        ) { bytes in
            // Hours of pictures may come; each code is bounded by itself.
            WorkLimit.renew()
            return code(bytes, &meter)
        }
    }
}
