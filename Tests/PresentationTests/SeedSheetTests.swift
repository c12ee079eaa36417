import TestSupport
import Testing

@testable import Presentation

/// How a form looks is for `tools/dev sheets`, which renders it.
@Suite struct SeedSheetTests {
    @Test func `a form is the same bytes each time`() {
        #expect(SeedSheet.pdf() == SeedSheet.pdf())
        #expect(SeedSheet.pages.count == 6)
    }

    @Test func `every object is where the table says, and as long as it says`() throws {
        let file = SeedSheet.pdf()
        #expect(file.allSatisfy { $0 < 0x80 })
        let text = String(decoding: file, as: UTF8.self)
        let start = try #require(text.split(separator: "startxref\n").last?.split(separator: "\n").first)
        let table = String(decoding: file[try #require(Int(start))...], as: UTF8.self)
        let rows = table.split(separator: "\n")
        #expect(rows[0] == "xref")
        let count = try #require(Int(rows[1].split(separator: " ")[1]))
        #expect(count == 5 + 2 * SeedSheet.pages.count)
        for number in 1..<count {
            // The line end belongs to the 20 bytes of an entry.
            #expect(rows[2 + number].utf8.count == 19)
            let offset = try #require(Int(rows[2 + number].prefix(10)))
            #expect(file[offset...].starts(with: Array("\(number) 0 obj\n".utf8)))
        }
        for piece in text.split(separator: "<< /Length ").dropFirst() {
            let length = try #require(Int(piece.prefix { $0 != " " }))
            let body = piece.split(separator: "stream\n", maxSplits: 1)[1]
            #expect(body.utf8.dropFirst(length).starts(with: "endstream".utf8))
        }
    }

    @Test func `brackets and backslashes of a text are escaped`() {
        var page = PDFPage()
        page.text(1, 2, #"a (b) \ c"#)
        #expect(page.content.contains(#"(a \(b\) \\ c) Tj"#))
    }
}
