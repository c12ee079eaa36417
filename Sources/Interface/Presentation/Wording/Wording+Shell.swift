import TerminalIO

/// What the shell says.
extension Wording {
    /// A real vault is meant where nothing else is said.
    package static func shellPrompt(isUnlocked: Bool, isDevelopment: Bool) -> String {
        let state = isUnlocked ? "unlocked" : "locked"
        return "heliograph (\(isDevelopment ? "development, \(state)" : state))> "
    }

    package static let locked = "the vault is locked"
    /// When a shell starts.
    package static let lockedYet =
        "the vault is locked: the first command that needs it asks for the passphrase"
}
