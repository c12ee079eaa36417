import TrustStore

/// A result that only a file or files hold, and that the log has before they are written.
///
/// The log comes first, because it must never say less than is true: whoever ends the program between the two
/// would else have a copy of a seed of which the log knows nothing. A backup also holds its own line. Where
/// writing fails then, a second line says so, and the first one stays, for the secret was made and a part of
/// it may be left. Where the log takes no line either, the first one says more than is true, and never less.
///
/// Every other result is text that is printed where its file cannot be written: what the log says of it is
/// true in both cases, and it gets no second line.
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
