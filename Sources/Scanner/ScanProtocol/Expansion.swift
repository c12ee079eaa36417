import Diagnostics

/// Why compressed metadata cannot be expanded.
public enum ExpansionProblem: Error, Equatable, Hashable, Sendable {
    /// Too many bytes, announced or compressed; ``ExpansionRequest/maximumLength`` is the limit.
    case tooLong(bytes: UInt32)
    /// The first bytes are not those of a zstd frame.
    case notAFrame
    /// A frame of another kind than the documented one: with a dictionary, without its length or without a
    /// checksum, or of several windows.
    case unsupportedFrame
    /// The frame's own length differs from the length beside it.
    case lengthDiffers(announced: UInt32, found: UInt32)
    /// The frame is truncated.
    case truncated
    /// Bytes follow the frame.
    case trailing(bytes: UInt32)
    /// The frame contradicts itself or its checksum, or it expands to more bytes than it says.
    case corrupt
    case outOfMemory
    /// The worker did not answer within the time that a frame may take.
    case tookTooLong(milliseconds: UInt32)
    /// The worker was killed by this signal; 0 when it ended without one.
    case crashed(signal: Int32)
}

/// A request to `heliograph-scanner --expand`: the expanded length that was announced (u32 BE), the length of
/// the zstd frame (u32 BE), and the frame.
public struct ExpansionRequest: Equatable, Sendable {
    public static let headerLength = 8
    /// In bytes, of the expanded form and of the frame: more than ten times the largest metadata in use, yet
    /// little memory.
    public static let maximumLength: UInt32 = 8 << 20

    public let frame: [UInt8]
    /// Bytes of the expanded form, as its payload announces them.
    public let length: UInt32

    public init(frame: [UInt8], length: UInt32) throws(ExpansionProblem) {
        try Self.check(UInt32(clamping: frame.count))
        try Self.check(length)
        self.frame = frame
        self.length = length
    }

    public var encoded: [UInt8] { bigEndian(length) + bigEndian(UInt32(frame.count)) + frame }

    /// The two lengths of a header of ``headerLength`` bytes.
    public static func lengths(_ header: [UInt8]) throws(ExpansionProblem) -> (expanded: UInt32, frame: Int) {
        precondition(header.count == headerLength, "a header has its length")
        let (expanded, frame) = (word(header[..<4]), word(header[4...]))
        for length in [expanded, frame] { try check(length) }
        return (expanded, Int(frame))
    }

    private static func check(_ length: UInt32) throws(ExpansionProblem) {
        guard length <= maximumLength else { throw .tooLong(bytes: length) }
    }
}

/// The output of `heliograph-scanner --expand`, and of its worker: tag (1 byte), length of the body (u32 BE),
/// body.
public enum ExpansionReply: Equatable, Sendable {
    case expanded([UInt8])
    case problem(ExpansionProblem)
    /// The worker could not enter its sandbox: nothing was expanded. `step` is a name of `SandboxError.Step`.
    case sandboxFailed(step: String, errno: Int32)

    public static let headerLength = 5

    public var encoded: [UInt8] {
        let (tag, body): (Character, [UInt8]) =
            switch self {
            case .expanded(let bytes): ("x", bytes)
            case .problem(let problem): ("p", problem.encoded)
            case .sandboxFailed(let step, let errno):
                ("s", bigEndian(UInt32(bitPattern: errno)) + Array(step.utf8))
            }
        return [tag.asciiValue!] + bigEndian(UInt32(body.count)) + body
    }

    /// Length of the body that follows a header of ``headerLength`` bytes; nil when no reply is so long.
    public static func bodyLength(_ header: some Collection<UInt8>) -> Int? {
        let length = word(header.dropFirst())
        return length <= ExpansionRequest.maximumLength ? Int(length) : nil
    }

    /// nil when these are not the parts of a reply to `request`: a compromised worker may write anything.
    public init?(tag: UInt8, body: ArraySlice<UInt8>, length: UInt32) {
        switch tag {
        case UInt8(ascii: "x"):
            guard body.count == Int(length) else { return nil }
            self = .expanded(Array(body))
        case UInt8(ascii: "p"):
            guard let problem = ExpansionProblem(body) else { return nil }
            self = .problem(problem)
        case UInt8(ascii: "s"):
            guard body.count >= 4 else { return nil }
            self = .sandboxFailed(
                step: String(decoding: body.dropFirst(4), as: UTF8.self),
                errno: Int32(bitPattern: word(body.prefix(4))))
        default: return nil
        }
    }
}

