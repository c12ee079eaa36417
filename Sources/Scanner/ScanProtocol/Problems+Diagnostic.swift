import Diagnostics

extension PictureProblem: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case inputOutput = "input-output"
        case gone = "file-gone"
        case notAFile = "not-a-file"
        case empty = "empty-file"
        case unsupportedFile = "unsupported-file"
        case truncated = "picture-truncated"
        case damaged = "picture-damaged"
        case unsupported = "unsupported-picture"
        case tooManyPixels = "picture-too-large"
        case fileTooLarge = "file-too-large"
        case tooManyFrames = "too-many-frames"
        case tooManyFiles = "too-many-files"
        case memory = "picture-memory"
        case timeout = "picture-timeout"
        case crash = "picture-crash"
        case silent = "input-silent"
        case skipped = "picture-skipped"
        case nothingNew = "nothing-new"
        case videoFile = "video-file"
        case cameraMissing = "camera-missing"
        case notACamera = "not-a-camera"
        case cameraNotPermitted = "camera-not-permitted"
        case cameraBusy = "camera-busy"
        case cameraFormat = "camera-format"
        case cameraUnplugged = "camera-unplugged"
        case cameraDriver = "camera-driver"
        case cameraSilent = "camera-silent"

        init(_ code: CameraProblem.Code) {
            self =
                switch code {
                case .missing: .cameraMissing
                case .notACamera: .notACamera
                case .notPermitted: .cameraNotPermitted
                case .busy: .cameraBusy
                case .format: .cameraFormat
                case .unplugged: .cameraUnplugged
                case .driver: .cameraDriver
                case .silent: .cameraSilent
                }
        }
    }

    public var code: Code {
        switch self {
        case .cannotOpen: .inputOutput
        case .vanished: .gone
        case .notAFile: .notAFile
        case .empty: .empty
        case .notAPicture: .unsupportedFile
        case .truncated: .truncated
        case .corrupt: .damaged
        case .unsupported: .unsupported
        case .tooManyPixels: .tooManyPixels
        case .tooManyBytes: .fileTooLarge
        case .tooManyFrames: .tooManyFrames
        case .tooManyFiles: .tooManyFiles
        case .outOfMemory: .memory
        case .tookTooLong: .timeout
        case .crashed: .crash
        case .silent, .unwritten: .silent
        case .skipped: .skipped
        case .nothingNew: .nothingNew
        case .video: .videoFile
        case .camera(let problem): Code(problem.code)
        }
    }

    public var sentence: String {
        switch self {
        case .cannotOpen(let errno): "the file cannot be read: \(Sentence.systemError(errno))"
        case .vanished: "the file no longer exists"
        case .notAFile: "not a file"
        case .empty: "the file is empty"
        case .notAPicture: "unsupported file type (PNG, JPEG, PNM and Y4M are read)"
        case .truncated: "the picture is truncated"
        case .corrupt: "the picture is damaged"
        case .unsupported: "this variant of the format is not supported"
        case .tooManyPixels(let width, let height): "the picture is too large: \(width) x \(height) pixels"
        case .tooManyBytes(let limit): "the file is larger than \(Self.size(limit))"
        case .tooManyFrames(let limit): "the animation has more than \(Sentence.count(limit, "frame"))"
        case .tooManyFiles(let limit): "the directory holds more than \(Sentence.count(limit, "file")), or is nested too deeply"
        case .outOfMemory: "the picture needs too much memory"
        case .tookTooLong(let milliseconds): "reading the picture timed out after \(milliseconds) ms"
        case .crashed(let signal): "the decoder crashed on the picture (signal \(signal))"
        case .silent(let seconds): "the input sent nothing for \(seconds) s"
        case .unwritten(let seconds): "nothing writes to the pipe, for \(seconds) s"
        case .skipped(.inputTimeouts):
            "skipped, with all after it in this input: \(ScanLimit.timeoutsOfInput) pictures of it timed out"
        case .skipped(.fileTime):
            "skipped, with all after it in this file: the file took \(Int(ScanLimit.secondsOfFile)) s of processor time"
        case .skipped(.commandTimeouts):
            "skipped, with all after it: \(ScanLimit.timeoutsOfCommand) pictures timed out"
        case .skipped(.commandTime):
            "skipped, with all after it: the pictures took \(Int(ScanLimit.secondsOfCommand)) s of processor time"
        case .nothingNew(let pictures): "there was no new QR code in \(Sentence.count(pictures, "picture"))"
        case .video(let container): "unsupported video file (\(container.name)): of videos, only Y4M is read"
        case .camera(let problem): problem.sentence
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        bytes > 0 && bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20) MiB" : Sentence.count(bytes, "byte")
    }

    public static var examples: [PictureProblem] {
        [
            .cannotOpen(errno: 13), .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported,
            .tooManyPixels(width: 100_000, height: 100_000), .tooManyBytes(limit: 64 << 20), .tooManyFrames(limit: 5000),
            .tooManyFiles(limit: 10_000), .outOfMemory, .tookTooLong(milliseconds: 10_000), .crashed(signal: 11), .silent(seconds: 60),
            .unwritten(seconds: 5), .nothingNew(pictures: 9000), .video(.mp4),
        ] + ScanLimit.allCases.map(PictureProblem.skipped) + CameraProblem.examples.map(PictureProblem.camera)
    }
}

