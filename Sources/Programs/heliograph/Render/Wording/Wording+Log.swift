import Diagnostics
import Terminal

extension Wording {
    static func entryCount(_ count: UInt64) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    /// A log that does not go on from the head that a person kept.
    static func logHead(_ error: CommandError) -> Diagnostic {
        switch error {
        case .badLogHead(let text):
            Diagnostic(
                "bad-log-head", "\(text) is no head of a log: it is heliograph-log:N:HASH or a hash of 64 digits",
                hint: "heliograph log export --out FILE", exit: .usage)
        case .logHeadAhead(let number, let last):
            Diagnostic(
                "log-head-ahead",
                "the exported head is entry \(number), and this log ends at entry \(last): the vault was put back to an older state",
                exit: .refused)
        case .logHeadCleared(let first):
            Diagnostic(
                "log-head-cleared", "the log was cleared before entry \(first), so the exported head cannot be compared any more",
                exit: .refused)
        default:
            Diagnostic(
                "log-head-differs", "this log does not go on from the exported head: it is another one, or the vault was put back",
                exit: .refused)
        }
    }
}
