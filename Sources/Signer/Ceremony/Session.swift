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
    var vault: UnlockedVault
    let store: UnlockedStore

    /// Names the use of a key that is derived from the vault's data key.
    static let sealContext = "heliograph store seal"

    init(_ device: Device, _ vault: consuming UnlockedVault, store: TrustStore) throws {
        let unlocked = try store.unlock(vault.derivedKey(context: Self.sealContext))
        try Self.keepRoots(of: vault, in: unlocked)
        self.device = device
        self.store = unlocked
        self.vault = vault
    }

    /// Proven by the vault's seal.
    public var isDevelopment: Bool { vault.isDevelopment }

    /// What the store vouches for, now.
    public func trust() throws -> SealedTrust { try store.trust() }

    /// Checks everything again and merges what was journalled since, as an unlock does; for a session that stays open for long.
    /// - Throws: ``StoreError``
    public func refresh() throws {
        do {
            try store.refresh()
        } catch {
            device.record(broken: error)
            throw error
        }
    }

    /// What an operation would do, read from sealed trust, for a person to see. The act previews again, as it does after ``Device/preview(_:)``.
    /// - Throws: ``StoreError``, and what ``Operation/preview(_:)`` throws.
    public func preview<O: Operation>(_ operation: O) throws -> Preview<O> {
        do {
            return Preview(operation, try operation.preview(view(try store.trust())), device)
        } catch {
            device.record(refusal: error, of: operation, nil)
            throw error
        }
    }

    /// Does what was confirmed.
    ///
    /// The operation is previewed again under the seal. A preview that differs from what was confirmed is refused, and so is a yes of the
    /// policy or of a development vault that the sealed state does not give again. The changes and the lines of the log are then written in
    /// one transaction, which refuses if anything was written since that preview. The caller gets the outcome only after the transaction is
    /// on the disk; if the log cannot be written, there is no outcome.
    /// - Parameter person: who is asked for the password of a key and for the word; ``Nobody`` for operations that ask nothing.
    /// - Throws: ``CeremonyError/changedSinceShown``, ``CeremonyError/approveNeedsPolicy``, ``CeremonyError/approveNeedsDevelopmentVault``,
    ///   ``CeremonyError/keyOnTwoNetworks(_:)``, ``StoreError``, and what the operation throws.
    public func perform<O: Operation>(_ approval: Approval<O>, asking person: some Person = Nobody()) throws -> Receipt<O.Outcome> {
        do {
            return try performed(approval, person)
        } catch {
            if Refusal.isOne(error) { device.record(refusal: error, of: approval.operation, approval.shown) }
            throw error
        }
    }

    private func performed<O: Operation>(_ approval: Approval<O>, _ person: some Person) throws -> Receipt<O.Outcome> {
        let operation = approval.operation
        let trust = try store.trust()
        let view = view(trust)
        let shown = try operation.preview(view)
        guard operation.isSame(approval.shown, shown) else { throw CeremonyError.changedSinceShown }
        try operation.requireAllowed(shown)
        let standing = try standing(approval.consent, operation, shown, view)
        let bench = Workbench(self, trust, view, person, consent: approval.consent, standing: standing)
        let work = try operation.perform(shown, at: bench)
        do {
            try commit(work.commit, since: trust, person)
        } catch {
            // A commit may be on the disk although the mark of its generation could not be written: then its lines of the log stay true.
            if !hasMoved(since: trust) { work.undo() }
            if case StoreError.changedSinceShown = error { throw CeremonyError.changedSinceShown }
            throw error
        }
        return Receipt(try work.finish(), approval.consent)
    }

    /// Whether the commit reached the disk. Nobody else can have written: this session holds the vault's lock.
    private func hasMoved(since trust: SealedTrust) -> Bool {
        guard let now = try? store.trust() else { return false }
        return now.state.generation > trust.state.generation
    }

    /// A person's yes is taken from the preview; the others are derived again.
    private func standing<O: Operation>(
        _ consent: Consent, _ operation: O, _ shown: O.Shown, _ view: VaultView
    ) throws -> StandingApproval? {
        switch consent {
        case .person: return nil
        case .policy:
            guard let standing = try operation.standingApproval(of: shown, view) else { throw CeremonyError.approveNeedsPolicy }
            return standing
        case .developmentVault:
            guard vault.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
            return nil
        }
    }

    private func commit<Outcome>(_ commit: Work<Outcome>.Commit, since trust: SealedTrust, _ person: some Person) throws {
        switch commit {
        case .change(let changes, let events, let borrowed):
            let reuse = KeyReuse.caused(by: changes + borrowed, in: trust.state)
            try person.requireWord(for: reuse, in: trust.state, isDevelopment: vault.isDevelopment)
            try store.change(since: trust, changes, events: events, borrowing: borrowed, accepting: reuse)
        case .clearLog: try store.clearLog(since: trust)
        }
    }

    private func view(_ trust: SealedTrust) -> VaultView {
        VaultView(
            trust: trust.state, seedNames: vault.seedNames, isDevelopment: vault.isDevelopment,
            shield: device.shield(trust.state, store.store), content: { [store] in try store.store.content($0) })
    }

    /// Makes the store's roots those of the vault's seeds. They differ after an interruption between the writes of the two files, and after the
    /// store was replaced.
    private static func keepRoots(of vault: borrowing UnlockedVault, in store: UnlockedStore) throws {
        let known = try store.trust().state.seedRoots.map(\.seed)
        let names = vault.seedNames
        var changes = known.filter { !names.containsUTF8(of: $0) }.map { TrustChange.removeSeedRoot($0) }
        for name in names where !known.containsUTF8(of: name) { changes.append(.putSeedRoot(name, try vault.root(of: name))) }
        if !changes.isEmpty { try store.change(changes, events: []) }
    }
}

extension UnlockedVault {
    /// The sr25519 public key of the empty path.
    borrowing func root(of seed: String) throws -> PublicKey { try key(of: seed, path: .root, scheme: .sr25519) }

    /// The public key of a seed at a path, without a password.
    borrowing func key(of seed: String, path: DerivationPath, scheme: SignatureScheme) throws -> PublicKey {
        try withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, scheme: scheme).publicKey
        }
    }
}
