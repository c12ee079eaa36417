import Diagnostics
import Threshold

extension ThresholdError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .size, .path, .repeatedHostKey: .usage
        case .notTheMember, .notTheDealtKey, .wrongShare, .signers, .otherNonces: .refused
        case .badHostKey, .contributors, .contributions, .badGroupKey, .badRecord, .certificate, .badCommitment, .identityCommitment,
            .signatureShares:
            .badInput
        case .selfCheck: .inputOutput
        }
    }

    var hint: String? {
        switch self {
        case .selfCheck: "heliograph self-test"
        case .size, .path, .repeatedHostKey, .notTheMember, .notTheDealtKey, .wrongShare, .signers, .otherNonces, .badHostKey,
            .contributors,
            .contributions, .badGroupKey, .badRecord, .certificate, .badCommitment, .identityCommitment, .signatureShares:
            nil
        }
    }
}
