extension Pager {
    /// A key that a person pressed.
    public enum Key: Sendable, Equatable {
        case character(Unicode.Scalar)
        case up, down, pageUp, pageDown, home, end
        case enter, backspace
        /// Any other key that a terminal names.
        case other
    }

    /// How far a key moves the view. Several keys can give the same move.
    enum Move { case lineUp, lineDown, pageUp, pageDown, top, bottom }
}

extension Pager.Key {
    static let escape = Self.character("\u{1b}")
    /// Ctrl-C and Ctrl-D.
    var interrupts: Bool { self == .character("\u{3}") || self == .character("\u{4}") }

    /// The keys of `less`. Letters move only while the person types no text.
    func move(whileTyping: Bool) -> Pager.Move? {
        switch self {
        case .up: return .lineUp
        case .down: return .lineDown
        case .pageUp: return .pageUp
        case .pageDown: return .pageDown
        case .home: return .top
        case .end: return .bottom
        case .enter, .backspace, .other: return nil
        case .character(let scalar):
            guard !whileTyping else { return nil }
            switch scalar {
            case "k", "\u{10}": return .lineUp
            case "j", "\u{e}": return .lineDown
            case "b", "\u{2}": return .pageUp
            case " ", "f", "\u{6}": return .pageDown
            case "g", "<": return .top
            case "G", ">": return .bottom
            default: return nil
            }
        }
    }
}
