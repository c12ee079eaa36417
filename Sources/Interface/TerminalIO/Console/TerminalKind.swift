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
    /// On the Linux console full cells come first, because a font may lack half blocks (Terminus `Uni2-` and
    /// `Lat15-` do) and a program cannot find out.
    static var styles: [TerminalCode.Style] { isConsole ? [.full, .half] : [.half] }

    /// Black on white where the terminal has colours: dark and light windows then show the same code.
    ///
    /// Without colours, the characters are light modules in a dark window and dark ones in a light window.
    /// `COLORFGBG`, which rxvt, Konsole and others set, tells the kind; without it a window counts as dark,
    /// like a console. If it is light after all, the code is inverted: newer ZXing reads that, zbar does not
    /// (`tools/dev terminal-codes` measures both).
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
