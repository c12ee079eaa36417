import Compression
import Diagnostics
import Extrinsics
import Glibc
import Metadata
import QRCode
import RaptorQ
import SCALE
import ScanProtocol
import ScannerClient
import SubstratePrimitives
import Terminal
import UOS
import UpdateGenerator

/// Errors of the libraries that both sides use.
extension Wording {
    /// nil for an error that no shared library declares.
    static func shared(_ error: any Error) -> Diagnostic? {
        switch error {
        case let error as TransportError: transport(error)
        case let error as ScannerClientError: scanner(error)
        case let error as QRCode.Failure: code(error)
        case let error as LegacyFrames.Failure: frames(error)
        case let error as RaptorQFrames.Failure: raptorQ(error)
        case let error as SS58Address.Failure: Diagnostic("bad-address", address(error), exit: .badInput)
        case let error as ExtrinsicError: Diagnostic("bad-transaction", "\(error.place): \(extrinsic(error.code))", exit: .badInput)
        case let error as ValueError:
            Diagnostic("bad-value", "\((["the bytes"] + error.path).joined(separator: ".")): \(value(error.code))", exit: .badInput)
        case let error as MetadataError: Diagnostic("bad-metadata", "\(error.place): \(metadata(error.code))", exit: .badInput)
        case let error as MetadataProofError: Diagnostic("bad-proof", "\(error.place): \(proof(error.code))", exit: .badInput)
        case let error as PayloadError: Diagnostic("bad-payload", payload(error), exit: .badInput)
        case let error as OutgoingTransaction.Failure: Diagnostic("bad-transaction", outgoing(error), exit: .badInput)
        case let error as ExpansionProblem: Diagnostic("bad-compressed", expansion(error), exit: .badInput)
        case let error as ZstdFrame.Failure: compression(error)
        case let error as PictureFailure: Diagnostic("picture", picture(error), exit: .inputOutput)
        case let error as SCALEError: Diagnostic("bad-encoding", "\(scale(error.code)), at byte \(error.offset)", exit: .badInput)
        default: nil
        }
    }

    /// One error for each code of this file.
    static let sharedExamples: [any Error] = [
        TransportError.noCodes, TransportError.emptyCode, TransportError.missingSymbols(collected: 3, needed: 9),
        ScannerClientError.cannotStart(program: "heliograph-scanner", errno: ENOENT),
        ScannerClientError.sandboxUnavailable(step: "seccomp", errno: ENOSYS), ScannerClientError.notUnderstood, QRCode.Failure.empty,
        QRCode.Failure.tooLong(bytes: 3000, capacity: 2953), QRCode.Failure.library(errno: ENOMEM),
        LegacyFrames.Failure.tooManyFrames(65536), RaptorQFrames.Failure.raptorQ(.symbolLengthInvalid(length: 0)),
        SS58Address.Failure.wrongChecksum, ExtrinsicError(.tooDeep, place: "call"), ValueError(.tooDeep, path: []),
        MetadataError(.notMetadata, place: "metadata"), MetadataProofError(.notATree, place: "proof"), PayloadError.blindSigning,
        ExpansionProblem.corrupt, ZstdFrame.Failure.notFaithful, PictureFailure.noFrames, SCALEError(.invalidUTF8, offset: 0),
    ]

    private static func code(_ error: QRCode.Failure) -> Diagnostic {
        switch error {
        case .empty: Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooLong(let bytes, let capacity):
            Diagnostic("too-long", "\(bytes) bytes do not fit one QR code, which holds \(capacity)", hint: "--legacy", exit: .badInput)
        case .library(let number): Diagnostic("qr", "no QR code could be drawn: \(errorText(number))", exit: .inputOutput)
        }
    }

    private static func frames(_ error: LegacyFrames.Failure) -> Diagnostic {
        switch error {
        case .emptyPayload: Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .tooManyFrames(let count): Diagnostic("too-many-frames", "\(count) frames are more than can be numbered", exit: .badInput)
        }
    }

