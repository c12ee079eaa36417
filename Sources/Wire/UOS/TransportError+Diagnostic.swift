import Diagnostics
import RaptorQ

extension TransportError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// Nothing was read.
        case noCodes = "no-codes"
        /// A code holds no bytes.
        case emptyCode = "empty-code"
        /// A frame ends inside its header.
        case frameTooShort = "frame-too-short"
        /// A frame has a number that its count does not allow.
        case frameIndex = "frame-index"
        /// Two frames have one number and different bytes.
        case frameContradicts = "frame-contradicts"
        /// Frames of two kinds.
        case mixedEnvelopes = "mixed-envelopes"
        /// RaptorQ packets contradict each other or a limit.
        case raptorQ = "raptorq"
        /// Frames are missing, of either kind.
        case missingFrames = "missing-frames"
        /// The scan holds too many different payloads.
        case tooManyPayloads = "too-many-payloads"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .noCodes: .noCodes
        case .emptyCode: .emptyCode
        case .frameTooShort: .frameTooShort
        case .frameIndexOutOfRange: .frameIndex
        case .frameContradicts: .frameContradicts
        case .mixedEnvelopes: .mixedEnvelopes
        case .raptorQ: .raptorQ
        case .missingFrames, .missingSymbols: .missingFrames
        case .tooManyPayloads: .tooManyPayloads
        }
    }

    public var sentence: String {
        switch self {
        case .noCodes: "no QR code was found in the input"
        case .emptyCode: "a QR code is empty"
        case .frameTooShort(let bytes): "a frame of \(Sentence.count(bytes, "byte")) is too short"
        case .frameIndexOutOfRange(let index, let count): "a frame has number \(index + 1), but there \(Sentence.be(count)) only \(count)"
        case .frameContradicts(let index, let count): "frame \(index + 1) of \(count) was read twice with different contents"
        case .mixedEnvelopes: "the input mixes RaptorQ frames and legacy frames"
        case .raptorQ(let error): "the RaptorQ frames are inconsistent: \(error.sentence)"
        case .missingFrames(let missing, let count): "\(Self.frames(missing)) of \(count) \(Sentence.be(missing.count)) missing"
        case .missingSymbols(let collected, let needed):
            "\(Sentence.count(collected, "frame")) \(collected == 1 ? "was" : "were") read, and \(needed) \(Sentence.be(needed)) needed"
        case .tooManyPayloads(let count): "the input holds \(Sentence.count(count, "different payload")), which is too many"
        }
    }

    public static var examples: [TransportError] {
        [
            .noCodes, .emptyCode, .frameTooShort(bytes: 4), .frameIndexOutOfRange(index: 3, count: 3),
            .frameContradicts(index: 1, count: 3),
            .mixedEnvelopes, .raptorQ(.symbolsInconsistent(block: 0)), .missingFrames(missing: [2, 6, 7, 8], count: 9),
            .missingSymbols(collected: 12, needed: 40), .tooManyPayloads(9),
        ]
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
        let text = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
        return "\(missing.count == 1 ? "frame" : "frames") \(text)"
    }
}
