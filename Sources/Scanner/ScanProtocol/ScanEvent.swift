import Diagnostics

/// The result of one picture.
public enum PictureOutcome: Equatable, Sendable {
    /// It has this many codes, known ones included.
    case codes(Int)
    /// It was read, and no code was found in it.
    case noCode
    /// Its bytes were those of an earlier picture, so it was not read again.
    case known
    case problem(PictureProblem)
}

/// Which of two readers looks for codes.
public enum DecoderChoice: String, CaseIterable, Sendable {
    /// The fast one first, then both, from cheap to expensive attempts.
    case auto
    /// Only libzbar, once for each picture.
    case zbar
    /// Only zxing-cpp, once for each picture.
    case zxing
}

/// The output of `heliograph-scanner --events`, in the order of the pictures; a picture comes before its
/// codes.
public enum ScanEvent: Equatable, Sendable {
    /// A QR byte string that was not reported before.
    case code([UInt8])
    /// A picture is done. `name` is the input, `frame` its number in an animation or a video, from 0.
    case picture(name: String, frame: UInt32?, outcome: PictureOutcome)
    /// The workers could not enter their sandbox: nothing was read. `step` is a name of `SandboxError.Step`.
    case sandboxFailed(step: String, errno: Int32)
    /// A camera of a list, or the one whose pictures follow.
    case camera(CameraDescription)
    /// The camera's picture now, whether or not it shows a code.
    case preview(PreviewPicture)
    /// A part of a camera's picture as the driver gave it, and whether it is the last one; at most
    /// ``maximumPartLength`` bytes.
    case raw([UInt8], isLast: Bool)
    /// All pictures of this file and their codes were reported. Only a scanner that reads each file
    /// separately reports this.
    case endOfFile(name: String)
    /// Pictures of a watched folder wait: many, or one of them for long. For a queue only.
    case waiting(pictures: UInt32)
    /// Every input is read.
    case finished
}

/// Answers that a queue of pictures writes beside them.
public enum AnswerName {
    /// What their names end with. Files with this ending are not pictures for the queue.
    public static let ending = ".answer.png"
}

/// The event stream is malformed: the two programs are of different builds.
public struct ScanEventError: Error, Equatable, Sendable {
    public init() {}
}

extension ScanEvent {
    /// A record is a tag (1 byte), the length of the body (u32 BE), the body.
    public static let headerLength = 5
    /// In bytes: a QR code holds at most 2953, structured ones sixteen times that; names are cut by the file
    /// system at 4096.
    public static let maximumBodyLength = 65536
    /// Bytes of a part of a raw picture.
    public static let maximumPartLength = maximumBodyLength - 1

    /// The parts of a raw picture.
    public static func parts(ofRaw picture: [UInt8]) -> [ScanEvent] {
        let starts = Array(stride(from: 0, to: max(1, picture.count), by: maximumPartLength))
        return starts.map { start in
            .raw(Array(picture[start...].prefix(maximumPartLength)), isLast: start == starts.last)
        }
    }

