import Keys
import Presentation
import QRCode
import SystemIO
import TerminalIO

/// A SeedQR on the terminal, for a person who copies it to paper or metal by hand. It is shown whole if the
/// window has room, and zone by zone if not.
package enum SeedQRPage {
    /// Shows the code until the person has seen all of it, and then clears it from the window and the
    /// scrollback.
    ///
    /// The code is made in a child process, because libqrencode and the drawn text keep copies of the secret;
    /// ``Access/forks`` allows one.
    /// - Parameter seed: the seed's name, for the title.
    /// - Throws: `SeedQR.Failure.notCompact` for a phrase that has no such form.
    package static func show(
        _ mnemonic: borrowing Mnemonic, as form: SeedQR.Form, of seed: String, _ console: Console
    ) throws {
        guard console.terminal != nil else { throw PictureFailure.noTerminal }
        let content = try SeedQR.content(of: mnemonic, as: form)
        _ = try ChildProcess.secret(console) {
            let code = try content.withUnsafeBytes { bytes in
                switch form {
                case .standard: try QRCode(digits: bytes)
                case .compact: try QRCode(bytes: bytes)
                }
            }
            try Pages(code, title: Wording.seedQRTitle(form, seed: seed, side: code.side), console).turn()
            // The child only shows the code, so it has nothing to hand back.
            return SecretBytes()
        }
    }

    /// The pages of one code.
    private struct Pages {
        private let grid: CopyGrid
        private let title: String
        private let console: Console
        private let ink: CopyGrid.Ink

        init(_ code: QRCode, title: String, _ console: Console) {
            grid = CopyGrid(code)
            self.title = title
            self.console = console
            ink = TerminalKind.hasColours ? .coloured : .plain
        }

        func turn() throws {
            defer { write(CodeScreen.clear) }
            let window =
                console.terminal.flatMap(TerminalSize.read) ?? (
                    TerminalWindow.standard.columns, TerminalWindow.standard.rows
                )
            guard grid.columns > window.columns || grid.rows + Self.linesAround > window.rows else {
                _ = try console.key(
                    clears: true, showing: { write(page(grid.whole(ink), "press a key when it is copied")) })
                return
            }
            var zone = 0
            while zone < grid.zones * grid.zones {
                let page = page(
                    lines(zone),
                    "zone \(zone + 1) of \(grid.zones * grid.zones)  Enter: next  b: back  q: done ")
                switch try console.key(clears: true, showing: { write(page) }) {
                case .next, nil: zone += 1
                case .back: zone = max(0, zone - 1)
                case .leave: return
                }
            }
        }

        /// A line of text above the grid, an empty one, and a line below it, which ends where the cursor
        /// waits.
        private static let linesAround = 3

        private func page(_ lines: [String], _ prompt: String) -> String {
            CodeScreen.clear + ([title, ""] + lines + [prompt]).joined(separator: "\n")
        }

        /// One zone, with a map of its position in the code beside it.
        private func lines(_ zone: Int) -> [String] {
            let (row, column) = (zone / grid.zones, zone % grid.zones)
            let map = grid.map(row: row, column: column)
            let drawn = grid.zone(row: row, column: column, ink)
            let width = Self.marginColumns + Self.moduleColumns * grid.zoneSide
            return (0..<max(drawn.count, map.count + 1)).map { index in
                let line = drawn.indices.contains(index) ? drawn[index] : ""
                guard map.indices.contains(index - 1) else { return line }
                // Sequences take no columns, so the width of the drawn modules is counted, not measured.
                let own =
                    drawn.indices.contains(index)
                    ? Self.marginColumns + Self.moduleColumns * grid.columns(ofZone: column) : 0
                return line + String(repeating: " ", count: width - own + 3) + map[index - 1]
            }
        }

        private static let marginColumns = 4
        private static let moduleColumns = 4

        private func write(_ text: String) {
            if let terminal = console.terminal { Console.write(text, to: terminal) }
        }
    }
}
