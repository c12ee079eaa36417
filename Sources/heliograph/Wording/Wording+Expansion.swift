import ScanEvents
import Terminal

extension Wording {
    /// Compressed metadata that gave no metadata.
    static func expansion(_ problem: ExpansionProblem) -> Complaint {
        switch problem {
        case .tooLong(let bytes):
            Complaint(
                "compressed-too-long",
                "\(bytes) bytes of metadata are more than the \(ExpansionRequest.maximumLength) that are expanded", exit: .badInput)
        case .notAFrame: Complaint("compressed-frame", "the compressed metadata is no zstd frame", exit: .badInput)
        case .unsupportedFrame:
            Complaint(
                "compressed-frame",
                "the compressed metadata is not of the one kind that is read: one segment with its length and a checksum, no dictionary",
                exit: .badInput)
        case .lengthDiffers(let announced, let found):
            Complaint(
                "compressed-length", "the update announces \(announced) bytes of metadata, and its compressed form holds \(found)",
                exit: .badInput)
        case .truncated: Complaint("compressed-cut", "the compressed metadata ends too early", exit: .badInput)
        case .trailing(let bytes):
            Complaint("compressed-leftover", "\(leftover(bytes)) behind the compressed metadata", exit: .badInput)
        case .corrupt: Complaint("compressed-damaged", "the compressed metadata is damaged", exit: .badInput)
        case .outOfMemory:
            Complaint("compressed-memory", "expanding the metadata needs more memory than its worker may take", exit: .badInput)
        case .tookTooLong(let milliseconds):
            Complaint(
                "compressed-timeout", "expanding the metadata took longer than \(milliseconds / 1000) s and was given up", exit: .badInput)
        case .crashed(let signal):
            Complaint("compressed-crash", "the process that expanded the metadata died (signal \(signal))", exit: .badInput)
        }
    }
}
