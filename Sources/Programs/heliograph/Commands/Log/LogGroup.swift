import ArgumentParser

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show and verify the audit log.",
        subcommands: [LogShow.self, LogNote.self, LogVerify.self, LogClear.self, LogExport.self])
}
