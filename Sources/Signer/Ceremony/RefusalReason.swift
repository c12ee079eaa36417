import Diagnostics
import Review
import TrustStore

/// The word that the log keeps for a refusal.
enum RefusalReason {
    /// nil for errors that say nothing about the payload.
    static func of(_ error: any Error) -> String? { (error as? any DiagnosticError).map { Self.word($0) } }

    private static func word(_ error: some DiagnosticError) -> String { error.code.rawValue }

    /// After the preview: a no of the person or the policy, what is not as it was shown, or what cannot be done with what the vault holds. A
    /// wrong passphrase has its own line, and an answer that cannot be written refuses nothing.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is ReviewError, is UpdateRefusal, is DerivationRefusal: true
        case let error as CeremonyError:
            switch error {
            case .declined, .changedSinceShown, .approveNeedsPolicy, .keyOnTwoNetworks: true
            case .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart, .unacknowledged, .keyFileNeeded,
                .noPolicy:
                false
            }
        case let error as StoreError: error == .changedSinceShown || error.isBeyondRepair
        default: false
        }
    }
}
