import Glibc
import Keys
import Vault

extension Console {
    /// Lets `attempt` ask for a passphrase, and asks again after a wrong one: what is typed next must not land in the shell, and what was scanned
    /// is not lost. A passphrase on a descriptor is tried once.
    ///
    /// There is no limit of its own: the vault's delays grow to an hour.
    func withPassphrase<R>(descriptor: Int32?, _ attempt: (@escaping () throws -> SecretBytes) throws -> R) throws -> R {
        while true {
            let error: VaultError
            do {
                return try attempt { try secret(Wording.passphrase, descriptor: descriptor, self) }
            } catch let failure as VaultError {
                error = failure
            }
            guard descriptor == nil, let delay = error.retryDelay else { throw error }
            tell(error.sentence)
            try wait(delay)
        }
    }

    /// Counts the seconds down. Nothing is echoed meanwhile: a passphrase that is typed too early would be shown.
    private func wait(_ seconds: UInt64) throws(CommandError) {
        guard seconds > 0, let terminal else { return }
        let echo = TerminalMode(terminal, without: ECHO)
        defer { echo?.restore() }
        for left in stride(from: seconds, to: 0, by: -1) {
            prompt(Wording.nextAttempt(in: left))
            poll(nil, 0, 1000)
        }
        prompt("")
    }
}

extension VaultError {
    /// Seconds until a passphrase may be tried again, after one that was wrong or came too early; nil for every other error.
    fileprivate var retryDelay: UInt64? {
        switch self {
        case .wrongPassphrase(_, let delay): delay
        case .mustWait(let seconds, _): seconds
        case .missing, .exists, .inUse, .malformed, .notABackup, .unknownFormat, .tampered, .companionTampered, .exposed, .notAFile, .foreign,
            .passphraseNotChanged, .passphraseWasChanged, .seedExists, .noSuchSeed, .invalidSeedName, .entropyLength, .emptyPassphrase,
            .costOutOfBounds, .outOfMemory, .keyFileLength, .full, .system:
            nil
        }
    }
}
