import Diagnostics
import ScanProtocol
import ScannerClient
import Terminal
import UOS

/// The scanner and its progress.
extension Wording {
    static func scanner(_ error: ScannerClientError) -> Diagnostic {
        switch error {
        case .cannotStart(let program, let number):
            Diagnostic("scanner", "\(program) cannot be started: \(errorText(number))", exit: .inputOutput)
        case .sandboxUnavailable(let step, let number):
            Diagnostic(
                "scanner-sandbox", "pictures are not read, because the scanner cannot close itself in (\(step)): \(errorText(number))",
                exit: .notPermitted)
        case .ended(let status, let signal):
            Diagnostic(
                "scanner", "the scanner ended early (\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))", exit: .inputOutput)
        case .expansion(let problem): expansion(problem)
        case .notUnderstood: Diagnostic("scanner", "the scanner is not of the same build as this program", exit: .inputOutput)
        }
    }

    static func scanProgress(_ report: ScanReport, _ progress: PayloadAssembler.Progress, seconds: Double) -> String {
        let rate = seconds > 0 ? Int(Double(report.images) / seconds) : 0
        let collected: String =
            switch progress {
            case .complete: "complete"
            case .unproved(let collected): "frames \(collected), one more needed"
            case .collecting(_, 0): "no frames yet"
            case .collecting(let collected, let needed):
                "frames \(collected) of \(needed)" + timeLeft(collected, needed, seconds: seconds)
            }
        return "pictures \(report.images), codes \(report.codes), \(collected), \(rate) a second"
    }

    static func timeLeft(_ collected: Int, _ needed: Int, seconds: Double) -> String {
        guard collected > 0, needed > collected else { return "" }
        return ", \(Int((seconds / Double(collected) * Double(needed - collected)).rounded(.up))) s left"
    }

    /// What a scan that was interrupted had read until then.
    static func soFar(_ error: TransportError) -> String { "heliograph: \(transport(error).message)" }

    static func soFarUnproved(frames: Int) -> String { "heliograph: \(diagnostic(CommandError.ambiguousFrames(frames: frames)).message)" }

    static func withoutCode(_ report: ScanReport) -> String {
        "heliograph: \(report.imagesWithoutCode) of \(report.images) picture\(report.images == 1 ? "" : "s") held no code"
    }

    static func furtherProblems(_ count: Int) -> String { "heliograph: and \(count) more pictures were not read" }

    static func problem(_ problem: ScanReport.Problem) -> String {
        let place = problem.name + (problem.frame.map { " frame \($0 + 1)" } ?? "")
        return "heliograph: \(Escape.terminal(place)): \(pictureProblem(problem.problem))"
    }

    static func pictureProblem(_ problem: PictureProblem) -> String {
        switch problem {
        case .cannotOpen(let number): errorText(number)
        case .vanished: "the file is gone"
        case .notAFile: "this is no file"
        case .empty: "there is nothing in it"
        case .notAPicture: "no picture of a kind that is read here"
        case .truncated: "the picture is cut"
        case .corrupt: "the picture is damaged"
        case .unsupported: "this variant of the format is not read"
        case .tooManyPixels(let width, let height): "\(width) x \(height) pixels are too many"
        case .tooManyBytes(let limit): "the file is larger than \(limit) bytes"
        case .tooManyFrames(let limit): "the animation has more than \(limit) frames"
        case .tooManyFiles(let limit): "the folder holds more than \(limit) files, or folders too deep"
        case .outOfMemory: "the picture needs too much memory"
        case .tookTooLong(let milliseconds): "the picture took longer than \(milliseconds) ms"
        case .crashed(let signal): "the decoder crashed on it (signal \(signal))"
        case .silent(let seconds): "nothing came for \(seconds) s"
        case .nothingNew(let pictures): "nothing new in \(pictures) pictures"
        }
    }
}
