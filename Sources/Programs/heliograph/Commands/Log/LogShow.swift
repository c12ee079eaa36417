import ArgumentParser
import Ceremony

/// `log show`
struct LogShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the audit log.")

    @Argument(help: "Show only this entry, in full and with its transaction decoded again.") var number: UInt64?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Start at this entry.", valueName: "n"))
    var from: UInt64 = 1

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let device = try context.device(self)
        if let number { return try LogEntryView(device: device, console: context.console, json: json).show(number) }
        let entries = try device.log(from: from).map(LogFacts.init)
        // What happened while the vault was locked joins the chain at the next unlock.
        let waiting = try device.waiting().map { LogFacts($0.event, waitingSince: $0.time) }
        if json { return JSONText.print(["log": entries, "waiting": waiting], context.console) }
        for entry in entries + waiting { context.console.print(entry.line) }
    }
}
