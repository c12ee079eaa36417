import AirGap
import Diagnostics
import Review
import TrustStore

/// Why a ceremony ends without an act.
public enum CeremonyError: Error, Equatable, Sendable {
    /// The person said no.
    case declined
    /// What was read under the seal is not what was shown.
    case changedSinceShown
    /// Nobody was asked, the policy has no rules that approve anything of this kind, and the vault is not a development vault.
    case approveNeedsPolicy
    /// Nobody was asked, none of the policy's rules approves exactly this, and the vault is not a development vault.
    case noRuleApproves(PersonNeeded)
    /// Nobody was asked, no policy can approve an operation of this kind, and the vault is not a development vault.
    case approveNeedsDevelopmentVault
    /// This many keys would be on more than one network, and nobody typed the word for that.
    case keyOnTwoNetworks(Int)
    /// The seed would be made of rolls that do not look random, and nobody typed the word for that.
    case predictableRolls
    /// An option gave the word, and the vault is not a development vault.
    case wordNeedsDevelopmentVault
    /// The network detector sees a connection.
    case online([ShieldReport.Finding])
    /// No vault is made on a device that is online.
    case onlineAtStart([ShieldReport.Finding])
    /// The device was online, and nobody has acknowledged it.
    case unacknowledged
    /// Every slot of the vault needs a key file, and none is given.
    case keyFileNeeded
    /// There is no policy to remove.
    case noPolicy
    /// Somebody who copies the vault's file finds the passphrase too soon.
    case weakPassphrase(PassphraseStrength)
    /// The estimate of a passphrase's strength did not end.
    case strengthUnknown
}

extension CeremonyError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A person said no.
        case answeredNo = "answered-no"
        /// The second look differs from what was shown.
        case changedSinceShown = "changed-since-shown"
        /// Nothing may say yes in place of a person.
        case approveNotAllowed = "approve-not-allowed"
        /// A key would be on more than one network.
        case keyOnTwoNetworks = "key-on-two-networks"
        /// Rolls of dice do not look random.
        case predictableRolls = "predictable-rolls"
        /// The word came from an option.
        case wordNotAllowed = "word-not-allowed"
        /// The device is online now.
        case deviceOnline = "device-online"
        /// The device was online.
        case onlineUnacknowledged = "online-unacknowledged"
        /// The key file is missing.
        case keyFileNeeded = "key-file-needed"
        /// There is no policy.
        case noPolicy = "no-policy"
        /// The passphrase is too weak.
        case weakPassphrase = "weak-passphrase"
        /// Nothing tells how strong the passphrase is.
        case strengthUnknown = "strength-unknown"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .declined: .answeredNo
        case .changedSinceShown: .changedSinceShown
        case .approveNeedsPolicy, .noRuleApproves, .approveNeedsDevelopmentVault: .approveNotAllowed
        case .keyOnTwoNetworks: .keyOnTwoNetworks
        case .predictableRolls: .predictableRolls
        case .wordNeedsDevelopmentVault: .wordNotAllowed
        case .online, .onlineAtStart: .deviceOnline
        case .unacknowledged: .onlineUnacknowledged
        case .keyFileNeeded: .keyFileNeeded
        case .noPolicy: .noPolicy
        case .weakPassphrase: .weakPassphrase
        case .strengthUnknown: .strengthUnknown
        }
    }

    public var sentence: String {
        switch self {
        case .declined: "not confirmed: nothing was done"
        case .changedSinceShown: "the vault or the device changed after this was shown: nothing was done"
        case .approveNeedsPolicy:
            "--approve is only allowed in a development vault, or if the policy approves exactly this"
        case .noRuleApproves(let needed): "the policy does not approve this, so --approve needs a person's yes instead: \(needed.detail)"
        case .approveNeedsDevelopmentVault: "--approve is only allowed in a development vault"
        case .keyOnTwoNetworks(let count):
            StoreError.keyOnTwoNetworks(count)
        case .predictableRolls: "these rolls do not look random, and nothing else would make the seed secret: no seed was created"
        case .wordNeedsDevelopmentVault: "--word is only allowed in a development vault: type the word at the terminal"
        case .online(let findings): "this device is online (\(ShieldReport.text(findings))): it does not use secrets until it is offline"
        case .onlineAtStart(let findings): "this device is online (\(ShieldReport.text(findings))): create the vault offline"
        case .unacknowledged: "this device was online since the last acknowledgement"
        case .keyFileNeeded: "the vault needs its key file"
        case .noPolicy: "no policy is set"
        case .weakPassphrase(let strength):
            "the passphrase is too weak: it is found after \(strength.text); "
                + "it must withstand \(PassphraseStrength.required.guesses), \(PassphraseStrength.required.duration)"
        case .strengthUnknown: "the strength of the passphrase could not be estimated"
        }
    }

    public static var examples: [CeremonyError] {
        let findings: [ShieldReport.Finding] = [.interfaceUp("wlan0")]
        return [
            .declined, .changedSinceShown, .approveNeedsPolicy,
            .noRuleApproves(
                PersonNeeded(
                    transaction: 2, cause: .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(.metadataHash(.disabled)))]))),
            .approveNeedsDevelopmentVault, .keyOnTwoNetworks(2),
            .predictableRolls, .wordNeedsDevelopmentVault,
            .online(findings), .onlineAtStart(findings), .unacknowledged, .keyFileNeeded, .noPolicy,
            .weakPassphrase(PassphraseStrength(bits: 20.7)), .strengthUnknown,
        ]
    }
}
