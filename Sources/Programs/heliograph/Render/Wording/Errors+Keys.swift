import Ceremony
import Diagnostics
import Review

extension LookupError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .ambiguousNetwork, .ambiguousLabel, .networkOfOtherScheme: .usage
        case .noSuchNetwork, .noSuchKey, .keyNotOfNetwork, .keyHasNoNetwork: .refused
        }
    }

    var hint: String? {
        switch self {
        case .noSuchNetwork: "heliograph network list"
        case .ambiguousNetwork: "name it by its genesis hash"
        case .noSuchKey: "heliograph key list"
        case .keyNotOfNetwork, .keyHasNoNetwork: "heliograph key allow ADDRESS NETWORK"
        case .ambiguousLabel: "name the key by its address"
        case .networkOfOtherScheme(let name, _, _): "heliograph network show \(Shell.quoted(name))"
        }
    }
}

extension KeyRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .labelTooLong: .usage
        case .noNextPath, .collision, .exists, .schemeCannotAttest: .refused
        }
    }

    var hint: String? {
        switch self {
        case .exists: "heliograph key list"
        case .noNextPath, .collision, .labelTooLong, .schemeCannotAttest: nil
        }
    }
}
