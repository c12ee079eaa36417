import ArgumentParser
import QRCode

/// `--code-style`, for commands that draw a QR code on the terminal.
struct CodeStyleOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw codes with half block characters, or with full cells (default: what the window has room for).",
            valueName: "half|full"))
    var codeStyle: TerminalCode.Style?
}

extension TerminalCode.Style: ExpressibleByArgument {}
