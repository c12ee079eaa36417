import ScanProtocol

// Broker and worker are one program after a fork, so numbers travel in the machine's own byte order.

/// What the broker asks of a worker. A message is a head and the data: kind (1 byte), length of the data,
/// frame and budget in milliseconds (u32 each), data.
enum WorkerRequest {
    static let headLength = 13

    enum Kind: UInt8 {
        /// A picture file: keep it and read that frame of it.
        case file = 1
        /// No data: read another frame of the file that was kept.
        case frame
        /// The first line of a video without its newline.
        case videoHeader
        /// The video's first line, the line before the frame, both with newlines, and the luma plane.
        case videoFrame
        /// A picture of a camera, as `CameraPicture` takes it apart.
        case cameraFrame
    }

    static func head(_ kind: Kind, length: Int, frame: UInt32 = 0, budget: UInt32 = 0) -> [UInt8] {
        var head = [kind.rawValue]
        for word in [UInt32(length), frame, budget] { head.appendWord(word) }
        return head
    }
}

/// What a worker answers.
enum WorkerReply {
    /// It is shut in and ready.
    case ready
    /// It could not be shut in.
    case sandboxFailed(step: String, errno: Int32)
    /// A file was recognised; a reading or a problem of the frame that was asked for follows.
    case opened(frames: UInt32, endProblem: PictureProblem?)
    /// A video's first line was understood: bytes of its luma plane, and of what follows it, in each frame.
    case video(luma: UInt32, rest: UInt32)
    case codes([[UInt8]])
    /// The picture's pixels are those of an earlier one.
    case known
    case problem(PictureProblem)
    /// What the camera's picture shows, small; its reading or problem follows.
    case preview(PreviewPicture)

    static let headerLength = 5
    /// No answer is longer: more than a hundred full codes in one picture.
    static let maximumLength = 1 << 20

    var encoded: [UInt8] {
        var body: [UInt8] = []
        let kind: UInt8
        switch self {
        case .ready:
            kind = 0
        case .sandboxFailed(let step, let errno):
            kind = 1
            body.appendWord(UInt32(bitPattern: errno))
            body += Array(step.utf8)
        case .opened(let frames, let problem):
            kind = 2
            body.appendWord(frames)
            if let problem { body.append(problem) }
        case .video(let luma, let rest):
            kind = 3
            body.appendWord(luma)
            body.appendWord(rest)
        case .codes(let codes):
            kind = 4
            for code in codes where body.count + code.count + 4 <= Self.maximumLength {
                body.appendWord(UInt32(code.count))
                body += code
            }
        case .known:
            kind = 5
        case .problem(let problem):
            kind = 6
            body.append(problem)
        case .preview(let picture):
            kind = 7
            body = picture.encoded
        }
        var message = [kind]
        message.appendWord(UInt32(body.count))
        return message + body
    }

    /// Nil when the body is not one of these: a worker that was taken over may write anything.
    init?(kind: UInt8, body: ArraySlice<UInt8>) {
        var rest = body
        switch kind {
        case 0: self = .ready
        case 1:
            guard let errno = rest.takeWord() else { return nil }
            self = .sandboxFailed(
                step: String(decoding: rest, as: UTF8.self), errno: Int32(bitPattern: errno))
        case 2:
            guard let frames = rest.takeWord() else { return nil }
            if rest.isEmpty {
                self = .opened(frames: frames, endProblem: nil)
            } else {
                guard let problem = rest.takeProblem() else { return nil }
                self = .opened(frames: frames, endProblem: problem)
            }
        case 3:
            guard let luma = rest.takeWord(), let other = rest.takeWord() else { return nil }
            self = .video(luma: luma, rest: other)
        case 4:
            var codes: [[UInt8]] = []
            while !rest.isEmpty {
                guard let length = rest.takeWord(), length <= rest.count else { return nil }
                codes.append(Array(rest.prefix(Int(length))))
                rest.removeFirst(Int(length))
            }
            self = .codes(codes)
        case 5: self = .known
        case 6:
            guard let problem = rest.takeProblem() else { return nil }
            self = .problem(problem)
        case 7:
            guard let picture = PreviewPicture(rest) else { return nil }
            self = .preview(picture)
        default: return nil
        }
    }
}

extension [UInt8] {
    mutating func appendWord(_ word: UInt32) {
        for shift in [UInt32(0), 8, 16, 24] { append(UInt8(word >> shift & 255)) }
    }

    fileprivate mutating func append(_ problem: PictureProblem) {
        let fields = problem.fields
        append(fields.kind)
        for number in [fields.first, fields.second] {
            appendWord(UInt32(number & 0xffff_ffff))
            appendWord(UInt32(number >> 32))
        }
    }
}

extension ArraySlice<UInt8> {
    mutating func takeWord() -> UInt32? {
        guard count >= 4 else { return nil }
        defer { removeFirst(4) }
        return prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate mutating func takeProblem() -> PictureProblem? {
        guard let kind = popFirst(), let a = takeWord(), let b = takeWord(), let c = takeWord(),
            let d = takeWord(), isEmpty
        else {
            return nil
        }
        return PictureProblem(
            kind: kind, first: UInt64(b) << 32 | UInt64(a), second: UInt64(d) << 32 | UInt64(c))
    }
}
