import Testing

@testable import QRCode

@Suite struct TerminalCodeLaws {
    private static let sides = [1, 2, 5, 6, 7, 9, 14, 23, 40].map { 17 + 4 * $0 }

    /// Windows around the sizes that people have, and around the size that each code needs.
    private func windows(side: Int) -> [TerminalWindow] {
        let columns = [20, side + 1, side + 2, side + 8, 2 * side + 4, 2 * side + 16, 80, 132, 500]
        let rows = [8, (side + 1) / 2, (side + 3) / 2, (side + 5) / 2, side + 2, side + 8, 24, 43, 300]
        return columns.flatMap { columns in rows.map { TerminalWindow(columns: columns, rows: $0) } }
    }

    /// For every version, style, window and prompt: the code fits, or the refusal says a window that is large
    /// enough and no larger than needed.
    @Test(arguments: TerminalCode.Style.allCases)
    func aCodeFitsOrItsWindowIsNamed(style: TerminalCode.Style) {
        for side in Self.sides {
            for window in windows(side: side) {
                for reserved in 0...2 {
                    do throws(PictureFailure) {
                        let layout = try TerminalCode(
                            side: side, style: style, in: window, reserved: reserved)
                        #expect(
                            layout.size.columns <= window.columns
                                && layout.size.rows + reserved <= window.rows)
                        #expect(
                            layout.quiet.beside >= 1 && layout.quiet.above >= 1 && layout.quiet.below >= 1)
                    } catch {
                        guard case .windowTooSmall(let needed, window) = error else {
                            Issue.record("\(error)")
                            continue
                        }
                        #expect(needed.columns > window.columns || needed.rows > window.rows)
                        func fits(_ columns: Int, _ rows: Int) -> Bool {
                            let window = TerminalWindow(columns: columns, rows: rows)
                            return
                                (try? TerminalCode(side: side, style: style, in: window, reserved: reserved))
                                != nil
                        }
                        #expect(fits(needed.columns, needed.rows))
                        #expect(
                            !fits(needed.columns - 1, needed.rows) && !fits(needed.columns, needed.rows - 1))
                    }
                }
            }
        }
    }

    @Test(arguments: TerminalCode.Style.allCases)
    func aLargeWindowKeepsTheWholeQuietZone(style: TerminalCode.Style) throws {
        let layout = try TerminalCode(side: 41, style: style, in: TerminalWindow(columns: 500, rows: 300))
        #expect(layout.quiet.beside == 4 && layout.quiet.above == 4 && (4...5).contains(layout.quiet.below))
    }

    /// Every module, and light around them, in each way of drawing.
    @Test(arguments: TerminalCode.Style.allCases, TerminalCode.Ink.allCases)
    func everyModuleIsShown(style: TerminalCode.Style, ink: TerminalCode.Ink) throws {
        for version in [1, 6, 7] {
            let code = try QRCode(bytes: [1, 2, 3], minimumVersion: version)
            let layout = try TerminalCode(
                side: code.side, style: style, in: TerminalWindow(columns: 120, rows: 60))
            let lines = layout.lines(code, ink)
            #expect(lines.count == layout.size.rows)
            let shown = lines.flatMap { Self.modules($0, style, ink) }
            let width = layout.side + 2 * layout.quiet.beside
            #expect(shown.allSatisfy { $0.count == width })
            for (row, modules) in shown.enumerated() {
                for (column, dark) in modules.enumerated() {
                    #expect(
                        dark
                            == code.isDark(
                                column: column - layout.quiet.beside, row: row - layout.quiet.above))
                }
            }
        }
    }

    /// The rows of modules that a line shows; true is dark.
    private static func modules(_ line: String, _ style: TerminalCode.Style, _ ink: TerminalCode.Ink)
        -> [[Bool]]
    {
        let isColoured = ink == .palette || ink == .sixteen
        let start = ink == .palette ? "\u{1b}[38;5;16;48;5;231m" : "\u{1b}[30;47;107m"
        var text = line
        if isColoured {
            #expect(line.hasPrefix(start) && line.hasSuffix("\u{1b}[0m"))
            text = String(line.dropFirst(start.count).dropLast(4))
        }
        let drawsDark = ink != .onDark
        switch style {
        case .half:
            return [["█", "▀"], ["█", "▄"]].map { filled in text.map { filled.contains($0) == drawsDark } }
        case .full:
            let cells: [Bool]
            if isColoured {
                var isReversed = false
                cells = text.replacing("\u{1b}[7m", with: "<").replacing("\u{1b}[27m", with: ">").compactMap {
                    character in
                    if character == " " { return isReversed }
                    isReversed = character == "<"
                    return nil
                }
            } else {
                cells = text.map { ($0 == "█") == drawsDark }
            }
            return [stride(from: 0, to: cells.count, by: 2).map { cells[$0] && cells[$0 + 1] }]
        }
    }

    @Test func noColourIsSentWithoutColours() throws {
        let code = try QRCode(text: "heliograph")
        for style in TerminalCode.Style.allCases {
            let layout = try TerminalCode(side: code.side, style: style, in: .standard)
            for ink in [TerminalCode.Ink.onDark, .onLight] {
                #expect(!layout.lines(code, ink).joined().contains("\u{1b}"))
            }
        }
    }

    /// 65 bytes with their scheme, as hex.
    @Test func aSignatureFitsAnOldTerminalAboveThePrompt() throws {
        let code = try QRCode.smallest([UInt8](repeating: 0x61, count: 132))
        let layout = try TerminalCode(side: code.side, style: .half, in: .standard, reserved: 1)
        #expect(layout.quiet.above >= 2 && layout.quiet.below >= 2)
        let needed = TerminalWindow(columns: 86, rows: 44)
        #expect(
            throws: PictureFailure.windowTooSmall(
                needed: needed, window: TerminalWindow(columns: 80, rows: 24))
        ) {
            try TerminalCode(side: code.side, style: .full, in: .standard, reserved: 1)
        }
    }

    @Test(arguments: TerminalCode.Style.allCases)
    func theLargestVersionIsTheLastThatFits(style: TerminalCode.Style) {
        for rows in 5...100 {
            let window = TerminalWindow(columns: 120, rows: rows)
            func fits(_ version: Int) -> Bool {
                (try? TerminalCode(side: 17 + 4 * version, style: style, in: window)) != nil
            }
            switch TerminalCode.largestVersion(style: style, in: window) {
            case nil: #expect(!fits(1))
            case let version?: #expect(fits(version) && (version == 40 || !fits(version + 1)))
            }
        }
    }
}

