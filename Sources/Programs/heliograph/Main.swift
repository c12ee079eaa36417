import ArgumentParser
import Ceremony
import CommandKit
import Glibc
import TerminalIO

@main
struct Heliograph: NamingCommands {
    static let configuration = CommandConfiguration(
        commandName: "heliograph",
        abstract: "An air-gapped transaction signer for Substrate chains that communicates by QR code.",
        subcommands: CommandList.all
    )

    static func command(named word: String) -> (any ParsableCommand.Type)? {
        CommandList.command(named: word)
    }

    static var examples: [String] { Examples.lines }

    static func main() {
        _ = FirstDraw.ofProcess
        StandardStreams.prepare()
        let runner = CommandRunner(program: Self.self, console: Console(), keeper: SessionKeeper()) {
            try Lockdown.close(to: try $0.access(), for: $0)
        }
        Glibc.exit(runner.run(Array(CommandLine.arguments.dropFirst())))
    }
}
