import ArgumentParser

struct ShieldGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shield", abstract: "Check the air gap.",
        subcommands: [ShieldShow.self, ShieldAcknowledge.self], defaultSubcommand: ShieldShow.self)
}
