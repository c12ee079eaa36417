import Ceremony
import Diagnostics
import Review

/// What a name stands for, and what becomes of keys.
extension Wording {
    static func lookup(_ error: LookupError) -> Diagnostic {
        switch error {
        case .noSuchNetwork: Diagnostic(error, hint: "heliograph network list", exit: .refused)
        case .ambiguousNetwork: Diagnostic(error, hint: "name it by its genesis hash", exit: .usage)
        case .noSuchKey: Diagnostic(error, hint: "heliograph key list", exit: .refused)
        case .keyNotOfNetwork, .keyHasNoNetwork: Diagnostic(error, hint: "heliograph key allow", exit: .refused)
        }
    }

    static func keys(_ error: KeyRefusal) -> Diagnostic {
        switch error {
        case .exists: Diagnostic(error, hint: "heliograph key list", exit: .refused)
        case .labelTooLong: Diagnostic(error, exit: .usage)
        case .noNextPath, .collision, .schemeCannotAttest: Diagnostic(error, exit: .refused)
        }
    }
}
