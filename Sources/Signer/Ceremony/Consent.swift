import Accounts
import GroupCollect
import GroupReview
import Review
import SystemIO
import Threshold
import TrustStore
import TrustUpdates
import Vault

/// Who said yes.
public enum Consent: Sendable, Equatable {
    /// A person who saw the preview and answered, or who typed the command that means exactly this. Nothing
    /// can repeat a person's yes, so it is carried from the preview to the act.
    case person
    /// A rule under `approve` of the owner's policy. It is looked up again under the seal, just before the
    /// act.
    case policy
    /// A development vault. The unlocked vault proves again that it is one.
    case developmentVault
}

/// The outcome of an act, after its changes and its lines of the log are on the disk. Only
/// ``Session/perform(_:asking:)`` makes one.
public struct Receipt<Outcome> {
    /// The result of the act.
    public let outcome: Outcome
    /// Who said yes.
    public let consent: Consent

    init(_ outcome: Outcome, _ consent: Consent) {
        self.outcome = outcome
        self.consent = consent
    }
}

/// Tells errors that refuse a payload from errors that only end a command.
enum Refusal {
    /// Whether an error after the preview is a refusal: a no of the person or the policy, a preview that has
    /// changed, or something that the vault cannot do. A wrong passphrase has a line of its own, and an
    /// answer that cannot be written refuses nothing.
    static func isOne(_ error: any Error) -> Bool {
        switch error {
        case is ReviewError, is UpdateRefusal, is DerivationRefusal, is ContactRefusal, is GroupRefusal,
            is GroupSigningRefusal,
            is GroupCollectError:
            true
        case let error as CeremonyError:
            switch error {
            case .declined, .changedSinceShown, .approveNeedsPolicy, .noRuleApproves, .keyOnTwoNetworks: true
            case .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart,
                .unacknowledged, .keyFileNeeded, .recoveryKeyNeeded, .openedWithRecoveryKey,
                .recoveryKeyUnchecked, .recoveryKeyInUse, .factorNotBound, .passphraseNeeded, .noPolicy,
                .predictableRolls, .tooFewSources, .uncountedRolls, .otherAnswers, .guardUnrevealed,
                .guardedNonce,
                .weakPassphrase, .repeatedWords,
                .knownPhrase,
                .strengthUnknown, .repeatedRandom:
                false
            }
        case let error as StoreError: error == .changedSinceShown || error.isBeyondRepair
        // A reveal for another point than this key answers: the rounds of two transactions were mixed.
        case let error as GuardedError: error == .otherPoint
        default: false
        }
    }
}

/// Tells what ends a queue of payloads from what refuses one of them.
public enum QueueEnd {
    /// Whether nothing more can be signed before a person has looked: the vault, its store or the disk fails,
    /// or the device is online. Any other error refuses the payload, and the next one is taken.
    public static func isOne(_ error: any Error) -> Bool {
        switch error {
        case is StoreError, is VaultError, is SystemError: true
        case let error as CeremonyError:
            switch error {
            case .online, .onlineAtStart, .unacknowledged, .repeatedRandom: true
            case .declined, .changedSinceShown, .approveNeedsPolicy, .noRuleApproves, .keyOnTwoNetworks,
                .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .keyFileNeeded, .recoveryKeyNeeded,
                .openedWithRecoveryKey, .recoveryKeyUnchecked, .recoveryKeyInUse, .factorNotBound,
                .passphraseNeeded,
                .noPolicy, .predictableRolls, .tooFewSources, .uncountedRolls, .otherAnswers,
                .guardUnrevealed, .guardedNonce,
                .weakPassphrase, .knownPhrase,
                .repeatedWords,
                .strengthUnknown:
                false
            }
        default: false
        }
    }
}
