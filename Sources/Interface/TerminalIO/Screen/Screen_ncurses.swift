import CNCurses
import Glibc
import Lines

/// The whole terminal, while a review is on it: paints frames and reads keys, with ncurses.
///
/// No secret passes through it: passphrases are asked for after it is closed. ncurses does nothing before a
/// screen opens.
///
/// ncurses reads the terminal's description inside the sandbox, where a fault in its parser is shut in:
/// commands that review may read ``descriptions``. What the environment or the home directory name instead is
/// ignored, because such a description says what is written to the terminal.
package final class Screen {
    /// Folders of terminal descriptions that only root writes.
    package static let descriptions = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]

    /// Uses the terminal descriptions that are compiled into Debian's ncurses. nil if there is no terminal,
    /// or if it cannot place text.
    init?(terminal: Int32, type: String, coloured: Bool) {
        guard heliograph_screen_open(type, terminal, coloured) else { return nil }
        // ncurses handles these itself with calls that the sandbox refuses.
        ScreenSignals.catchAll()
    }

    /// Gives the terminal back as it was.
    func close() {
        heliograph_screen_close()
        ScreenSignals.release()
    }

    /// Whether a screen can be shown there.
    static func isPossible(terminal: Int32, type: String) -> Bool {
        heliograph_screen_is_possible(type, terminal)
    }

    /// Whether the terminal shows more than ASCII. The Linux console counts as one that does not: its fonts
    /// lack most letters and show the same sign for all of them.
    static func showsASCIIOnly(type: String) -> Bool {
        !heliograph_screen_takes_utf8() || type.utf8.elementsEqual("linux".utf8)
    }

    var size: (columns: Int, rows: Int) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        heliograph_screen_measure(&rows, &columns)
        return (Int(columns), Int(rows))
    }

    func paint(_ frame: PagerFrame) {
        heliograph_screen_erase()
        for (row, runs) in frame.rows.enumerated() {
            var column = 0
            for run in runs {
                let (look, colour) = Self.look(run)
                heliograph_screen_put(Int32(row), Int32(column), run.text, look, colour)
                column += run.text.unicodeScalars.reduce(0) { $0 + StyledLine.columns($1) }
            }
        }
        heliograph_screen_show(
            frame.cursor == nil ? -1 : Int32(frame.rows.count - 1), Int32(frame.cursor ?? 0))
    }

    /// Paints the next frame from nothing: another program may have used the terminal.
    func forget() { heliograph_screen_forget() }

    /// nil where no key is waiting.
    func key() -> Pager.Key? {
        let key = heliograph_screen_key()
        switch key.kind {
        case HELIOGRAPH_KEY_CHARACTER: return Unicode.Scalar(key.scalar).map(Pager.Key.character) ?? .other
        case HELIOGRAPH_KEY_UP: return .up
        case HELIOGRAPH_KEY_DOWN: return .down
        case HELIOGRAPH_KEY_PAGE_UP: return .pageUp
        case HELIOGRAPH_KEY_PAGE_DOWN: return .pageDown
        case HELIOGRAPH_KEY_HOME: return .home
        case HELIOGRAPH_KEY_END: return .end
        case HELIOGRAPH_KEY_BACKSPACE: return .backspace
        case HELIOGRAPH_KEY_ENTER: return .enter
        case HELIOGRAPH_KEY_NONE: return nil
        default: return .other
        }
    }

    func dropKeys() { heliograph_screen_drop_keys() }

    /// The looks of a printed review, in colours that can be read on a light and on a dark background; words
    /// say the same.
    private static func look(_ run: PagerFrame.Run) -> (look: Int32, colour: Int32) {
        let (look, colour): (Int, Int) =
            switch run.style {
            case .plain: (0, HELIOGRAPH_NO_COLOUR)
            case .heading, .amount, .account: (HELIOGRAPH_BOLD, HELIOGRAPH_NO_COLOUR)
            case .dim: (HELIOGRAPH_DIM, HELIOGRAPH_NO_COLOUR)
            case .call: (0, HELIOGRAPH_CYAN)
            case .ownAccount: (HELIOGRAPH_BOLD, HELIOGRAPH_GREEN)
            case .notice: (0, HELIOGRAPH_GREEN)
            case .warning: (HELIOGRAPH_BOLD, HELIOGRAPH_MAGENTA)
            case .error: (HELIOGRAPH_BOLD | HELIOGRAPH_UNDERLINE, HELIOGRAPH_RED)
            }
        return (Int32(look | (run.isReversed ? HELIOGRAPH_REVERSE : 0)), Int32(colour))
    }
}
