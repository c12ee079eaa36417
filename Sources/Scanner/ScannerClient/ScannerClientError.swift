import ScanProtocol

/// Why a scan failed.
public enum ScannerClientError: Error, Equatable, Sendable {
    /// The scanner could not be started; the `errno` of the refused call.
    case cannotStart(program: String, errno: Int32)
    /// The scanner's workers could not enter their sandbox, so it read nothing. `step` is a name of `SandboxError.Step`.
    case sandboxUnavailable(step: String, errno: Int32)
    /// The scanner ended without its closing record: killed by a signal, or with this exit status.
    case ended(status: Int32?, signal: Int32?)
    /// Compressed metadata could not be expanded.
    case expansion(ExpansionProblem)
    /// The scanner's records are malformed: the two programs are of different builds.
    case notUnderstood
}
