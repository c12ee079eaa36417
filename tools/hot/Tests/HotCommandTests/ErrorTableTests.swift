import ChainRPC
import Diagnostics
import Foundation
import Hashing
import HotStore
import HotTransactions
import Metadata
import NodeAnswers
import SQLite
import SubstratePrimitives
import SystemIO
import Testing
import UOS

@testable import heliograph_hot

/// Every error has one row beside its type; the program prints it with its own hints.
@Suite struct ErrorTableLaws {
    /// A code stands in its row alone, so the sources say which codes there are.
    @Test func `every code of the sources has an example`() throws {
        let shown = Set(ErrorTable.rows.map(\.code))
        let row = #/\.(?:refused|usage|badInput|inputOutput|notPermitted|interrupted)\(\s*"([a-z0-9-]+)"/#
        let codes = try Fixture.sources().flatMap { $0.matches(of: row).map { String($0.output.1) } }
        #expect(codes.count > 100)
        for code in codes { #expect(shown.contains(code), "\(code)") }
    }

    /// Whoever photographs a recovery phrase for the online machine has given it away, and must learn it
    /// there.
    @Test(arguments: [
        ("bottom drive obey lake curtain smoke basket hold race lonely fit walk", ForeignCode.phrase),
        (String(repeating: "0123", count: 12), .seed), ("secret:0x11:westend", .secretKey),
        ("{\"v\":1}", .share), ("0x" + String(repeating: "ab", count: 32), .hexKey),
    ])
    func `a secret that is read as an answer is told to be none any more`(text: String, code: ForeignCode) {
        let error = #expect(throws: PayloadError.self) { try AnswerContent(Array(text.utf8)) }
        #expect(error == .foreign(code))
        let hint = error.flatMap { Wording.diagnostic($0).hint }
        #expect(hint?.hasPrefix("this machine is online: ") == true)
    }

    @Test func `an address of another network sends to its owner, and names no other form of it`() {
        let error = DescriptionError(
            .otherNetwork(expected: 42, found: 0), path: "call.Balances.transfer_all.dest")
        #expect(Wording.diagnostic(error).hint == "ask its owner for the address on this network")
    }

    @Test func `a payload that is read as an answer is told to be for the offline device`() throws {
        let key = String(repeating: "d4", count: 32)
        let message = "5301" + "08" + key + "3c42797465733e61" + "3c2f42797465733e"
        let bytes = try #require(Hex.decode(message))
        _ = try Payload(bytes)
        let error = #expect(throws: HotError.self) { try AnswerContent(bytes) }
        #expect(error.map { Wording.diagnostic($0).code } == "payload-for-signer")
    }

    /// A library of both sides states what helps at the offline device; this program must not send anybody
    /// there.
    @Test func `no error of a shared library is told with a command of the offline device`() throws {
        func check<E: DiagnosticError>(_ type: E.Type) {
            for error in E.examples {
                let hint = Wording.diagnostic(error).hint ?? ""
                #expect(
                    hint.ranges(of: "heliograph ").isEmpty && !hint.contains("scan it again"),
                    "\(type): \(hint)")
            }
        }
        for type in ErrorTable.types where !ErrorTable.ownTypes.contains(where: { $0 == type }) {
            check(type)
        }
        #expect(
            Wording.diagnostic(MetadataError(.typesNeeded, place: "")).hint == "heliograph-hot import FILE")
        #expect(Wording.diagnostic(MetadataError(.notMetadata, place: "")).hint == nil)
        #expect(Wording.diagnostic(PathListText.Failure.empty).hint == PathListText.Failure.oneOnEachLine)
        #expect(
            Wording.diagnostic(PathListText.Failure.password(line: 1)).hint
                == PathListText.Failure.oneOnEachLine)
    }

    /// A type that is missing in the table would keep its codes from the reader.
    @Test func `every error type that the program reports is in the table`() throws {
        let known = Set(
            ErrorTable.types.map {
                String(reflecting: $0).split(separator: ".").dropFirst().joined(separator: ".")
            })
        var reported = Set<String>()
        for text in try Fixture.sources() {
            for match in text.matches(of: #/extension ([\w.]+): DiagnosticError\b/#) {
                reported.insert(String(match.output.1))
            }
        }
        #expect(reported.count > 8)
        #expect(reported.subtracting(["AllNodesFailed"]).isSubset(of: known))
        #expect(known.count == ErrorTable.types.count)
    }

    @Test func `a code is kebab-case and a sentence is lower case without a period`() {
        for diagnostic in ErrorTable.diagnostics {
            #expect(
                diagnostic.code.rawValue.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(diagnostic.code)"
            )
            let first = diagnostic.message.unicodeScalars.first
            #expect(
                first.map { !("A"..."Z").contains($0) } == true || diagnostic.message.hasPrefix("V14"),
                "\(diagnostic.message)")
            #expect(!diagnostic.message.hasSuffix("."), "\(diagnostic.message)")
        }
    }

    @Test func `errors with one code have one exit status`() {
        for (code, all) in Dictionary(grouping: ErrorTable.diagnostics, by: \.code) {
            #expect(Set(all.map(\.exit)).count == 1, "\(code)")
        }
    }

    /// A script handles a code the same way, whichever program ends with it.
    @Test func `a code of both programs has one exit status`() throws {
        let offline = try Fixture.offlineExits()
        let shared = ErrorTable.rows.filter { offline[$0.code] != nil }
        #expect(Set(shared.map(\.code)).count > 40)
        for row in shared { #expect(offline[row.code] == [row.exit], "\(row.code)") }
    }

    @Test func `errors of equal meaning share a code`() throws {
        func same(_ one: any Error, _ other: any Error) {
            #expect(Wording.diagnostic(one).code == Wording.diagnostic(other).code, "\(one) and \(other)")
        }
        let hash = Hash32.blake2b(of: [1])
        let key = try #require(PublicKey(scheme: .ed25519, bytes: [UInt8](repeating: 1, count: 32)))
        same(HotError.unknownGenesis(hash), HotStoreError.unknownNetwork("x"))
        same(HotError.signatureMismatch, HotError.updateSignatureWrong(key: key))
        same(HotError.badAddress("x"), SS58Address.Failure.notBase58)
        same(HotError.cannotRead(path: "x", errno: 2), HotError.cannotWrite(path: "x", errno: 2))
        same(HotError.cannotRead(path: "x", errno: 2), HotStoreError.inputOutput(code: 2))
        same(HotError.cannotRead(path: "x", errno: 2), SystemError(.read, "x", errno: 2))
        same(HotError.tooLarge(path: "x", limit: 9), SystemError(.read, "x", errno: EFBIG))
        same(HotStoreError.sqlite(SQLiteError(resultCode: 11)), SQLiteError(resultCode: 11))
        same(
            HotError.keyLength(31, scheme: .ed25519),
            OutgoingTransaction.Failure.wrongSignerLength(31, expected: 32))
        same(RPCError.invalidJSON(.malformed(offset: 0)), RPCError.notAnAnswer)
        same(HotError.badDescription(path: "x", detail: "y"), DescriptionError(.tooDeep, path: "x"))
        same(
            ExtensionFiller.Failure.description(DescriptionError(.tooDeep, path: "x")),
            DescriptionError(.noType, path: "x"))
    }

    @Test func `errors of different meaning differ in their codes`() {
        let groups: [any Error] = [
            HotError.notAnAnswer, RPCError.notAnAnswer, HotError.badFieldValue(field: "x", value: "y"),
            ValueError(.tooDeep, path: []),
            HotStoreError.noMetadata(network: "x"), HotStoreError.unknownMetadata(network: "x", version: 1),
            HotStoreError.otherFormats(network: "x", version: 1, format: 15),
        ]
        #expect(Set(groups.map { Wording.diagnostic($0).code }).count == groups.count)
    }

    @Test func `an error of no known type is internal`() {
        struct Stranger: Error {}
        #expect(Wording.diagnostic(Stranger()).code == "internal")
        #expect(Wording.diagnostic(Stranger()).message == "unexpected failure")
    }

    @Test func `the failure of all nodes names each address with its last error`() throws {
        let (one, other) = (try #require(NodeURL("ws://one")), try #require(NodeURL("ws://other")))
        let failure = try #require(
            AllNodesFailed(attempts: [
                .init(url: one, number: 1, error: .cutOff), .init(url: one, number: 2, error: .status(500)),
                .init(url: other, number: 1, error: .invalidJSON(.malformed(offset: 0))),
            ]))
        let diagnostic = Wording.diagnostic(failure)
        #expect(
            diagnostic.message
                == "ws://one: the server answered with HTTP status 500; ws://other: the answer is not JSON")
        #expect(diagnostic.code == "invalid-response")
        #expect(AllNodesFailed(attempts: []) == nil)
    }

    @Test func `help errors prints the table`() throws {
        let desk = try Desk()
        let text = try desk.run("help", "errors")
        #expect(text.status == 0)
        let lines = text.output.split(separator: "\n")
        #expect(lines.map { String($0.prefix { $0 != " " }) } == ErrorTable.rows.map(\.code))
        #expect(Set(ErrorTable.rows.map(\.code)) == Set(ErrorTable.diagnostics.map(\.code.rawValue)))
        for (line, row) in zip(lines, ErrorTable.rows) {
            #expect(line.contains(" \(row.exit)  ") && line.hasSuffix(row.sentence))
        }
        let json = try desk.run("help", "errors", "--json")
        #expect(
            try JSONDecoder().decode(ErrorTable.Document.self, from: Data(json.output.utf8)).errors
                == ErrorTable.rows)
    }

    @Test func `with --json an error is the one document of stdout`() throws {
        let desk = try Desk()
        let unknown = try desk.run("network", "show", "nobody", "--json")
        #expect(unknown.status == 1)
        #expect(
            try fields(unknown) == [
                "code": "unknown-network", "message": "no network is named nobody",
                "hint": "heliograph-hot network list",
            ])
        #expect(unknown.diagnostic == "no network is named nobody")
        let usage = try desk.run("network", "list", "--json", "--no-such-option")
        #expect(usage.status == 64)
        #expect(try fields(usage)["code"] == "usage")
        #expect(try desk.run("network", "show", "nobody").output.isEmpty)
    }

    private func fields(_ outcome: Desk.Outcome) throws -> [String: String] {
        let document = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(outcome.output.utf8))
        #expect(Array(document.keys) == ["error"])
        return try #require(document["error"])
    }

    @Test func `a faulty JSON file is described without type names`() throws {
        let desk = try Desk()
        try desk.know(.standard)
        let words = [
            "make", "load-assets", "heliotest", "--serial", "1", "--out", "x.bin", "--assets", "list.json",
        ]
        for (json, sentence) in [
            (
                #"[{"id": "1", "symbol": "X", "decimals": 1}, {"id": "1", "symbol": 7, "decimals": 1}]"#,
                "2.symbol has the wrong type"
            ),
            (#"{"#, "it is not valid JSON"), (#"{}"#, "the document has the wrong type"),
            (#"[{"id": "1"}]"#, "symbol is missing"),
            (#"[{"id": null}]"#, "1.id is null"),
            (#"[{"id": "1", "symbol": "X", "decimals": 1, "decimals": 9}]"#, "duplicate key decimals"),
            (String(repeating: "[", count: 65), "more than 64 levels of lists and objects"),
            ("[" + String(repeating: "[],", count: 1 << 17) + "[]]", "more than 131072 values"),
        ] {
            try desk.write(json, "list.json")
            let refused = try desk.run(words: words)
            #expect(refused.status == 65)
            #expect(refused.diagnostic == "cannot use list.json: \(sentence)")
        }
    }
}

private enum Fixture {
    /// The folder of the hot side's package.
    private static let package = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// The exit statuses of each code of the offline program.
    static func offlineExits() throws -> [String: Set<Int32>] {
        let table = try String(
            contentsOf: package.appending(path: "../../fixtures/errors.tsv").standardized, encoding: .utf8)
        var exits: [String: Set<Int32>] = [:]
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: "\t")
            exits[String(fields[0]), default: []].insert(try #require(Int32(fields[1])))
        }
        return exits
    }

    /// The text of every Swift file of the hot side.
    static func sources() throws -> [String] {
        let folder = package.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
    }
}
