import SubstratePrimitives

/// An address that begins or ends as another one does, and is not the same.
///
/// A hurried person compares a few characters at one end. Whoever wants to be paid in a friend's place makes
/// keys until those fit: each character costs 58 times the work (16 times for `0x`), and the end that nobody
/// looks at costs nothing. So each end is judged by itself, and no number of equal characters at one end
/// excuses the other.
public struct LookAlike: Sendable, Equatable {
    /// The destination's text, in the form that resembles ``other``; in lower case for `0x`.
    public let text: ExactText
    /// The text that it resembles, in the same form.
    public let other: ExactText
    /// The destination's text as its network writes it, where that is another form.
    package let shown: ExactText?
    /// Equal characters at the start, those that every address shares included, and at the end.
    package let start: Int, end: Int
    /// Characters at the start that say nothing.
    private let shared: Int

    package init(text: String, other: String, shown: String? = nil, start: Int, end: Int, shared: Int = 0) {
        (self.text, self.other, self.shown) = (ExactText(text), ExactText(other), shown.map { ExactText($0) })
        (self.start, self.end, self.shared) = (start, end, shared)
    }

    /// Which part is alike, for a sentence.
    package var part: String { start <= shared ? "end is" : end == 0 ? "start is" : "ends are" }

    /// What differs, in brackets: `5Gr[...]utQY`. The two texts are the same outside of them.
    package static func marked(_ text: ExactText, start: Int, end: Int) -> String {
        let bytes = Array(text.utf8)
        guard start + end < bytes.count else { return text.text }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return part(0..<start) + "[" + part(start..<bytes.count - end) + "]"
            + part(bytes.count - end..<bytes.count)
    }

    package var markedText: String { Self.marked(text, start: start, end: end) }
    package var markedOther: String { Self.marked(other, start: start, end: end) }

    /// Characters of the word that a person types.
    package static let wordLength = 6

    /// Six characters in a row from the middle of the destination, or as near to it as they hold one that
    /// differs: what the sender could not choose, and what nobody can type without having looked there.
    public var word: String {
        let bytes = Array(text.utf8)
        let length = min(Self.wordLength, bytes.count)
        // The first and the last character that differ.
        let differing = start...max(start, bytes.count - end - 1)
        let middle = (bytes.count - length) / 2
        let lowest = max(0, differing.lowerBound - length + 1)
        let highest = min(bytes.count - length, differing.upperBound)
        let first = min(max(middle, lowest), max(lowest, highest))
        return String(decoding: bytes[first..<first + length], as: UTF8.self)
    }
}

/// An account that is to get a name, and a known one that looks like it.
///
/// A review spares a contact from the alarm about look-alikes, because a person named it. So the alarm must
/// come when the name is given: the picture of an address is chosen by whoever shows it, and so is what a
/// list says.
public struct Resemblance: Sendable, Equatable {
    package let found: LookAlike
    /// Whose account the other one is, as a warning says it.
    public let name: ExactText

    /// The look-alike, and whose the account is that it resembles.
    package init(found: LookAlike, name: String) { (self.found, self.name) = (found, ExactText(name)) }

    /// The new account's text and the known one's.
    public var address: ExactText { found.text }
    /// The address that ``address`` resembles.
    public var other: ExactText { found.other }
    /// What a person types instead of yes: ``LookAlike/word``.
    public var word: String { found.word }
    /// Both addresses with what differs in brackets.
    public var sentence: String {
        let shown = found.shown.map { ", here \($0)," } ?? ""
        return
            "\(found.markedText)\(shown) is NOT \(found.markedOther), \(name): only the \(found.part) alike"
    }
}
