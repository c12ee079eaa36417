import Diagnostics
import ScanProtocol

/// Why a scan failed.
public enum ScannerClientError: Error, Equatable, Sendable {
    /// The scanner could not be started; the `errno` of the refused call.
    case cannotStart(program: String, errno: Int32)
    /// The scanner's workers could not enter their sandbox, so it read nothing. `step` is a name of
    /// `SandboxError.Step`.
    case sandboxUnavailable(step: String, errno: Int32)
    /// The scanner ended without its closing record: killed by a signal, or with this exit status.
    case ended(status: Int32?, signal: Int32?)
    /// Compressed metadata could not be expanded.
    case expansion(ExpansionProblem)
    /// The scanner's records are malformed: the two programs are of different builds.
    case notUnderstood
}

extension ScannerClientError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .cannotStart(let program, let number):
            .inputOutput(
                "no-scanner", "\(program) cannot be started: \(Sentence.systemError(number))",
                hint: "keep heliograph-scanner in the directory of heliograph, as the archive has it")
        case .sandboxUnavailable(let step, let number):
            .notPermitted(
                "no-sandbox",
                "pictures cannot be read: the scanner cannot enter the "
                    + "sandbox (\(step)): \(Sentence.systemError(number))")
        case .ended(let status, let signal):
            .inputOutput(
                "scanner-ended",
                "the scanner ended early (\(signal.map { "signal \($0)" } ?? "status \(status ?? 0)"))",
                hint: "scan the other pictures without the last one")
        case .expansion(let problem): problem.diagnostic
        case .notUnderstood: ScanEventError().diagnostic
        }
    }

    public static var examples: [ScannerClientError] {
        [
            .cannotStart(program: "heliograph-scanner", errno: 2),
            .sandboxUnavailable(step: "landlock", errno: 1),
            .ended(status: 1, signal: nil),
            .ended(status: nil, signal: 9), .notUnderstood,
        ] + ExpansionProblem.examples.map(ScannerClientError.expansion)
    }
}
