import ArgumentParser

/// Every command, in the order of the help.
enum CommandList {
    static let all: [any ParsableCommand.Type] = [
        Init.self, Status.self, Inspect.self, Scan.self, SeedGroup.self, KeyGroup.self, ContactGroup.self, VaultGroup.self,
        NetworkGroup.self,
        MetadataGroup.self, TypesGroup.self, VerifierGroup.self, Attest.self, CameraGroup.self, LogGroup.self, ShieldGroup.self,
        PolicyGroup.self,
        GroupCommand.self, UtilGroup.self, ErrorsCommand.self, UpdatesCommand.self,
        Shell.self, CompletionsCommand.self, CompleteCommand.self, SelfTest.self, VerifyRelease.self, VersionCommand.self, Overview.self,
    ]
}
