import Diagnostics

/// Why an input, or one picture of it, was not read. The other pictures are not affected.
public enum PictureProblem: Error, Equatable, Hashable, Sendable {
    /// It could not be opened or read; the `errno` of the refused call.
    case cannotOpen(errno: Int32)
    /// It was listed in its folder, but is gone now.
    case vanished
    /// Not a file, a folder or a pipe.
    case notAFile
    /// No bytes at all.
    case empty
    /// A folder without a file that is not hidden.
    case emptyFolder
    /// The first bytes match no supported format.
    case notAPicture
    /// Text in JSON, as wallets export their accounts.
    case json
    /// The data ends before the picture does.
    case truncated
    /// The data contradicts itself or its checksums.
    case corrupt
    /// A valid but unsupported variant of a format, such as 16-bit float samples or arithmetic JPEG.
    case unsupported
    /// More pixels than a picture may have; width and height as announced.
    case tooManyPixels(width: UInt32, height: UInt32)
    /// More bytes than a picture file may have.
    case tooManyBytes(limit: UInt64)
    /// More frames than an animation may have.
    case tooManyFrames(limit: UInt32)
    /// A folder with too many entries, or nested too deeply.
    case tooManyFiles(limit: UInt32)
    /// A watched folder is not at its path any more: renamed, replaced or removed. Its watch ends.
    case folderMoved
    /// The worker's memory limit was reached.
    case outOfMemory
    /// The worker did not answer within the time that one picture may take.
    case tookTooLong(milliseconds: UInt32)
    /// The worker was killed by a signal while it read this picture.
    case crashed(signal: Int32)
    /// A pipe delivered nothing for this long.
    case silent(seconds: UInt32)
    /// Nobody opened a pipe to write to it for this long.
    case unwritten(seconds: UInt32)
    /// It was not read, because what came before it took too long.
    case skipped(ScanLimit)
    /// A video had this many pictures in a row without a new code.
    case nothingNew(pictures: UInt32)
    /// A video file of a kind that is not read.
    case video(VideoContainer)
    /// A camera gave no pictures, or no more of them.
    case camera(CameraProblem)
}

extension PictureProblem {
    /// A number for the kind and up to two for the details.
    package var fields: (kind: UInt8, first: UInt64, second: UInt64) {
        switch self {
        case .cannotOpen(let errno): (0, UInt64(UInt32(bitPattern: errno)), 0)
        case .vanished: (1, 0, 0)
        case .notAFile: (2, 0, 0)
        case .empty: (3, 0, 0)
        case .notAPicture: (4, 0, 0)
        case .truncated: (5, 0, 0)
        case .corrupt: (6, 0, 0)
        case .unsupported: (7, 0, 0)
        case .tooManyPixels(let width, let height): (8, UInt64(width), UInt64(height))
        case .tooManyBytes(let limit): (9, limit, 0)
        case .tooManyFrames(let limit): (10, UInt64(limit), 0)
        case .tooManyFiles(let limit): (11, UInt64(limit), 0)
        case .outOfMemory: (12, 0, 0)
        case .tookTooLong(let milliseconds): (13, UInt64(milliseconds), 0)
        case .crashed(let signal): (14, UInt64(UInt32(bitPattern: signal)), 0)
        case .silent(let seconds): (15, UInt64(seconds), 0)
        case .nothingNew(let pictures): (16, UInt64(pictures), 0)
        case .video(let container): (17, UInt64(container.rawValue), 0)
        case .camera(let problem): (18, problem.fields.kind, problem.fields.detail)
        case .unwritten(let seconds): (19, UInt64(seconds), 0)
        case .skipped(let limit): (20, UInt64(limit.rawValue), 0)
        case .emptyFolder: (21, 0, 0)
        case .folderMoved: (22, 0, 0)
        case .json: (23, 0, 0)
        }
    }

