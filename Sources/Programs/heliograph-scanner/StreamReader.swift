import Glibc
import ImageDecoding
import Sandbox
import ScanProtocol
import SystemIO

/// Splits one open input into tasks for workers: a whole file, or the frames of a video as they arrive.
///
/// It looks at the first bytes only to tell a video from a file, and at newlines to find a video's lines;
/// everything else is a worker's business.
final class StreamReader {
    enum Step {
        /// Nothing more without reading.
        case needsBytes
        case file([UInt8])
        /// The first line of a video. The reader stops until ``beginFrames(luma:rest:)``.
        case videoHeader([UInt8])
        /// First line, frame line and luma plane.
        case frame([UInt8])
        case ended
        case failed(PictureProblem)
    }

    private enum Phase {
        case unknown
        case file
        case header
        case awaitingFormat
        case frameLine
        case luma
        case rest
    }

    let descriptor: Int32
    /// Reading may have to wait for a writer.
    let mayWait: Bool
    private let isOwned: Bool
    /// The longest file that is read without being moved; more than ``PictureLimits/fileBytes`` is refused.
    private let longest: Int
    private var phase = Phase.unknown
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    private var staged: [UInt8] = []
    private var position = 0
    private var atEnd = false
    /// Nothing more comes.
    var isAtEnd: Bool { atEnd }
    private var failure: PictureProblem?
    private var header: [UInt8] = []
    private var frame: [UInt8] = []
    private var lumaBytes = 0
    private var restBytes = 0
    /// Bytes of the current luma plane or of what follows it that are still to come.
    private var missing = 0

    /// - Parameter length: bytes of the input, where that is known.
    init(descriptor: Int32, mayWait: Bool, isOwned: Bool, length: Int?) {
        self.descriptor = descriptor
        self.mayWait = mayWait
        self.isOwned = isOwned
        longest = min(length ?? .max, PictureLimits.fileBytes)
        Sandbox.widenPipe(descriptor)
    }

    deinit {
        chunk.deallocate()
        if isOwned { close(descriptor) }
    }

    /// It stands still until a worker has read the first line.
    var isAwaitingFormat: Bool { phase == .awaitingFormat }

    /// Reads once. Call it for a pipe only when it is readable.
    func fill() {
        if phase == .luma, staged.count == position {
            fillFrame()
            return
        }
        if position > 0 {
            staged.removeFirst(position)
            position = 0
        }
        // Behind a frame's line comes its luma plane, which should not take this way.
        let room = UnsafeMutableRawBufferPointer(
            rebasing: chunk[..<(phase == .frameLine ? 4096 : chunk.count)])
        let count = Descriptor.readSome(descriptor, into: room)
        if count > 0 { staged.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
        note(count)
    }

    /// The luma plane goes where it is needed without a stop on the way.
    private func fillFrame() {
        let start = frame.count - missing
        let end = start + missing
        let count = frame.withUnsafeMutableBytes {
            Descriptor.readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]))
        }
        if count > 0 { missing -= count }
        note(count)
    }

    private func note(_ count: Int) {
        if count == 0 { atEnd = true }
        if count < 0, errno != EAGAIN { failure = .cannotOpen(errno: errno) }
    }

    func step() -> Step {
        if let failure { return .failed(failure) }
        while true {
            switch phase {
            case .unknown:
                guard staged.count >= max(VideoFormat.signature.count, VideoContainer.prefixLength) || atEnd
                else { return .needsBytes }
                // Told now: such a file is often longer than any picture.
                if let container = VideoContainer(prefix: staged) { return .failed(.video(container)) }
                phase = staged.starts(with: VideoFormat.signature) ? .header : .file
                // Memory that is not written to costs nothing; growing would hold the bytes twice.
                if phase == .file { staged.reserveCapacity(longest + chunk.count) }
            case .file:
                guard staged.count <= PictureLimits.fileBytes else {
                    return .failed(.tooManyBytes(limit: UInt64(PictureLimits.fileBytes)))
                }
                guard atEnd else { return .needsBytes }
                return .file(staged)
            case .header:
                guard let line = takeLine() else { return lineMissing(.corrupt) }
                header = line
                phase = .awaitingFormat
                return .videoHeader(line)
            case .awaitingFormat:
                return .needsBytes
            case .frameLine:
                if atEnd, position == staged.count { return .ended }
                guard let line = takeLine() else { return lineMissing(.truncated) }
                beginFrame(line)
            case .luma:
                takeStaged()
                guard missing == 0 else { return atEnd ? .failed(.truncated) : .needsBytes }
                missing = restBytes
                phase = .rest
            case .rest:
                let skipped = min(missing, staged.count - position)
                position += skipped
                missing -= skipped
                guard missing == 0 else { return atEnd ? .failed(.truncated) : .needsBytes }
                phase = .frameLine
                defer { frame = [] }
                return .frame(frame)
            }
        }
    }

    /// The worker's word on the first line: sizes of what follows each frame's line.
    func beginFrames(luma: Int, rest: Int) {
        lumaBytes = luma
        restBytes = rest
        phase = .frameLine
    }

    private func lineMissing(_ atEndProblem: PictureProblem) -> Step {
        if staged.count - position > VideoFormat.lineLimit { return .failed(.corrupt) }
        return atEnd ? .failed(atEndProblem) : .needsBytes
    }

    private func takeLine() -> [UInt8]? {
        let window = staged[position...].prefix(VideoFormat.lineLimit + 1)
        guard let newline = window.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { position = newline + 1 }
        return Array(staged[position..<newline])
    }

    private func beginFrame(_ line: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let head = header + [newline] + line + [newline]
        let size = head.count + lumaBytes
        frame = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            // The plane is filled in before anybody looks at it: ``missing`` counts what is not there yet.
            memcpy(buffer.baseAddress!, head, head.count)
            count = size
        }
        missing = lumaBytes
        phase = .luma
    }

    private func takeStaged() {
        let count = min(missing, staged.count - position)
        guard count > 0 else { return }
        let start = frame.count - missing
        frame.withUnsafeMutableBytes { frame in
            staged.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: frame[start...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[position..<(position + count)]))
            }
        }
        position += count
        missing -= count
    }
}
