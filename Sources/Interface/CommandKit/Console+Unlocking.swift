import Diagnostics
import Glibc
import Keys
import Lines
import Presentation
import TerminalIO
import Vault

extension Console {
    /// Lets `attempt` ask for a vault's passphrase. After a wrong one it waits for the vault's delay and asks
    /// again. The number of attempts has no limit, because the delays grow to an hour.
    /// - Parameter question: names the vault where another passphrase is asked for, too.
    package func withPassphrase<R>(
        descriptor: Int32?, asking question: String = Wording.passphrase,
        _ attempt: (@escaping () throws -> SecretBytes) throws -> R
    ) throws -> R {
        try askingAgain(
            question, for: .passphrase, descriptor: descriptor,
            retryDelay: { (error: VaultError) in error.retryDelay }, attempt)
    }

    /// Lets `attempt` ask for the passphrase of shares, again after a wrong one.
    func withSharesPassphrase<R>(
        descriptor: Int32?, _ attempt: (@escaping () throws -> SecretBytes) throws -> R
    ) throws -> R {
        try askingAgain(
            "passphrase of the shares: ", for: .passphrase, descriptor: descriptor,
            retryDelay: { (error: BananaSplitError) in error == .wrongPassphrase ? 0 : nil }, attempt)
    }

    /// Lets `attempt` ask for the password of a keystore, again after a wrong one.
    func withKeystorePassword<R>(
        descriptor: Int32?, _ attempt: (@escaping () throws -> SecretBytes) throws -> R
    ) throws -> R {
        try askingAgain(
            "password of the file: ", for: .password, descriptor: descriptor,
            retryDelay: { (error: KeystoreError) in error == .wrongPassword ? 0 : nil }, attempt)
    }

    /// Asks again after a wrong answer, so that the next typed passphrase does not land in the person's shell
    /// and the scan is not lost. A descriptor is read only once.
    /// - Parameter retryDelay: seconds until the next attempt; nil for an error that is not about the answer.
    private func askingAgain<R, E: DiagnosticError>(
        _ question: String, for answer: CommandError.Answer, descriptor: Int32?,
        retryDelay: (E) -> UInt64?,
        _ attempt: (@escaping () throws -> SecretBytes) throws -> R
    ) throws -> R {
        while true {
            do {
                return try attempt {
                    while true {
                        let line = try secret(question, for: answer, descriptor: descriptor, self)
                        // Enter alone is no attempt.
                        if line.count > 0 || descriptor != nil { return line }
                    }
                }
            } catch let error as E {
                guard descriptor == nil, let delay = retryDelay(error) else { throw error }
                tell(error.sentence)
                try wait(delay)
            }
        }
    }

    /// Counts the seconds down. Nothing is echoed meanwhile: a passphrase that is typed too early would be
    /// shown.
    private func wait(_ seconds: UInt64) throws(CommandError) {
        guard seconds > 0, let terminal else { return }
        let echo = TerminalMode(terminal, without: ECHO)
        defer { echo?.restore() }
        for left in stride(from: seconds, to: 0, by: -1) {
            prompt("the next attempt is possible in \(Sentence.duration(left)); Ctrl-C leaves")
            poll(nil, 0, 1000)
            if TerminalMode.takeInterrupt() {
                prompt("")
                throw .interrupted
            }
        }
        prompt("")
    }
}

extension Console {
    /// Called before the question for the passphrase: tells the cost of deriving the key if this program
    /// would choose another.
    package func tell(unusual cost: KDFCost?) {
        if let cost {
            alarm(
                """
                the passphrase of this vault takes \(cost.memory >> 10) MiB and \
                \(Sentence.count(Int(cost.passes), "pass", plural: "passes")) over it, more than this \
                program chooses: if you did not choose it either, the vault file is damaged or was changed
                """)
        }
    }
}

extension VaultError {
    /// Seconds until a passphrase may be tried again, after one that was wrong or came too early; nil for
    /// every other error.
    fileprivate var retryDelay: UInt64? {
        switch self {
        case .wrongPassphrase(_, let delay): delay
        case .mustWait(let seconds, _): seconds
        case .missing, .lost, .exists, .inUse, .malformed, .notABackup, .backupTooLarge, .unknownFormat,
            .tampered, .companionTampered, .exposed, .notAFile,
            .link, .leadsNowhere, .shared, .notADirectory,
            .erasedInPart, .foreign, .passphraseNotChanged, .passphraseWasChanged, .seedExists, .noSuchSeed,
            .noPhrase,
            .invalidSeedName,
            .entropyLength,
            .emptyPassphrase, .costOutOfBounds, .costChanged, .outOfMemory, .keyFileLength, .full, .hardware,
            .system:
            nil
        }
    }
}

extension Console {
    /// A line about danger: on stderr, red where a terminal shows it.
    package func alarm(_ line: String) {
        let red = errorIsTerminal && getenv("NO_COLOR") == nil
        let text = Self.fitted("heliograph: " + Escape.terminal(line), to: STDERR_FILENO)
        Self.write((red ? "\u{1b}[31m\(text)\u{1b}[0m" : text) + "\n", to: STDERR_FILENO)
    }
}
