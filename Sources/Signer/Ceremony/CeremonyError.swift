import AirGap
import Diagnostics
import Keys
import Review
import TrustStore
import Vault

/// Why a ceremony ends without an act.
public enum CeremonyError: Error, Equatable, Sendable {
    /// The person said no.
    case declined
    /// What was read under the seal is not what was shown.
    case changedSinceShown
    /// Nobody was asked, the policy has no rules that approve anything of this kind, and the vault is not a
    /// development vault.
    case approveNeedsPolicy
    /// Nobody was asked, none of the policy's rules approves exactly this, and the vault is not a development
    /// vault.
    case noRuleApproves(PersonNeeded)
    /// Nobody was asked, no policy can approve an operation of this kind, and the vault is not a development
    /// vault.
    case approveNeedsDevelopmentVault
    /// This many keys would be on more than one network, and nobody typed the word for that.
    case keyOnTwoNetworks(Int)
    /// The seed would be made of rolls that do not look random, and nobody typed the word for that.
    case predictableRolls
    /// Fewer than two sources beside the kernel's would make the seed, or the kernel's failed its test, and
    /// nobody typed the word for that.
    case tooFewSources
    /// Rolls that do not look random would leave a seed of this machine alone. Its person asked for rolls,
    /// or did not type the word for a seed without them.
    case uncountedRolls
    /// A comparison needs one signature for each transaction.
    case otherAnswers(have: Int, need: Int)
    /// The first round of a guarded signature, where a signature was to be made: the online machine has not
    /// revealed its bytes.
    case guardUnrevealed
    /// The nonce of a guarded signature follows from both machines' values, and no option chooses it.
    case guardedNonce
    /// An option gave the word, and the vault is not a development vault.
    case wordNeedsDevelopmentVault
    /// The network detector sees a connection.
    case online([ShieldReport.Finding])
    /// No vault is made on a device that is online.
    case onlineAtStart([ShieldReport.Finding])
    /// The device was online, and nobody has acknowledged it.
    case unacknowledged
    /// Every key slot of the vault needs a key file, and the command got none.
    case keyFileNeeded
    /// The act needs the words of the vault's recovery key, and got something else.
    case recoveryKeyNeeded
    /// The act needs the vault's passphrase, and the recovery key opened it.
    case openedWithRecoveryKey
    /// Nobody has shown yet that the words of a recovery key are on paper.
    case recoveryKeyUnchecked(exists: Bool)
    /// The words must open the vault if its TPM is lost.
    case recoveryKeyInUse
    /// The vault does not need this factor.
    case factorNotBound(KeySlotInfo.Factor)
    /// The act gives a secret out or destroys one, and nobody typed the passphrase for it.
    case passphraseNeeded
    /// There is no policy to remove.
    case noPolicy
    /// Somebody who copies the vault's file finds the passphrase too soon.
    case weakPassphrase(PassphraseStrength)
    /// A word of the passphrase comes again; this is the strength without the repeats.
    case repeatedWords(PassphraseStrength)
    /// A phrase that many people know stands in the passphrase.
    case knownPhrase
    /// The estimate of a passphrase's strength did not end.
    case strengthUnknown
    /// The generator's first output is that of the process before.
    case repeatedRandom
}

