import ArgumentParser

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "What happened, in a hash chain.",
        subcommands: [LogShow.self, LogNote.self, LogVerify.self, LogClear.self, LogExport.self])
}
