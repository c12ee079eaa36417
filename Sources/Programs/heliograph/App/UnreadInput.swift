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
        case .video: "ffmpeg -i \(shellName) -pix_fmt gray -f yuv4mpegpipe - | heliograph scan -"
        case .camera(let problem): problem.hint
        case .cannotOpen, .vanished, .notAFile, .empty, .notAPicture, .truncated, .corrupt, .unsupported, .tooManyPixels, .tooManyBytes,
            .tooManyFrames, .tooManyFiles, .outOfMemory, .tookTooLong, .crashed, .silent, .nothingNew:
            nil
        }
    }

    /// The name where a shell takes it as it is.
    private var shellName: String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && name.utf8.first != UInt8(ascii: "-") ? name : "FILE"
    }
}

extension CameraProblem {
    /// The one command that helps.
    var hint: String? {
        switch self {
        case .missing, .notACamera, .takesNoPictures: "heliograph camera list"
        case .notPermitted: "sudo usermod -aG video $USER, then log in again"
        case .busy: "close the program that uses it"
        case .noFormat: "take pictures with another program: heliograph scan --watch DIR"
        case .unplugged: "plug it in and run the command again"
        case .silent: "look for a cover on the lens or a switch, or use another camera: heliograph camera list"
        case .refused, .inconsistent: "plug it in again, or use another camera: heliograph camera list"
        }
    }
}