extension ExpansionProblem {
    /// A number for the kind (1 byte), then two of 4 bytes BE for the details.
    fileprivate var encoded: [UInt8] {
        let (kind, first, second): (UInt8, UInt32, UInt32) =
            switch self {
            case .tooLong(let bytes): (0, bytes, 0)
            case .notAFrame: (1, 0, 0)
            case .unsupportedFrame: (2, 0, 0)
            case .lengthDiffers(let announced, let found): (3, announced, found)
            case .truncated: (4, 0, 0)
            case .trailing(let bytes): (5, bytes, 0)
            case .corrupt: (6, 0, 0)
            case .outOfMemory: (7, 0, 0)
            case .tookTooLong(let milliseconds): (8, milliseconds, 0)
            case .crashed(let signal): (9, UInt32(bitPattern: signal), 0)
            }
        return [kind] + bigEndian(first) + bigEndian(second)
    }

    fileprivate init?(_ body: ArraySlice<UInt8>) {
        guard body.count == 9, let kind = body.first else { return nil }
        let (first, second) = (word(body.dropFirst().prefix(4)), word(body.suffix(4)))
        switch kind {
        case 0: self = .tooLong(bytes: first)
        case 1: self = .notAFrame
        case 2: self = .unsupportedFrame
        case 3: self = .lengthDiffers(announced: first, found: second)
        case 4: self = .truncated
        case 5: self = .trailing(bytes: first)
        case 6: self = .corrupt
        case 7: self = .outOfMemory
        case 8: self = .tookTooLong(milliseconds: first)
        case 9: self = .crashed(signal: Int32(bitPattern: first))
        default: return nil
        }
    }
}

private func bigEndian(_ word: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(word >> UInt32($0) & 255) } }

private func word(_ bytes: some Collection<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

extension ExpansionProblem: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .tooLong(let bytes):
            .badInput(
                "compressed-too-long",
                "the metadata has \(Sentence.count(bytes, "byte")), more "
                    + "than the limit of \(ExpansionRequest.maximumLength)",
                hint: Self.uncompressed)
        case .notAFrame:
            .badInput(
                "compressed-frame", "the compressed metadata is not a zstd frame",
                hint: Self.uncompressed)
        case .unsupportedFrame:
            .badInput(
                "compressed-frame",
                "the compressed metadata is not a supported zstd frame: one segment "
                    + "with its length and a checksum, without a dictionary",
                hint: Self.uncompressed)
        case .lengthDiffers(let announced, let found):
            .badInput(
                "compressed-length",
                "the update announces \(Sentence.count(announced, "byte")) "
                    + "of metadata, but its compressed form has \(found)",
                hint: Self.uncompressed)
        case .truncated:
            .badInput(
                "compressed-truncated", "the compressed metadata is truncated",
                hint: Self.uncompressed)
        case .trailing(let bytes):
            .badInput(
                "compressed-leftover", "\(Sentence.leftover(bytes)) after the compressed metadata",
                hint: Self.uncompressed)
        case .corrupt:
            .badInput(
                "compressed-damaged", "the compressed metadata is damaged",
                hint: Self.uncompressed)
        case .outOfMemory:
            .badInput(
                "compressed-memory", "the compressed metadata needs too much memory to expand",
                hint: Self.uncompressed)
        case .tookTooLong(let milliseconds):
            .badInput(
                "compressed-timeout",
                "expanding the compressed metadata timed out after \(milliseconds / 1000) s",
                hint: Self.uncompressed)
        case .crashed(let signal):
            .badInput(
                "compressed-crash", "the process that expands the metadata crashed (signal \(signal))",
                hint: Self.uncompressed)
        }
    }

    private static let uncompressed =
        "make the update without --compressed: heliograph-hot make load-metadata NETWORK"

    public static var examples: [ExpansionProblem] {
        [
            .tooLong(bytes: 9 << 20), .notAFrame, .unsupportedFrame,
            .lengthDiffers(announced: 100, found: 99), .truncated,
            .trailing(bytes: 1),
            .corrupt, .outOfMemory, .tookTooLong(milliseconds: 5000), .crashed(signal: 11),
        ]
    }
}
