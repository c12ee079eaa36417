import Glibc
import ScanProtocol

/// What a camera sees, above the line of progress. It is drawn where the cursor is and taken away at the end;
/// nothing else of the screen changes.
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
