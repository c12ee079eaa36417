import Diagnostics
import Lines
import ScanProtocol
import ScannerClient

/// The video devices of this machine.
package enum Cameras {
    /// Listed when it is first asked for, which ``Command/access()`` does: after the lock-down the directory
    /// of devices cannot be read.
    package static let devices = CameraPaths.all()
}

/// A camera that gave no code, and why: the reason why there is no payload.
package struct CameraRefusal: Error, Equatable {
    let device: String
    let problem: CameraProblem

    package init(device: String, problem: CameraProblem) {
        (self.device, self.problem) = (device, problem)
    }
}

extension CameraRefusal: DiagnosticError {
    package var diagnostic: Diagnostic {
        problem.diagnostic.saying("\(Escape.terminal(device)): \(problem.sentence)")
    }

    package static var examples: [CameraRefusal] {
        CameraProblem.examples.map { CameraRefusal(device: "/dev/video0", problem: $0) }
    }
}
