import Extrinsics
import FoundationEssentials
import Presentation
import SubstratePrimitives
import TerminalIO

/// What a new policy changes, key by key.
struct PolicyDifference {
    let lines: [String]

    /// - Parameter former: the text of the policy in force; nil if there is no policy.
    init(from former: [UInt8]?, to text: [UInt8]) throws {
        // A policy in force that cannot be read is replaced as a whole.
        let before = former.flatMap { try? TransactionPolicy.value(json: $0) }.map(Self.members) ?? []
        let after = Self.members(try TransactionPolicy.value(json: text))
        var lines: [String] = []
        for (key, value) in before where !after.contains(where: { $0.key.utf8Equals(key) }) { lines.append("  - \(key): \(value)") }
        for (key, value) in after {
            let known = before.first { $0.key.utf8Equals(key) }?.value
            if known.map(value.utf8Equals) == true { continue }
            if let known { lines.append("  - \(key): \(known)") }
            lines.append("  + \(key): \(value)")
        }
        let title = former == nil ? Wording.firstPolicy : lines.isEmpty ? Wording.samePolicy : Wording.changedPolicy
        self.lines = [title] + lines
    }

    private static func members(_ value: StrictJSON.Value) -> [(key: String, value: String)] {
        guard case .object(let object) = value else { return [] }
        return object.members.map { ($0.key, JSONText.line(StoredRules(value: $0.value))) }
    }
}
