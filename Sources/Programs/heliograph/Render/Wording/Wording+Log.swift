import Diagnostics
import Terminal

extension Wording {
    static func bytes(_ count: Int) -> String { Sentence.count(count, "byte") }

    /// `transaction_signed` as words.
    static func words(_ name: String) -> String { name.split(separator: "_").joined(separator: " ") }

    static func entryCount(_ count: UInt64) -> String { count == 1 ? "1 entry" : "\(count) entries" }

}
