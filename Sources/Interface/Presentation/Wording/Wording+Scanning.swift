import Ceremony
import Diagnostics
import Lines
import Review
import ScanProtocol
import ScannerClient
import TerminalIO
import UOS

/// The scanner and its progress.
extension Wording {
    package static func scanProgress(
        _ report: ScanReport, _ progress: PayloadAssembler.Progress, seconds: Double
    ) -> String {
        let rate = seconds > 0 ? Int(Double(report.images) / seconds) : 0
        let collected: String =
            switch progress {
            case .complete: "complete"
            case .unproved(let collected): "frames \(collected), one more is needed"
            case .collecting(_, 0): "no frames yet"
            case .collecting(let collected, let needed):
                "frames \(collected) of \(needed), \(max(0, needed - collected)) missing"
                    + timeLeft(collected, needed, seconds: seconds)
            }
        return "\(collected), pictures \(report.images), codes \(report.codes), \(rate) per second"
    }

    /// What an endless scan waits for, printed once.
    package static func waiting(folders: [String]) -> String {
        """
        heliograph: waiting for pictures in \(folders.map(Escape.terminal).joined(separator: ", ")); Ctrl-C \
        stops
        """
    }

    package static func presentPictures(_ count: Int, in folder: String) -> String {
        """
        \(Escape.terminal(folder)) already has \(Sentence.count(count, "file")). Also sign what a rule \
        approves there?
        """
    }

    /// A line for the pictures that a queue has found and not yet read.
    package static func waitingPictures(_ count: Int, in folder: String) -> String {
        """
        heliograph: \(Sentence.count(count, "picture")) \(count == 1 ? "waits" : "wait") in \
        \(Escape.terminal(folder)); owners of files take turns
        """
    }

    /// A line for a file of a queue that has its answer.
    package static func answeredPicture(
        _ name: String, _ result: ReviewDocument.QueueFacts.Result, _ out: String
    ) -> String {
        "\(Escape.terminal(name)): \(verb(result)), \(Escape.terminal(out))"
    }

    /// A line for a file of a queue whose answer is in the log, and in no file.
    package static func unwrittenPicture(
        _ name: String, _ result: ReviewDocument.QueueFacts.Result, _ diagnostic: Diagnostic
    ) -> String {
        let message = Escape.terminal(diagnostic.message)
        return "heliograph: \(Escape.terminal(name)): \(verb(result)), answer not written: \(message)"
    }

    private static func verb(_ result: ReviewDocument.QueueFacts.Result) -> String {
        switch result {
        case .signed: "signed"
        case .answered: "answered, not signed yet"
        case .stored: "signed before"
        case .unwritten: "not written"
        case .refused: "refused"
        }
    }

    package static func refusedPicture(_ name: String, _ diagnostic: Diagnostic) -> String {
        "heliograph: \(Escape.terminal(name)): \(verb(.refused)): \(Escape.terminal(diagnostic.message))"
    }

    /// In a queue nobody wrote `--approve`.
    package static func queueDiagnostic(_ error: any Error) -> Diagnostic {
        let diagnostic = diagnostic(error)
        guard let error = error as? CeremonyError, case .noRuleApproves(let needed) = error else {
            return diagnostic
        }
        return diagnostic.saying("no rule of the policy approves it: \(needed.detail)")
    }

    package static func camera(_ camera: CameraDescription, keyStops: Bool) -> String {
        let size = camera.format.map { " \($0.width) x \($0.height)" } ?? ""
        return "heliograph: camera \(Escape.terminal(camera.path)) (\(Escape.ascii(camera.name)))\(size); "
            + (keyStops ? "any key stops" : "Ctrl-C stops")
    }

    /// A line for a scan without a terminal.
    package static func waited(_ report: ScanReport, _ progress: PayloadAssembler.Progress, seconds: Double)
        -> String
    {
        "heliograph: \(scanProgress(report, progress, seconds: seconds))"
    }

    static func timeLeft(_ collected: Int, _ needed: Int, seconds: Double) -> String {
        guard collected > 0, needed > collected else { return "" }
        return ", \(Int((seconds / Double(collected) * Double(needed - collected)).rounded(.up))) s left"
    }

    /// How far a search is among the phrases that differ from a typed one.
    package static func triedPhrases(_ tried: Int, of total: Int, seconds: Double) -> String {
        "\(tried) of \(total) phrases tried\(timeLeft(tried, total, seconds: seconds))"
    }

    package static func furtherProblems(_ count: Int) -> String {
        "heliograph: \(Sentence.count(count, "more picture")) could not be read"
    }

    package static func problem(_ problem: ScanReport.Problem) -> String {
        let place = problem.name + (problem.frame.map { " frame \($0 + 1)" } ?? "")
        return "heliograph: \(Escape.terminal(place)): \(problem.problem.sentence)"
    }
}