@Suite struct CapacityLaws {
    @Test(arguments: 1...40)
    func aVersionHoldsItsCapacityAndNoMore(version: Int) throws {
        let capacity = QRCode.capacity(version: version)
        #expect(try QRCode(bytes: [UInt8](repeating: 0x80, count: capacity)).version == version)
        guard version < 40 else { return }
        #expect(try QRCode(bytes: [UInt8](repeating: 0x80, count: capacity + 1)).version == version + 1)
    }

    /// ISO/IEC 18004, table 7: version 1 holds 7, 11, 14 and 17 bytes at H, Q, M and L.
    @Test func whatACodeHasRoomForIsErrorCorrection() throws {
        for (count, level) in [
            (7, QRCode.ErrorCorrection.high), (8, .quartile), (11, .quartile), (12, .medium), (14, .medium),
            (15, .low), (17, .low),
        ] {
            let bytes = [UInt8](repeating: 0x61, count: count)
            #expect(try QRCode.smallest(bytes) == QRCode(bytes: bytes, errorCorrection: level))
        }
    }

    @Test func errorCorrectionNeverCostsSize() throws {
        for count in stride(from: 1, through: 2953, by: 97) {
            let bytes = [UInt8](repeating: 0x61, count: count)
            #expect(try QRCode.smallest(bytes).version == QRCode(bytes: bytes).version)
        }
        #expect(throws: QRCode.Failure.tooLong(bytes: 2954, capacity: 2953)) {
            try QRCode.smallest([UInt8](repeating: 0, count: 2954))
        }
        #expect(throws: QRCode.Failure.empty) { try QRCode.smallest([]) }
    }
}
