import Diagnostics
import Terminal

extension Console {
    func complain(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph").forEach(note) }
}

/// What this program says besides its errors, by area. An error states its code and sentence beside itself; ``ProgramError`` adds the rest.
enum Wording {
    static func diagnostic(_ error: any Error) -> Diagnostic {
        guard let error = error as? any ProgramError else {
            return Diagnostic("internal", "unexpected failure: \(error)", exit: .badInput)
        }
        return error.diagnostic
    }
}
