import ArgumentParser
import Diagnostics
import Glibc
import Terminal

@main
struct HeliographHot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heliograph-hot",
        abstract: "The online side of an air-gapped signer: chain data in, pictures out, answers back.",
        subcommands: [
            ShowCommand.self, CheckFile.self, Remove.self, RestoreDefaults.self, SetField.self, Import.self, Fetch.self, Watch.self,
            Portal.self, Make.self, QR.self, ReadAnswer.self, Digest.self, Proof.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        } catch let error where String(reflecting: type(of: error)).hasPrefix("ArgumentParser.") {
            exit(withUsage: error)
        } catch {
            let diagnostic = Wording.diagnostic(error)
            Console.complain(diagnostic)
            Glibc.exit(diagnostic.exit.rawValue)
        }
    }

    /// The parser speaks: help that was asked for goes to stdout, words that it does not know are a usage error.
    private static func exit(withUsage error: any Error) -> Never {
        guard exitCode(for: error).rawValue != 0 else {
            Console.print(fullMessage(for: error))
            Glibc.exit(0)
        }
        Console.complain(Diagnostic(usage: message(for: error), hint: "heliograph-hot --help"))
        Glibc.exit(Diagnostic.Exit.usage.rawValue)
    }
}
