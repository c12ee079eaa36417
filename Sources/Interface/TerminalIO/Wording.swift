import Diagnostics

/// What this program says besides its errors, by area. An error states its row beside its type.
package enum Wording {
    package static func diagnostic(_ error: any Error) -> Diagnostic {
        guard let error = error as? any DiagnosticError else {
            return .badInput("internal", "unexpected failure: \(error)")
        }
        return error.diagnostic
    }
}