    package init?(kind: UInt8, first: UInt64, second: UInt64) {
        guard let small = UInt32(exactly: first), let other = UInt32(exactly: second) else {
            if kind == 9, second == 0 { self = .tooManyBytes(limit: first) } else { return nil }
            return
        }
        switch kind {
        case 0: self = .cannotOpen(errno: Int32(bitPattern: small))
        case 1: self = .vanished
        case 2: self = .notAFile
        case 3: self = .empty
        case 4: self = .notAPicture
        case 5: self = .truncated
        case 6: self = .corrupt
        case 7: self = .unsupported
        case 8: self = .tooManyPixels(width: small, height: other)
        case 9: self = .tooManyBytes(limit: first)
        case 10: self = .tooManyFrames(limit: small)
        case 11: self = .tooManyFiles(limit: small)
        case 12: self = .outOfMemory
        case 13: self = .tookTooLong(milliseconds: small)
        case 14: self = .crashed(signal: Int32(bitPattern: small))
        case 15: self = .silent(seconds: small)
        case 16: self = .nothingNew(pictures: small)
        case 17:
            guard let container = UInt8(exactly: small).flatMap(VideoContainer.init(rawValue:)) else {
                return nil
            }
            self = .video(container)
        case 18:
            guard let problem = CameraProblem(kind: small, detail: other) else { return nil }
            self = .camera(problem)
        case 19: self = .unwritten(seconds: small)
        case 20:
            guard let limit = UInt8(exactly: small).flatMap(ScanLimit.init(rawValue:)) else { return nil }
            self = .skipped(limit)
        case 21: self = .emptyFolder
        case 22: self = .folderMoved
        case 23: self = .json
        default: return nil
        }
    }
}

extension PictureProblem: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .cannotOpen(let errno):
            .inputOutput("input-output", "the file cannot be read: \(Sentence.systemError(errno))")
        case .vanished: .badInput("file-gone", "the file no longer exists")
        case .notAFile: .badInput("not-a-file", "not a file")
        case .empty: .badInput("empty-file", "the file is empty")
        case .emptyFolder:
            .badInput(
                "empty-directory", "the directory holds no file",
                hint: "put the pictures there: hidden files are not read")
        case .notAPicture:
            .badInput(
                "unsupported-file", "unsupported file type (PNG, JPEG, PNM and Y4M are read)",
                hint: Self.convert)
        case .json:
            .badInput(
                "file-of-json",
                "a file of JSON, not a picture (heliograph key import --keystore reads one of a wallet)")
        case .truncated: .badInput("picture-truncated", "the picture is truncated")
        case .corrupt: .badInput("picture-damaged", "the picture is damaged")
        case .unsupported:
            .badInput(
                "unsupported-picture", "this variant of the format is not supported",
                hint: Self.convert)
        case .tooManyPixels(let width, let height):
            .badInput(
                "picture-too-large", "the picture is too large: \(width) x \(height) pixels",
                hint: "scale the picture down")
        case .tooManyBytes(let limit):
            .badInput("file-too-large", "the file is larger than \(Self.size(limit))")
        case .tooManyFrames(let limit):
            .badInput("too-many-frames", "the animation has more than \(Sentence.count(limit, "frame"))")
        case .tooManyFiles(let limit):
            .badInput(
                "too-many-files",
                "the directory holds more than \(Sentence.count(limit, "file")), or is nested too deeply",
                hint: "name a smaller directory")
        case .folderMoved:
            .inputOutput(
                "directory-moved", "the watched directory was renamed, replaced or removed",
                hint: "watch the directory that is there now: run the command again")
        case .outOfMemory: .badInput("picture-memory", "the picture needs too much memory")
        case .tookTooLong(let milliseconds):
            .badInput("picture-timeout", "reading the picture timed out after \(milliseconds) ms")
        case .crashed(let signal):
            .badInput("picture-crash", "the decoder crashed on the picture (signal \(signal))")
        case .silent(let seconds):
            .badInput(
                "input-silent", "the input sent nothing for \(seconds) s",
                hint: "check that the camera sees the code")
        case .unwritten(let seconds):
            .badInput(
                "input-silent", "no program has written to the pipe for \(seconds) s",
                hint: "start the program that writes to the pipe first")
        case .skipped(.inputTimeouts):
            .badInput(
                "picture-skipped",
                "skipped, with the rest of this input: \(ScanLimit.timeoutsOfInput) "
                    + "pictures of it timed out",
                hint: Self.withoutSlow)
        case .skipped(.fileTime):
            .badInput(
                "picture-skipped",
                "skipped, with the rest of this file: the file took "
                    + "\(Int(ScanLimit.secondsOfFile)) s of processor time",
                hint: Self.withoutSlow)
        case .skipped(.commandTimeouts):
            .badInput(
                "picture-skipped",
                "skipped, with everything after it: \(ScanLimit.timeoutsOfCommand) pictures timed out",
                hint: Self.withoutSlow)
        case .skipped(.commandTime):
            .badInput(
                "picture-skipped",
                """
                skipped, with everything after it: the pictures took \(Int(ScanLimit.secondsOfCommand)) s of \
                processor time
                """,
                hint: Self.withoutSlow)
        case .skipped(.fileWithoutCode):
            .badInput(
                "picture-skipped",
                "skipped, with the rest of this file: no code was found in "
                    + "\(Int(ScanLimit.secondsOfFileWithoutCode)) s of processor time",
                hint: Self.onlyCodes)
        case .skipped(.commandWithoutCode):
            .badInput(
                "picture-skipped",
                "skipped, with everything after it: no code was found in "
                    + "\(Int(ScanLimit.secondsOfCommandWithoutCode)) s of processor time",
                hint: Self.onlyCodes)
        case .nothingNew(let pictures):
            .badInput(
                "nothing-new", "there was no new QR code in \(Sentence.count(pictures, "picture"))",
                hint: "check that the camera sees the code")
        case .video(let container):
            .badInput(
                "video-file", "unsupported video file (\(container.name)): of videos, only Y4M is read",
                hint: "ffmpeg -i FILE -pix_fmt gray -strict -1 -f yuv4mpegpipe - | heliograph scan -")
        case .camera(let problem): problem.diagnostic
        }
    }

    private static let convert =
        "save it as PNG, or make it with ffmpeg: ffmpeg -i FILE -f yuv4mpegpipe - | heliograph scan -"
    private static let withoutSlow = "read the other pictures without those that timed out"

    private static let onlyCodes = "read only pictures that show a code"

    private static func size(_ bytes: UInt64) -> String {
        bytes > 0 && bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB" : Sentence.count(bytes, "byte")
    }

    public static var examples: [PictureProblem] {
        [
            .cannotOpen(errno: 13), .vanished, .notAFile, .empty, .emptyFolder, .notAPicture, .json,
            .truncated,
            .corrupt, .unsupported,
            .tooManyPixels(width: 100_000, height: 100_000), .tooManyBytes(limit: 64 << 20),
            .tooManyFrames(limit: 5000),
            .tooManyFiles(limit: 10_000), .folderMoved, .outOfMemory, .tookTooLong(milliseconds: 10_000),
            .crashed(signal: 11), .silent(seconds: 60),
            .unwritten(seconds: 5), .nothingNew(pictures: 9000), .video(.mp4),
        ] + ScanLimit.allCases.map(PictureProblem.skipped) + CameraProblem.examples.map(PictureProblem.camera)
    }
}

