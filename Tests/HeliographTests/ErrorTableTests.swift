import Ceremony
import Diagnostics
import Testing

@testable import TerminalIO
@testable import heliograph

/// `heliograph help errors`: every error has one code, one exit status and one plain sentence.
@Suite struct ErrorTableLaws {
    /// Every line of the table, as the fixture has it.
    /// `HELIOGRAPH_WRITE_ERRORS=1 swift test --filter ErrorTableLaws` writes it anew.
    @Test func `the table is the one of the fixture`() throws {
        let lines = ErrorTable.rows.map { "\($0.code)\t\($0.exit)\t\($0.sentence)\n" }.joined()
        if Fixture.isWritten { try Fixture.write(lines) }
        let pinned = try Fixture.read()
        #expect(
            lines.utf8.elementsEqual(pinned.utf8), "run it with HELIOGRAPH_WRITE_ERRORS=1 and read the diff")
    }

    @Test func `every code has one exit status`() {
        var exits: [String: Set<Int32>] = [:]
        for type in ErrorTable.types {
            for row in ErrorTable.rows(of: type) { exits[row.code, default: []].insert(row.exit) }
        }
        for (code, values) in exits { #expect(values.count == 1, "\(code) ends with \(values.sorted())") }
    }

    @Test func `a code is a kebab-case word`() {
        for row in ErrorTable.rows {
            let words = row.code.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            #expect(
                words.allSatisfy { word in
                    !word.isEmpty
                        && word.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
                }, "\(row.code)")
        }
    }

    /// A sentence begins in lower case or with a name or option, ends without a period, and has no name of a
    /// type in it.
    @Test func `a sentence is plain`() {
        for row in ErrorTable.rows {
            let text = Array(row.sentence.unicodeScalars)
            #expect(text.last != "." && text.last != " ", "\(row.sentence)")
            #expect(
                !(65...90).contains(text.first?.value ?? 65) || row.sentence.utf8.starts(with: "5Grw".utf8),
                "\(row.sentence)")
            for type in ErrorTable.types {
                let name = String(describing: type)
                #expect(
                    name == "Failure" || name == "Fault" || !row.sentence.contains(name), "\(row.sentence)")
            }
            for wrong in [" 1 bytes", " 1 frames", "  ", "Optional(", "()"] {
                #expect(!row.sentence.contains(wrong), "\(row.sentence)")
            }
        }
    }

    /// A terminal shows every other character as an escape.
    @Test func `a sentence is ASCII but for what it quotes`() {
        for row in ErrorTable.rows {
            let parts = row.sentence.utf8.split(
                separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            for place in stride(from: 0, to: parts.count, by: 2) {
                #expect(parts[place].allSatisfy { $0 < 0x80 }, "\(row.sentence)")
            }
        }
    }

    @Test func `an error of another library is internal`() {
        struct Foreign: Error {}
        #expect(Wording.diagnostic(Foreign()).code == "internal")
        #expect(Wording.diagnostic(CeremonyError.noPolicy).code == "no-policy")
    }
}
