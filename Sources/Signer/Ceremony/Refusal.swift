import Extrinsics
import GroupCollect
import Metadata
import Review
import SCALE
import SubstratePrimitives
import TrustStore

extension LogReason {
    /// The log's own reason for the error that ended an operation.
    public init(refusal error: any Error) {
        self =
            switch error {
            case let error as ReviewError: LogReason(error)
            case let error as UpdateRefusal: LogReason(error)
            case let error as DerivationRefusal: LogReason(error)
            case let error as ContactRefusal: LogReason(error)
            case let error as GroupRefusal: LogReason(error)
            case let error as GroupSigningRefusal: LogReason(error)
            case let error as GroupCollectError: LogReason(error)
            case let error as StoreError: LogReason(error)
            case let error as CeremonyError: LogReason(error)
            case is SCALEError, is MetadataError, is AssetUnits.Failure: .malformedUpdate
            case is ExtrinsicError, is MetadataProofError: .malformedTransaction
            default: .other
            }
    }

    init(_ error: CeremonyError) {
        self =
            switch error {
            case .declined: .answeredNo
            case .changedSinceShown: .changedSinceShown
            case .approveNeedsPolicy, .noRuleApproves: .noRuleApproves
            case .keyOnTwoNetworks: .keyOnTwoNetworks
            case .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart, .unacknowledged, .keyFileNeeded,
                .noPolicy, .predictableRolls, .weakPassphrase, .strengthUnknown:
                .other
            }
    }
}

/// Tells errors that refuse a payload from errors that only end a command.
enum Refusal {
    /// Whether an error after the preview is a refusal: a no of the person or the policy, a preview that has changed, or something that the vault
    /// cannot do. A wrong passphrase has a line of its own, and an answer that cannot be written refuses nothing.
    static func isOne(_ error: any Error) -> Bool {
        switch error {
        case is ReviewError, is UpdateRefusal, is DerivationRefusal, is ContactRefusal, is GroupRefusal, is GroupSigningRefusal,
            is GroupCollectError:
            true
        case let error as CeremonyError:
            switch error {
            case .declined, .changedSinceShown, .approveNeedsPolicy, .noRuleApproves, .keyOnTwoNetworks: true
            case .approveNeedsDevelopmentVault, .wordNeedsDevelopmentVault, .online, .onlineAtStart, .unacknowledged, .keyFileNeeded,
                .noPolicy, .predictableRolls, .weakPassphrase, .strengthUnknown:
                false
            }
        case let error as StoreError: error == .changedSinceShown || error.isBeyondRepair
        default: false
        }
    }
}
