import Review
import TrustStore
import Vault

/// A vault whose passphrase was right and whose store is as its seal has it. Its secrets are wiped when the last one lets go of it.
final class OpenVault {
    var vault: UnlockedVault
    let store: UnlockedStore

    init(_ vault: consuming UnlockedVault, store: TrustStore) throws {
        let unlocked = try store.unlock(vault.derivedKey(context: Self.sealContext))
        try Self.keepRoots(of: vault, in: unlocked)
        self.store = unlocked
        self.vault = vault
    }

    /// Names the use of a key that is derived from the vault's data key.
    static let sealContext = "heliograph store seal"

    func chainData() throws -> ChainData { ChainData(state: try store.state()) { [store] in try store.store.content($0) } }
}

/// Opens the vault for commands: anew for a single command, once for the commands of a shell.
final class UnlockSession {
    /// The options of the shell that keeps the vault open; nil for a single command.
    private let shell: VaultOptions?
    private let needsDevelopmentVault: Bool
    private var open: OpenVault?

    /// For a single command.
    init() {
        shell = nil
        needsDevelopmentVault = false
    }

    init(keptBy shell: VaultOptions, needsDevelopmentVault: Bool) {
        self.shell = shell
        self.needsDevelopmentVault = needsDevelopmentVault
    }

    var isUnlocked: Bool { open != nil }

    /// Wipes what the vault holds in memory. Between two commands nobody else holds it.
    func lock() {
        precondition(open == nil || isKnownUniquelyReferenced(&open), "a command kept the vault")
        open = nil
    }

    /// Locks without a person's word, and writes down whether the device is online.
    func lockUnasked() {
        lock()
        if let store = try? shell?.lockedStore() { _ = try? ShieldGuard.record(store) }
    }

    func unlock(_ vault: VaultOptions, _ console: Console, whileUnacknowledged: Bool) throws -> OpenVault {
        let options = try completed(vault)
        do {
            let store = try vault.lockedStore()
            if !whileUnacknowledged { try ShieldGuard.requireOffline(vault) }
            if let open {
                try open.store.refresh()
                return open
            }
            let opened = try OpenVault(try options.unlockSeeds(console), store: store)
            guard !needsDevelopmentVault || opened.vault.isDevelopment else { throw CommandError.lockAfterNeedsDevelopmentVault }
            if shell != nil { open = opened }
            return opened
        } catch {
            open = nil
            // The store that refuses cannot take it into its log; the next one that opens does.
            if let broken = error as? StoreError, broken.isBeyondRepair, let store = try? vault.lockedStore() {
                _ = try? store.journal(.sealBroken(LogReason(broken)))
            }
            throw error
        }
    }

    /// Whether this vault is unlocked.
    func holds(_ vault: VaultOptions) throws -> Bool { try isUnlocked && isOwn(vault) }

    /// Whether a command means the vault that a shell keeps; a single command has no other.
    private func isOwn(_ vault: VaultOptions) throws -> Bool {
        guard let shell else { return true }
        return try Files.isSame(vault.directory(), shell.directory())
    }

    /// Options of a command, and the shell's where the command has none.
    func completed(_ vault: VaultOptions) throws -> VaultOptions {
        guard try isOwn(vault) else { throw CommandError.otherVault(path: try vault.directory()) }
        var options = vault
        options.passphraseFd = vault.passphraseFd ?? shell?.passphraseFd
        options.keyFd = vault.keyFd ?? shell?.keyFd
        return options
    }
}
