import ArgumentParser
import Hashing
import Review
import Sandbox
import ScanProtocol
import ScannerClient
import UOS

/// INPUT of every command that reads payloads: pictures, folders, video, hex, or frames that were read already.
struct InputOptions: ParsableArguments {
    @Argument(help: "Pictures (PNG, APNG, JPEG, PNM), Y4M videos, directories of them, or - for one of them on standard input.")
    var input: [String] = []

    @Option(help: ArgumentHelp("A payload in hex, or @FILE to read it from a file.", valueName: "text"))
    var hex: String?

    @Option(help: ArgumentHelp("Read QR contents from this file, one line of hex per code.", valueName: "file"))
    var frames: String?

    @Option(help: ArgumentHelp("Read new pictures in this directory until the payload is complete.", valueName: "dir"))
    var watch: [String] = []

    @Option(help: ArgumentHelp("The QR code decoder.", valueName: "name"))
    var decoder: DecoderChoice = .auto

    /// Files that must stay readable; `-` is standard input, which is open already.
    var readable: [String] {
        var paths = input + watch
        if let path = hex.flatMap(Files.named(by:)) { paths.append(path) }
        if let frames { paths.append(frames) }
        return paths
    }

    /// Waiting for pictures has no end of its own: a shell does it with its vault locked.
    var place: CommandPlace { watch.isEmpty ? .anywhere : .afterLocking }

    var needsScanner: Bool { !input.isEmpty || !watch.isEmpty }

    var isEmpty: Bool { !needsScanner && hex == nil && frames == nil }
}

extension DecoderChoice: ExpressibleByArgument {}

/// What a command's input held: one payload, readings of it that the frames do not prove, or shares.
struct PayloadInput {
    var assembler = PayloadAssembler()
    var report = ScanReport()
    private var fromHex: [UInt8]?

    /// Reads the whole input, or as much as completes a payload. The counts stay when it fails.
    mutating func read(_ options: InputOptions, _ console: Console) throws {
        guard !options.isEmpty else { throw CommandError.noInput }
        if let hex = options.hex { fromHex = try Files.hex(hex) }
        if let frames = options.frames { try read(frames: frames) }
        if options.needsScanner { try scan(options, console) }
    }

    private mutating func read(frames path: String) throws {
        for line in String(decoding: try Files.read(path), as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard let code = Hex.decode(String(line).trimmed) else { throw CommandError.badHex(source: path) }
            _ = try assembler.add(code)
        }
    }

    private mutating func scan(_ options: InputOptions, _ console: Console) throws {
        let request = ScannerClient.Request(inputs: options.input, watched: options.watch, decoder: options.decoder)
        var assembler = assembler
        var failure: TransportError?
        var meter = ScanMeter(console)
        defer { meter.end() }
        let report = try ScannerClient().scan(request, picture: { meter.show($0) }) { code in
            // Hours of pictures may come; each code is bounded by itself.
            WorkLimit.renew()
            do throws(TransportError) {
                let progress = try assembler.add(code)
                meter.progress = progress
                return progress == .complete ? .enough : .goOn
            } catch {
                failure = error
                return .stop
            }
        }
        self.assembler = assembler
        self.report = report
        meter.end()
        for problem in report.problems { console.note(Wording.problem(problem)) }
        if report.furtherProblems > 0 { console.note(Wording.furtherProblems(report.furtherProblems)) }
        if report.wasInterrupted {
            do throws(TransportError) {
                if case .unproved = try result(console).content { console.note(Wording.soFarUnproved(frames: transport.frames)) }
            } catch {
                console.note(Wording.soFar(error))
            }
            throw CommandError.interrupted
        }
        if let failure { throw failure }
        if assembler.transport.codes == 0, let video = report.problems.first(where: VideoFile.isProblem) {
            throw CommandError.videoFile(path: video.name)
        }
        // Where nothing was read because nothing could be opened, that is what went wrong.
        let unopened = report.problems.lazy.compactMap { problem in
            if case .cannotOpen(let number) = problem.problem { (problem.name, number) } else { nil }
        }
        if assembler.transport.codes == 0, report.problems.count == report.images, let (path, number) = unopened.first {
            throw CommandError.file(path: path, errno: number)
        }
    }

    var transport: PayloadAssembler.Transport {
        var transport = assembler.transport
        if let fromHex {
            // A payload in hex is whole: codes beside it are of the same payload, or of another that is left out.
            if transport.codes > 0, (try? assembler.finish())?.admits(fromHex) != true { transport.otherPayloads += 1 }
            transport.envelope = .hex
            transport.frames = 1
            transport.needed = 1
        }
        return transport
    }

    /// The payload, readings of it that the frames do not prove, or what is missing of it.
    func result(_ console: Console) throws(TransportError) -> PayloadAssembler.Result {
        if let fromHex { return PayloadAssembler.Result(payload: fromHex, transport: transport) }
        do throws(TransportError) {
            return try assembler.finish()
        } catch {
            if report.imagesWithoutCode > 0 { console.note(Wording.withoutCode(report)) }
            throw error
        }
    }
}

/// The line that tells a person how far a scan is.
struct ScanMeter {
    private let console: Console
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    var progress: PayloadAssembler.Progress = .collecting(collected: 0, needed: 0)

    init(_ console: Console) { self.console = console }

    /// At most ten lines a second; only on a terminal.
    mutating func show(_ report: ScanReport) {
        guard console.errorIsTerminal else { return }
        let now = ContinuousClock.now
        if let shown, now - shown < .milliseconds(100) { return }
        shown = now
        let seconds = (now - start) / .seconds(1)
        console.progress(Wording.scanProgress(report, progress, seconds: seconds))
    }

    func end() { console.endProgress() }
}
