import Diagnostics

extension SandboxError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case noSandbox = "no-sandbox" }

    public var code: Code { .noSandbox }
    public var sentence: String { "the program cannot enter the sandbox (\(step.rawValue)): \(Sentence.systemError(errno))" }

    public static var examples: [SandboxError] { [SandboxError(.landlock, errno: 1)] }
}
