import SubstratePrimitives

/// A head of the log that a person keeps: `heliograph-log:`, the entry's number, `:`, its hash. A person may
/// have kept the hash alone.
public struct LogHead: Sendable, Equatable {
    private static let label = "heliograph-log"

    /// nil where only the hash was kept.
    public let number: UInt64?
    public let hash: Hash32

    public init(_ ends: LogBounds) {
        number = ends.last
        hash = ends.hash
    }

    /// - Parameter text: without white space at its ends; the hash as 64 hex digits.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        switch parts.count {
        case 1: number = nil
        case 3:
            guard parts[0].utf8Equals(Self.label), let number = UInt64(parts[1]) else { return nil }
            self.number = number
        default: return nil
        }
        guard let hash = Hash32(hex: parts[parts.count - 1]) else { return nil }
        self.hash = hash
    }

    public var text: String { "\(Self.label):\(number.map(String.init) ?? ""):\(hash.hex)" }
}
