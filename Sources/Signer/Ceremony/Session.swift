import Accounts
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// An unlocked device: its passphrase was right, and its store's seal matches. Its secrets are wiped when the last reference to it is released.
///
/// Every act goes through ``perform(_:asking:)``; the open vault and the open store never leave this module.
public final class Session {
    /// The device that was unlocked.
    public let device: Device
    let vault: UnlockedVault
    let store: UnlockedStore

    init(_ device: Device, _ vault: UnlockedVault, store: TrustStore) throws {
        let unlocked = try store.unlock(vault)
        try Self.keepRoots(of: vault, in: unlocked)
        try Self.readOlderEntries(in: unlocked)
        self.device = device
        self.store = unlocked
        self.vault = vault
        sweepNonces()
    }

    /// Proven by the vault's seal.
    public var isDevelopment: Bool { vault.isDevelopment }

    /// What the store vouches for, now.
    public func trust() throws -> SealedTrust { try store.trust() }

    /// Checks everything again and merges what was journalled since, as an unlock does; for a session that stays open for long.
    /// - Throws: `StoreError`
    public func refresh() throws {
        do {
            try store.refresh()
        } catch {
            device.record(broken: error)
            throw error
        }
    }

    /// Makes the store's roots those of the vault's seeds. They differ only where the store was made anew beside a vault with seeds.
    private static func keepRoots(of vault: UnlockedVault, in store: UnlockedStore) throws {
        let known = try store.trust().state.seedRoots.map(\.seed)
        let names = vault.seedNames
        var changes = known.filter { !names.containsUTF8(of: $0) }.map { TrustChange.removeSeedRoot($0) }
        for name in names where !known.containsUTF8(of: name) { changes.append(.putSeedRoot(name, try vault.root(of: name))) }
        if !changes.isEmpty { try store.change(changes, events: []) }
    }

    /// Gives the history of a store that had none the signatures that its log still has, once. Nothing was signed since the store got its history,
    /// because that is what an unlock does first.
    private static func readOlderEntries(in store: UnlockedStore) throws {
        let trust = try store.trust()
        guard let pending = trust.state.history?.pending, pending > 0 else { return }
        let data = ChainData(state: trust.state) { try store.store.content($0) }
        let first = try store.log(limit: 1).first
        var signatures = 0
        try store.readLog { if $0.number <= pending, $0.event.kind.isSignature { signatures += 1 } }
        var older = OlderEntries(data, log: trust.state.log, firstTime: first?.time ?? store.store.now)
        try store.readLog { entry in
            guard entry.number <= pending, entry.event.kind.isSignature else { return }
            if signatures > OlderEntries.limit { older.leaveOut(entry) } else { older.read(entry) }
            signatures -= 1
        }
        try store.change(since: trust, [], events: [], writing: older.write)
    }
}

extension LogEvent.Kind {
    fileprivate var isSignature: Bool { self == .transactionSigned || self == .messageSigned }
}

extension Device {
    /// Opens the vault and its store.
    ///
    /// - Parameters:
    ///   - keyFile: empty where none is given.
    ///   - whileUnacknowledged: also where the device was online and nobody has acknowledged it: for the acknowledgement itself.
    ///   - passphrase: asked for after the device turned out to be offline. A wrong one is counted and written down.
    public func unlock(
        keyFile: borrowing SecretBytes = SecretBytes(), whileUnacknowledged: Bool = false, passphrase: () throws -> SecretBytes
    ) throws -> Session {
        do {
            let store = try store()
            if !whileUnacknowledged { try requireOffline() }
            return try Session(self, try unlockVault(keyFile: keyFile, passphrase: passphrase), store: store)
        } catch {
            record(broken: error)
            throw error
        }
    }
}

extension UnlockedVault {
    /// The sr25519 public key of the empty path.
    func root(of seed: String) throws -> PublicKey { try key(of: seed, path: .root, scheme: .sr25519) }

    /// The public key of a seed at a path, without a password.
    func key(of seed: String, path: DerivationPath, scheme: SignatureScheme) throws -> PublicKey {
        try withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, scheme: scheme).publicKey
        }
    }
}
