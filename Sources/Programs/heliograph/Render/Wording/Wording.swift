import Diagnostics
import Terminal

extension Console {
    func complain(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph").forEach(note) }
}

/// What this program says besides its errors, by area. An error states its row beside its type.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        guard let error = error as? any DiagnosticError else {
            return .badInput("internal", "unexpected failure: \(error)")
        }
        return error.diagnostic
    }
}
