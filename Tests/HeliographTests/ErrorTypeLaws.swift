import Compression
import Diagnostics
import SQLite
import Testing
import UOS

@testable import heliograph

/// No error type is forgotten: each in the sources says what it means.
@Suite struct ErrorTypeLaws {
    /// Errors that no person meets, by target: they are caught where they are thrown.
    static let unseen: Set = ["heliograph ExitWith", "Extrinsics Mismatch", "Metadata Fault", "AirGap Unread"]
    /// Errors that another error of the same library carries and tells.
    static let carried: Set = [
        "Signer/Review/Contacts/ContactLabel.swift Problem", "Wire/UOS/ContactList.swift Failure",
        "Signer/ReleaseCheck/ReleaseError.swift TextFault", "Wire/UOS/Groups/GroupFormat.swift GroupFailure",
    ]
    /// Error types of libraries that `heliograph` does not use, and of the scanner program.
    static let ofOthers: Set = [
        "SQLiteError", "LegacyFrames.Failure", "RaptorQFrames.Failure", "OutgoingTransaction.Failure", "ZstdFrame.Failure",
        "ScannerFailure",
        "Broker.Failure", "Arguments.Misuse",
    ]

    @Test func `every error type of the sources states its diagnostics`() throws {
        let sources = try Fixture.sources()
        let conforming = Set(sources.flatMap { Self.matches(#/extension ([\w.]+): DiagnosticError/#, $0.text) })
            .union(sources.flatMap { Self.matches(#/(?:enum|struct|class) (\w+): DiagnosticError/#, $0.text) })
        var declared = 0
        for source in sources {
            for name in Self.matches(#/(?:enum|struct|class) (\w+): [^{\n]*\bError\b/#, source.text) {
                declared += 1
                // A nested type conforms under the name of the type that this file declares or extends.
                let isStated = conforming.contains { full in
                    let parts = full.split(separator: ".")
                    let owner = parts.dropLast().last.map(String.init)
                    return parts.last! == name && (owner.map { Self.declares($0, source.text) } ?? true)
                }
                let isCaught = Self.unseen.contains("\(source.path.split(separator: "/")[1]) \(name)")
                #expect(isStated || isCaught || Self.carried.contains("\(source.path) \(name)"), "\(name) in \(source.path)")
            }
        }
        #expect(declared > 40)
    }

    @Test func `every type with diagnostics is in the table`() throws {
        let named = Set(ErrorTable.types.map { Self.shortName(String(reflecting: $0)) }).union(Self.ofOthers)
        for source in try Fixture.sources() {
            for name in Self.matches(#/extension ([\w.]+): DiagnosticError/#, source.text) {
                #expect(named.contains(name), "\(name) in \(source.path)")
            }
        }
    }

    @Test func `the libraries of other programs give an example for each code`() {
        func check<E: DiagnosticError>(_ type: E.Type) {
            let shown = Set(E.examples.map(\.code.rawValue))
            #expect(E.Code.allCases.allSatisfy { shown.contains($0.rawValue) }, "\(type)")
            for example in E.examples {
                #expect(example.sentence.first?.isLowercase == true && example.sentence.last != ".", "\(example.sentence)")
            }
        }
        check(SQLiteError.self)
        check(LegacyFrames.Failure.self)
        check(RaptorQFrames.Failure.self)
        check(OutgoingTransaction.Failure.self)
        check(ZstdFrame.Failure.self)
    }

    private static func matches(_ pattern: some RegexComponent<(Substring, Substring)>, _ text: String) -> [String] {
        text.matches(of: pattern).map { String($0.output.1) }
    }

    private static func declares(_ type: String, _ text: String) -> Bool {
        Self.matches(#/(?:enum|struct|class|extension) ([\w.]+)/#, text).contains(type)
    }

    /// Without the module.
    private static func shortName(_ name: String) -> String { name.split(separator: ".").dropFirst().joined(separator: ".") }
}
