import Glibc
import ImageDecoding
import Sandbox
import ScanProtocol
import SystemIO

/// The worker's side: parses pictures and does nothing else.
struct WorkerLoop {
    /// Address space. The largest picture takes 50 MB of samples, and each try on it a copy or two.
    static let memoryLimit: UInt64 = 1 << 30
    /// Seconds over a worker's life; the broker's clock ends a single picture much earlier.
    static let processorLimit: UInt64 = 1800

    let input: Int32
    let output: Int32
    let choice: DecoderChoice
    /// Whether a picture is read again in the next file.
    let each: Bool

    private var file: PictureFile?
    private var seen = PixelHashes()

    init(input: Int32, output: Int32, choice: DecoderChoice, each: Bool) {
        self.input = input
        self.output = output
        self.choice = choice
        self.each = each
    }

    /// Answers requests until the broker closes its end. Never returns.
    mutating func run() -> Never {
        guard let decoder = QRDecoder(choice) else {
            answer(.sandboxFailed(step: SandboxError.Step.limits.rawValue, errno: ENOMEM))
            exit(1)
        }
        do throws(SandboxError) {
            try Sandbox.closeDescriptors(except: input, output)
            try Sandbox.becomeWorker(.init(memory: Self.memoryLimit, processorTime: Self.processorLimit))
        } catch {
            answer(.sandboxFailed(step: error.step.rawValue, errno: error.errno))
            exit(1)
        }
        answer(.ready)
        while let request = nextRequest() {
            do throws(PictureProblem) {
                try handle(request, decoder)
            } catch {
                answer(.problem(error))
            }
        }
        _exit(0)
    }

    private mutating func handle(_ request: Request, _ decoder: QRDecoder) throws(PictureProblem) {
        let data = request.data
        switch request.kind {
        case .file:
            let opened = try PictureFile(data)
            file = opened
            if each { seen = PixelHashes() }
            answer(.opened(frames: UInt32(opened.count), endProblem: opened.endProblem))
            try readFrame(request.frame, request.budget, decoder)
        case .frame:
            try readFrame(request.frame, request.budget, decoder)
        case .videoHeader:
            let format = try VideoFormat(header: data[...])
            answer(.video(luma: UInt32(format.lumaBytes), rest: UInt32(format.chromaBytes)))
        case .videoFrame:
            guard let newline = data.prefix(VideoFormat.lineLimit + 1).firstIndex(of: UInt8(ascii: "\n"))
            else { throw .corrupt }
            let format = try VideoFormat(header: data[..<newline])
            // The broker has seen to it that the frame is new.
            find(in: try format.image(data[(newline + 1)...]), request.budget, decoder)
        case .cameraFrame:
            let picture = try CameraPicture(data)
            let image = try picture.image()
            if picture.wantsPreview { answer(.preview(PreviewPicture(image))) }
            find(in: image, request.budget, decoder)
        }
    }

    private mutating func readFrame(_ index: Int, _ budget: Duration, _ decoder: QRDecoder)
        throws(PictureProblem)
    {
        guard var current = file, index < current.count else { throw .corrupt }
        // The file may own a large canvas: it must not be shared while it is changed.
        file = nil
        defer { file = current }
        try read(current.image(index), budget, decoder)
    }

    private mutating func read(_ image: GrayImage, _ budget: Duration, _ decoder: QRDecoder)
        throws(PictureProblem)
    {
        guard seen.insert(image.pixels) else { return answer(.known) }
        find(in: image, budget, decoder)
    }

    private func find(in image: GrayImage, _ budget: Duration, _ decoder: QRDecoder) {
        answer(.codes(decoder.read(image, budget: budget).map(\.bytes)))
    }

    // MARK: pipes

    private struct Request {
        let kind: WorkerRequest.Kind
        let frame: Int
        let budget: Duration
        let data: [UInt8]
    }

    private mutating func nextRequest() -> Request? {
        guard let head = readExactly(WorkerRequest.headLength),
            let kind = WorkerRequest.Kind(rawValue: head[0])
        else { return nil }
        var rest = head[1...]
        guard let length = rest.takeWord(), let frame = rest.takeWord(), let budget = rest.takeWord() else {
            return nil
        }
        // Before the next one comes: two large files need not be in memory.
        if kind == .file { file = nil }
        guard let data = readExactly(Int(length)) else { return nil }
        return Request(kind: kind, frame: Int(frame), budget: .milliseconds(budget), data: data)
    }

    private func readExactly(_ count: Int) -> [UInt8]? { Descriptor.read(input, count: count) }

    private func answer(_ reply: WorkerReply) {
        guard Descriptor.write(output, reply.encoded) else { _exit(1) }
    }
}
