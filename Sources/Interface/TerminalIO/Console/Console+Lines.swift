import Diagnostics
import Glibc
import Lines
import SubstratePrimitives
import SystemIO

extension Console {
    /// A line with its styles: fitted to the width of a terminal, one long line anywhere else.
    package func print(_ line: StyledLine) {
        guard let columns else {
            return print(line.runs.reduce(String(repeating: " ", count: line.indent)) { $0 + paint($1) })
        }
        for part in line.wrapped(to: columns) {
            let text = part.runs.reduce(String(repeating: " ", count: part.indent)) { $0 + paint($1) }
            let hasRoom = part.text.unicodeScalars.count + Self.iconColumns < columns
            print(hasRoom ? text + icon(part) : text)
        }
    }

    /// With a space before it.
    private static let iconColumns = 11

    /// Icons need 24-bit colours, which `COLORTERM` says; `HELIOGRAPH_ICONS=off` leaves them out.
    private func icon(_ line: StyledLine) -> String {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        guard colour, let account = line.icon, ["truecolor", "24bit"].contains(variable("COLORTERM")),
            !variable("HELIOGRAPH_ICONS").utf8Equals("off")
        else { return "" }
        return " " + IconRaster.strip(of: account)
    }

    /// A line whose blanks at its start are its indent: on a terminal, what does not fit stands below it.
    package func printIndented(_ line: String) {
        let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
        print(StyledLine(indent: indent, String(decoding: line.utf8.dropFirst(indent), as: UTF8.self)))
    }

    /// Prints the lines of a list. On a terminal each takes one row, and a note says if something was left
    /// out.
    /// - Parameter wide: whether lines are printed in full there, too.
    package func print(_ table: [TableLine], wide: Bool) {
        guard let columns, !wide else { return table.forEach { printIndented($0.text) } }
        var isShortened = false
        for line in table {
            let shortened = line.shortened(to: columns)
            isShortened = isShortened || shortened != nil
            printIndented(shortened ?? line.text)
        }
        if isShortened { note("shortened to the window: --wide shows whole lines") }
    }

    /// The width of the terminal that results go to, 80 where it says none; nil where there is no terminal.
    private var columns: Int? {
        guard isatty(results) == 1 else { return nil }
        return TerminalSize.read(results)?.columns ?? 80
    }

    private func paint(_ run: StyledLine.Run) -> String {
        guard colour, let code = Self.code(run.style) else { return run.text }
        return "\u{1b}[\(code)m\(run.text)\u{1b}[0m"
    }

    /// Select Graphic Rendition (ECMA-48, 8.3.117). Colours that can be read on black and on white; yellow
    /// and blue cannot.
    private static func code(_ style: TextStyle) -> String? {
        switch style {
        case .plain: nil
        case .heading, .amount, .account: "1"
        case .dim: "2"
        case .call: "36"
        case .ownAccount: "1;32"
        case .notice: "32"
        case .warning: "1;35"
        case .error: "1;31"
        }
    }

    package func complain(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph").forEach(note) }
}
