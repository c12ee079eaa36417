import Diagnostics
import RaptorQ

extension LegacyFrames.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A payload of no bytes.
        case empty = "empty-payload"
        /// More than 65535 frames.
        case tooManyFrames = "too-many-frames"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .emptyPayload: .empty
        case .tooManyFrames: .tooManyFrames
        }
    }

    public var sentence: String {
        switch self {
        case .emptyPayload: "the payload is empty, so there is nothing to draw"
        case .tooManyFrames(let count): "the payload needs \(count) frames, more than can be numbered"
        }
    }

    public static var examples: [Self] { [.emptyPayload, .tooManyFrames(70_000)] }
}

extension RaptorQFrames.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A payload of no bytes.
        case empty = "empty-payload"
        /// 2³¹ bytes or more.
        case tooLong = "payload-too-long"
        /// RFC 6330 cannot cut the payload that way.
        case raptorQ = "raptorq"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .payloadTooLong: .tooLong
        case .raptorQ(.payloadLengthOutOfRange(length: 0)): .empty
        case .raptorQ: .raptorQ
        }
    }

    public var sentence: String {
        switch self {
        case .payloadTooLong(let count): "the payload has \(Sentence.count(count, "byte")), more than RaptorQ frames can announce"
        case .raptorQ(.payloadLengthOutOfRange(length: 0)): "the payload is empty, so there is nothing to draw"
        case .raptorQ(let error): "the payload does not fit in RaptorQ frames: \(error.sentence)"
        }
    }

    public static var examples: [Self] {
        [.payloadTooLong(1 << 31), .raptorQ(.payloadLengthOutOfRange(length: 0)), .raptorQ(.tooManySourceBlocks(count: 300))]
    }
}

extension OutgoingTransaction.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// The key or address does not have the length of its scheme.
        case keyLength = "key-length"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .wrongSignerLength: .keyLength
        }
    }

    public var sentence: String {
        switch self {
        case .wrongSignerLength(let count, let expected): "the signer has \(Sentence.count(count, "byte")), not \(expected)"
        }
    }

    public static var examples: [Self] { [.wrongSignerLength(20, expected: 32)] }
}
