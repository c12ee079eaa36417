import ArgumentParser
import Review
import TerminalIO

/// `--call`, for the commands that show transactions.
package struct CallOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The full call for a call hash, as hex or @FILE (repeatable).", valueName: "hex"))
    var call: [String] = []

    package init() {}

    package var readable: [String] { call.compactMap(Files.named(by:)) }

    package func additions() throws -> TransactionReview.Additions {
        var additions = TransactionReview.Additions()
        additions.knownCalls = try call.map { try Files.hex($0) }
        return additions
    }
}
