/// How a terminal shows a camera's pictures.
public enum PreviewStyle: String, CaseIterable, Sendable {
    /// What the environment says that the terminal shows.
    case auto
    /// Two samples a character, in 24 greys.
    case blocks
    /// Two samples a character, by shaded blocks without colour.
    case shades
    /// The graphics protocol of kitty, which other terminals share.
    case kitty
    case sixel
    case none

    /// The style for a terminal. It is not asked: an answer would come as typed input.
    /// - `value`: of a variable of the environment.
    public func resolved(isTerminal: Bool, _ value: (String) -> String?) -> PreviewStyle {
        guard isTerminal else { return .none }
        guard self == .auto else { return self }
        let term = value("TERM") ?? ""
        // No cursor to move, or a line that is too slow for pictures.
        if term.isEmpty || Self.plain.contains(where: { $0.utf8.elementsEqual(term.utf8) }) { return .none }
        // A multiplexer passes no graphics on.
        let isMultiplexed = Self.multiplexers.contains { term.utf8.starts(with: $0.utf8) }
        if !isMultiplexed, Self.isKitty(term, value) { return .kitty }
        if !isMultiplexed, Self.sixels.contains(where: { term.utf8.starts(with: $0.utf8) }) { return .sixel }
        return value("NO_COLOR") == nil && !term.utf8.elementsEqual("linux".utf8) ? .blocks : .shades
    }

    private static let plain = ["dumb", "unknown", "vt52", "vt100", "vt102", "vt220", "ansi"]
    private static let multiplexers = ["screen", "tmux"]
    private static let sixels = ["foot", "mlterm", "yaft", "contour", "xterm-sixel"]

    private static func isKitty(_ term: String, _ value: (String) -> String?) -> Bool {
        ["xterm-kitty", "xterm-ghostty"].contains { $0.utf8.elementsEqual(term.utf8) }
            || value("KITTY_WINDOW_ID") != nil
    }
}
