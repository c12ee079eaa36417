import Accounts
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// An unlocked device: its passphrase was right, and its store's seal matches. Its secrets are wiped when the
/// last reference to it is released.
///
/// Every act goes through ``perform(_:asking:)``; the open vault and the open store never leave this module.
public final class Session {
    /// The device that was unlocked.
    public let device: Device
    let vault: UnlockedVault
    let store: UnlockedStore
    /// Whether it stayed open since an earlier command: nobody has shown since then that he is its owner.
    /// ``perform(_:asking:)`` then gives no secret out and destroys none.
    public var isKept = false

    init(_ device: Device, _ vault: UnlockedVault, store: TrustStore) throws {
        let unlocked = try store.unlock(vault)
        try Self.keepRoots(of: vault, in: unlocked)
        try Self.keepImported(keysOf: vault, in: unlocked)
        self.device = device
        self.store = unlocked
        self.vault = vault
        sweepNonces()
    }

    /// Proven by the vault's seal.
    public var isDevelopment: Bool { vault.isDevelopment }

    /// What the store vouches for, now.
    public func trust() throws -> SealedTrust { try store.trust() }

    /// Checks everything again and merges what was journalled since, as an unlock does; for a session that
    /// stays open for long.
    /// - Throws: `StoreError`
    public func refresh() throws {
        do {
            try store.refresh()
        } catch {
            device.record(broken: error)
            throw error
        }
    }

    /// Copies the roots of the vault's seeds into the store. They differ only if the store was made anew
    /// beside a vault with seeds.
    private static func keepRoots(of vault: UnlockedVault, in store: UnlockedStore) throws {
        let state = try store.trust().state
        let known = state.seedRoots.map(\.seed)
        let names = vault.seedNames
        var changes = known.filter { !names.containsUTF8(of: $0) }.flatMap {
            [TrustChange.removeSeedRoot($0)] + state.forgettingTimes(seed: $0)
        }
        for name in names where !known.containsUTF8(of: name) {
            let seed = try vault.stored(seed: name)
            changes.append(.putSeedRoot(name, try seed.root(), kind: seed.kind))
        }
        if !changes.isEmpty { try store.change(changes, events: []) }
    }

    /// Lists the imported keys of the vault in its store, which lacks them only where it was made anew. No
    /// path derives them again, so they would be lost to their owner. They may sign for no network until they
    /// are allowed to. The log of such a store is new, and has a line for each.
    private static func keepImported(keysOf vault: UnlockedVault, in store: UnlockedStore) throws {
        let state = try store.trust().state
        let keys = vault.importedKeys.filter { state.key($0) == nil }.map { KeyRecord(imported: $0) }
        guard !keys.isEmpty else { return }
        try store.change(
            keys.map { .addKey($0) },
            events: keys.map { LogEvent(.keyAdded, LogEvent.facts(of: $0, in: state)) })
    }
}

extension Device {
    /// Opens the vault and its store.
    ///
    /// - Parameters:
    ///   - keyFile: the key file; empty if none is given.
    ///   - whileUnacknowledged: whether to open it although the device was online and nobody has acknowledged
    ///     it; for the acknowledgement itself.
    ///   - whileUncounted: whether to open it although the counter of its TPM does not vouch for it; for the
    ///     command that gives the counter up.
    ///   - tell: gets the cost of deriving the key, before the passphrase is asked for, if this program would
    ///     choose another cost.
    ///   - passphrase: gives the passphrase, after the device turned out to be offline. A wrong one is
    ///     counted and logged.
    /// - Throws: also ``CeremonyError/repeatedRandom``, where the generator repeats itself from start to
    ///   start
    public func unlock(
        keyFile: borrowing SecretBytes = SecretBytes(), whileUnacknowledged: Bool = false,
        whileUncounted: Bool = false,
        telling tell: (KDFCost) -> Void = { _ in }, passphrase: () throws -> SecretBytes
    ) throws -> Session {
        do {
            let store = try store()
            if !whileUnacknowledged { try requireOffline() }
            let vault = try unlockVault(keyFile: keyFile, telling: tell, passphrase: passphrase)
            vault.acceptsUncounted = whileUncounted
            let session = try Session(self, vault, store: store)
            try session.requireOtherDraw()
            return session
        } catch {
            record(broken: error)
            throw error
        }
    }
}

extension Session {
    /// Compares the generator's first output with that of the process before, once in a process.
    ///
    /// Where they are the same nothing of the vault may be used here: its own nonces and salts would come
    /// from a generator that somebody can foretell. The vault is as good as before, on another machine.
    /// - Throws: ``CeremonyError/repeatedRandom``, `StoreError`
    func requireOtherDraw() throws {
        guard let draw = device.firstDraw, !draw.isTold(to: vault.id) else { return }
        let digest = draw.digest(for: vault)
        guard try store.trust().state.settings[StoreSetting.firstDraw] != digest else {
            throw CeremonyError.repeatedRandom
        }
        // A full disk must not keep a person from the vault: the next start is then compared with an older
        // one.
        _ = try? store.change([.putSetting(StoreSetting.firstDraw, digest)], events: [])
        draw.tell(vault.id)
    }
}

extension UnlockedVault {
    /// The key that names a seed in the store.
    func root(of seed: String) throws -> PublicKey { try stored(seed: seed).root() }

    /// The public key of a seed at a path, without a password.
    func key(of seed: String, path: DerivationPath, scheme: SignatureScheme) throws -> PublicKey {
        try withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, scheme: scheme).publicKey
        }
    }
}

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

/// The log's lines about a vault that stays open for several commands. A single command opens the vault for
/// its one act, which has a line of its own.
extension Session {
    /// - Throws: `StoreError`
    public func recordUnlocked() throws { try store.append([LogEvent(.vaultUnlocked)]) }

    /// A copy of the words of a seed was compared with it, and matched.
    /// - Throws: `StoreError`
    public func recordChecked(seed: String) throws {
        try store.change(
            [.putSeedChecked(seed, time: device.clock())],
            events: [LogEvent(.seedChecked, [LogEvent.Fact("seed", seed)])])
    }

    /// A vault is locked whether or not its log takes the line.
    public func recordLocked(_ reason: LockReason) {
        try? store.append([LogEvent(.vaultLocked, [LogEvent.Fact("reason", reason.rawValue)])])
    }
}
