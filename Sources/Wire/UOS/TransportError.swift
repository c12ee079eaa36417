import Diagnostics
import RaptorQ

/// Why the QR codes of a scan do not make a payload.
public enum TransportError: Error, Equatable, Sendable {
    /// The input held no QR code.
    case noCodes
    /// A QR code of no bytes.
    case emptyCode
    /// A frame that ends before its part or symbol begins; the number of its bytes.
    case frameTooShort(bytes: Int)
    /// A legacy frame whose index, counted from 0, is not below its count.
    case frameIndexOutOfRange(index: Int, count: Int)
    /// Two legacy frames with the same index and different bytes; the index counts from 0.
    case frameContradicts(index: Int, count: Int)
    /// Frames of both envelopes in one scan.
    case mixedEnvelopes
    /// RaptorQ packets that announce too much or contradict each other.
    case raptorQ(RaptorQError)
    /// Legacy frames that were never read, counted from 0.
    case missingFrames(missing: [Int], count: Int)
    /// Too few RaptorQ symbols: different ones that were read, and how many are needed at least.
    case missingSymbols(collected: Int, needed: Int)
    /// More different payloads than the 16 that one scan may carry.
    case tooManyPayloads(Int)
    /// More different shares than a set may have.
    case tooManyShares(limit: Int)
}

extension TransportError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .noCodes:
            .badInput(
                "no-codes", "no QR code was found in the input",
                hint: "hold the whole code in the picture, sharp and evenly lit")
        case .emptyCode: .badInput("empty-code", "a QR code is empty", hint: Hints.oneAnimation)
        case .frameTooShort(let bytes):
            .badInput(
                "frame-too-short", "a frame of \(Sentence.count(bytes, "byte")) is too short",
                hint: Hints.oneAnimation)
        case .frameIndexOutOfRange(let index, let count):
            .badInput(
                "frame-index",
                "a frame has number \(index + 1), but there \(Sentence.be(count)) only \(count)",
                hint: Hints.oneAnimation)
        case .frameContradicts(let index, let count):
            .badInput(
                "frame-contradicts", "frame \(index + 1) of \(count) was read twice with different contents",
                hint: Hints.oneAnimation)
        case .mixedEnvelopes:
            .badInput(
                "mixed-envelopes", "the input mixes RaptorQ frames and legacy frames",
                hint: Hints.oneAnimation)
        case .raptorQ(let error):
            .badInput(
                error.diagnostic.code, "the RaptorQ frames are inconsistent: \(error.sentence)",
                hint: Hints.oneAnimation)
        case .missingFrames(let missing, let count):
            .badInput(
                "missing-frames", "\(Self.frames(missing)) of \(count) \(Sentence.be(missing.count)) missing",
                hint: "record the animation for longer, or name the other pictures in the same command too")
        case .missingSymbols(let collected, let needed):
            .badInput(
                "missing-frames",
                "\(Sentence.count(collected, "frame")) \(collected == 1 ? "was" : "were") "
                    + "read, and \(needed) \(Sentence.be(needed)) needed",
                hint: "record the animation for longer, or name the other pictures in the same command too")
        case .tooManyPayloads(let count):
            .badInput(
                "too-many-payloads",
                "the input holds \(Sentence.count(count, "different payload")), which is too many",
                hint: Hints.oneAnimation)
        case .tooManyShares(let limit):
            .badInput(
                "too-many-payloads",
                "the input holds more than \(Sentence.count(limit, "share")), the most that a set has",
                hint: "scan the shares of one set alone")
        }
    }

    /// `frame 3`, `frames 3, 7-9`: counted from 1, as a person counts.
    private static func frames(_ missing: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for frame in missing.map({ $0 + 1 }) {
            if let last = runs.last, last.upperBound + 1 == frame {
                runs[runs.count - 1] = last.lowerBound...frame
            } else {
                runs.append(frame...frame)
            }
        }
        let text = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
        return "\(missing.count == 1 ? "frame" : "frames") \(text)"
    }

    public static var examples: [TransportError] {
        [
            .noCodes, .emptyCode, .frameTooShort(bytes: 4), .frameIndexOutOfRange(index: 3, count: 3),
            .frameContradicts(index: 1, count: 3),
            .mixedEnvelopes, .raptorQ(.symbolsInconsistent(block: 0)), .raptorQ(.unsolvable(block: 0)),
            .missingFrames(missing: [2, 6, 7, 8], count: 9),
            .missingSymbols(collected: 12, needed: 40), .tooManyPayloads(9), .tooManyShares(limit: 255),
        ]
    }
}
