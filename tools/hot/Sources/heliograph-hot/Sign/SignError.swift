import Diagnostics
import Terminal

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

extension SignError: ProgramError {
    enum Code: String, CaseIterable {
        case wouldFail = "call-fails"
        case noDryRun = "no-dry-run"
        case cannotPay = "fee-not-covered"
        case noAnswer = "no-answer"
        case severalClaimed = "several-claimed"
        case nothingToClaim = "nothing-to-claim"
    }

    var code: Code {
        switch self {
        case .wouldFail: .wouldFail
        case .noDryRun: .noDryRun
        case .cannotPay: .cannotPay
        case .noAnswer: .noAnswer
        case .severalClaimed: .severalClaimed
        case .nothingToClaim: .nothingToClaim
        }
    }

    var sentence: String {
        switch self {
        case .wouldFail(let reason): "the node says that the call would fail: \(reason)"
        case .noDryRun: "this chain's runtime cannot dry-run a call"
        case .cannotPay(let fee, let balance): "fee and tip are \(fee), but the account can spend \(balance)"
        case .noAnswer: "no answer was read, so nothing was submitted"
        case .severalClaimed(let count): "claims are about one transaction, but there are \(count)"
        case .nothingToClaim: "claims need a node to make them from"
        }
    }

    var exit: Diagnostic.Exit {
        switch self {
        case .wouldFail, .noDryRun, .cannotPay: .refused
        case .noAnswer: .inputOutput
        case .severalClaimed, .nothingToClaim: .usage
        }
    }

    var hint: String? {
        switch self {
        case .noDryRun: "leave out --dry-run"
        case .noAnswer: "heliograph-hot read PICTURE --submit known"
        case .nothingToClaim: "--url URL"
        case .wouldFail, .cannotPay, .severalClaimed: nil
        }
    }

    static var examples: [SignError] {
        [
            .wouldFail("error 2 of the pallet Balances"), .noDryRun, .cannotPay(fee: "0.016 DOT", balance: "0.01 DOT"), .noAnswer,
            .severalClaimed(2), .nothingToClaim,
        ]
    }
}
