import ScanProtocol

/// Why no scan took place, or why it broke off.
public enum ScannerClientError: Error, Equatable, Sendable {
    /// The scanner could not be started; the `errno` of the refused call.
    case cannotStart(program: String, errno: Int32)
    /// The scanner's workers could not be shut in, so it read nothing. `step` is a name of `SandboxError.Step`.
    case sandboxUnavailable(step: String, errno: Int32)
    /// The scanner ended without its closing record: killed by a signal, or with this exit status.
    case ended(status: Int32?, signal: Int32?)
    /// A compressed form gave no bytes.
    case expansion(ExpansionProblem)
    /// The scanner's records could not be understood: the two programs are not of one build.
    case notUnderstood
}
