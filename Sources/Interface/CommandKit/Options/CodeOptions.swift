import ArgumentParser
import Ceremony
import Keys
import Presentation
import QRCode
import Review
import TerminalIO

/// `--code-style`, for commands that draw a QR code on the terminal.
package struct CodeStyleOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Draw codes with half block characters, or with full cells (default: what the window has room for).
            """,
            valueName: "half|full"))
    package var codeStyle: TerminalCode.Style?

    package init() {}
}

extension TerminalCode.Style: ExpressibleByArgument {}

/// `--replace`, for commands that write a result to a file.
package struct ReplaceOption: ParsableArguments {
    @Flag(help: "Replace a file that exists (default: refuse; a link is always refused).")
    package var replace = false

    package init() {}
}

/// `--wide`, for lists whose lines are shortened to the window.
package struct WideOption: ParsableArguments {
    @Flag(help: "Print whole lines (default: on a terminal, what fits into one row).")
    package var wide = false

    package init() {}
}

/// How `scan` and `inspect` show a payload.
package struct ViewOptions: ParsableArguments {
    @Flag(help: "Print everything instead of showing it on the whole screen.")
    var plain = false

    @Flag(help: "Show the docs of calls, variants and fields.")
    var docs = false

    package init() {}
}

/// How a set of shares becomes a seed of the vault, for `seed join` and `scan`.
package struct JoinOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name for a seed from shares, a host contact or a group (default: its own).",
            valueName: "name"))
    package var name: String?

    @Option(
        help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    package var splitPassphraseFd: Int32?

    package init() {}

    /// - Parameter approve: answers for a person, in a development vault.
    /// - Returns: the name of the seed.
    @discardableResult
    package func restore(
        _ shares: [BananaShare], in session: Session, approve: Bool = false, _ console: Console
    ) throws -> String {
        let restored = try console.withSharesPassphrase(descriptor: splitPassphraseFd) { passphrase in
            let preview = try session.preview(
                JoinShares(shares, passphrase: HeldSecret(passphrase()), name: name))
            _ = try session.perform(approve ? preview.confirmUnattended() : preview.confirm())
            return preview.shown.name
        }
        console.note(Wording.restoredSeed(restored))
        return restored
    }
}

/// `--call`, for the commands that show transactions.
package struct CallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The full call for a call hash, as hex or @FILE (repeatable).", valueName: "hex"))
    var call: [String] = []

    package init() {}

    package var readable: [String] { call.compactMap(Files.named(by:)) }

    package func additions() throws -> TransactionReview.Additions {
        var additions = TransactionReview.Additions()
        additions.knownCalls = try call.map { try HexInput.bytes($0) }
        return additions
    }
}
