import ScanProtocol
import TerminalIO
import Testing

/// What a camera's picture becomes on a terminal.
@Suite struct PreviewTests {
    private func screen(
        _ picture: PreviewPicture, _ style: PreviewStyle, _ columns: Int = 80, _ lines: Int = 24
    ) throws -> PreviewScreen {
        try #require(PreviewScreen(picture, style: style, columns: columns, lines: lines))
    }

    private func picture(_ width: Int, _ height: Int, _ sample: (Int, Int) -> UInt8) throws -> PreviewPicture
    {
        try #require(
            PreviewPicture(
                width: width, height: height,
                pixels: (0..<width * height).map { sample($0 % width, $0 / width) }))
    }

    /// The text without the codes that colour and erase.
    private func plain(_ text: String) -> [String] {
        text.replacing(#/\u{1b}\[[0-9;]*[mK]/#, with: "").split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: [(256, 144), (192, 144), (144, 144), (36, 144), (256, 10), (1, 1)])
    func aPictureFitsTheWindowWithALineToSpare(_ width: Int, _ height: Int) throws {
        let picture = try picture(width, height) { column, row in UInt8((column + row) & 255) }
        for (columns, lines) in [(80, 24), (120, 40), (20, 8), (9, 6), (200, 60)] {
            for style in [PreviewStyle.blocks, .shades] {
                let screen = try screen(picture, style, columns, lines)
                let text = plain(screen.text)
                #expect(
                    text.count == screen.rows && screen.rows <= lines - 2
                        && text.allSatisfy { $0.count < columns && $0.count == text[0].count })
            }
            for style in [PreviewStyle.kitty, .sixel] {
                #expect(try screen(picture, style, columns, lines).rows <= lines - 2)
            }
        }
    }

    @Test func aSmallWindowShowsNoPicture() throws {
        let picture = try picture(256, 144) { _, _ in 0 }
        for (columns, lines) in [(8, 24), (80, 5), (0, 0)] {
            #expect(PreviewScreen(picture, style: .blocks, columns: columns, lines: lines) == nil)
        }
        for style in [PreviewStyle.none, .auto] {
            #expect(PreviewScreen(picture, style: style, columns: 80, lines: 24) == nil)
        }
    }

    @Test func thePictureIsMirrored() throws {
        // White on the left of the camera's picture.
        let picture = try picture(160, 90) { column, _ in column < 80 ? 255 : 0 }
        let line = try #require(plain(screen(picture, .shades).text).first)
        #expect(line.first == " " && line.last == "\u{2588}")
        let blocks = try screen(picture, .blocks).text
        #expect(
            blocks.hasPrefix("\u{1b}[38;5;232;48;5;232m\u{2580}")
                && blocks.contains("\u{1b}[38;5;255;48;5;255m\u{2580}"))
        let top = try self.picture(16, 16) { _, row in row < 8 ? 255 : 0 }
        let rows = plain(try screen(top, .shades).text)
        #expect(rows.first?.first == "\u{2588}" && rows.last?.first == " ")
    }

    @Test func theProportionsStay() throws {
        let wide = try screen(picture(256, 144) { _, _ in 0 }, .shades)
        #expect(plain(wide.text)[0].count == 71 && wide.rows == 20)
        let square = try screen(picture(144, 144) { _, _ in 0 }, .shades)
        #expect(plain(square.text)[0].count == 40 && square.rows == 20)
    }

    @Test func kittyGetsEverySampleOnce() throws {
        let picture = try picture(256, 144) { column, row in UInt8((3 * column + row) & 255) }
        let text = try screen(picture, .kitty).text
        let chunks = text.matches(of: #/\u{1b}_G([^;]*);([^\u{1b}]*)\u{1b}\\/#)
        #expect(chunks.allSatisfy { $0.output.2.utf8.count <= 4096 })
        #expect(
            chunks.dropLast().allSatisfy { $0.output.1.hasSuffix("m=1") }
                && chunks.last?.output.1.hasSuffix("m=0") == true)
        #expect(chunks.first?.output.1.hasPrefix("a=T,f=24,s=256,v=144,c=71,r=20,") == true)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let values = chunks.flatMap { $0.output.2 }.map { digits.firstIndex(of: $0)! }
        #expect(values.count == 256 * 144 * 4)
        func sample(_ index: Int) -> Int { values[4 * index] << 2 | values[4 * index + 1] >> 4 }
        for index in [0, 1, 255, 256, 20_000] {
            #expect(sample(index) == Int(picture.pixels[index / 256 * 256 + 255 - index % 256]))
        }
        #expect(text.hasSuffix("\r\u{1b}[20B"))
    }

    @Test func sixelDrawsEachPixelInOneGrey() throws {
        let picture = try picture(5, 4) { column, row in UInt8(column * 50 + row) }
        let text = try screen(picture, .sixel).text
        #expect(
            text.contains("\u{1b}P0;1q\"1;1;10;8") && text.hasPrefix("\u{1b}7")
                && text.contains("\u{1b}\\\u{1b}8"))
        var seen = [Int: Int]()
        let body = try #require(text.firstMatch(of: #/100;100;100(.*)\u{1b}\\/#)).output.1
        for (band, line) in body.split(separator: "-").enumerated() {
            for colour in line.split(separator: "$") {
                let parts = try #require(colour.firstMatch(of: #/^#(\d+)(.*)$/#)).output
                var column = 0
                for run in parts.2.matches(of: #/(?:!(\d+))?([?-~])/#) {
                    let count = run.output.1.map { Int($0)! } ?? 1
                    let bits = Int(run.output.2.unicodeScalars.first!.value) - 63
                    for x in column..<(column + count) {
                        for row in 0..<6 where bits >> row & 1 == 1 {
                            #expect(seen.updateValue(Int(parts.1)!, forKey: (band * 6 + row) * 10 + x) == nil)
                        }
                    }
                    column += count
                }
            }
        }
        #expect(seen.count == 80)
        for (place, grey) in seen {
            #expect(grey == Int(picture.pixels[place / 10 / 2 * 5 + 4 - place % 10 / 2]) / 16, "\(place)")
        }
    }

    @Test func onlyKittysPictureIsTakenAwayByName() {
        #expect(
            PreviewScreen.removal(.kitty).hasPrefix("\u{1b}_Ga=d") && PreviewScreen.removal(.blocks).isEmpty)
    }

    @Test(arguments: [
        ("xterm-256color", PreviewStyle.blocks), ("screen-256color", .blocks), ("linux", .shades),
        ("dumb", .none), ("vt100", .none),
        ("", .none),
        ("xterm-kitty", .kitty), ("xterm-ghostty", .kitty), ("foot", .sixel), ("mlterm-256color", .sixel),
        ("xterm", .blocks),
    ]) func theTerminalsNameDecides(_ term: String, _ style: PreviewStyle) {
        #expect(PreviewStyle.auto.resolved(isTerminal: true) { $0 == "TERM" ? term : nil } == style)
        #expect(PreviewStyle.auto.resolved(isTerminal: false) { $0 == "TERM" ? term : nil } == .none)
        #expect(PreviewStyle.shades.resolved(isTerminal: true) { $0 == "TERM" ? term : nil } == .shades)
        #expect(PreviewStyle.sixel.resolved(isTerminal: false) { _ in nil } == .none)
    }

    @Test func theEnvironmentDecidesToo() {
        func style(_ values: [String: String]) -> PreviewStyle {
            PreviewStyle.auto.resolved(isTerminal: true) { values[$0] }
        }
        #expect(style(["TERM": "xterm-256color", "NO_COLOR": "1"]) == .shades)
        #expect(style(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "3"]) == .kitty)
        #expect(style(["TERM": "tmux-256color", "KITTY_WINDOW_ID": "3"]) == .blocks)
        #expect(style([:]) == .none)
    }
}
