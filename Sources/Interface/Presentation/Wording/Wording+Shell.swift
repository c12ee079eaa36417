import TerminalIO

/// What the shell says.
extension Wording {
    /// A real vault is meant where nothing else is said.
    package static func shellPrompt(isUnlocked: Bool, isDevelopment: Bool) -> String {
        let state = isUnlocked ? "unlocked" : "locked"
        return "heliograph (\(isDevelopment ? "development, \(state)" : state))> "
    }

    package static let locked = "the vault is locked"
    package static func lockedAfter(_ seconds: Int) -> String {
        "the vault is locked: no input for \(seconds) s"
    }
    package static let lockedOnline = "the vault is locked: the device went online"
    package static let lockedAtEnd = "the vault is locked: the shell has ended"
    /// Where the cursor stands, and nothing below it.
    package static let droppedLine = "^C\u{1b}[J\n"
    package static func endedWith(_ code: Int32) -> String { "heliograph: exit \(code)" }
    package static let passphraseAgain = "the vault is locked: this is dangerous and needs the passphrase"

    package static let shellHelp = """

        IN THE SHELL:
          lock                    Wipe the vault's secrets from memory; the next command that needs them asks for the passphrase.
          exit                    Leave the shell, like the end of the input.
          help [COMMAND]          Show this text, or the help of a command.

        KEYS:
          Tab                     Complete a command, an option, a name, an address or a file.
          Up, Down, Ctrl-R        Earlier lines of this shell, kept in memory until the vault locks.
          Ctrl-C, Ctrl-D          Drop the line; leave the shell.
        """
}
