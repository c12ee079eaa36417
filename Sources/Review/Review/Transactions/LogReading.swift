import Diagnostics
import SubstratePrimitives
import TrustStore
import UOS

/// Why the payload of a log entry is not shown again.
public enum LogReadingError: Error, Equatable, Sendable {
    /// The vault reads it with other metadata now.
    case otherMetadata(entry: UInt64)
}

extension LogReadingError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .otherMetadata(let entry):
            .refused(
                "other-metadata", "the metadata for entry \(entry) is no longer in this vault",
                hint: "scan the metadata again that was in the vault then; "
                    + "heliograph metadata list shows what is there now")
        }
    }

    public static var examples: [LogReadingError] { [.otherMetadata(entry: 7)] }
}

extension LogEntry {
    /// The entry's payload, reviewed with what the vault knows now; empty for an entry without a payload.
    /// - Throws: ``LogReadingError`` where its metadata is gone, and what a review of payloads throws.
    public func reviewed(_ data: ChainData) throws -> [ReviewedTransaction] {
        guard let bytes = event.payload else { return [] }
        // What was signed since says nothing of what a person saw then.
        let reviewed = try TransactionReview(data.withoutHistory).review(Payload(bytes))
        guard reviewed.allSatisfy({ event.metadataHash == nil || $0.metadataHash == event.metadataHash })
        else {
            throw LogReadingError.otherMetadata(entry: number)
        }
        return reviewed
    }
}
