import FixtureRuntime
import Foundation
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// The table of the reference's commands in the documentation: every command in it works as it stands there.
@Suite struct ReferenceTableLaws {
    struct Row: Sendable, CustomTestStringConvertible {
        let reference: String
        let command: [String]
        let shownBy: String
        var testDescription: String { reference }
    }

    private static let package = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static let page =
        (try? String(
            contentsOf: package.appending(
                path: "Sources/heliograph-hot/HeliographHot.docc/ReferenceCommands.md"), encoding: .utf8))
        ?? ""

    /// Lines of three cells, without the heading.
    static let rows: [Row] = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map {
        line in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        func code(_ cell: String) -> String { cell.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
        guard cells.count == 3 else { return Row(reference: String(line), command: [], shownBy: "") }
        return Row(
            reference: cells[0], command: code(cells[1]).split(separator: " ").map(String.init),
            shownBy: code(cells[2]))
    }

    /// Subcommands that the reference documents, apart from the tools beside it.
    static let documented = [
        "show metadata", "show networks", "show specs", "show block-history", "check-file", "add-specs",
        "load-metadata", "types", "make",
        "sign", "remove", "restore-defaults", "make-cold-release", "transfer-meta-to-cold-release",
        "derivations", "unwasm",
        "meta-default-file", "meta-at-block", "encode-to-qr", "key-info-export-to-qr",
        "bulk-transaction-test-payload",
    ]

    @Test func everyCommandOfTheReferenceIsOnThePage() {
        #expect(Self.rows.count > 20)
        for name in Self.documented {
            let named = Self.rows.contains {
                $0.reference.hasPrefix("`\(name)`") || $0.reference.hasPrefix("`\(name) ")
            }
            #expect(
                named || Self.page.contains("- `\(name)`") || Self.page.contains("`\(name)` fill"), "\(name)")
        }
    }

    @Test(arguments: rows) func aRowNamesATestThatExists(row: Row) throws {
        let session = Self.package.appending(path: "../../Tests/Sessions/\(row.shownBy).session").standardized
        if let text = try? String(contentsOf: session, encoding: .utf8) {
            #expect(text.contains("$ \(row.command[0]) "))
            return
        }
        let folder = Self.package.appending(path: "Tests")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let texts = try paths.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        #expect(
            texts.contains { $0.contains("func \(row.shownBy)(") || $0.contains("func `\(row.shownBy)`(") },
            "\(row.shownBy)")
    }

    /// What the words in capitals stand for.
    private func filled(_ word: String, _ desk: Desk) throws -> String {
        let runtime = FixtureRuntime.standard
        let specs = SCALEWriter.encode { runtime.specs.encode(into: &$0) }
        let key = "0x" + Hex.encode(Alice.publicKey)
        switch word {
        case "NETWORK": return "heliotest"
        case "OTHER": return "other"
        case "VERSION": return "1000"
        case "METADATA": return "metadata.scale"
        case "LIST": return "paths.txt"
        case "KEYS": return "keys.json"
        case "KEY": return key
        case "SIGNATURE": return Hex.encode(try Offline.pair("//Alice").sign(specs))
        case "SUFFICIENT":
            return "01" + Hex.encode(Alice.publicKey) + Hex.encode(try Offline.pair("//Alice").sign(specs))
        case "CALL": return Hex.encode(runtime.call("System", "remark", [FixtureValue.bytes([7])]))
        case "HEX": return "53ff"
        case "BLOCK": return "290"
        case "RUNTIME":
            try desk.writeRuntime(FixtureRuntime(specName: "heliotest", specVersion: 1001), "runtime.wasm")
            return "runtime.wasm"
        case "URL":
            try desk.write(state: runtime)
            return "ws://\(try desk.node("--any-order"))"
        default: return word
        }
    }

    @Test(arguments: rows) func aRowWorksAsItStands(row: Row) throws {
        guard row.command.first == "heliograph-hot" else {
            // Another program, which the session of the row runs.
            #expect(row.command.first == "heliograph-scanner", "\(row)")
            return
        }
        let desk = try Desk()
        try desk.know(FixtureRuntime(specName: "other"))
        try desk.know(.standard)
        try desk.write([0x53, 0xff, 0x81, 0x04, 0x00], "types.bin")
        #expect(try desk.run("import", "types.bin").status == 0)
        try desk.write("//Alice\n", "paths.txt")
        try desk.write(
            #"[{"seed": "main", "scheme": "sr25519", "root": "\#(Offline.root)", "keys": [{"address": "\#(Alice.address)", "path": "//Alice"}]}]"#,
            "keys.json")
        let outcome = try desk.run(words: try row.command.dropFirst().map { try filled($0, desk) })
        #expect(outcome.status == 0, "\(row.command): \(outcome.errors)")
        for word in row.command where word.hasPrefix("OUT") { #expect(desk.exists(word)) }
    }
}
