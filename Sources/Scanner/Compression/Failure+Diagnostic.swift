import Diagnostics

extension ZstdFrame.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case compression = "compression-failed" }

    public var code: Code { .compression }

    public var sentence: String {
        switch self {
        case .notCompressed(let reason): "the metadata cannot be compressed: \(reason)"
        case .notFaithful: "the compressed metadata does not expand to the original: hardware fault or bug"
        }
    }

    public static var examples: [Self] { [.notCompressed("allocation error"), .notFaithful] }
}
