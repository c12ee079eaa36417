import ArgumentParser
import Diagnostics
import Glibc
import Lines
import Presentation
import Sandbox
import ScanProtocol
import ScannerClient
import TerminalIO
import UOS

/// `--camera` and `--watch`, for commands that take several payloads which are shown one after another.
package struct SeriesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read new pictures in this directory until the last message is there.", valueName: "dir"),
        completion: .directory)
    var watch: [String] = []

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Read messages with this camera, one after another (default: the first one).",
            valueName: "device"), completion: .file())
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "How the camera's picture is shown (default: what TERM can show).", valueName: "style"))
    var preview: PreviewStyle = .auto

    @Option(help: ArgumentHelp("The QR code decoder.", valueName: "name"))
    var decoder: DecoderChoice = .auto

    package init() {}

    /// Whether messages come that way.
    package var isUsed: Bool { !watch.isEmpty || camera != nil }

    /// Directories that must stay readable.
    package var readable: [String] { watch }

    /// Waiting for pictures has no end of its own: a shell does it with its vault locked.
    package var place: CommandPlace { isUsed ? .afterLocking : .anywhere }

    /// Devices that the scanner may open: the named one, or all if none is named.
    package var cameras: [String] { camera.map { $0.isEmpty ? Cameras.devices : [$0] } ?? [] }

    /// Reads payloads, each once, until the last one came or a key is pressed.
    /// - Parameter take: gets each payload and returns whether it was the last. If it throws, the error is
    ///   reported and the payload is left out, so that the person can show another picture.
    /// - Throws: ``CommandError/noCamera``, `ScannerClientError`
    package func read(_ console: Console, _ take: ([UInt8]) throws -> Bool) throws {
        guard camera == nil || !cameras.isEmpty else { throw CommandError.noCamera }
        let request = ScannerClient.Request(
            inputs: [], watched: watch, decoder: decoder, cameras: cameras)
        var meter = ScanMeter(console, waits: true, preview: preview)
        defer { meter.end() }
        var assembler = PayloadAssembler()
        let report = try meter.follow(request, console, keyStops: true) { code, meter in
            guard let payload = Self.payload(of: code, &assembler, &meter) else {
                console.tell(stray: code, on: meter.newest)
                return .goOn
            }
            console.endProgress()
            do {
                return try take(payload) ? .stop : .goOn
            } catch {
                console.tell(leftOut: Wording.diagnostic(error), meter.newest)
                return .goOn
            }
        }
        meter.end()
        for problem in report.problems { console.note(Wording.problem(problem)) }
    }

    /// The payload that a code completes. A code that contradicts the payload before it begins a new one:
    /// that one was taken away before it was whole, and the scanner tells each code once.
    static func payload(
        of code: [UInt8], _ assembler: inout PayloadAssembler, _ meter: inout ScanMeter
    ) -> [UInt8]? {
        for _ in 0..<2 {
            do throws(TransportError) {
                let progress = try assembler.add(code)
                meter.show(progress)
                guard progress == .complete, case .payload(let payload) = try assembler.finish().content
                else { return nil }
                assembler = PayloadAssembler()
                return payload
            } catch {
                assembler = PayloadAssembler()
            }
        }
        return nil
    }
}
