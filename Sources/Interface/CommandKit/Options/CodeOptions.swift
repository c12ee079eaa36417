import ArgumentParser
import QRCode

/// `--code-style`, for commands that draw a QR code on the terminal.
package struct CodeStyleOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Draw codes with half block characters, or with full cells (default: what the window has room for).",
            valueName: "half|full"))
    package var codeStyle: TerminalCode.Style?

    package init() {}
}

extension TerminalCode.Style: ExpressibleByArgument {}
