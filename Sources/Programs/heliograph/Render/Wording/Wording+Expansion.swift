import Diagnostics
import ScanProtocol
import Terminal

extension Wording {
    /// Compressed metadata that gave no metadata.
    static func expansion(_ problem: ExpansionProblem) -> Diagnostic {
        switch problem {
        case .tooLong(let bytes):
            Diagnostic(
                "compressed-too-long",
                "\(bytes) bytes of metadata are more than the \(ExpansionRequest.maximumLength) that are expanded", exit: .badInput)
        case .notAFrame: Diagnostic("compressed-frame", "the compressed metadata is no zstd frame", exit: .badInput)
        case .unsupportedFrame:
            Diagnostic(
                "compressed-frame",
                "the compressed metadata is not of the one kind that is read: one segment with its length and a checksum, no dictionary",
                exit: .badInput)
        case .lengthDiffers(let announced, let found):
            Diagnostic(
                "compressed-length", "the update announces \(announced) bytes of metadata, and its compressed form holds \(found)",
                exit: .badInput)
        case .truncated: Diagnostic("compressed-cut", "the compressed metadata ends too early", exit: .badInput)
        case .trailing(let bytes):
            Diagnostic("compressed-leftover", "\(leftover(bytes)) behind the compressed metadata", exit: .badInput)
        case .corrupt: Diagnostic("compressed-damaged", "the compressed metadata is damaged", exit: .badInput)
        case .outOfMemory:
            Diagnostic("compressed-memory", "expanding the metadata needs more memory than its worker may take", exit: .badInput)
        case .tookTooLong(let milliseconds):
            Diagnostic(
                "compressed-timeout", "expanding the metadata took longer than \(milliseconds / 1000) s and was given up", exit: .badInput)
        case .crashed(let signal):
            Diagnostic("compressed-crash", "the process that expanded the metadata died (signal \(signal))", exit: .badInput)
        }
    }
}
