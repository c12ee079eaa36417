import Testing

@testable import QRCode

@Suite struct NumericCodeLaws {
    /// SeedSigner, "SeedQR Format Specification": 12 words take 25 x 25 modules, 24 words 29 x 29. Table 7 of
    /// ISO/IEC 18004 for the others.
    @Test(arguments: [
        (41, 21), (42, 25), (48, 25), (60, 25), (72, 25), (77, 25), (78, 29), (84, 29), (96, 29), (127, 29),
        (128, 33),
    ])
    func digitsTakeTheSmallestCode(count: Int, side: Int) throws {
        #expect(try QRCode(digits: [UInt8](repeating: 0x35, count: count)).side == side)
    }

    @Test func digitsReachTheCapacityOfTheLargestCodeAndNoMore() throws {
        #expect(try QRCode(digits: [UInt8](repeating: 0x39, count: 7089)).version == 40)
        #expect(throws: QRCode.Failure.tooLong(bytes: 7090, capacity: 7089)) {
            try QRCode(digits: [UInt8](repeating: 0x39, count: 7090))
        }
        #expect(throws: QRCode.Failure.empty) { try QRCode(digits: []) }
    }
}

@Suite struct CopyGridLaws {
    private func codes() throws -> [QRCode] {
        try [1, 2, 3, 6].map { try QRCode(bytes: [1, 2, 3], minimumVersion: $0) }
    }

    /// The modules that a drawing shows, row by row: `##` is dark, ` .` is light.
    private func modules(of lines: [String]) -> [[Bool]] {
        lines.compactMap { line in
            let cells = line.dropFirst(3).replacing(" .", with: "-").replacing("##", with: "#").filter {
                $0 == "#" || $0 == "-"
            }
            return cells.isEmpty ? nil : cells.map { $0 == "#" }
        }
    }

    @Test func zonesAreThoseOfSeedSignersTemplates() throws {
        #expect(try codes().map { CopyGrid($0).zoneSide } == [7, 5, 5, 5])
        #expect(try codes().map { CopyGrid($0).zones } == [3, 5, 6, 9])
    }

    @Test func theWholeGridShowsEveryModuleOnce() throws {
        for code in try codes() {
            let grid = CopyGrid(code)
            let lines = grid.whole(.plain)
            #expect(modules(of: lines).flatMap(\.self) == code.modules)
            #expect(lines.count == grid.rows)
            #expect(
                lines.allSatisfy { $0.count <= grid.columns } && lines.contains { $0.count == grid.columns })
        }
    }

    @Test func theZonesTogetherAreTheCode() throws {
        for code in try codes() {
            let grid = CopyGrid(code)
            for row in 0..<grid.zones {
                for column in 0..<grid.zones {
                    // Each module is two characters wide twice, and two lines high.
                    let lines = grid.zone(row: row, column: column, .plain).dropFirst()
                    let drawn = modules(
                        of: lines.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element))
                    #expect(
                        drawn
                            == modules(
                                of: lines.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element))
                    )
                    for (y, cells) in drawn.enumerated() {
                        for (x, dark) in cells.enumerated() {
                            let module = (row * grid.zoneSide + y, column * grid.zoneSide + x / 2)
                            #expect(dark == code.isDark(column: module.1, row: module.0))
                        }
                    }
                }
            }
        }
    }

    @Test func theLargestZoneFitsAnOldTerminal() throws {
        for code in try codes() {
            let grid = CopyGrid(code)
            let lines = grid.zone(row: 0, column: 0, .plain)
            // Beside it the map, above and below it a line of text.
            #expect(lines.count + 3 <= 24)
            let (zone, map) = (lines.map(\.count), grid.map(row: 0, column: 0).map(\.count))
            #expect(zone.max()! + 3 + map.max()! <= 80)
        }
    }

    @Test func aZoneNumbersItsModulesAsTheyStandInTheCode() throws {
        let lines = CopyGrid(try QRCode(bytes: [1], minimumVersion: 3)).zone(row: 5, column: 1, .plain)
        #expect(lines[0] == "       6   7   8   9  10")
        #expect(
            stride(from: 1, to: lines.count, by: 2).map { String(lines[$0].prefix(4)) } == [
                " 26 ", " 27 ", " 28 ", " 29 ",
            ])
    }

    @Test func theMapMarksOneZone() throws {
        let map = CopyGrid(try QRCode(bytes: [1])).map(row: 1, column: 2)
        #expect(map == [" A-1  A-2  A-3 ", " B-1  B-2 [B-3]", " C-1  C-2  C-3 "])
    }

    @Test func coloursShowTheSameModules() throws {
        let grid = CopyGrid(try QRCode(bytes: [1, 2, 3]))
        let coloured = grid.whole(.coloured).map {
            $0.replacing("\u{1b}[38;5;246;48;5;16m##\u{1b}[0m", with: "##").replacing(
                "\u{1b}[38;5;246;48;5;231m .\u{1b}[0m", with: " .")
        }
        #expect(coloured == grid.whole(.plain))
    }
}
