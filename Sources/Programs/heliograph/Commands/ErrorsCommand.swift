import ArgumentParser
import CommandKit
import Lines
import Presentation

/// `errors`, or `help errors`: what a script can meet. The values in the sentences are examples.
struct ErrorsCommand: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "errors", abstract: "List every error with its code and exit status.")

    @OptionGroup var output: OutputOptions

    var isAboutProgram: Bool { true }

    func execute(_ context: CommandContext) throws {
        let rows = ErrorTable.rows
        guard !json else { return JSONText.print(Document(errors: rows), context.console) }
        let width = rows.map(\.code.utf8.count).max() ?? 0
        for row in rows {
            let code = row.code + String(repeating: " ", count: width - row.code.utf8.count)
            let exit = (row.exit < 10 ? "  " : row.exit < 100 ? " " : "") + String(row.exit)
            context.console.print("\(code)  \(exit)  \(Escape.terminal(row.sentence))")
        }
    }

    private struct Document: Encodable {
        let errors: [ErrorTable.Row]
    }
}
