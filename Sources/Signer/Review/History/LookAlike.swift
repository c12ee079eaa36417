import Hashing
import SubstratePrimitives
import TrustStore

/// An address that begins and ends as another one does, and is not the same.
///
/// People compare the ends of an address. Whoever wants to be paid in a friend's place makes keys until the ends fit: each character costs 58 times
/// the work (16 times for `0x`), so the ends are what he can choose, and the middle is what he cannot. Two addresses of 48 characters fit by chance
/// in six of them about once in 10¹⁰ pairs, so an alarm is no accident.
///
/// ### Rule
///
/// Both texts are as this network writes them; `0x` is compared without case. The characters that every address of the prefix shares count for
/// nothing. Of the rest at least `minimumEnd` are equal at each end and `minimumSum` in all, and the texts differ.
public struct LookAlike: Sendable, Equatable {
    /// The destination's text and the one that it resembles, without case for `0x`.
    public let text: String
    public let other: String
    /// Equal characters at the start, those that every address shares included, and at the end.
    let start: Int
    let end: Int

    init(text: String, other: String, start: Int, end: Int) {
        (self.text, self.other, self.start, self.end) = (text, other, start, end)
    }

    public static func == (one: LookAlike, other: LookAlike) -> Bool {
        one.text.utf8Equals(other.text) && one.other.utf8Equals(other.other) && one.start == other.start && one.end == other.end
    }

    /// What of an address's text is compared, by its form.
    struct Form {
        /// Characters that every address shares.
        let shared: Int
        let minimumEnd: Int
        let minimumSum: Int

        /// - Parameter account: 20 bytes for `0x`, 32 for SS58.
        init?(accountLength: Int, prefix: UInt16) {
            switch accountLength {
            case 20: (shared, minimumEnd, minimumSum) = (2, 3, 8)
            case 32:
                guard let shared = Self.shared(prefix) else { return nil }
                (self.shared, minimumEnd, minimumSum) = (shared, 2, 6)
            default: return nil
            }
        }

        /// The characters that the lowest and the highest account of a prefix have in common at the start. Texts of one length are ordered as their
        /// numbers, so every account between the two has them, too; where the lengths differ, this finds fewer, which makes more alarms and
        /// not fewer.
        private static func shared(_ prefix: UInt16) -> Int? {
            guard let lowest = SS58Address(prefix: prefix, account: [UInt8](repeating: 0, count: 32)),
                let highest = SS58Address(prefix: prefix, account: [UInt8](repeating: 0xff, count: 32))
            else { return nil }
            return zip(lowest.text.utf8, highest.text.utf8).prefix { $0 == $1 }.count
        }
    }

    /// The text of an account as a network with this prefix writes it, without case for 20 bytes; nil where it has none.
    static func text(_ account: [UInt8], prefix: UInt16) -> String? {
        account.count == 20 ? "0x" + Hex.encode(account) : SS58Address(prefix: prefix, account: account)?.text
    }

    /// What two addresses that resemble each other always share: the least at each end. nil for an account without a text.
    static func ends(_ account: [UInt8], prefix: UInt16, _ form: Form) -> [UInt8]? {
        guard let text = text(account, prefix: prefix) else { return nil }
        let rest = text.utf8.dropFirst(form.shared)
        return Array(rest.prefix(form.minimumEnd)) + Array(rest.suffix(form.minimumEnd))
    }

    /// The row of the accounts whose addresses have the same ends.
    /// - Parameter forms: of this prefix.
    static func key(_ account: [UInt8], prefix: UInt16, _ forms: (substrate: Form?, ethereum: Form?)) -> HistoryKey? {
        let (form, kind): (Form?, [UInt8]) =
            switch account.count {
            case 20: (forms.ethereum, [20])
            case 32: (forms.substrate, [32, UInt8(prefix & 0xff), UInt8(prefix >> 8)])
            default: (nil, [])
            }
        return form.flatMap { ends(account, prefix: prefix, $0) }.map { HistoryKey(.lookAlike, kind, $0) }
    }

    /// nil where the accounts are the same, of different forms, or not alike.
    init?(_ account: [UInt8], resembling other: [UInt8], prefix: UInt16) {
        guard account != other, account.count == other.count, let form = Form(accountLength: account.count, prefix: prefix),
            let text = Self.text(account, prefix: prefix), let resembled = Self.text(other, prefix: prefix)
        else { return nil }
        let start = zip(text.utf8, resembled.utf8).prefix { $0 == $1 }.count
        let end = zip(text.utf8.reversed(), resembled.utf8.reversed()).prefix { $0 == $1 }.count
        guard start >= form.shared + form.minimumEnd, end >= form.minimumEnd, start - form.shared + end >= form.minimumSum else {
            return nil
        }
        self.init(text: text, other: resembled, start: start, end: end)
    }

    /// What differs, in brackets: `5Gr[...]utQY`. The two texts have the same ends outside of them.
    static func marked(_ text: String, start: Int, end: Int) -> String {
        let bytes = Array(text.utf8)
        guard start + end < bytes.count else { return text }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return part(0..<start) + "[" + part(start..<bytes.count - end) + "]" + part(bytes.count - end..<bytes.count)
    }

    var markedText: String { Self.marked(text, start: start, end: end) }
    var markedOther: String { Self.marked(other, start: start, end: end) }

    /// Characters of the word that a person types.
    static let wordLength = 6

    /// Six characters in a row from the middle of the destination, or as near to it as they hold one that differs: what the sender could not choose, and
    /// what nobody can type without having looked there.
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
