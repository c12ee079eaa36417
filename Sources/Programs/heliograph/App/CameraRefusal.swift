import Diagnostics
import ScanProtocol
import Terminal

/// A camera that gave no code, and why: the reason why there is no payload.
struct CameraRefusal: Error, Equatable {
    let device: String
    let problem: CameraProblem
}

extension CameraRefusal: DiagnosticError {
    var diagnostic: Diagnostic {
        problem.diagnostic.saying("\(Escape.terminal(device)): \(problem.sentence)")
    }

    static var examples: [CameraRefusal] { CameraProblem.examples.map { CameraRefusal(device: "/dev/video0", problem: $0) } }
}
