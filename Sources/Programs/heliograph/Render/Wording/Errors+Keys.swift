import Ceremony
import Diagnostics
import Review

extension LookupError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .ambiguousNetwork, .ambiguousScheme, .partOfChain, .ambiguousLabel, .networkOfOtherScheme: .usage
        case .noSuchNetwork, .noSuchKey, .labelGiven, .keyNotOfNetwork, .keyHasNoNetwork: .refused
        }
    }

    var hint: String? {
        switch self {
        case .noSuchNetwork: "heliograph network list"
        case .ambiguousNetwork: "name it by its genesis hash"
        case .ambiguousScheme(_, let choices): "name one of them, e.g. \(choices.first.map(Shell.quoted) ?? "NAME/SCHEME")"
        case .partOfChain(_, let chain, _): "name the chain: \(Shell.quoted(chain))"
        case .noSuchKey: "heliograph key list"
        case .labelGiven(_, let address): "use the address: \(address)"
        case .keyNotOfNetwork(let network): "heliograph key allow ADDRESS \(Shell.quoted(network))"
        case .keyHasNoNetwork: "heliograph key allow ADDRESS NETWORK"
        case .ambiguousLabel: "name the key by its address"
        case .networkOfOtherScheme(let name, _, let asked):
            // Of a listed chain; for any other one, its verifier makes specs for each scheme.
            if (try? TrustSetup.listed(named: name))?.takes(asked) == true {
                "heliograph network add \(Shell.quoted(name)) --scheme \(asked.name)"
            } else {
                "heliograph network show \(Shell.quoted(name))"
            }
        }
    }
}

extension KeyRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .labelTooLong: .usage
        case .noNextPath, .collision, .exists, .schemeCannotAttest, .heldByGroup, .keyOfGroup, .addressNotCompared: .refused
        }
    }

    var hint: String? {
        switch self {
        case .exists, .collision: "heliograph key list"
        case .noNextPath: "derive under another path"
        case .schemeCannotAttest: "heliograph key derive SEED PATH --scheme sr25519 makes a key that can"
        case .labelTooLong: "shorten the label"
        case .heldByGroup: "use a key of a seed: heliograph key list"
        case .keyOfGroup(let group): "heliograph group remove \(Shell.quoted(group))"
        case .addressNotCompared(let group): "heliograph group show \(Shell.quoted(group))"
        }
    }
}
