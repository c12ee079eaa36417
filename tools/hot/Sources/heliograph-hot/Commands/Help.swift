import ArgumentParser
import ChainRPC
import Compression
import Diagnostics
import Extrinsics
import GroupCollect
import HotStore
import HotTransactions
import Keys
import Lines
import Metadata
import NodeAnswers
import QRCode
import RuntimeWasm
import SCALE
import SQLite
import ScanProtocol
import ScannerClient
import StateProof
import SubstratePrimitives
import SystemIO
import UOS

/// `help`, `help COMMAND`, `help errors` and `help completions`.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help",
        abstract:
            """
            Show help for a command, list every error with its code (help errors), or print completions for \
            a shell.
            """,
        usage: """
            heliograph-hot help [COMMAND …]
            heliograph-hot help errors [--json]
            heliograph-hot help completions bash|zsh|fish
            """)
    @Argument(help: "A command, errors, or completions with the name of a shell.") var words: [String] = []
    @OptionGroup var output: OutputOptions

    func run() throws {
        if words == ["errors"] { return try ErrorTable.print(json: output.json) }
        if words.first == "completions" { return try completions() }
        var command: any ParsableCommand.Type = HeliographHot.self
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word })
            else {
                throw ValidationError("there is no command \(words.joined(separator: " "))")
            }
            command = next
        }
        Console.print(HeliographHot.helpMessage(for: command))
    }

    /// A shell reads the script, so it goes to stdout alone.
    private func completions() throws {
        guard words.count == 2, let shell = CompletionShell(rawValue: words[1]) else {
            throw ValidationError(
                "give one shell: \(CompletionShell.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        Console.print(HeliographHot.completionScript(for: shell))
    }
}

/// Every error that this program can end with, from the examples that the error types state.
enum ErrorTable {
    /// Every error type of this program and its libraries, except `AllNodesFailed`, which repeats the errors
    /// of `RPCError` for each URL.
    static let types = ownTypes + libraryTypes

    static let ownTypes: [any DiagnosticError.Type] = [
        HotError.self, PracticeError.self, RuntimeWasmError.self, SignError.self, TxError.self,
        HotStoreError.self,
        RPCError.self,
        QuorumError.self,
        DescriptionError.self, ExtensionFiller.Failure.self, SignedExtrinsic.Failure.self,
    ]

    /// Of the libraries that both sides use.
    private static let libraryTypes: [any DiagnosticError.Type] = [
        SCALEError.self, SS58Address.Failure.self, MetadataError.self, MetadataProofError.self,
        ValueError.self,
        ExtrinsicError.self, PayloadError.self, StateProofError.self, GroupCollectError.self,
        PathListText.Failure.self,
        DerivationPathError.self, OutgoingTransaction.Failure.self, TransportError.self,
        LegacyFrames.Failure.self,
        RaptorQFrames.Failure.self, QRCode.Failure.self, PictureFailure.self, ZstdFrame.Failure.self,
        ExpansionProblem.self, ScannerClientError.self, SQLiteError.self, SystemError.self,
    ]

    struct Row: Codable, Hashable {
        let code: String
        let exit: Int32
        let sentence: String

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code.rawValue
            exit = diagnostic.exit.rawValue
            sentence = diagnostic.message
        }
    }

    struct Document: Codable {
        let errors: [Row]
    }

    /// Every example, of the error types and of the argument parser.
    static var diagnostics: [Diagnostic] {
        types.flatMap { examples(of: $0) } + [
            Wording.unexpected, .usage("usage", "the command line is not understood"),
        ]
    }

    private static func examples<E: DiagnosticError>(of type: E.Type) -> [Diagnostic] {
        E.examples.map { Wording.diagnostic($0) }
    }

    /// Sorted by code, then by sentence; each line once.
    static var rows: [Row] {
        Set(diagnostics.map(Row.init)).sorted { ($0.code, $0.sentence) < ($1.code, $1.sentence) }
    }

    static func print(json: Bool) throws {
        let rows = rows
        if json { return Console.print(exactly: try Listing.json(Document(errors: rows))) }
        let width = rows.map(\.code.utf8.count).max() ?? 0
        for row in rows {
            let code = row.code + String(repeating: " ", count: width - row.code.utf8.count)
            let exit = String(repeating: " ", count: max(0, 3 - "\(row.exit)".count)) + "\(row.exit)"
            Console.print("\(code)  \(exit)  \(Escape.terminal(row.sentence))")
        }
    }
}
