import Diagnostics

/// Why the program could not enter the sandbox. Nothing may be opened after such an error.
public struct SandboxError: Error, Equatable, Sendable {
    /// The step of the lock-down that failed.
    public enum Step: String, Sendable, Equatable {
        case interfaces = "network interfaces"
        case coreLimit = "core dump limit"
        case dumpable = "dumpable flag"
        case signals = "crash signals"
        case noNewPrivileges = "no new privileges"
        case landlock = "landlock"
        case seccomp = "seccomp"
        case limits = "resource limits"
    }

    public let step: Step
    /// The `errno` of the refused call.
    public let errno: Int32

    public init(_ step: Step, errno: Int32) {
        self.step = step
        self.errno = errno
    }
}

extension SandboxError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .notPermitted(
            "no-sandbox",
            "the program cannot enter the sandbox (\(step.rawValue)): \(Sentence.systemError(errno))")
    }

    public static var examples: [SandboxError] { [SandboxError(.landlock, errno: 1)] }
}
