import Accounts
import Lines
import QRCode
import Sandbox
import TerminalIO

/// Notes and questions.
extension Wording {
    package static let developmentVault =
        "this is a development vault: the network detector warns and does not block"
    package static let trustStoreNotChecked = "trust store not checked: its seal needs the passphrase"

    package static func answerWritten(_ path: String) -> String {
        "wrote the answer to \(Escape.terminal(path))"
    }

    package static func signedBy(_ address: String, _ key: UnderivedKey) -> String {
        """
        signed by \(Escape.terminal(address)): seed \(Escape.terminal(key.seed)), path \
        \(key.path.isEmpty ? "(root)" : Escape.terminal(key.path))
        """
    }

    package static func otherPayloads(_ count: Int) -> String {
        "the codes of \(count) other payload\(count == 1 ? "" : "s") in the input were ignored"
    }

    package static func selfCheck(_ check: SelfCheck) -> String {
        "\(check.passed ? "passed" : "FAILED")  \(check.name)"
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
            swap is on (\(devices.joined(separator: ", "))): memory may be written there; swapoff -a \
            turns it off
            """
        case .swapUnknown: "/proc/swaps cannot be read: swap may be on"
        case .noLandlock: "this kernel has no Landlock: file access is not limited"
        }
    }

    package static func unlockedMemory(_ count: Int) -> String {
        """
        the system refused to lock \(count == 1 ? "1 secret" : "\(count) secrets") in memory: swap or \
        hibernation may write \(count == 1 ? "it" : "them") to the disk; raise the limit with ulimit -l
        """
    }

    package static func programDigest(_ digest: String) -> String { "sha-256 of this program  \(digest)" }

    package static func whichSeed(_ seeds: [String]) -> String {
        "Which seed do these keys belong to (\(seeds.map(Escape.terminal).joined(separator: ", ")))? "
    }
    package static func importedKeys(_ count: Int) -> String {
        count == 1 ? "added 1 key" : "added \(count) keys"
    }

    /// - Parameter address: nil for a key that is about to be derived.
    package static func passwordQuestion(path: String, address: String?) -> String {
        guard let address else { return "password: " }
        return "password of \(path.isEmpty ? "the root key" : Escape.terminal(path)) (\(address)): "
    }

    package static func question(_ action: ReviewDocument.Action, count: Int) -> String {
        switch action {
        case .sign: count == 1 ? "Sign this?" : "Sign all \(count)?"
        case .addSpecs: "Accept these network specs?"
        case .loadMetadata: "Accept this metadata?"
        case .loadTypes: "Accept these types?"
        case .loadAssets: "Accept these asset units?"
        case .importDerivations: "Derive these keys?"
        case .deriveAddresses: "Export these public keys?"
        case .recoverSeed: "Restore this seed?"
        case .importContacts: importContactsQuestion
        case .addHostContact: "Add this host contact?"
        case .joinGroup: joinQuestion
        case .confirmGroup: confirmQuestion
        case .activateGroup: "Activate this group?"
        case .signForGroup: "Sign this for the group?"
        case .read, .showAddress, .none: "Continue?"
        }
    }

    static func done(_ action: ReviewDocument.Action) -> String {
        switch action {
        case .addSpecs: "accepted the network specs"
        case .loadMetadata: "accepted the metadata"
        case .loadTypes: "accepted the types"
        case .loadAssets: "accepted the asset units"
        case .sign, .read, .importDerivations, .deriveAddresses, .recoverSeed, .importContacts, .showAddress,
            .addHostContact, .joinGroup,
            .confirmGroup, .activateGroup, .signForGroup, .none:
            "done"
        }
    }
}
