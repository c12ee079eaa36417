import Accounts
import Ceremony
import Lines
import QRCode
import Sandbox
import TerminalIO

/// Notes and questions.
extension Wording {
    package static let notVerified = "not verified until you unlock"
    package static let trustStoreNotVerified = "trust store \(notVerified)"

    package static func answerWritten(_ path: String) -> String {
        "wrote the answer to \(Escape.terminal(path))"
    }

    package static func landlock(_ landlock: Sandbox.Landlock) -> String {
        switch landlock {
        case .enforced(let abi) where landlock.limitsSignals:
            "file access and signals are limited by Landlock \(abi)"
        case .enforced(let abi):
            "file access is limited by Landlock \(abi), which is too old to limit signals"
        case .unavailable: "file access is not limited: this kernel has no Landlock"
        }
    }
    /// What a person can do stands in the line.
    package static func weakness(_ weakness: Weakness) -> String {
        switch weakness {
        case .root: "running as root: any other program of root can read this one; use an ordinary user"
        case .swap(let devices):
            """
            swap is on (\(devices.joined(separator: ", "))): memory may be written there; swapoff -a turns \
            it off
            """
        case .swapUnknown: "/proc/swaps cannot be read: swap may be on"
        case .noLandlock: "this kernel has no Landlock: file access is not limited"
        }
    }

    package static func importedKeys(_ count: Int) -> String {
        count == 1 ? "added 1 key" : "added \(count) keys"
    }

    /// - Parameter address: nil for a key that is about to be derived.
    package static func passwordQuestion(path: String, address: String?) -> String {
        guard let address else { return "password: " }
        return "password of \(path.isEmpty ? "the root key" : Escape.path(path)) (\(address)): "
    }

    /// Of the first round of a guarded signature; the second asks as for any signature.
    package static let guardQuestion = "Answer the first of two codes (nothing is signed yet)?"
    package static let guardCaption =
        "a point, and no signature yet: show it to the online machine, then scan its second code"

    package static func compareQuestion(_ count: Int) -> String {
        count == 1 ? "Sign this to compare?" : "Sign all \(count) to compare?"
    }
    package static func verdict(_ verdict: CompareSignatures.Verdict) -> String {
        switch verdict {
        case .equal: "equal: this machine signs with the same bytes"
        case .different: "DIFFERENT: this machine signs with other bytes"
        case .notComparable: "not comparable: the answer is valid, and no second machine can make it"
        }
    }
}
