import Diagnostics
import Lines

/// Why `sign` stops.
enum SignError: Error, Equatable {
    /// The node executed the call, and it failed; the reason in words.
    case wouldFail(String)
    /// `--dry-run`, and the chain cannot do that.
    case noDryRun
    /// Fee and tip are more than can leave the account; amounts with their unit.
    case cannotPay(fee: String, balance: String)
    /// The input ended, or the camera went away.
    case noAnswer
    /// Claims are about one transaction.
    case severalClaimed(Int)
    /// Claims without a node to make them from.
    case nothingToClaim
}

extension SignError: DiagnosticError {
    var diagnostic: Diagnostic {
        switch self {
        case .wouldFail(let reason):
            .refused("call-fails", "the node says that the call would fail: \(reason)")
        case .noDryRun:
            .refused("no-dry-run", "this chain's runtime cannot dry-run a call", hint: "leave out --dry-run")
        case .cannotPay(let fee, let balance):
            .refused("fee-not-covered", "fee and tip are \(fee), but the account can spend \(balance)")
        case .noAnswer:
            .inputOutput(
                "no-answer", "no answer was read, so nothing was submitted",
                hint: "heliograph-hot read PICTURE --submit stored")
        case .severalClaimed(let count):
            .usage("several-claimed", "claims are about one transaction, but there are \(count)")
        case .nothingToClaim:
            .usage("nothing-to-claim", "claims need a node to make them from", hint: "--url URL")
        }
    }

    static var examples: [SignError] {
        [
            .wouldFail("error 2 of the pallet Balances"), .noDryRun,
            .cannotPay(fee: "0.016 DOT", balance: "0.01 DOT"), .noAnswer,
            .severalClaimed(2), .nothingToClaim,
        ]
    }
}
