import ArgumentParser
import Diagnostics
import Glibc
import Keys
import Lines
import QRCode
import SQLite

@main
struct HeliographHot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heliograph-hot",
        abstract:
            "The online side of an air-gapped signer: fetch chain data, draw payloads, read the answers.",
        version: Release.text("heliograph-hot", libraries),
        subcommands: [
            NetworkCommand.self, SpecsCommand.self, MetadataCommand.self, TypesCommand.self,
            VerifierCommand.self, PinCommand.self,
            HistoryCommand.self,
            FileCommand.self,
            MessageCommand.self, GroupCommand.self, Import.self, Unwasm.self, Fetch.self, Watch.self,
            Portal.self, Make.self, Sign.self,
            QR.self,
            ReadAnswer.self, TxCommand.self, Digest.self,
            Proof.self, Practice.self,
            HelpCommand.self,
        ])

    private static let libraries =
        [SecretBytes.sodium, Release.Library("SQLite", SQLiteLibrary.version)] + QRCode.libraries

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            // The command has said everything; this is only how it ends.
            Glibc.exit(code.rawValue)
        } catch let error where String(reflecting: type(of: error)).hasPrefix("ArgumentParser.") {
            exit(withUsage: error)
        } catch {
            end(Wording.diagnostic(error))
        }
    }

    /// Prints the parser's help to stdout if it was asked for; anything else from the parser is a usage
    /// error.
    private static func exit(withUsage error: any Error) -> Never {
        guard exitCode(for: error).rawValue != 0 else {
            Console.print(fullMessage(for: error))
            Glibc.exit(0)
        }
        end(Diagnostic(usage: message(for: error), hint: "heliograph-hot --help"))
    }

    /// Reports an error on stderr, with `--json` also as the one document of stdout, and ends the program.
    private static func end(_ diagnostic: Diagnostic) -> Never {
        if CommandLine.arguments.dropFirst().contains("--json") { Console.show(ErrorDocument(diagnostic)) }
        Console.show(diagnostic)
        Glibc.exit(diagnostic.exit.rawValue)
    }
}
