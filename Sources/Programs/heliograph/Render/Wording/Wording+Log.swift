import Diagnostics
import Terminal

extension Wording {
    static func bytes(_ count: Int) -> String { Sentence.count(count, "byte") }

    static func entryCount(_ count: UInt64) -> String { count == 1 ? "1 entry" : "\(count) entries" }

}
