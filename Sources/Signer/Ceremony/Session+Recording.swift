import TrustStore

/// Why a shell locked its vault.
public enum LockReason: String, Sendable, CaseIterable {
    /// The person said so, or began a command that asks for the passphrase itself.
    case command
    /// The shell ended.
    case end
    /// Nobody typed for too long.
    case timeout
    /// The device went online, or a question was interrupted.
    case interrupted
    /// A dangerous call needs the passphrase again.
    case passphraseAgain = "passphrase_again"
}

/// What the log keeps of a vault that stays open for several commands. A single command opens the vault for its one act, which has a line of its own.
extension Session {
    /// - Throws: `StoreError`
    public func recordUnlocked() throws { try store.append([LogEvent(.vaultUnlocked)]) }

    /// A vault is locked whether or not its log takes the line.
    public func recordLocked(_ reason: LockReason) {
        try? store.append([LogEvent(.vaultLocked, [LogEvent.Fact("reason", reason.rawValue)])])
    }
}