    private static func raptorQ(_ error: RaptorQFrames.Failure) -> Diagnostic {
        switch error {
        case .payloadTooLong(let count): Diagnostic("too-long", "\(count) bytes are more than frames can announce", exit: .badInput)
        case .raptorQ(.payloadLengthOutOfRange): Diagnostic("empty-payload", "there are no bytes to draw", exit: .badInput)
        case .raptorQ(let error): Diagnostic("raptorq", raptorQ(error), exit: .badInput)
        }
    }

    private static func address(_ error: SS58Address.Failure) -> String {
        switch error {
        case .notBase58: "the address is not base-58 text"
        case .wrongLength(let count): "the address has \(count) bytes"
        case .wrongChecksum: "the checksum of the address is wrong"
        case .reservedPrefix(let prefix): "the address has the reserved prefix \(prefix)"
        }
    }

    private static func extrinsic(_ code: ExtrinsicError.Code) -> String {
        switch code {
        case .encoding(let code): scale(code)
        case .metadata(let code): metadata(code)
        case .tooDeep: "values are nested too deep"
        case .tooMany: "there are too many values"
        case .malformedValue: "this is no value of its type"
        case .leftoverAfterCall(let count): "\(count) bytes are left over behind the call"
        case .leftoverAfterExtensions(let count): "\(count) bytes are left over behind the extensions"
        case .noSpecVersion: "the runtime's extensions do not tell its version"
        case .noGenesis: "the runtime's extensions do not tell its chain"
        case .repeatedExtension: "two extensions tell the same"
        case .specVersionMismatch(let metadata, let transaction):
            "the transaction is for version \(transaction), the metadata is of \(metadata)"
        case .genesisMismatch(let payload, let transaction):
            "the extensions name the chain \(transaction.hex), the payload names \(payload.hex)"
        case .immortalBlockHash(let hash): "an immortal transaction starts at block 0, and this one at \(hash.hex)"
        case .metadataHashInconsistent: "a metadata hash is asked for and missing, or there and not asked for"
        case .metadataHashMismatch(let computed, let transaction):
            "the metadata hash is \(transaction.hex), and the metadata's is \(computed.hex)"
        case .metadataHashNotAtEnd: "the signed bytes do not end with the metadata hash: the chain may read them differently"
        case .opaqueLength(let announced, let found):
            "the value has \(found == 1 ? "1 byte" : "\(found) bytes") and its length says \(announced)"
        case .notDeterminedByCards: "the cards do not show every byte"
        case .tooMuchToShow: "there is too much to show"
        case .extrinsicVersion(let version): "only transactions of format 4 are signed, and the runtime uses format \(version)"
        case .extensionVersion(let version): "only extensions of version 0 are signed, and the runtime uses version \(version)"
        case .signsInExtension:
            "the runtime expects the signature in an extension (VerifySignature), which signs other bytes: this is not supported"
        case .metadataHashDisabled: "the transaction does not commit to its metadata proof"
        case .specsMismatch(let field): "the proof speaks of another \(field.rawValue) than the network's"
        }
    }

    private static func value(_ code: ValueError.Code) -> String {
        switch code {
        case .encoding(let code): scale(code)
        case .metadata(let code): metadata(code)
        case .tooDeep: "values are nested too deep"
        case .tooMany: "there are too many values"
        case .notACharacter(let number): "\(number) is no character"
        case .paddingBits: "bits behind the last one are set"
        case .mismatch: "the value is not of its type"
        case .opaqueLength(let announced, let found): "it is \(found) bytes long, and its length says \(announced)"
        }
    }

