/// What the shell says.
extension Wording {
    /// A real vault is meant where nothing else is said.
    static func shellPrompt(isUnlocked: Bool, isDevelopment: Bool) -> String {
        let state = isUnlocked ? "unlocked" : "locked"
        return "heliograph (\(isDevelopment ? "development, \(state)" : state))> "
    }

    static let locked = "the vault is locked"
    static func lockedAfter(_ seconds: Int) -> String { "the vault is locked: no input for \(seconds) s" }
    static let lockedOnline = "the vault is locked: the device went online"
    static let lockedAtEnd = "the vault is locked: the shell has ended"
    /// Where the cursor stands, and nothing below it.
    static let droppedLine = "^C\u{1b}[J\n"
    static func endedWith(_ code: Int32) -> String { "heliograph: exit \(code)" }
    static func moreCandidates(_ count: Int) -> String { "and \(count) more: type another letter" }
    static let passphraseAgain = "the vault is locked: this is dangerous and needs the passphrase"

    static let shellHelp = """

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
