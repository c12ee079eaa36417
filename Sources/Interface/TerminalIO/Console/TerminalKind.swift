import Glibc
import QRCode
import SubstratePrimitives

/// What the environment says of the terminal, as far as codes need it.
package enum TerminalKind {
    /// Whether the terminal shows colours and the person has not asked to do without.
    package static var hasColours: Bool {
        guard environment("NO_COLOR") == nil, let name = environment("TERM") else { return false }
        return !name.utf8Equals("dumb") && !name.utf8Starts(with: "vt")
    }

    /// The console of Linux itself, whose fonts have at most 512 characters.
    static var isConsole: Bool { environment("TERM")?.utf8Equals("linux") ?? false }

    /// The styles in the order in which they are tried.
    ///
    /// On the Linux console a font may lack half blocks (Terminus `Uni2-` and `Lat15-` do), and nothing tells
    /// a program so: full cells come first there.
    static var styles: [TerminalCode.Style] { isConsole ? [.full, .half] : [.half] }

    /// Black on white wherever there are colours, because a dark and a light window then show the same.
    ///
    /// Without them it depends on the window which modules the characters stand for. `COLORFGBG`, which rxvt,
    /// Konsole and others set, says which it is; else it is taken for dark, as a console is. On a light
    /// window such a code is turned around: newer ZXing reads it, zbar does not (`tools/dev terminal-codes`
    /// measures both).
    static var ink: TerminalCode.Ink {
        guard hasColours else { return isLight ? .onLight : .onDark }
        return hasPalette ? .palette : .sixteen
    }

    /// `xterm-256color`, `tmux-direct`, or a terminal that says it has more colours.
    private static var hasPalette: Bool {
        let parts = (environment("TERM") ?? "").utf8.split(separator: UInt8(ascii: "-"))
        return environment("COLORTERM") != nil
            || parts.contains { $0.elementsEqual("256color".utf8) || $0.elementsEqual("direct".utf8) }
    }

    /// Foreground and background as numbers of the sixteen colours; 7 and 15 are white.
    private static var isLight: Bool {
        let background =
            (environment("COLORFGBG") ?? "").utf8.split(separator: UInt8(ascii: ";")).last ?? "".utf8[...]
        return background.elementsEqual("7".utf8) || background.elementsEqual("15".utf8)
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
