import Diagnostics

/// An error that this program tells: how it ends then, and the one command that helps. Where nothing helps, `HintLaws` has the reason.
protocol ProgramError: DiagnosticError {
    var exit: Diagnostic.Exit { get }
    var hint: String? { get }
}

extension ProgramError {
    var diagnostic: Diagnostic { Diagnostic(self, hint: hint, exit: exit) }
}
