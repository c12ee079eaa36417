/// The size of a terminal's window, or a part of it, in characters.
public struct TerminalWindow: Sendable, Equatable {
    public let columns: Int
    public let rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// What a terminal has that does not say its size, such as one behind a serial line.
    public static let standard = TerminalWindow(columns: 80, rows: 24)
}

/// The position of a QR code on a terminal, and the style of its modules. The quiet zone is as large as the
/// window allows.
public struct TerminalCode: Sendable, Equatable {
    /// How a module becomes characters. A character is about twice as high as it is wide.
    public enum Style: String, CaseIterable, Sendable {
        /// Two rows of modules a line, by upper and lower half blocks. Some fonts of the Linux console lack
        /// these characters.
        case half
        /// A module is two characters wide, and drawn with blanks and colours alone where there are colours:
        /// every font shows it.
        case full
    }

    /// What makes a module dark or light.
    public enum Ink: Sendable, CaseIterable {
        /// Black and white of the 256-colour palette, which no theme changes.
        case palette
        /// Black and bright white of the sixteen colours, for a terminal without the palette.
        case sixteen
        /// No colours, light characters on a dark window: light modules are the drawn ones.
        case onDark
        /// No colours, dark characters on a light window.
        ///
        /// Which of the two a window is decides whether the code is turned around, and readers differ: ZXing
        /// reads a code whose colours are exchanged, zbar and older ZXing do not unless they are told to.
        case onLight
    }

    public let style: Style
    /// Modules of the code, without the quiet zone.
    public let side: Int
    /// What the code takes, with its quiet zone.
    public let size: TerminalWindow
    /// Modules of the quiet zone: beside the code, above it, below it.
    public let quiet: (beside: Int, above: Int, below: Int)

    /// The narrowest quiet zone that is drawn, in modules.
    ///
    /// The standard asks for 4. ZXing and zbar read a code with 1 from a picture of a dark window
    /// (`tools/dev terminal-codes` measures it), so a window that is too low costs quiet zone before it costs
    /// the code.
    public static let minimumQuiet = 1

    /// - `side`: modules of the code.
    /// - `reserved`: lines of the window that something else needs, such as the shell's next prompt.
    /// - Throws: ``PictureFailure/windowTooSmall(needed:window:)``
    public init(side: Int, style: Style, in window: TerminalWindow, reserved: Int = 0) throws(PictureFailure)
    {
        let smallest = Self.size(side + 2 * Self.minimumQuiet, style)
        guard smallest.columns <= window.columns, smallest.rows + reserved <= window.rows else {
            let needed = TerminalWindow(columns: smallest.columns, rows: smallest.rows + reserved)
            throw .windowTooSmall(needed: needed, window: window)
        }
        self.side = side
        self.style = style
        let largest = Self.size(side + 2 * QRCode.standardBorder, style)
        let rows = min(largest.rows, window.rows - reserved)
        let beside = min(QRCode.standardBorder, (window.columns / Self.moduleColumns(style) - side) / 2)
        size = TerminalWindow(columns: Self.size(side + 2 * beside, style).columns, rows: rows)
        // The last line may be one module too many: it is quiet zone, too.
        let spare = rows * Self.modulesALine(style) - side
        quiet = (beside, spare / 2, spare - spare / 2)
    }

    /// The largest version, 1…40, whose code fits; nil where not even the smallest does.
    public static func largestVersion(style: Style, in window: TerminalWindow, reserved: Int = 0) -> Int? {
        (1...40).last {
            (try? TerminalCode(side: 17 + 4 * $0, style: style, in: window, reserved: reserved)) != nil
        }
    }

    public static func == (a: TerminalCode, b: TerminalCode) -> Bool {
        a.style == b.style && a.side == b.side && a.size == b.size && a.quiet == b.quiet
    }

    /// The lines of a code of this side, without line ends; each ends with the terminal's own colours.
    public func lines(_ code: QRCode, _ ink: Ink) -> [String] {
        precondition(code.side == side, "a code of the size that was laid out")
        let columns = -quiet.beside..<(side + quiet.beside)
        return stride(from: -quiet.above, to: side + quiet.below, by: Self.modulesALine(style)).map { row in
            switch style {
            case .half:
                ink.line(
                    columns.map { column in
                        let upper = code.isDark(column: column, row: row) == ink.drawsDark
                        let lower = code.isDark(column: column, row: row + 1) == ink.drawsDark
                        return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
                    }.joined())
            case .full: ink.line(ink.runs(columns.map { code.isDark(column: $0, row: row) }))
            }
        }
    }

    private static func modulesALine(_ style: Style) -> Int {
        switch style {
        case .half: 2
        case .full: 1
        }
    }

    private static func moduleColumns(_ style: Style) -> Int {
        switch style {
        case .half: 1
        case .full: 2
        }
    }

    /// The window that a square of this many modules takes.
    private static func size(_ modules: Int, _ style: Style) -> TerminalWindow {
        let perLine = modulesALine(style)
        return TerminalWindow(
            columns: modules * moduleColumns(style), rows: (modules + perLine - 1) / perLine)
    }
}

extension TerminalCode.Ink {
    /// Whether the characters' own colour stands for the dark modules.
    fileprivate var drawsDark: Bool {
        switch self {
        case .palette, .sixteen, .onLight: true
        case .onDark: false
        }
    }

    /// The sequence that sets dark characters on a light ground; nil without colours.
    private var colours: String? {
        switch self {
        case .palette: "\u{1b}[38;5;16;48;5;231m"
        // Terminals without bright backgrounds keep the one before.
        case .sixteen: "\u{1b}[30;47;107m"
        case .onDark, .onLight: nil
        }
    }

    fileprivate func line(_ characters: String) -> String {
        colours.map { $0 + characters + "\u{1b}[0m" } ?? characters
    }

    /// Modules of two characters: exchanged colours stand for dark ones, so that the font does not matter.
    fileprivate func runs(_ dark: [Bool]) -> String {
        guard colours != nil else { return dark.map { $0 == drawsDark ? "██" : "  " }.joined() }
        var text = ""
        var isDark = false
        for module in dark {
            if module != isDark { text += module ? "\u{1b}[7m" : "\u{1b}[27m" }
            isDark = module
            text += "  "
        }
        return text
    }
}
