import ArgumentParser
import Ceremony
import Glibc
import Keys
import Sandbox
import Synchronization
import TerminalIO

/// Opens the vault for commands: anew for a single command, once for the commands of a shell.
package final class SessionKeeper {
    /// The options of the shell that keeps the vault open; nil for a single command.
    private let shell: VaultOptions?
    private let needsDevelopmentVault: Bool
    private let proof: PersonProof
    private var session: Session?

    /// A keeper for a single command.
    package init() {
        shell = nil
        needsDevelopmentVault = false
        proof = .word
    }

    package init(keptBy shell: VaultOptions, needsDevelopmentVault: Bool, proof: PersonProof) {
        self.shell = shell
        self.needsDevelopmentVault = needsDevelopmentVault
        self.proof = proof
    }

    /// Whether commands follow one another, the next one perhaps with pictures.
    package var isOfShell: Bool { shell != nil }

    /// A shell keeps its nonces in memory, where nobody can copy them and put them back.
    var nonces: any NonceKeeper {
        isOfShell ? ShellNonces(memory: Nonces.memory, folder: Nonces.folder) : Nonces.folder
    }

    package var isUnlocked: Bool { session != nil }

    /// Wipes what the vault holds in memory. Between two commands nobody else holds it.
    package func lock(_ reason: LockReason) {
        precondition(session == nil || isKnownUniquelyReferenced(&session), "a command kept the vault")
        if isOfShell { session?.recordLocked(reason) }
        session = nil
    }

    /// Locks without a person's word, and writes down whether the device is online.
    package func lockUnasked(_ reason: LockReason) {
        lock(reason)
        _ = try? shell?.device().recordShield()
    }

    func unlock(
        _ vault: VaultOptions, _ console: Console, whileUnacknowledged: Bool, whileUncounted: Bool,
        asking question: String,
        keeping keep: (_ passphrase: borrowing SecretBytes, _ keyFile: borrowing SecretBytes) -> Void
    ) throws -> Session {
        let options = try completed(vault)
        let device = try options.device(nonces: nonces)
        do {
            if let session {
                if !whileUnacknowledged { try device.requireOffline() }
                try session.refresh()
                session.isKept = proof == .passphrase
                return session
            }
            // The vault says what this costs, not a payload.
            let keyFile = try options.keyFile()
            let opened = try WorkLimit.suspended {
                try console.withPassphrase(descriptor: options.passphraseFd, asking: question) { ask in
                    try device.unlock(
                        keyFile: keyFile, whileUnacknowledged: whileUnacknowledged,
                        whileUncounted: whileUncounted,
                        telling: { console.tell(unusual: $0) }
                    ) {
                        let passphrase = try ask()
                        keep(passphrase, keyFile)
                        return passphrase
                    }
                }
            }
            guard !needsDevelopmentVault || opened.isDevelopment else {
                throw CommandError.lockAfterNeedsDevelopmentVault
            }
            if shell != nil {
                try opened.recordUnlocked()
                session = opened
            }
            return opened
        } catch {
            session = nil
            throw error
        }
    }

    /// Locks an open vault if its shell wants the passphrase again. The next
    /// ``unlock(_:_:whileUnacknowledged:asking:)`` then asks for it, with its counting and delays, and
    /// nothing is open meanwhile.
    func requirePerson(_ console: Console) {
        guard isUnlocked, proof == .passphrase else { return }
        session?.recordLocked(.passphraseAgain)
        session = nil
        console.note("the vault is locked: this is dangerous and needs the passphrase")
    }

    /// Whether this vault is unlocked.
    func holds(_ vault: VaultOptions) throws -> Bool { try isUnlocked && isOwn(vault) }

    /// Whether a command means the vault that a shell keeps; a single command has no other.
    private func isOwn(_ vault: VaultOptions) throws -> Bool {
        guard let shell else { return true }
        return try Files.isSame(vault.directory(), shell.directory())
    }

    /// Options of a command, and the shell's where the command has none.
    package func completed(_ vault: VaultOptions) throws -> VaultOptions {
        guard try isOwn(vault) else { throw CommandError.otherVault(path: try vault.directory()) }
        var options = vault
        options.passphraseFd = vault.passphraseFd ?? shell?.passphraseFd
        options.keyFd = vault.keyFd ?? shell?.keyFd
        options.pinFd = vault.pinFd ?? shell?.pinFd
        return options
    }
}

/// Where nonces wait for their second round.
enum Nonces {
    private static let found = Mutex(
        NonceFolder.ofUser(runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }))
    static var folder: NonceFolder { found.withLock { $0 } }
    /// Checks the folder before the sandbox hides it. Returns its path if the folder can be used.
    static func prepare() -> [String] {
        found.withLock { folder in
            folder = folder.checked()
            return folder.refusal == nil ? [folder.path] : []
        }
    }
    /// The nonces of a shell, which never leave the process.
    static let memory = NonceMemory()
}

/// What a person must give a shell before an unlocked vault signs a dangerous call, gives a secret out or
/// destroys one.
///
/// It is an option of the shell and not a sealed setting: whoever starts a shell types the passphrase into
/// it, and whoever finds it open can change the option only by a new shell, which is locked.
package enum PersonProof: String, CaseIterable, ExpressibleByArgument {
    /// The word of the question, and the passphrase. The word stands on the screen for everybody to read.
    case passphrase
    /// The word of the question alone.
    case word
}
