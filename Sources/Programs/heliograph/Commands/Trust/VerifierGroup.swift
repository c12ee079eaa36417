import ArgumentParser

struct VerifierGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "Who may change what the vault trusts.",
        subcommands: [VerifierShow.self, VerifierReset.self])
}
