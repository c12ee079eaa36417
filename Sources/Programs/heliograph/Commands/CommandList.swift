import ArgumentParser
import Shell
import SubstratePrimitives

/// Every command, in the order of the help.
enum CommandList {
    /// A command's name and type. The type is used only when a word names it: Swift's runtime fills a table
    /// for each such type, and all tables together take longer than most commands.
    static let rows: [(name: String, command: @Sendable () -> any ParsableCommand.Type)] = [
        ("init", { Init.self }),
        ("status", { Status.self }),
        ("inspect", { Inspect.self }),
        ("scan", { Scan.self }),
        ("seed", { SeedGroup.self }),
        ("key", { KeyGroup.self }),
        ("contact", { ContactGroup.self }),
        ("vault", { VaultGroup.self }),
        ("network", { NetworkGroup.self }),
        ("metadata", { MetadataGroup.self }),
        ("types", { TypesGroup.self }),
        ("verifier", { VerifierGroup.self }),
        ("attest", { Attest.self }),
        ("camera", { CameraGroup.self }),
        ("log", { LogGroup.self }),
        ("shield", { ShieldGroup.self }),
        ("policy", { PolicyGroup.self }),
        ("group", { GroupCommand.self }),
        ("util", { UtilGroup.self }),
        ("errors", { ErrorsCommand.self }),
        ("updates", { UpdatesCommand.self }),
        ("shell", { Shell.self }),
        ("completions", { CompletionsCommand.self }),
        ("complete", { CompleteCommand.self }),
        ("self-test", { SelfTest.self }),
        ("verify-release", { VerifyRelease.self }),
        ("version", { VersionCommand.self }),
        ("overview", { Overview.self }),
    ]

    /// For help, completion and refused words.
    static var all: [any ParsableCommand.Type] { rows.map { $0.command() } }

    static func command(named word: String) -> (any ParsableCommand.Type)? {
        rows.first { $0.name.utf8Equals(word) }?.command()
    }
}
