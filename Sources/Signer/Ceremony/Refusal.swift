import Accounts
import GroupCollect
import GroupReview
import Review
import TrustStore
import TrustUpdates

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
