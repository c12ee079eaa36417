import ArgumentParser
import Glibc

@main
struct Heliograph: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heliograph",
        abstract: "An air-gapped transaction signer for Substrate chains that talks in pictures.",
        subcommands: CommandList.all
    )

    static func main() {
        let console = Console()
        var json = false
        do {
            var parsed = try parseAsRoot()
            guard let command = parsed as? any Command else { return try parsed.run() }
            json = command.json
            let report = try Lockdown.close(to: try command.access())
            ShieldGuard.warn(command, console)
            try command.execute(Surroundings(console: console, sandbox: report))
        } catch let error where String(reflecting: type(of: error)).hasPrefix("ArgumentParser.") {
            exit(withUsage: error, console)
        } catch let error as ExitWith {
            Glibc.exit(error.exit.rawValue)
        } catch {
            let complaint = Wording.complaint(error)
            if json { JSONText.print(["error": ErrorDocument(complaint)], console) }
            console.complain(complaint)
            Glibc.exit(complaint.exit.rawValue)
        }
    }

    /// The parser speaks: help that was asked for goes to stdout, words that it does not know are a usage error.
    private static func exit(withUsage error: any Error, _ console: Console) {
        guard exitCode(for: error).rawValue != 0 else {
            console.print(fullMessage(for: error))
            Glibc.exit(0)
        }
        let complaint = Complaint("usage", message(for: error), hint: "heliograph --help", exit: .usage)
        if CommandLine.arguments.contains("--json") { JSONText.print(["error": ErrorDocument(complaint)], console) }
        console.complain(complaint)
        Glibc.exit(Complaint.Exit.usage.rawValue)
    }
}
