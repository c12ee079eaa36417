import Compression
import Diagnostics
import Extrinsics
import GroupCollect
import Keys
import Metadata
import QRCode
import RaptorQ
import SCALE
import SQLite
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import SystemIO
import UOS

// Errors of the libraries that both sides use. A code ends this program as it ends the offline one.

extension SCALEError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension MetadataProofError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ValueError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ExtrinsicError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension SS58Address.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension TransportError: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension LegacyFrames.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension RaptorQFrames.Failure: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ExpansionProblem: ProgramError { var exit: Diagnostic.Exit { .badInput } }
extension ZstdFrame.Failure: ProgramError { var exit: Diagnostic.Exit { .inputOutput } }
extension PictureFailure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .library, .framesDiffer, .noFrames: .inputOutput
        case .noTerminal: .usage
        case .windowTooSmall: .refused
        }
    }

    var hint: String? {
        switch self {
        case .library, .framesDiffer, .noFrames: nil
        case .noTerminal, .windowTooSmall: "--out FILE.png writes a picture instead"
        }
    }
}
extension SQLiteError: ProgramError { var exit: Diagnostic.Exit { .inputOutput } }
extension OutgoingTransaction.Failure: ProgramError { var exit: Diagnostic.Exit { .usage } }

extension SystemError: ProgramError {
    var exit: Diagnostic.Exit { isTooLarge ? .badInput : .inputOutput }
}

extension MetadataError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { reason == .typesNeeded ? "heliograph-hot import FILE" : nil }
}

extension PayloadError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .blindSigning, .messageWithoutTags, .group(_, .reshare): .refused
        case .tooShort, .notAPayload, .unknownCode, .unknownScheme, .schemeMissing, .malformed, .reservedTail, .notSignable, .emptyBulk,
            .notClaimable, .claimsOfAnotherScheme, .ambiguousDerivations, .contactList, .group:
            .badInput
        }
    }
}

extension GroupCollectError: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .nothing, .unexpected, .twoPurposes, .severalRuns, .otherRun, .proposalMissing, .recordMissing, .requestMissing: .badInput
        case .otherGroup, .otherAccount, .content, .signers, .notAsked, .unknownMember, .proposal, .record, .hostSignature,
            .contradiction, .contribution, .confirmation, .commitment, .package, .share:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .nothing, .unexpected: "name the messages of one new group or of one signature"
        case .otherRun: "ask that member for the answer to this proposal or request"
        case .twoPurposes, .severalRuns: "collect one group or one request at a time"
        case .proposalMissing: "name the group proposal too"
        case .recordMissing: "name the group record too"
        case .requestMissing: "name the group request too"
        case .otherGroup: "name the record of the request's group"
        case .otherAccount: "name the path of the payload's account"
        case .unknownMember: "name a member as the group record does"
        case .content, .signers: "make the request again"
        case .notAsked: "name the answers of the signers that the request asks"
        case .proposal, .record: "ask for the message again"
        case .hostSignature, .contribution, .confirmation, .commitment: "ask that member for the message again"
        // A machine answers one package, and shows the same share for ever.
        case .package, .share: "keep the message as a proof, and start again with a new request"
        case .contradiction: "start again, and find out why the member signed twice"
        }
    }
}

extension PathListText.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { "write one path on each line, e.g. //polkadot//0" }
}

extension DerivationPathError: ProgramError { var exit: Diagnostic.Exit { .usage } }

extension QRCode.Failure: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .empty, .tooLong: .badInput
        case .library: .inputOutput
        }
    }

    var hint: String? {
        switch self {
        case .tooLong: "--legacy"
        case .empty, .library: nil
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

    var hint: String? {
        switch self {
        case .cannotStart: "--scanner PATH"
        case .sandboxUnavailable, .ended, .notUnderstood, .expansion: nil
        }
    }
}