    private static func metadata(_ code: MetadataError.Code) -> String {
        switch code {
        case .notMetadata: "this is not metadata"
        case .unsupportedVersion(let version): "metadata version \(version) is not supported"
        case .encoding(let code): scale(code)
        case .typesNeeded: "metadata of this version needs types; import them first"
        case .typesMalformed: "the types for old metadata cannot be read"
        case .unknownTypeName(let name): "the type \(name) is not known"
        case .unknownType(let id): "there is no type \(id)"
        case .misplacedType(let id): "type \(id) does not stand at its place"
        case .unknownVariant(let index): "there is no choice \(index)"
        case .duplicateIndex(let index): "the index \(index) stands twice"
        case .malformedType(let id): "type \(id) cannot have values"
        case .missingPallet(let name): "the pallet \(name) is missing"
        case .missingConstant(let pallet, let name): "the constant \(pallet).\(name) is missing"
        case .malformedConstant(let pallet, let name): "the constant \(pallet).\(name) cannot be read"
        case .noExtrinsicVersion: "the runtime takes no signed transactions of a known format"
        case .limit(let limit): "there are too many \(limit.rawValue)"
        case .versionTooOld(let version): "metadata version \(version) is too old for this"
        }
    }

    private static func proof(_ code: MetadataProofError.Code) -> String {
        switch code {
        case .encoding(let code): scale(code)
        case .leafCount(let leaves, let indices): "there are \(leaves) leaves and \(indices) indices"
        case .notATree: "leaves and nodes make no tree"
        case .repeatedType(let id): "type \(id) stands twice"
        case .malformedLeaf: "a leaf is malformed"
        case .limit(let limit): "there are too many \(limit.rawValue)"
        }
    }

    private static func payload(_ error: PayloadError) -> String {
        switch error {
        case .tooShort(let count): "\(count) bytes are too few for a payload"
        case .notAPayload(let byte): "a payload begins with 0x53, and this with 0x\(String(byte, radix: 16))"
        case .unknownCode(let code): "the payload code 0x\(String(code, radix: 16)) is not known"
        case .unknownScheme(let byte): "the signature scheme \(byte) is not known"
        case .schemeMissing(let code): "a payload of the kind \(code.kind) names no signature scheme"
        case .blindSigning: "the payload holds only the hash of a transaction"
        case .malformed(let place, let error): "\(place): \(scale(error.code))"
        case .reservedTail(let count): "\(count) bytes are left over behind the update"
        case .messageWithoutTags: "the message does not stand between its tags"
        case .notSignable(let code): "a batch holds a payload of the kind \(code.kind), which is not signed"
        case .emptyBulk: "the batch is empty"
        case .unknownVersion(let place, let version): "\(place) has the unknown version \(version)"
        }
    }

    private static func outgoing(_ error: OutgoingTransaction.Failure) -> String {
        switch error {
        case .wrongSignerLength(let count, let expected): "the signer has \(count) bytes, not \(expected)"
        case .emptyBatch: "the batch is empty"
        }
    }

    private static func picture(_ error: PictureFailure) -> String {
        switch error {
        case .library(let reason): "no picture could be made: \(reason)"
        case .framesDiffer: "the frames of the animation differ in size"
        case .noFrames: "the animation has no frames"
        }
    }

    static func transport(_ error: TransportError) -> Diagnostic {
        switch error {
        case .noCodes: Diagnostic("no-codes", "the pictures hold no QR code", exit: .badInput)
        case .emptyCode: Diagnostic("bad-frames", "a QR code is empty", exit: .badInput)
        case .frameTooShort(let count): Diagnostic("bad-frames", "a frame has only \(count) bytes", exit: .badInput)
        case .frameIndexOutOfRange(let index, let count):
            Diagnostic("bad-frames", "there is a frame \(index + 1) of \(count)", exit: .badInput)
        case .frameContradicts(let index, _): Diagnostic("bad-frames", "frame \(index + 1) came with two contents", exit: .badInput)
        case .mixedEnvelopes: Diagnostic("bad-frames", "the pictures hold frames of two kinds", exit: .badInput)
        case .raptorQ(let error): Diagnostic("bad-frames", raptorQ(error), exit: .badInput)
        case .missingFrames(let missing, let count):
            Diagnostic("frames-missing", "\(missing.count) of \(count) frames are missing", exit: .badInput)
        case .missingSymbols(let collected, let needed):
            Diagnostic("frames-missing", "\(collected) frames are read, and \(needed) are needed", exit: .badInput)
        case .tooManyPayloads(let count): Diagnostic("bad-frames", "the pictures hold \(count) payloads", exit: .badInput)
        }
    }

