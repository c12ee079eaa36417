import Diagnostics

/// The role of a run of text, which a screen or a printer shows in its own way. Colour is never the only
/// sign: the words carry the same meaning.
public enum TextStyle: String, Sendable, CaseIterable {
    case plain
    case heading
    /// Names of fields, notes: what matters less than the values.
    case dim
    /// Names of pallets and calls.
    case call
    case amount
    case account
    /// An account of this vault.
    case ownAccount
    /// What this side makes of the values.
    case notice
    case warning
    /// An error, and a warning of a danger.
    case error
}

/// One line as it is meant, before it is fitted to a width: everything in it is safe for a terminal.
public struct StyledLine: Sendable, Equatable {
    /// A part of the line in one style.
    public struct Run: Sendable, Equatable {
        /// Escaped already, without a line break.
        public let text: String
        public let style: TextStyle

        public init(_ text: String, _ style: TextStyle = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// How much a person needs a line of a summary where not everything fits.
    public enum Need: Int, Sendable, Comparable {
        /// Left out first: what is the same in most reviews, such as the network or who sets the fee.
        case usual
        /// More of what is done, and words of people that are compared.
        case act
        /// Who signs.
        case signer
        /// More of what is compared, such as a second destination.
        case listed
        /// What is done, a tip, and another asset that pays the fee: no list takes their room.
        case named
        /// Facts to compare with what was asked for: the amount and the destination. Only a danger comes
        /// first.
        case compared

        public static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    /// Columns before the first run; the lines that ``wrapped(to:)`` makes of it start two columns further.
    public var indent: Int
    public var runs: [Run]
    /// The account whose icon may stand behind the line: 32 or 20 bytes. The address is on the line, so
    /// leaving the icon out hides nothing.
    public var icon: [UInt8]?
    /// Which lines stay where not everything fits.
    public var need = Need.usual

    public init(indent: Int = 0, _ runs: [Run], icon: [UInt8]? = nil) {
        self.indent = indent
        self.runs = runs
        self.icon = icon
    }

    public init(indent: Int = 0, _ text: String, _ style: TextStyle = .plain) {
        self.init(indent: indent, [Run(text, style)])
    }

    /// Whether a part of it warns: what must stay where not everything fits.
    public var warns: Bool { runs.contains { $0.style == .warning || $0.style == .error } }

    /// Whether a part of it is an error or a danger, which stands first and whole.
    public var isDanger: Bool { runs.contains { $0.style == .error } }

    /// The text without styles.
    public var text: String { String(repeating: " ", count: indent) + runs.map(\.text).joined() }
}

extension Diagnostic {
    /// Words that the argument parser does not know: its own sentence, as the other messages are written,
    /// lower case and without a period.
    public init(usage sentence: String, hint: String) {
        let text =
            sentence.utf8.last == UInt8(ascii: ".") ? String(sentence.unicodeScalars.dropLast()) : sentence
        // The name of an argument, such as RAW, keeps its capitals.
        let isName = text.unicodeScalars.dropFirst().first.map { (0x41...0x5a).contains($0.value) } ?? false
        self.init(
            "usage", isName ? text : text.prefix(1).lowercased() + text.dropFirst(), hint: hint, exit: .usage)
    }

    /// The lines for stderr, safe for a terminal.
    /// - Parameter program: the name that the lines start with.
    public func lines(program: String) -> [String] {
        let error = "\(program): error: \(Escape.terminal(message))"
        return [error] + (hint.map { ["\(program): hint: \(Escape.terminal($0))"] } ?? [])
    }
}
