import Diagnostics
import TerminalIO

extension Wording {
    static func bytes(_ count: Int) -> String { Sentence.count(count, "byte") }

    /// `transaction_signed` as words.
    static func words(_ name: String) -> String { name.split(separator: "_").joined(separator: " ") }

    package static func waiting(_ events: Int) -> String {
        """
        \(Sentence.count(events, "event")) \(events == 1 ? "joins" : "join") the log at the next unlock; \
        heliograph log show prints \(events == 1 ? "it" : "them")
        """
    }

    /// Failed attempts since the last unlock, and how long the next one must wait.
    package static func attempts(_ count: UInt32, delay: UInt64) -> [String] {
        guard count > 0 || delay > 0 else { return [] }
        let wait = delay > 0 ? "; the next attempt must wait \(delay) s" : ""
        return [
            "\(Sentence.count(count, "failed attempt")) to open this vault since it was last opened\(wait)"
        ]
    }

    package static func entryCount(_ count: UInt64) -> String { count == 1 ? "1 entry" : "\(count) entries" }

}
