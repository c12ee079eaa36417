import Diagnostics
import ScanProtocol
import ScannerClient
import Terminal

/// An input of which nothing was read, and why: the reason why there is no payload.
struct UnreadInput: Error, Equatable {
    let name: String
    let problem: PictureProblem

    init(name: String, problem: PictureProblem) {
        self.name = name
        self.problem = problem
    }

    /// nil for a problem of a picture, which other pictures make good.
    init?(remediable found: ScanReport.Problem) {
        switch found.problem {
        case .video, .camera: self.init(name: found.name, problem: found.problem)
        case .cannotOpen, .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported, .tooManyPixels, .tooManyBytes,
            .tooManyFrames, .tooManyFiles, .outOfMemory, .tookTooLong, .crashed, .silent, .nothingNew:
            return nil
        }
    }
}

extension UnreadInput: DiagnosticError {
    typealias Code = PictureProblem.Code

    var code: Code { problem.code }
    var sentence: String { "\(Escape.terminal(name)): \(problem.sentence)" }

    static var examples: [UnreadInput] { PictureProblem.examples.map { UnreadInput(name: "a.png", problem: $0) } }
}

extension UnreadInput: ProgramError {
    var exit: Diagnostic.Exit { problem.exit }

    var hint: String? {
        switch problem {
        case .video: "ffmpeg -i \(Shell.quoted(name)) -pix_fmt gray -strict -1 -f yuv4mpegpipe - | heliograph scan -"
        case .camera, .cannotOpen, .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported, .tooManyPixels, .tooManyBytes,
            .tooManyFrames, .tooManyFiles, .outOfMemory, .tookTooLong, .crashed, .silent, .nothingNew:
            problem.hint
        }
    }
}
