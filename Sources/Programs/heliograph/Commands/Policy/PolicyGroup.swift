import ArgumentParser

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Limit what may be signed.", discussion: PolicyHelp.text,
        subcommands: [PolicySet.self, PolicyShow.self, PolicyClear.self, PolicyExample.self])
}
