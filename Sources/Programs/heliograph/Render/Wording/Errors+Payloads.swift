import Diagnostics
import Extrinsics
import GroupCollect
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

/// Hints for input that somebody else made.
enum SenderHint {
    static let scanAgain = "scan it again; if it is refused again, make it again"
    static let makeAgain = "make the transaction again on the online machine"
    static let oneAnimation = "scan the frames of one payload alone, in one command"
    static let uncompressed = "make the update without --compressed: heliograph-hot make load-metadata NETWORK"
    static let fetchAgain = "heliograph-hot fetch URL gets the metadata again"
    static let policyHelp = "heliograph help policy"
}

extension SCALEError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.scanAgain }
}

extension MetadataError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.fetchAgain }
}

extension MetadataProofError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.makeAgain }
}

extension ValueError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.makeAgain }
}

extension ExtrinsicError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.makeAgain }
}

extension Era.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.makeAgain }
}

extension TransactionPolicy.Fault: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.policyHelp }
}

extension StrictJSON.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.policyHelp }
}

extension AssetUnits.Failure: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.scanAgain }
}

extension RaptorQError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.oneAnimation }
}

extension TransportError: ProgramError {
    var exit: Diagnostic.Exit { .badInput }

    var hint: String? {
        switch self {
        case .noCodes: "hold the whole code in the picture, sharp and evenly lit"
        case .missingFrames, .missingSymbols: "record the animation for longer, or name the other pictures in the same command too"
        case .emptyCode, .frameTooShort, .frameIndexOutOfRange, .frameContradicts, .mixedEnvelopes, .raptorQ, .tooManyPayloads:
            SenderHint.oneAnimation
        }
    }
}

extension ExpansionProblem: ProgramError {
    var exit: Diagnostic.Exit { .badInput }
    var hint: String? { SenderHint.uncompressed }
}

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

extension SandboxError: ProgramError {
    var exit: Diagnostic.Exit { .notPermitted }
    var hint: String? { nil }
}

extension ScanEventError: ProgramError {
    var exit: Diagnostic.Exit { .inputOutput }
    var hint: String? { "unpack both programs from one archive" }
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

    var hint: String? {
        switch self {
        case .blindSigning: "send the whole transaction, or one with a metadata proof"
        case .messageWithoutTags: "sign the message between <Bytes> and </Bytes>"
        case .notSignable: "scan the other payloads one by one"
        case .emptyBulk, .notClaimable, .claimsOfAnotherScheme, .ambiguousDerivations: SenderHint.makeAgain
        case .group(_, .reshare): "make a new group and move the funds"
        case .group: "ask its sender for the message again"
        case .contactList: "ask the signer for a new list"
        case .tooShort, .notAPayload, .unknownCode, .unknownScheme, .schemeMissing, .malformed, .reservedTail: SenderHint.scanAgain
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
        case .unknownMember: "heliograph inspect shows the names of a record"
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

    var hint: String? {
        switch self {
        case .notText, .notAPath, .repeated, .empty, .tooMany: "write one path on each line, e.g. //polkadot//0"
        case .password: "heliograph key derive SEED PATH --password derives such a key"
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

    var hint: String? { nil }
}

extension PictureProblem: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .cannotOpen: .inputOutput
        case .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported, .tooManyPixels, .tooManyBytes, .tooManyFrames,
            .tooManyFiles, .outOfMemory, .tookTooLong, .crashed, .silent, .unwritten, .skipped, .nothingNew, .video:
            .badInput
        case .camera(let problem): problem.exit
        }
    }

    var hint: String? {
        switch self {
        case .notAPicture, .unsupported: "save it as PNG, or make it with ffmpeg: ffmpeg -i FILE -f yuv4mpegpipe - | heliograph scan -"
        case .video: "ffmpeg -i FILE -pix_fmt gray -strict -1 -f yuv4mpegpipe - | heliograph scan -"
        case .tooManyPixels: "scale the picture down"
        case .tooManyFiles: "name a smaller directory"
        case .unwritten: "start the program that writes to the pipe first"
        case .skipped: "read the other pictures without those that timed out"
        case .silent, .nothingNew: "check that the camera sees the code"
        case .camera(let problem): problem.hint
        case .cannotOpen, .vanished, .notAFile, .empty, .truncated, .corrupt, .tooManyBytes, .tooManyFrames, .outOfMemory, .tookTooLong,
            .crashed:
            nil
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
        case .cannotStart: "keep heliograph-scanner in the directory of heliograph, as the archive has it"
        case .notUnderstood: ScanEventError().hint
        case .ended: "scan the other pictures without the last one"
        case .expansion(let problem): problem.hint
        case .sandboxUnavailable: nil
        }
    }
}