extension CeremonyError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .declined: .refused("answered-no", "not confirmed: nothing was done")
        case .changedSinceShown:
            .refused(
                "changed-since-shown",
                "the vault, the device or the time changed after this was shown: nothing was done",
                hint: "run the command again, and read what it shows")
        case .approveNeedsPolicy:
            .notPermitted(
                "approve-not-allowed",
                "--approve is only allowed in a development vault, or if the policy approves exactly this",
                hint: Hints.policyHelp)
        case .noRuleApproves(let needed):
            .notPermitted(
                "approve-not-allowed",
                "the policy does not approve this, so --approve "
                    + "needs a person's yes instead: \(needed.detail)",
                hint: Hints.policyHelp)
        case .approveNeedsDevelopmentVault:
            .notPermitted(
                "approve-not-allowed", "--approve is only allowed in a development vault",
                hint: "run it at a terminal without --approve")
        case .keyOnTwoNetworks(let count):
            .refused("key-on-two-networks", StoreError.keyOnTwoNetworks(count), hint: Hints.ownKey)
        case .predictableRolls:
            .refused(
                "predictable-rolls",
                "these rolls do not look random, and nothing else "
                    + "would make the seed secret: no seed was created",
                hint: "roll the dice again, or mix the rolls with this machine's randomness: --dice")
        case .tooFewSources:
            .refused(
                "too-few-sources",
                "too few sources passed their tests to make the seed secret: no seed was created",
                hint: "roll dice: --dice, or press keys: --keys")
        case .uncountedRolls:
            .refused(
                "uncounted-rolls",
                "these rolls do not look random and count as nothing: no seed was created",
                hint: "roll the dice again, or make a seed without rolls: --no-dice")
        case .otherAnswers(let have, let need):
            .badInput(
                "other-answers",
                "\(Sentence.count(have, "signature")) cannot be compared with \(Sentence.count(need, "payload"))",
                hint: "--compare takes the answer to this payload")
        case .guardUnrevealed:
            .refused(
                "guard-unrevealed",
                "this is the first code of a guarded transaction, which is answered with a point and not signed",
                hint: "heliograph scan")
        case .guardedNonce:
            .refused(
                "guarded-nonce",
                "the nonce of a guarded signature is made with the online machine: "
                    + "--reproducible and --compare do not apply",
                hint: "scan it without them, or make the transaction without --guard")
        case .wordNeedsDevelopmentVault:
            .notPermitted(
                "word-not-allowed",
                "--word is only allowed in a development vault: type the word at the terminal",
                hint: "run it at a terminal without --word")
        case .online(let findings):
            .notPermitted(
                "device-online",
                "this device is online (\(ShieldReport.text(findings))): "
                    + "it does not use secrets until it is offline",
                hint: "disconnect it, then heliograph shield acknowledge")
        case .onlineAtStart(let findings):
            .notPermitted(
                "device-online",
                "this device is online (\(ShieldReport.text(findings))): create the vault offline",
                hint: "disconnect it, or heliograph init --allow-online for a vault to try things out with")
        case .unacknowledged:
            .notPermitted(
                "online-unacknowledged", "this device was online since the last acknowledgement",
                hint: "heliograph shield acknowledge")
        case .keyFileNeeded:
            .notPermitted("key-file-needed", "the vault needs its key file", hint: "--key-fd 5 5<FILE")
        case .recoveryKeyNeeded:
            .notPermitted(
                "recovery-key-needed", "these are not the words of the recovery key of this vault",
                hint: "a recovery key has \(RecoveryKey.words) words; "
                    + "heliograph vault bind recovery makes another one")
        case .openedWithRecoveryKey:
            .refused(
                "opened-with-recovery-key",
                "the recovery key opened the vault, and this change needs its passphrase",
                hint: "heliograph vault passphrase sets a passphrase")
        case .recoveryKeyUnchecked(let exists):
            .refused(
                "recovery-key-unchecked",
                exists
                    ? "nobody has typed the words of the recovery key yet, which open the vault if this "
                        + "factor is lost"
                    : "the vault has no recovery key, which opens it if this factor is lost",
                hint: exists ? "heliograph vault slots check" : "heliograph vault bind recovery")
        case .recoveryKeyInUse:
            .refused(
                "recovery-key-in-use", "the recovery key is the only way into the vault without its hardware",
                hint: "heliograph vault bind recovery makes another one, and this one opens nothing then")
        case .factorNotBound(let factor):
            .refused(
                "factor-not-bound", "the vault does not open with \(factor.name)",
                hint: "heliograph vault slots")
        case .passphraseNeeded:
            .notPermitted(
                "passphrase-needed",
                "the vault was open before this command, which gives a secret out or destroys one",
                hint: "lock the shell, and run the command again")
        case .noPolicy: .refused("no-policy", "no policy is set", hint: "heliograph policy set FILE")
        case .weakPassphrase(let strength):
            .refused(
                "weak-passphrase",
                "the passphrase is too weak: it is found after \(Self.tooSoon(strength))",
                hint: Self.drawnPassphrase)
        case .repeatedWords(let strength):
            .refused(
                "repeated-words",
                "the passphrase repeats words: without the repeats it is found after "
                    + Self.tooSoon(strength),
                hint: Self.drawnPassphrase)
        case .knownPhrase:
            .refused(
                "known-phrase",
                "the passphrase contains a phrase that many people know, and such phrases are tried first",
                hint: Self.drawnPassphrase)
        case .strengthUnknown:
            .inputOutput("strength-unknown", "the strength of the passphrase could not be estimated")
        case .repeatedRandom:
            .notPermitted(
                "repeated-random",
                "the random source gave the same bytes as when the program started last: "
                    + "somebody may know all of them",
                hint:
                    "copy the vault's directory to another machine, and use no secret that was made on this one"
            )
        }
    }

    private static func tooSoon(_ strength: PassphraseStrength) -> String {
        let required = PassphraseStrength.required
        return "\(strength.text); it must withstand \(required.guesses), \(required.duration)"
    }

    private static let drawnPassphrase =
        "an empty answer to the question for it, at a terminal, generates one of six random words"

    public static var examples: [CeremonyError] {
        let findings: [ShieldReport.Finding] = [.interfaceUp("wlan0")]
        return [
            .declined, .changedSinceShown, .approveNeedsPolicy,
            .noRuleApproves(
                PersonNeeded(
                    transaction: 2,
                    cause: .rules([
                        PersonNeeded.Obstacle(rule: 1, reason: .violation(.metadataHash(.disabled)))
                    ]))),
            .approveNeedsDevelopmentVault, .keyOnTwoNetworks(2),
            .predictableRolls, .tooFewSources, .uncountedRolls, .otherAnswers(have: 1, need: 2),
            .guardUnrevealed,
            .guardedNonce, .wordNeedsDevelopmentVault,
            .online(findings), .onlineAtStart(findings), .unacknowledged, .keyFileNeeded, .recoveryKeyNeeded,
            .openedWithRecoveryKey, .recoveryKeyUnchecked(exists: false),
            .recoveryKeyUnchecked(exists: true), .recoveryKeyInUse, .factorNotBound(.keyFile),
            .passphraseNeeded,
            .noPolicy,
            .weakPassphrase(PassphraseStrength(bits: 20.7)),
            .repeatedWords(PassphraseStrength(bits: 11.4)), .knownPhrase, .strengthUnknown, .repeatedRandom,
        ]
    }
}
