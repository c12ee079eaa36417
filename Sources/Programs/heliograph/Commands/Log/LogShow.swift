import ArgumentParser
import Ceremony
import CommandKit
import Presentation

/// `log show`
struct LogShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the audit log.",
        discussion: "With --passphrase-fd, and in an unlocked shell, each entry is proven under the seal of the store.")

    @Argument(help: "Show only this entry, in full and with its transaction decoded again.") var number: UInt64?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Start at this entry.", valueName: "n"))
    var from: UInt64 = 1

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let log = try LogReader(self, context)
        if let number { return try LogEntryView(log: log, console: context.console, json: json).show(number) }
        // What happened while the vault was locked joins the chain at the next unlock.
        let waiting = try log.device.waiting().map { LogFacts($0.event, waitingSince: $0.time) }
        if json { return JSONText.print(["log": try log.entries(from: from).map(LogFacts.init), "waiting": waiting], context.console) }
        var names: [String: String?] = [:]
        func name(_ genesis: String) -> String? {
            if let known = names[genesis] { return known }
            let found = log.networkName(genesis)
            names[genesis] = .some(found)
            return found
        }
        func print(_ facts: LogFacts) { LogText(facts: facts, networkName: name).lines().forEach(context.console.print) }
        try log.read(from: from) { print(LogFacts($0)) }
        waiting.forEach(print)
    }
}
