import Accounts
import GroupCollect
import GroupReview
import Review
import SubstratePrimitives
import Synchronization
import TrustStore
import TrustUpdates

/// A yes to exactly what one preview showed, for one act in that vault. Only ``Preview`` makes one, and
/// ``Session/perform(_:asking:)`` takes nothing else.
public struct Approval<O: Operation>: Sendable {
    let operation: O
    let shown: O.Shown
    /// Of the vault that was shown.
    let vaultID: [UInt8]
    /// Who said yes.
    public let consent: Consent
    /// What stood on the screen beside ``shown``.
    let page: ReadPage<O>?
    private let use = Use()

    init(_ preview: Preview<O>, _ consent: Consent) {
        self.init(preview.operation, preview.shown, of: preview.vaultID, consent, page: preview.page)
    }

    init(_ operation: O, _ shown: O.Shown, of vaultID: [UInt8], _ consent: Consent, page: ReadPage<O>? = nil)
    {
        self.operation = operation
        self.shown = shown
        self.vaultID = vaultID
        self.consent = consent
        self.page = page
    }

    /// Whether a person who read this approval's screen has read the screen that sealed trust gives.
    func isOf(_ sealed: O.Shown, in trust: TrustState) throws -> Bool {
        guard operation.isSame(shown, sealed) else { return false }
        return try page?.isSame(sealed, trust) ?? true
    }

    /// Whether the act was committed. All copies of an approval are one yes.
    var isSpent: Bool { use.isSpent.withLock { $0 } }

    func spend() { use.isSpent.withLock { $0 = true } }

    private final class Use: Sendable {
        let isSpent = Mutex(false)
    }
}

/// Who said yes.
public enum Consent: Sendable, Equatable {
    /// A person who saw the preview and answered, or who typed the command that means exactly this. Nothing
    /// can repeat a person's yes, so it is carried from the preview to the act.
    case person
    /// A rule under `approve` of the owner's policy. It is looked up again under the seal, just before the
    /// act.
    case policy
    /// A vault for tests. The unlocked vault proves again that it is one.
    case developmentVault
}

/// What an act gave, after its changes and its lines of the log are on the disk. Only
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
                .unacknowledged, .keyFileNeeded,
                .noPolicy, .predictableRolls, .weakPassphrase, .strengthUnknown:
                false
            }
        case let error as StoreError: error == .changedSinceShown || error.isBeyondRepair
        default: false
        }
    }
}
