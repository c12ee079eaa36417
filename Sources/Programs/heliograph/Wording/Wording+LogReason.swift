import Extrinsics
import Metadata
import Review
import SCALE
import ScannerClient
import SubstratePrimitives
import TrustStore

extension Wording {
    /// The log's own word for what ended the review of a payload.
    static func logReason(_ error: any Error) -> LogReason {
        switch error {
        case let error as ReviewError: LogReason(error)
        case let error as UpdateRefusal: LogReason(error)
        case let error as DerivationRefusal: LogReason(error)
        case let error as StoreError: LogReason(error)
        case let error as CommandError: logReason(error)
        case ScannerClientError.expansion: .compressedMetadata
        case is SCALEError, is MetadataError, is AssetUnits.Failure: .malformedUpdate
        case is ExtrinsicError, is MetadataProofError: .malformedTransaction
        default: .other
        }
    }

    private static func logReason(_ error: CommandError) -> LogReason {
        switch error {
        case .answeredNo: .answeredNo
        case .approveNeedsPolicy: .noRuleApproves
        case .keyOnTwoNetworks: .keyOnTwoNetworks
        default: .other
        }
    }
}