    public var encoded: [UInt8] {
        var body: [UInt8] = []
        let tag: UInt8
        switch self {
        case .code(let bytes):
            tag = UInt8(ascii: "c")
            body = bytes
        case .picture(let name, let frame, let outcome):
            tag = UInt8(ascii: "p")
            body.append(frame == nil ? 0 : 1)
            append(UInt64(frame ?? 0), to: &body)
            switch outcome {
            case .codes(let count): append(0, UInt64(count), 0, to: &body)
            case .noCode: append(1, 0, 0, to: &body)
            case .known: append(2, 0, 0, to: &body)
            case .problem(let problem):
                let fields = problem.fields
                append(fields.kind + 16, fields.first, fields.second, to: &body)
            }
            body += Array(name.utf8)
        case .sandboxFailed(let step, let errno):
            tag = UInt8(ascii: "s")
            append(UInt64(UInt32(bitPattern: errno)), to: &body)
            body += Array(step.utf8)
        case .camera(let camera):
            tag = UInt8(ascii: "k")
            body = camera.encoded
        case .preview(let picture):
            tag = UInt8(ascii: "v")
            body = picture.encoded
        case .raw(let bytes, let isLast):
            tag = UInt8(ascii: "r")
            body = [isLast ? 1 : 0] + bytes
        case .endOfFile(let name):
            tag = UInt8(ascii: "f")
            body = Array(name.utf8)
        case .waiting(let pictures):
            tag = UInt8(ascii: "w")
            append(UInt64(pictures), to: &body)
        case .finished:
            tag = UInt8(ascii: "e")
        }
        let length = UInt32(body.count)
        return [
            tag, UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255),
            UInt8(length & 255),
        ] + body
    }

    /// Length of the body that follows `header`, ``headerLength`` bytes.
    public static func bodyLength(_ header: some Collection<UInt8>) throws(ScanEventError) -> Int {
        guard header.count == headerLength else { throw ScanEventError() }
        let length = Int(header.dropFirst().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard length <= maximumBodyLength else { throw ScanEventError() }
        return length
    }

    public init(tag: UInt8, body: ArraySlice<UInt8>) throws(ScanEventError) {
        var rest = body
        switch tag {
        case UInt8(ascii: "c"):
            self = .code(Array(body))
        case UInt8(ascii: "p"):
            guard let hasFrame = rest.popFirst(), let number = Self.number(&rest), let kind = rest.popFirst(),
                let first = Self.number(&rest),
                let second = Self.number(&rest), let frame = UInt32(exactly: number)
            else { throw ScanEventError() }
            let outcome: PictureOutcome
            switch kind {
            case 0:
                guard let count = Int(exactly: first) else { throw ScanEventError() }
                outcome = .codes(count)
            case 1: outcome = .noCode
            case 2: outcome = .known
            case 16...:
                guard let problem = PictureProblem(kind: kind - 16, first: first, second: second) else {
                    throw ScanEventError()
                }
                outcome = .problem(problem)
            default: throw ScanEventError()
            }
            self = .picture(
                name: String(decoding: rest, as: UTF8.self), frame: hasFrame == 1 ? frame : nil,
                outcome: outcome)
        case UInt8(ascii: "s"):
            guard let number = Self.number(&rest), let errno = UInt32(exactly: number) else {
                throw ScanEventError()
            }
            self = .sandboxFailed(
                step: String(decoding: rest, as: UTF8.self), errno: Int32(bitPattern: errno))
        case UInt8(ascii: "k"):
            guard let camera = CameraDescription(rest) else { throw ScanEventError() }
            self = .camera(camera)
        case UInt8(ascii: "v"):
            guard let picture = PreviewPicture(rest) else { throw ScanEventError() }
            self = .preview(picture)
        case UInt8(ascii: "r"):
            guard let flag = rest.popFirst(), flag <= 1 else { throw ScanEventError() }
            self = .raw(Array(rest), isLast: flag == 1)
        case UInt8(ascii: "f"): self = .endOfFile(name: String(decoding: body, as: UTF8.self))
        case UInt8(ascii: "w"):
            guard let number = Self.number(&rest), let count = UInt32(exactly: number), rest.isEmpty else {
                throw ScanEventError()
            }
            self = .waiting(pictures: count)
        case UInt8(ascii: "e"):
            guard body.isEmpty else { throw ScanEventError() }
            self = .finished
        default:
            throw ScanEventError()
        }
    }

    private func append(_ kind: UInt8, _ first: UInt64, _ second: UInt64, to body: inout [UInt8]) {
        body.append(kind)
        append(first, to: &body)
        append(second, to: &body)
    }

    private func append(_ number: UInt64, to body: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            body.append(UInt8(number >> shift & 255))
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest.removeFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ScanEventError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .inputOutput(
            "scanner-version", "the scanner and this program are from different builds",
            hint: "unpack both programs from one archive")
    }

    public static var examples: [ScanEventError] { [ScanEventError()] }
}

/// A camera's picture, small enough to be drawn on a terminal a few times a second: 8-bit grey samples, row
/// by row from the top left.
public struct PreviewPicture: Equatable, Sendable {
    public static let maximumWidth = 256
    public static let maximumHeight = 144

    public let width: Int
    public let height: Int
    public let pixels: [UInt8]

    /// nil when an edge is too long, or when the samples do not fill the picture exactly.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard 1...Self.maximumWidth ~= width, 1...Self.maximumHeight ~= height, pixels.count == width * height
        else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Width and height (u16 BE each), samples.
    public var encoded: [UInt8] { [width, height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } + pixels }

    /// nil for bytes that ``encoded`` does not produce: a worker that was taken over may write anything.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count > 4 else { return nil }
        func number(_ index: Int) -> Int {
            bytes.dropFirst(2 * index).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(width: number(0), height: number(1), pixels: Array(bytes.dropFirst(4)))
    }
}
