import Glibc
import Lines
import QRCode
import SystemIO

/// A terminal that QR codes are drawn on, with a sentence beside each code that says what it is and what to
/// do with it.
package struct CodeScreen {
    private let console: Console
    private let descriptor: Int32
    private let styles: [TerminalCode.Style]
    private let ink: TerminalCode.Ink

    /// The terminal for results, or the terminal for questions if results do not go to one.
    /// - Throws: ``PictureFailure/noTerminal``
    package init(_ console: Console, style: TerminalCode.Style?) throws(PictureFailure) {
        self.console = console
        if isatty(console.results) == 1 {
            descriptor = console.results
        } else if let terminal = console.terminal {
            descriptor = terminal
        } else {
            throw .noTerminal
        }
        styles = style.map { [$0] } ?? TerminalKind.styles
        ink = TerminalKind.ink
    }

    /// Whether results go to a terminal, where a code may be shown without a request.
    package static func isShown(by console: Console) -> Bool { isatty(console.results) == 1 }

    // MARK: Drawing

    /// Prints one code, which stays in the window.
    package func draw(_ code: QRCode, _ caption: String) throws {
        write(try whenThereIsRoom { try text(of: code, caption, reserved: 1) })
    }

    /// Shows one code until a key is pressed, and then clears it from the window and the scrollback.
    package func drawUntilKey(_ code: QRCode, _ caption: String) throws {
        defer { write(Self.clear) }
        let drawn = try whenThereIsRoom { Self.clear + (try text(of: code, caption, reserved: 0)) }
        _ = try console.key(clears: true, showing: { write(drawn) })
    }

    /// Shows codes in turn at the same place until a key is pressed. A window that is too small, or becomes
    /// so, may grow. The caption stays when the codes are gone: it says what comes next.
    /// - Parameter frames: makes the codes, given the largest QR version that fits into the window. It is
    ///   called again when the size of the window changes.
    /// - Throws: `PictureFailure.windowTooSmall(needed:window:)` where a key ends it meanwhile.
    package func animate(_ caption: String, _ frames: (_ largestVersion: Int) throws -> [QRCode]) throws {
        var window: TerminalWindow?
        var codes: [QRCode] = []
        var index = 0
        var obstacle: PictureFailure?
        func next() throws {
            if window != self.window {
                window = self.window
                write(Self.clear)
                do {
                    codes = try frames(try largestVersion())
                    obstacle = nil
                } catch let failure as PictureFailure {
                    guard case .windowTooSmall = failure, console.terminal != nil else { throw failure }
                    obstacle = failure
                    let lines = WordWrap.lines(Self.enlarging(failure), to: self.window.columns)
                    write(lines.joined(separator: "\n"))
                }
            }
            guard obstacle == nil else { return }
            let caption = Wording.animated(caption, frames: codes.count)
            write("\u{1b}[H" + (try text(of: codes[index % codes.count], caption, reserved: 1)))
            index += 1
        }
        do {
            defer { write(Self.clear) }
            try next()
            var failure: (any Error)?
            _ = try console.key(every: 1000 / Self.framesPerSecond) {
                do { try next() } catch { failure = error }
                return failure != nil
            }
            if let failure { throw failure }
            if let obstacle { throw obstacle }
        }
        console.note(caption)
    }

    private static func enlarging(_ failure: PictureFailure) -> String {
        """
        heliograph: \(failure.sentence): enlarge it or make its font smaller, or press a key to go on \
        without
        """
    }

    /// A terminal that is slow to paint shows half a frame now and then; at this rate a camera sees each
    /// frame whole several times.
    static let framesPerSecond: Int32 = 4

    /// Frames of codes smaller than this would be too many to wait for.
    private static let smallestVersionOfFrames = 5

    /// The largest version that has room, at least one that is worth animating.
    package func largestVersion() throws(PictureFailure) -> Int {
        let versions = styles.compactMap { TerminalCode.largestVersion(style: $0, in: window, reserved: 1) }
        if let largest = versions.max(), largest >= Self.smallestVersionOfFrames { return largest }
        _ = try layout(side: 17 + 4 * Self.smallestVersionOfFrames, reserved: 1)
        return Self.smallestVersionOfFrames
    }

    // MARK: The window

    private var window: TerminalWindow {
        TerminalSize.read(descriptor).map { TerminalWindow(columns: $0.columns, rows: $0.rows) } ?? .standard
    }

    /// Draws as soon as the window is large enough: a person may enlarge the window or reduce its font
    /// without losing the code.
    private func whenThereIsRoom(_ drawn: () throws -> String) throws -> String {
        do {
            return try drawn()
        } catch let failure as PictureFailure {
            guard case .windowTooSmall = failure, console.terminal != nil else { throw failure }
            WordWrap.lines(Self.enlarging(failure), to: window.columns).forEach(console.note)
            var text: String?
            _ = try console.key(every: 200) {
                text = try? drawn()
                return text != nil
            }
            guard let text else { throw failure }
            return text
        }
    }

    private func layout(side: Int, reserved: Int) throws(PictureFailure) -> TerminalCode {
        let window = window
        for style in styles.dropLast() {
            if let fitting = try? TerminalCode(side: side, style: style, in: window, reserved: reserved) {
                return fitting
            }
        }
        return try TerminalCode(side: side, style: styles[styles.count - 1], in: window, reserved: reserved)
    }

    /// The code and its caption. The caption is beside the code if there is room for words, and otherwise
    /// above it, where it scrolls away first.
    private func text(of code: QRCode, _ caption: String, reserved: Int) throws(PictureFailure) -> String {
        let layout = try layout(side: code.side, reserved: reserved)
        let lines = layout.lines(code, ink)
        let caption =
            TerminalKind.isConsole && layout.style == .half
            ? caption
                + ". If it is not a square of blocks, this font lacks them: --out FILE.png writes a picture"
            : caption
        let columns = window.columns
        let room = columns - layout.size.columns - Self.gap
        guard room >= Self.narrowestCaption else {
            let above = WordWrap.lines(caption, to: columns)
            // In a cleared window, too many lines above would push the code out.
            return ((above.count + lines.count + reserved <= window.rows ? above : []) + lines).joined(
                separator: "\n") + "\n"
        }
        let words = WordWrap.lines(caption, to: room)
        let text = lines.enumerated().map { index, line in
            words.indices.contains(index)
                ? line + String(repeating: " ", count: Self.gap) + words[index] : line
        }
        return text.joined(separator: "\n") + (reserved > 0 ? "\n" : "")
    }

    private static let gap = 2
    /// Columns of the narrowest text that is pleasant to read.
    private static let narrowestCaption = 20

    private func write(_ text: String) { Console.write(text, to: descriptor) }

    /// The window and, where a terminal keeps them, the lines above it.
    package static let clear = TerminalMode.clearing.description
}
