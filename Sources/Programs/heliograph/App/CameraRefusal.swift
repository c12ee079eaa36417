import Diagnostics
import ScanProtocol
import Terminal

/// A camera that gave no code, and why: the reason why there is no payload.
struct CameraRefusal: Error, Equatable {
    let device: String
    let problem: CameraProblem
}

extension CameraRefusal: DiagnosticError {
    typealias Code = CameraProblem.Code

    var code: Code { problem.code }
    var sentence: String { "\(Escape.terminal(device)): \(problem.sentence)" }

    static var examples: [CameraRefusal] { CameraProblem.examples.map { CameraRefusal(device: "/dev/video0", problem: $0) } }
}

extension CameraRefusal: ProgramError {
    var exit: Diagnostic.Exit { problem.exit }
    var hint: String? { problem.hint }
}

extension CameraProblem: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .notPermitted: .notPermitted
        case .missing, .notACamera, .takesNoPictures, .busy, .noFormat, .unplugged, .refused, .inconsistent, .silent: .inputOutput
        }
    }

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
