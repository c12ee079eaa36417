import ArgumentParser

struct ShieldGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shield", abstract: "Whether this device is connected to anything.",
        subcommands: [ShieldShow.self, ShieldAcknowledge.self], defaultSubcommand: ShieldShow.self)
}
