import Diagnostics
import RaptorQ

extension LegacyFrames.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case empty = "empty-payload"
        case tooManyFrames = "too-many-frames"
    }

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
        case empty = "empty-payload"
        case tooLong = "payload-too-long"
        case raptorQ = "raptorq"
    }

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
        case keyLength = "key-length"
    }

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
