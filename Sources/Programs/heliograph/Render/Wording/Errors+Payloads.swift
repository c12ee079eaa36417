import Diagnostics
import Extrinsics
import Metadata
import QRCode
import RaptorQ
import SCALE
import Sandbox
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import UOS

// Bytes that do not hold what they should, and the scanner that reads them.

extension SCALEError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension MetadataError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension MetadataProofError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ValueError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ExtrinsicError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension TransactionPolicy.Fault: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension StrictJSON.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension AssetUnits.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension Era.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension RaptorQError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension TransportError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ExpansionProblem: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension PictureFailure: ProgramError { var exit: Diagnostic.Exit { .inputOutput } }
extension SandboxError: ProgramError { var exit: Diagnostic.Exit { .notPermitted } }
extension ScanEventError: ProgramError { var exit: Diagnostic.Exit { .inputOutput } }

extension PayloadError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .blindSigning, .messageWithoutTags: .refused
        case .tooShort, .notAPayload, .unknownCode, .unknownScheme, .schemeMissing, .malformed, .reservedTail, .notSignable, .emptyBulk:
            .badInput
        }
    }

    var hint: String? {
        switch self {
        case .blindSigning: "send the whole transaction, or one with a metadata proof"
        case .tooShort, .notAPayload, .unknownCode, .unknownScheme, .schemeMissing, .malformed, .reservedTail, .messageWithoutTags,
            .notSignable, .emptyBulk:
            nil
        }
    }
}

extension QRCode.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .empty, .tooLong: .badInput
        case .library: .inputOutput
        }
    }
}

extension PictureProblem: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .cannotOpen: .inputOutput
        case .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported, .tooManyPixels, .tooManyBytes, .tooManyFrames,
            .tooManyFiles, .outOfMemory, .tookTooLong, .crashed, .silent, .nothingNew, .video:
            .badInput
        case .camera(let problem): problem.exit
        }
    }
}

extension ScannerClientError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .cannotStart, .ended, .notUnderstood: .inputOutput
        case .sandboxUnavailable: .notPermitted
        case .expansion(let problem): problem.exit
        }
    }
}
