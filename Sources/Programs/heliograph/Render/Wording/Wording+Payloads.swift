import Diagnostics
import Hashing
import RaptorQ
import SCALE
import Terminal
import UOS

/// Frames and payloads.
extension Wording {
    static func transport(_ error: TransportError) -> Diagnostic {
        switch error {
        case .noCodes: Diagnostic("no-codes", "no QR code was read in the input", exit: .badInput)
        case .emptyCode: Diagnostic("empty-code", "a QR code holds no data", exit: .badInput)
        case .frameTooShort(let bytes):
            Diagnostic("frame-too-short", "a frame of \(bytes) bytes is too short to hold data", exit: .badInput)
        case .frameIndexOutOfRange(let index, let count):
            Diagnostic("frame-index", "a frame says it is number \(index + 1) of \(count)", exit: .badInput)
        case .frameContradicts(let index, let count):
            Diagnostic("frame-contradicts", "frame \(index + 1) of \(count) was read twice with different contents", exit: .badInput)
        case .mixedEnvelopes: Diagnostic("mixed-envelopes", "the input mixes RaptorQ frames and legacy frames", exit: .badInput)
        case .raptorQ(let error): Diagnostic("raptorq", "the RaptorQ frames are not consistent: \(raptorQ(error))", exit: .badInput)
        case .missingFrames(let missing, let count):
            Diagnostic(
                "missing-frames", "\(frames(missing)) of \(count) \(missing.count == 1 ? "was" : "were") never read", exit: .badInput)
        case .missingSymbols(let collected, let needed):
            Diagnostic("missing-frames", "\(collected) frames were read of \(needed) that are needed", exit: .badInput)
        case .tooManyPayloads(let count):
            Diagnostic("too-many-payloads", "the input holds codes of \(count) different payloads", exit: .badInput)
        }
    }

    private static func raptorQ(_ error: RaptorQError) -> String {
        switch error {
        case .packetTooShort(let length): "a packet of \(length) bytes is too short"
        case .payloadLengthOutOfRange(let length): "no payload has \(length) bytes"
        case .symbolLengthInvalid(let length): "no symbol has \(length) bytes"
        case .tooManySourceBlocks(let count): "\(count) blocks are too many"
        case .symbolLengthChanged(let expected, let found): "a symbol has \(found) bytes and the others have \(expected)"
        case .sourceBlockOutOfRange(let number, let count): "a symbol is of block \(number) of \(count)"
        case .encodingSymbolImpossible(let block, let id): "block \(block) has no symbol \(id)"
        case .symbolConflict(let block, let id): "symbol \(id) of block \(block) was read twice with different contents"
        case .paddingNotZero(let block, let id): "the end of symbol \(id) of block \(block) is not empty"
        case .symbolsInconsistent(let block): "the symbols of block \(block) are not of one payload"
        }
    }

    static func payload(_ error: PayloadError) -> Diagnostic {
        switch error {
        case .tooShort(let bytes):
            Diagnostic("payload-too-short", "\(bytes == 1 ? "1 byte is" : "\(bytes) bytes are") too few for a payload", exit: .badInput)
        case .notAPayload(let byte):
            Diagnostic("not-a-payload", "the data starts with \(Hex.encode([byte])); a payload starts with 53", exit: .badInput)
        case .unknownCode(let code): Diagnostic("unknown-payload", "payload code \(Hex.encode([code])) is not known", exit: .badInput)
        case .unknownScheme(let scheme):
            Diagnostic("unknown-scheme", "signature scheme \(Hex.encode([scheme])) is not known", exit: .badInput)
        case .schemeMissing: Diagnostic("scheme-missing", "the payload names no signature scheme", exit: .badInput)
        case .blindSigning:
            Diagnostic(
                "blind-signing", "the payload holds only the hash of a transaction: what it does cannot be shown, so it is not signed",
                hint: "send the whole transaction, or one with a metadata proof", exit: .refused)
        case .malformed(let place, let error): Diagnostic("malformed-payload", "\(place): \(scale(error))", exit: .badInput)
        case .reservedTail(let bytes): Diagnostic("leftover-bytes", "\(leftover(bytes)) after the update", exit: .badInput)
        case .messageWithoutTags:
            Diagnostic("message-without-tags", "the message does not stand between <Bytes> and </Bytes>", exit: .refused)
        case .notSignable(let code): Diagnostic("bulk-content", "a bulk payload holds a payload of kind \(code.kind)", exit: .badInput)
        case .emptyBulk: Diagnostic("empty-bulk", "the bulk payload holds no transaction", exit: .badInput)
        case .unknownVersion(let place, let version):
            Diagnostic("unknown-version", "\(place): version \(version) is not known", exit: .badInput)
        }
    }

    /// The sentence for a SCALE failure and where it stands.
    static func scale(_ error: SCALEError) -> String { "at byte \(error.offset): \(scaleText(error.reason))" }

    static func scaleText(_ code: SCALEError.Reason) -> String {
        switch code {
        case .truncated(let needed, let available):
            "the data is cut: \(needed == 1 ? "1 byte is" : "\(needed) bytes are") needed and \(available) are left"
        case .leftover(let count): leftover(count)
        case .compactNotShortest: "a compact number is not in its shortest form"
        case .compactTooWide(let bits): "a compact number does not fit \(bits) bits"
        case .invalidDiscriminant(let byte): "byte \(byte) is none of the values that can stand there"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .countExceedsInput(let count, let available): "\(count) elements are announced and \(available) bytes are left"
        }
    }

    static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    static func leftover(_ bytes: some BinaryInteger) -> String { bytes == 1 ? "1 byte is left over" : "\(bytes) bytes are left over" }

    /// `frame 3`, `frames 3, 7-9`: counted from 1, as a person counts.
    static func frames(_ missing: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for frame in missing.map({ $0 + 1 }) {
            if let last = runs.last, last.upperBound + 1 == frame {
                runs[runs.count - 1] = last.lowerBound...frame
            } else {
                runs.append(frame...frame)
            }
        }
        let text = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
        return "\(missing.count == 1 ? "frame" : "frames") \(text)"
    }
}