/// A kind of video file that is recognised, so that it can be named, and never read: its readers are large.
public enum VideoContainer: UInt8, CaseIterable, Sendable {
    case mp4
    case quickTime
    case matroska
    case avi
    case mpeg
    case flash
    case ogg

    /// First bytes that are enough to recognise each of them.
    public static let prefixLength = 12

    public var name: String {
        switch self {
        case .mp4: "MP4"
        case .quickTime: "QuickTime"
        case .matroska: "WebM or Matroska"
        case .avi: "AVI"
        case .mpeg: "MPEG"
        case .flash: "Flash"
        case .ogg: "Ogg"
        }
    }

    /// Brands of `ftyp` boxes that hold still pictures (HEIF and AVIF).
    private static let stills = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
    ]

    /// nil for everything else, pictures in the same container included.
    public init?(prefix: some Collection<UInt8>) {
        let bytes = Array(prefix.prefix(Self.prefixLength))
        func has(_ text: String, at index: Int = 0) -> Bool { bytes.dropFirst(index).starts(with: text.utf8) }
        if has("ftyp", at: 4) {
            guard !Self.stills.contains(where: { has($0, at: 8) }) else { return nil }
            self = has("qt  ", at: 8) ? .quickTime : .mp4
        } else if has("moov", at: 4) || has("mdat", at: 4) {
            self = .quickTime
        } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            self = .matroska
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if bytes.starts(with: [0, 0, 1, 0xba]) || bytes.starts(with: [0, 0, 1, 0xb3]) {
            self = .mpeg
        } else if bytes.starts(with: [0x46, 0x4c, 0x56, 1]) {
            self = .flash
        } else if has("OggS") {
            self = .ogg
        } else {
            return nil
        }
    }
}
