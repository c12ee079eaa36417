import Camera
import Glibc
import ImageDecoding
import ScanProtocol

/// Opens the inputs one after the other and offers what workers can take.
final class InputFeeder {
    /// Entries of one folder, subfolders included.
    static let fileLimit = 100_000
    /// Depth of folders within a folder.
    static let depthLimit = 8

    enum Offer {
        /// A whole file: its entry holds the bytes.
        case file(InputEntry)
        /// Nothing to read: the entry says why.
        case failed(InputEntry)
        case videoHeader(InputEntry, [UInt8])
        case videoFrame(InputEntry, Int, [UInt8])
        /// A camera was started: its pictures follow.
        case cameraBegun(InputEntry)
        /// The bytes ahead of the picture are free for its head.
        case cameraFrame(InputEntry, Int, CameraFormat, [UInt8])
        /// More comes later: watch ``descriptor`` and ``wakeTime``.
        case waiting
        case ended
    }

    private enum Source {
        case path(FilePath)
        /// Found in a folder, not named by the user.
        case member(FilePath)
        /// A folder that could not be listed completely.
        case refused(String, PictureProblem)
        case standardInput
        case camera(Camera, path: String)
    }

    /// Seconds without a byte from a pipe before it is given up.
    private let patience: Double
    private var sources: [Source]
    private let watch: FolderWatch?
    private var reader: StreamReader?
    private var camera: CameraReader?
    private var entry: InputEntry?
    private var frames = 0
    private var lastByte = 0.0
    /// Whether the input is a pipe that may have no writer: opening it did not wait for one.
    private var mayLackWriter = false
    /// Seconds until such a pipe is given up.
    private static let patienceWithoutWriter = 5.0
    /// Whether reading goes on until somebody stops it.
    let isOpenEnded: Bool

    /// - Parameter camera: read after the inputs, or why it cannot be read.
    init(inputs: [String], watch: FolderWatch?, camera: CameraSource?, patience: Double) {
        sources = inputs.reversed().map { $0 == "-" ? .standardInput : .path(FilePath($0)) }
        switch camera {
        case .camera(let camera, let path)?: sources.insert(.camera(camera, path: path), at: 0)
        case .none(let path, let problem)?: sources.insert(.refused(path, .camera(problem)), at: 0)
        case nil: break
        }
        self.watch = watch
        isOpenEnded = watch != nil || camera != nil
        self.patience = patience
    }

    /// A pipe that must be readable before ``readAvailable()``.
    var descriptor: Int32? {
        if let camera { return camera.descriptor }
        return reader.flatMap { $0.mayWait ? $0.descriptor : nil }
    }

    /// Looks at the watched folders, also while all workers are busy. How many pictures wait there, where
    /// that is worth a word.
    func waitingNews() -> Int? {
        watch?.look()
        return watch?.news()
    }

    var isAwaitingFormat: Bool { reader?.isAwaitingFormat ?? false }

    /// A video's frames are coming.
    var isReadingVideo: Bool { entry?.isNumbered == true && reader?.isAwaitingFormat == false }

    /// When ``next()`` may have more to offer although no descriptor became readable.
    var wakeTime: Double {
        if let camera { return camera.wakeTime }
        if reader != nil {
            return lastByte + (mayLackWriter ? min(patience, Self.patienceWithoutWriter) : patience)
        }
        return watch?.nextLook ?? .infinity
    }

    func readAvailable() {
        if let camera { return camera.take() }
        reader?.fill()
        lastByte = Clock.now
        mayLackWriter = false
    }

    func next() -> Offer {
        while true {
            if let camera, let entry {
                guard let offer = advance(camera, entry) else { continue }
                return offer
            }
            if let reader, let entry {
                guard let offer = advance(reader, entry) else { continue }
                return offer
            }
            if let source = sources.popLast() {
                if let offer = open(source) { return offer }
            } else if let watch {
                if let file = watch.next() {
                    if let offer = open(.member(file)) { return offer }
                    continue
                }
                if let (path, problem) = watch.nextProblem() {
                    return .failed(InputEntry(name: path, problem: problem))
                }
                guard watch.isWatching else { return .ended }
                return .waiting
            } else {
                return .ended
            }
        }
    }

    /// A worker understood the first line of the video.
    func beginFrames(luma: Int, rest: Int) { reader?.beginFrames(luma: luma, rest: rest) }

    /// Reads no more of the video `entry`, because of `problem`.
    func abandon(_ entry: InputEntry, _ problem: PictureProblem?) {
        guard self.entry === entry else { return }
        _ = finish(entry, problem)
    }

    /// Ends the current input: a video that was offered gets its count, anything else is offered now as
    /// failed.
    private func finish(_ entry: InputEntry, _ problem: PictureProblem?) -> Offer? {
        reader = nil
        camera = nil
        self.entry = nil
        guard !entry.isNumbered, let problem else {
            entry.count = frames
            entry.endProblem = problem
            return nil
        }
        return .failed(InputEntry(name: entry.name, problem: problem))
    }

