import TerminalIO

/// What the shell says.
extension Wording {
    /// A real vault is meant where nothing else is said.
    package static func shellPrompt(isUnlocked: Bool, isDevelopment: Bool) -> String {
        let state = isUnlocked ? "unlocked" : "locked"
        return "heliograph (\(isDevelopment ? "development, \(state)" : state))> "
    }

    package static let locked = "the vault is locked"
}
