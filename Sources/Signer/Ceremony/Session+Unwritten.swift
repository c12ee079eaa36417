import TrustStore

/// A result that exists only in its files. The log records it before they are written.
///
/// The log comes first, because it must never record too little: otherwise somebody who ends the program
/// between the two would have a copy of a seed without an entry. A backup also holds its own line. If writing
/// then fails, a second line says so, and the first one stays, because the secret was made and a part of it
/// may be left. If the log cannot take that line either, the first line records too much, but never too
/// little.
///
/// Every other result is text that is printed if its file cannot be written, so the log is right in both
/// cases and gets no second line.
public enum UnwrittenResult: Sendable {
    /// The backup of the vault.
    case backup
    /// The shares of a seed, and the files of shares that are left.
    case shares(seed: String, left: [String])
    /// The secret of a key, for another wallet.
    case secret(of: KeyRecord)
}

extension Session {
    /// Says in the log that the result of the line before was not written.
    public func record(_ result: UnwrittenResult) {
        let event =
            switch result {
            case .backup: LogEvent(.vaultBackupNotWritten)
            case .shares(let seed, let left):
                LogEvent(
                    .seedSplitNotWritten,
                    [
                        LogEvent.Fact("seed", seed),
                        LogEvent.Fact("left", left.isEmpty ? "none" : left.joined(separator: ", ")),
                    ])
            case .secret(let key):
                LogEvent(
                    .keySecretNotWritten,
                    (try? trust().state).map { LogEvent.facts(of: key, in: $0) } ?? [])
            }
        try? store.append([event])
    }

    /// Writes the files of a result, and records where that fails.
    public func writing<Written>(_ result: UnwrittenResult, _ body: () throws -> Written) throws -> Written {
        do { return try body() } catch {
            record(result)
            throw error
        }
    }
}
