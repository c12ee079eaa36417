import ArgumentParser
import ChainRPC
import Diagnostics
import HotStore
import HotTransactions
import Terminal

/// `help`, `help COMMAND` and `help errors`.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show help for a command, or list all error codes (help errors).")
    @Argument(help: "A command, or errors.") var words: [String] = []
    @OptionGroup var output: OutputOptions

    func run() throws {
        if words == ["errors"] { return try ErrorTable.print(json: output.json) }
        var command: any ParsableCommand.Type = HeliographHot.self
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
                throw ValidationError("there is no command \(words.joined(separator: " "))")
            }
            command = next
        }
        Console.print(HeliographHot.helpMessage(for: command))
    }
}

/// Every error code of the program, with its sentence for one example and its exit status.
enum ErrorTable {
    struct Row: Encodable, Equatable {
        let code: String
        let message: String
        let exit: Int32

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code
            message = diagnostic.message
            exit = diagnostic.exit.rawValue
        }
    }

    /// One row for each code, in alphabetical order; of errors that share a code, the first.
    static var rows: [Row] {
        var seen: Set<String> = []
        return diagnostics.map(Row.init).filter { seen.insert($0.code).inserted }.sorted { $0.code < $1.code }
    }

    /// All examples: of the hot side's own error types, of the libraries, and of the argument parser.
    static var diagnostics: [Diagnostic] {
        (examples + Wording.sharedExamples).map(Wording.diagnostic)
            + [Diagnostic(usage: "Unknown option '--nam'", hint: "heliograph-hot --help"), Diagnostic(internal: CancellationError())]
    }

    static var examples: [any Error] {
        HotError.examples + HotStoreError.examples + RPCError.examples + AllNodesFailed.examples + DescriptionError.examples
            + ExtensionFiller.Failure.examples + SignedExtrinsic.Failure.examples
    }

    static func print(json: Bool) throws {
        if json { return Console.print(try Listing.json(rows)) }
        for row in rows { Console.print(Escape.terminal("\(row.code)  \(row.message)  exit \(row.exit)")) }
    }
}
