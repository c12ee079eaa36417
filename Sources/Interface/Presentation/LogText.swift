import Diagnostics
import Hashing
import History
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore

/// An entry of the log as a person reads it: number, date, what happened; below it the facts, in lines of at
/// most 80 columns.
package struct LogText {
    private static let columns = 80
    private static let indent = "    "

    let facts: LogFacts
    /// The name of the network with this genesis hash in hex; nil where the vault has none.
    let networkName: (String) -> String?

    package init(facts: LogFacts, networkName: @escaping (String) -> String?) {
        (self.facts, self.networkName) = (facts, networkName)
    }

    /// - Parameter whole: every fact, each on its own lines, and hashes in full.
    package func lines(whole: Bool = false) -> [String] {
        let number = facts.number.value.map(String.init) ?? "-"
        let state = facts.number.value == nil ? " (not in the log yet)" : ""
        let event = Wording.words(facts.event)
        let first =
            """
            \(number)  \(facts.happened.map(LogDate.text) ?? "no date")  \
            \(facts.dangerous ? "! " : "")\(event)\(state)
            """
        let pieces = whole ? allPieces : shortPieces
        return [Escape.terminal(first)]
            + (whole ? pieces.map { Self.indent + Escape.terminal($0) } : Self.fitted(pieces))
    }

    // MARK: Facts

    /// Facts of which the first lines are made, and those that only other programs read.
    private static let stated: Set = [
        "call", "total", "decimals", "unit", "recipients", "more_recipients", "locked", "at", "other_assets",
        "tip", "tip_asset",
    ]
    private static let onlyWhole: Set = [
        "signature", "payload", "policy", "payload_hash", "payload_length", "metadata_version",
        "metadata_check",
    ]

    private var shortPieces: [String] {
        action
            + facts.facts.sorted { $0.key < $1.key }.compactMap { name, value in
                Self.stated.contains(name) || Self.onlyWhole.contains(name) || isSaid(name, value)
                    ? nil : piece(name, value, whole: false)
            }
    }

    private var allPieces: [String] {
        action
            + facts.facts.sorted { $0.key < $1.key }.compactMap { name, value in
                Self.stated.contains(name) ? nil : piece(name, value, whole: true)
            }
    }

    /// What a signed transaction does.
    private var action: [String] {
        guard let call = facts.facts["call"] else { return [] }
        var pieces = [call]
        if let total = facts.facts["total"], let unit = facts.facts["unit"],
            let decimals = facts.facts["decimals"].flatMap(UInt8.init)
        {
            pieces.append("\(LogAmount.text(total, decimals: decimals)) \(unit)")
        }
        if let tip = facts.facts["tip"] {
            let amount =
                facts.facts["tip_asset"] == nil
                ? facts.facts["unit"].flatMap { unit in
                    facts.facts["decimals"].flatMap(UInt8.init).map {
                        "\(LogAmount.text(tip, decimals: $0)) \(unit)"
                    }
                } : nil
            pieces.append("tip \(amount ?? "\(tip) of the smallest unit of what pays the fee")")
        }
        if facts.facts["other_assets"] != nil { pieces.append("amounts of other assets") }
        if let recipients = facts.facts["recipients"] {
            pieces += recipients.split(separator: ", ").map { "to \($0)" }
            if let more = facts.facts["more_recipients"] { pieces.append("and \(more) more") }
        }
        return pieces
    }

    /// Whether the key of a signature came from a phrase that the vault does not have.
    private var isUnstored: Bool { facts.facts["key"].map { $0.utf8Equals("not stored") } ?? false }

    /// Whether another fact says the same.
    private func isSaid(_ name: String, _ value: String) -> Bool {
        switch name {
        case "signed_scheme": facts.facts["signed_by"] != nil
        case "key": isUnstored
        case "name": facts.facts["genesis_hash"].flatMap(networkName).map(value.utf8Equals) == true
        default: false
        }
    }

    private func piece(_ name: String, _ value: String, whole: Bool) -> String {
        switch name {
        case "genesis_hash":
            return networkName(value).map { "network \($0)" }
                ?? "genesis hash \(Self.shown(value, whole: whole))"
        case "after": return "after \(UInt64(value).map(LogDate.text) ?? value)"
        case "signer" where isUnstored:
            return "signed with a key that is not stored: \(Self.shown(value, whole: whole))"
        case "signer": return "by \(Self.shown(value, whole: whole))"
        case "checked_by": return "checked by the \(Wording.words(value))"
        case "not_checked": return "but not \(Wording.words(value))"
        case "text": return value
        case "built_in": return "built in"
        case "kind": return Wording.words(value)
        case "before", "now": return "\(name) \(Wording.words(value))"
        case "how": return "origin \(Wording.words(value))"
        case "base58prefix": return "address prefix \(value)"
        case "signed_by":
            return
                """
                signed by \
                \(facts.facts["signed_scheme"].map { "\($0) " } ?? "")\(Self.shown(value, whole: whole))
                """
        default: return "\(Wording.words(name)) \(Self.shown(value, whole: whole))"
        }
    }

    /// Hex of a hash, key or signature gets its `0x`, and in a list is cut to both ends.
    static func shown(_ value: String, whole: Bool) -> String {
        let isHex =
            value.utf8.count >= 40
            && value.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard isHex else { return value }
        return whole ? "0x" + value : "0x\(value.prefix(8))...\(value.suffix(8))"
    }

    // MARK: Lines

    /// Pieces side by side where they fit; a longer one is broken between words.
    private static func fitted(_ pieces: [String]) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in pieces.map(Escape.terminal).flatMap(broken) {
            let longer = line.isEmpty ? piece : line + ", " + piece
            if indent.utf8.count + longer.unicodeScalars.count <= columns {
                line = longer
            } else {
                if !line.isEmpty { lines.append(indent + line) }
                line = piece
            }
        }
        return lines + (line.isEmpty ? [] : [indent + line])
    }

    private static func broken(_ piece: String) -> [String] {
        guard piece.unicodeScalars.count > columns - indent.utf8.count else { return [piece] }
        var parts: [String] = []
        var part = ""
        for word in piece.split(separator: " ") {
            let longer = part.isEmpty ? String(word) : part + " " + word
            if longer.unicodeScalars.count <= columns - indent.utf8.count || part.isEmpty {
                part = longer
            } else {
                parts.append(part)
                part = String(word)
            }
        }
        return parts + [part]
    }
}