    /// Nil when the stream is over and gave nothing more.
    private func advance(_ reader: StreamReader, _ entry: InputEntry) -> Offer? {
        while true {
            switch reader.step() {
            case .needsBytes:
                if !reader.mayWait {
                    if reader.isAwaitingFormat { return .waiting }
                    reader.fill()
                    continue
                }
                if mayLackWriter, Clock.now >= lastByte + Self.patienceWithoutWriter {
                    mayLackWriter = false
                    reader.fill()
                    if reader.isAtEnd {
                        return finish(entry, .unwritten(seconds: UInt32(Self.patienceWithoutWriter)))
                    }
                    continue
                }
                guard Clock.now < lastByte + patience || reader.isAwaitingFormat else {
                    return finish(entry, .silent(seconds: UInt32(patience)))
                }
                return .waiting
            case .file(let bytes):
                self.reader = nil
                self.entry = nil
                entry.bytes = bytes
                return .file(entry)
            case .videoHeader(let line):
                entry.isNumbered = true
                return .videoHeader(entry, line)
            case .frame(let request):
                frames += 1
                return .videoFrame(entry, frames - 1, request)
            case .ended:
                return finish(entry, nil)
            case .failed(let problem):
                return finish(entry, problem)
            }
        }
    }

    /// Nil when the camera is done.
    private func advance(_ camera: CameraReader, _ entry: InputEntry) -> Offer? {
        if let picture = camera.next() {
            frames += 1
            return .cameraFrame(entry, frames - 1, camera.format, picture)
        }
        guard let problem = camera.problem else { return .waiting }
        return finish(entry, .camera(problem))
    }

    // MARK: opening

    /// Nil when a stream was begun or a folder was listed.
    private func open(_ source: Source) -> Offer? {
        switch source {
        case .refused(let path, let problem):
            return .failed(InputEntry(name: path, problem: problem))
        case .camera(let camera, let path):
            do throws(CameraProblem) {
                self.camera = try CameraReader(camera)
            } catch {
                return .failed(InputEntry(name: path, problem: .camera(error)))
            }
            let entry = InputEntry(name: path, isNumbered: true)
            entry.isLive = true
            self.entry = entry
            frames = 0
            return .cameraBegun(entry)
        case .standardInput:
            return begin(name: "-", descriptor: STDIN_FILENO, isOwned: false, isMember: false)
        case .path(let path), .member(let path):
            var isMember = false
            if case .member = source { isMember = true }
            let descriptor = path.call { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
            guard descriptor >= 0 else {
                let problem: PictureProblem =
                    isMember && errno == ENOENT ? .vanished : .cannotOpen(errno: errno)
                return .failed(InputEntry(name: path.text, problem: problem))
            }
            return begin(name: path.text, descriptor: descriptor, isOwned: true, isMember: isMember)
        }
    }

    private func begin(name: String, descriptor: Int32, isOwned: Bool, isMember: Bool) -> Offer? {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            return refuse(name, .cannotOpen(errno: errno), descriptor, isOwned)
        }
        let kind = information.st_mode & S_IFMT
        switch kind {
        case S_IFREG:
            if information.st_size == 0, isOwned { return refuse(name, .empty, descriptor, isOwned) }
        case S_IFDIR where !isMember:
            if isOwned { close(descriptor) }
            return list(name)
        case S_IFIFO where !isMember, S_IFCHR where !isMember, S_IFSOCK where !isOwned:
            break
        default:
            return refuse(name, .notAFile, descriptor, isOwned)
        }
        let length = kind == S_IFREG ? Int(information.st_size) : nil
        reader = StreamReader(
            descriptor: descriptor, mayWait: kind != S_IFREG, isOwned: isOwned, length: length)
        let entry = InputEntry(name: name, isNumbered: false)
        entry.isLive = kind != S_IFREG
        self.entry = entry
        mayLackWriter = kind == S_IFIFO && isOwned
        frames = 0
        lastByte = Clock.now
        return nil
    }

    private func refuse(_ name: String, _ problem: PictureProblem, _ descriptor: Int32, _ isOwned: Bool)
        -> Offer
    {
        if isOwned { close(descriptor) }
        return .failed(InputEntry(name: name, problem: problem))
    }

    private func list(_ path: String) -> Offer? {
        let found = Self.sources(Folder.list(path, limit: Self.fileLimit, depth: Self.depthLimit))
        sources += found
        return found.isEmpty ? .failed(InputEntry(name: path, problem: .emptyFolder)) : nil
    }

    /// The last is taken first: files, then what could not be listed.
    private static func sources(_ listing: Folder.Listing) -> [Source] {
        listing.problems.reversed().map { .refused($0.path, $0.problem) }
            + listing.files.reversed().map { .member($0) }
    }
}