    static func raptorQ(_ error: RaptorQError) -> String {
        switch error {
        case .packetTooShort(let length): "a frame has only \(length) bytes"
        case .payloadLengthOutOfRange(let length): "\(length) bytes cannot be put into frames"
        case .symbolLengthInvalid(let length): "symbols cannot have \(length) bytes"
        case .tooManySourceBlocks(let count): "\(count) source blocks are more than frames can number"
        case .symbolLengthChanged(let expected, let found): "a frame has \(found) bytes, and the others have \(expected)"
        case .sourceBlockOutOfRange(let number, let count): "there is a source block \(number) of \(count)"
        case .encodingSymbolImpossible(_, let id): "no frame has the number \(id)"
        case .symbolConflict(_, let id): "frame \(id) came with two contents"
        case .paddingNotZero(_, let id): "frame \(id) is padded with something"
        case .symbolsInconsistent: "the frames come from several payloads"
        }
    }

    static func scanner(_ error: ScannerClientError) -> Diagnostic {
        switch error {
        case .cannotStart(let program, let number):
            Diagnostic("no-scanner", "\(program) cannot be started: \(errorText(number))", hint: "--scanner PATH", exit: .inputOutput)
        case .sandboxUnavailable(let step, let number):
            Diagnostic(
                "no-sandbox", "pictures are not read, because the reader cannot be shut in (\(step): \(errorText(number)))",
                exit: .notPermitted)
        case .ended(let status, let signal):
            Diagnostic(
                "scanner", "the reader of pictures ended with \(signal.map { "signal \($0)" } ?? "status \(status ?? 0)")",
                exit: .inputOutput)
        case .expansion(let problem): Diagnostic("bad-compressed", expansion(problem), exit: .badInput)
        case .notUnderstood: Diagnostic("scanner", "the reader of pictures is of another build than this program", exit: .inputOutput)
        }
    }

    static func expansion(_ problem: ExpansionProblem) -> String {
        switch problem {
        case .tooLong(let bytes): "\(bytes) bytes of metadata are more than the \(ExpansionRequest.maximumLength) that a signer expands"
        case .notAFrame: "the compressed metadata is no zstd frame"
        case .unsupportedFrame: "the zstd frame is not one segment with its length and a checksum, and without a dictionary"
        case .lengthDiffers(let announced, let found): "\(announced) bytes of metadata are announced, and the frame holds \(found)"
        case .truncated: "the zstd frame ends too early"
        case .trailing(let bytes): "\(bytes) bytes are left over behind the zstd frame"
        case .corrupt: "the zstd frame is damaged"
        case .outOfMemory: "expanding the metadata needs too much memory"
        case .tookTooLong(let milliseconds): "expanding the metadata took longer than \(milliseconds / 1000) s"
        case .crashed(let signal): "the process that expanded the metadata died (signal \(signal))"
        }
    }

    private static func compression(_ error: ZstdFrame.Failure) -> Diagnostic {
        switch error {
        case .notCompressed(let reason): Diagnostic("compression", "the metadata cannot be compressed: \(reason)", exit: .inputOutput)
        case .notFaithful: Diagnostic("compression", "the compressed metadata does not expand to what it was", exit: .inputOutput)
        }
    }

    static func scale(_ code: SCALEError.Code) -> String {
        switch code {
        case .truncated(let needed, let available): "\(needed) bytes are needed and \(available) are left"
        case .leftover(let count): "\(count) bytes are left over"
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number has more than \(bits) bits"
        case .invalidDiscriminant(let byte): "\(byte) is no valid choice here"
        case .invalidUTF8: "text is not UTF-8"
        case .countExceedsInput(let count, let available): "\(count) items are announced and \(available) bytes are left"
        }
    }

    private static func errorText(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}