extension ExpansionProblem: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case tooLong = "compressed-too-long"
        case frame = "compressed-frame"
        case length = "compressed-length"
        case truncated = "compressed-truncated"
        case leftover = "compressed-leftover"
        case damaged = "compressed-damaged"
        case memory = "compressed-memory"
        case timeout = "compressed-timeout"
        case crash = "compressed-crash"
    }

    public var code: Code {
        switch self {
        case .tooLong: .tooLong
        case .notAFrame, .unsupportedFrame: .frame
        case .lengthDiffers: .length
        case .truncated: .truncated
        case .trailing: .leftover
        case .corrupt: .damaged
        case .outOfMemory: .memory
        case .tookTooLong: .timeout
        case .crashed: .crash
        }
    }

    public var sentence: String {
        switch self {
        case .tooLong(let bytes):
            "the metadata has \(Sentence.count(bytes, "byte")), more than the limit of \(ExpansionRequest.maximumLength)"
        case .notAFrame: "the compressed metadata is not a zstd frame"
        case .unsupportedFrame:
            "the compressed metadata is not a supported zstd frame: one segment with its length and a checksum, without a dictionary"
        case .lengthDiffers(let announced, let found):
            "the update announces \(Sentence.count(announced, "byte")) of metadata, but its compressed form has \(found)"
        case .truncated: "the compressed metadata is truncated"
        case .trailing(let bytes): "\(Sentence.leftover(bytes)) after the compressed metadata"
        case .corrupt: "the compressed metadata is damaged"
        case .outOfMemory: "the compressed metadata needs too much memory to expand"
        case .tookTooLong(let milliseconds): "expanding the compressed metadata timed out after \(milliseconds / 1000) s"
        case .crashed(let signal): "the process that expands the metadata crashed (signal \(signal))"
        }
    }

    public static var examples: [ExpansionProblem] {
        [
            .tooLong(bytes: 9 << 20), .notAFrame, .unsupportedFrame, .lengthDiffers(announced: 100, found: 99), .truncated,
            .trailing(bytes: 1),
            .corrupt, .outOfMemory, .tookTooLong(milliseconds: 5000), .crashed(signal: 11),
        ]
    }
}

extension ScanEventError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case scannerVersion = "scanner-version" }

    public var code: Code { .scannerVersion }
    public var sentence: String { "the scanner and this program are from different builds" }

    public static var examples: [ScanEventError] { [ScanEventError()] }
}
