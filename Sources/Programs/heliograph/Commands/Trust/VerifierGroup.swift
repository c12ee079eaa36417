import ArgumentParser

struct VerifierGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "Show and reset the verifiers, whose updates the vault accepts.",
        subcommands: [VerifierShow.self, VerifierReset.self])
}
