import Glibc
import ScanProtocol

/// The camera's picture above the progress line. It is drawn at the cursor and removed at the end; the rest
/// of the screen stays as it is.
package struct LivePreview {
    let style: PreviewStyle
    private var rows = 0

    package init(_ style: PreviewStyle, _ console: Console) {
        self.style = style.resolved(isTerminal: console.errorIsTerminal) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    package var isDrawn: Bool { style != .none }

    /// Ends at the start of the progress line, which is empty then.
    package mutating func draw(_ picture: PreviewPicture, _ console: Console) {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            let screen = PreviewScreen(
                picture, style: style, columns: Int(size.ws_col), lines: Int(size.ws_row))
        else { return }
        var text = ""
        // The first picture, or one of another height: a terminal that was made larger or smaller.
        if screen.rows != rows {
            text += removal + String(repeating: "\n", count: screen.rows)
            rows = screen.rows
        }
        Console.write(text + "\r\u{1b}[K\u{1b}[\(rows)A" + screen.text, to: STDERR_FILENO)
    }

    package mutating func end(_ console: Console) {
        guard rows > 0 else { return }
        Console.write(removal, to: STDERR_FILENO)
        rows = 0
    }

    private var removal: String { rows > 0 ? "\r\u{1b}[\(rows)A\u{1b}[J" + PreviewScreen.removal(style) : "" }
}

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

    /// The style for a terminal. The terminal itself is not queried, because its answer would arrive as typed
    /// input.
    /// - `value`: gives the value of an environment variable.
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