/// The sum of a transaction's amounts as a plain decimal.
enum LogAmount {
    /// `12345678901` at 10 decimals is `1.2345678901`; zeros at the end are left out.
    static func text(_ planck: String, decimals: UInt8) -> String {
        let digits = String(repeating: "0", count: max(0, Int(decimals) + 1 - planck.utf8.count)) + planck
        let whole = digits.dropLast(Int(decimals))
        var fraction = digits.suffix(Int(decimals))
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
    }
}

/// A time of the log as a date with its zone.
package enum LogDate {
    /// `2026-11-21 09:26:40 UTC`
    package static func text(_ seconds: UInt64) -> String { UTCDate.second(seconds) }
}

/// An entry of the log, or an event that waits for it, as it is printed.
package struct LogFacts: Encodable {
    let number: Nullable<UInt64>
    let time: Nullable<UInt64>
    let event: String
    let dangerous: Bool
    let facts: [String: String]
    let payload: Nullable<String>
    let metadata_hash: Nullable<String>
    let hash: Nullable<String>

    package init(_ entry: LogEntry) {
        self.init(entry.event, number: entry.number, time: entry.time, hash: entry.hash.hex)
    }
    package init(_ event: LogEvent, waitingSince time: UInt64) {
        self.init(event, number: nil, time: time, hash: nil)
    }

    private init(_ event: LogEvent, number: UInt64?, time: UInt64?, hash: String?) {
        self.number = Nullable(number)
        self.time = Nullable(time)
        self.event = event.kind.rawValue
        dangerous = event.kind.isDangerous
        facts = Dictionary(event.facts.map { ($0.name, $0.value) }) { first, _ in first }
        payload = Nullable(event.payload.map(Hex.encode))
        metadata_hash = Nullable(event.metadataHash?.hex)
        self.hash = Nullable(hash)
    }

    /// When the event happened. An event of a locked vault happened before the unlock that wrote it into the
    /// log, so it has its own time.
    var happened: UInt64? { facts["at"].flatMap(UInt64.init) ?? time.value }
}

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
