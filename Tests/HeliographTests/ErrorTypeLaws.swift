import Compression
import Diagnostics
import Extrinsics
import SQLite
import SystemIO
import Testing
import UOS

@testable import heliograph

/// No error type is forgotten: each in the sources says what it means.
@Suite struct ErrorTypeLaws {
    /// Errors that no person meets, by target: they are caught where they are thrown.
    static let unseen: Set = [
        "TerminalIO ExitWith", "Extrinsics Mismatch", "Metadata Fault", "AirGap Unread",
        "heliograph-scanner Failure", "heliograph-scanner Misuse", "SystemIO SetError",
    ]
    /// Errors that another error of the same library carries and tells.
    static let carried: Set = [
        "Wire/UOS/ContactLabel.swift Problem", "Wire/UOS/ContactList.swift Failure",
        "Signer/ReleaseCheck/ReleaseError.swift TextFault", "Wire/UOS/Groups/GroupFailure.swift GroupFailure",
        "Secrets/Keys/Entropy/RandomHealth.swift RandomHealthError",
        "Secrets/Keys/Entropy/MachineDraws_jitterentropy.swift SourceFailure",
        "Secrets/Keys/Entropy/CameraFrames_sodium.swift FrameFault",
        "Chain/StateProof/StateValue.swift Misfit", "Chain/StateProof/TrieNode.swift Failure",
    ]
    /// Error types of libraries that `heliograph` does not use, and of the scanner program.
    static let ofOthers: [any DiagnosticError.Type] = [
        SQLiteError.self, LegacyFrames.Failure.self, RaptorQFrames.Failure.self,
        OutgoingTransaction.Failure.self,
        ZstdFrame.Failure.self, SystemError.self,
    ]
    /// The scanner program is no library, so its own type cannot be asked here.
    static let ofScanner = "ScannerFailure"

    @Test func `every error type of the sources states its diagnostics`() throws {
        let sources = try Fixture.sources()
        let conforming = Set(
            sources.flatMap { Self.matches(#/extension ([\w.]+): DiagnosticError/#, $0.text) }
        )
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
                #expect(
                    isStated || isCaught || Self.carried.contains("\(source.path) \(name)"),
                    "\(name) in \(source.path)")
            }
        }
        #expect(declared > 40)
    }

    @Test func `every type with diagnostics is in the table`() throws {
        let named = Set((ErrorTable.types + Self.ofOthers).map { Self.shortName(String(reflecting: $0)) })
        for source in try Fixture.sources() {
            for name in Self.stated(in: source.text) where name != Self.ofScanner {
                #expect(named.contains(name), "\(name) in \(source.path)")
            }
        }
    }

    /// A code stands in its row alone, so the sources say which codes there are.
    @Test func `every code of the sources has an example of its type`() throws {
        var codes: [String: Set<String>] = [:]
        func collect<E: DiagnosticError>(_ type: E.Type) {
            codes[Self.shortName(String(reflecting: type))] = Set(type.examples.map(\.code.rawValue))
        }
        for type in ErrorTable.types + Self.ofOthers { collect(type) }
        var found = 0
        for source in try Fixture.sources() {
            let types = Self.stated(in: source.text).filter { $0 != Self.ofScanner }
            guard !types.isEmpty else { continue }
            let shown = types.reduce(into: Set<String>()) { $0.formUnion(codes[$1] ?? []) }
            let row = #/\.(?:refused|usage|badInput|inputOutput|notPermitted|interrupted)\(\s*"([^"]+)"/#
            for code in Self.matches(row, source.text) {
                found += 1
                #expect(shown.contains(code), "\(code) in \(source.path)")
            }
            // A row whose code is chosen by an expression would hide its codes from this law.
            #expect(!source.text.contains(#/: \.init\(\s/#), "\(source.path)")
        }
        #expect(found > 350)
        for key in TransactionPolicy.Key.allCases {
            #expect(codes["TransactionPolicy.Violation"]?.contains(key.code.rawValue) == true, "\(key)")
        }
    }

    @Test func `the libraries of other programs say plain sentences`() {
        func check<E: DiagnosticError>(_ type: E.Type) {
            for example in E.examples {
                #expect(
                    example.sentence.first?.isLowercase == true && example.sentence.last != ".",
                    "\(example.sentence)")
            }
        }
        for type in Self.ofOthers { check(type) }
    }

    /// The names of the types whose rows stand in a file.
    private static func stated(in text: String) -> [String] {
        matches(#/extension ([\w.]+): DiagnosticError/#, text)
            + matches(#/(?:enum|struct) (\w+): DiagnosticError/#, text)
    }

    private static func matches(_ pattern: some RegexComponent<(Substring, Substring)>, _ text: String)
        -> [String]
    {
        text.matches(of: pattern).map { String($0.output.1) }
    }

    private static func declares(_ type: String, _ text: String) -> Bool {
        Self.matches(#/(?:enum|struct|class|extension) ([\w.]+)/#, text).contains(type)
    }

    /// Without the module.
    private static func shortName(_ name: String) -> String {
        name.split(separator: ".").dropFirst().joined(separator: ".")
    }
}
