import ArgumentParser

struct VerifierGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "Show and set the verifiers, whose updates the vault accepts.",
        subcommands: [VerifierShow.self, VerifierSet.self, VerifierReset.self])
}
