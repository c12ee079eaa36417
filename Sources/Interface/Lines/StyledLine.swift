/// What a run of text is, for a screen or a printer to show in its own way. Colour is never the only sign:
/// the words say the same.
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

    /// Columns before the first run; the lines that ``wrapped(to:)`` makes of it start two columns further.
    public var indent: Int
    public var runs: [Run]
    /// The account whose icon may stand behind the line: 32 or 20 bytes. It repeats what the address says, so
    /// leaving it out hides nothing.
    public var icon: [UInt8]?

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

    /// The text without styles.
    public var text: String { String(repeating: " ", count: indent) + runs.map(\.text).joined() }
}
