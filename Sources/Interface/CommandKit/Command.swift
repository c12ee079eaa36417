import ArgumentParser

/// A command that runs after the program has locked itself down.
package protocol Command: ParsableCommand {
    /// What the command may touch; everything else is closed before the first input is opened. Folders that
    /// it needs are made here.
    func access() throws -> Access
    /// Whether stdout is one JSON document.
    var json: Bool { get }
    /// How a shell runs it.
    var place: CommandPlace { get }
    /// Whether it prints results only, without notes: a shell runs it while somebody types.
    var isSilent: Bool { get }
    /// Whether its output is about the program alone, not about this device and its vaults. Then no line
    /// about the air gap is printed above it.
    var isAboutProgram: Bool { get }
    func execute(_ context: CommandContext) throws
}

extension Command {
    /// No files. A command that needs files overrides this.
    package func access() throws -> Access { Access() }
    package var json: Bool { false }
    package var place: CommandPlace { .anywhere }
    package var isSilent: Bool { false }
    package var isAboutProgram: Bool { false }
}

/// A command that works on a vault. The warnings of the vault's settings are printed above its output, and
/// only such a command reaches a ``Device`` or a ``Session``: ``CommandContext/device(_:)`` and
/// ``CommandContext/unlock(_:whileUnacknowledged:asking:)`` take nothing else.
package protocol VaultCommand: Command {
    var vault: VaultOptions { get }
}

extension VaultCommand {
    /// Only the vault. A command that needs other files overrides this.
    package func access() throws -> Access { Access(writable: [try vault.directory()]) }
}

/// A command whose ``OutputOptions`` say whether it prints one JSON document.
package protocol PrintsJSON: Command {
    var output: OutputOptions { get }
}

extension PrintsJSON {
    package var json: Bool { output.json }
}

/// Where a command runs.
package enum CommandPlace {
    /// On its own and in a shell.
    case anywhere
    /// A shell locks its vault before it runs this command, and the command asks for the passphrase itself.
    case afterLocking
    /// Never in a shell.
    case alone
}

/// `--json`, for commands that print facts.
package struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document.")
    package var json = false

    package init() {}
}
