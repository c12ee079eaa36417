import Keys
import Review
import TrustStore
import Vault

/// Operations of an open session.
extension Session {
    /// The effects of an operation, read under the store's seal. To a person it shows the same as
    /// `Device.preview(_:)`; performing the operation reads everything again.
    public func preview<O: Operation>(_ operation: O) throws -> Preview<O> {
        do {
            let view = view(try store.trust())
            return Preview(operation, try operation.preview(view), view, device)
        } catch {
            device.record(refusal: error, of: operation, nil)
            throw error
        }
    }

    /// Performs the confirmed operation.
    ///
    /// A yes is for the shown vault, and for one act. The operation is previewed again under the seal, and
    /// the text of the screen is made again. Any difference from what was confirmed is refused, and so is a
    /// yes of the policy or of a development vault that the sealed state does not repeat. The changes and the
    /// lines of the log are then written in one transaction, which refuses if anything was written since that
    /// preview. The caller gets the outcome only after it is on the disk; if the log cannot be written, there
    /// is no outcome.
    ///
    /// Whoever finds a shell open sees every word that a question wants, and so could carry a seed away or
    /// destroy it. So a kept session performs no such act, whatever its command asked: the outcome and the
    /// change of the vault file tell what an act is, and no operation has to say it.
    /// - Throws: ``CeremonyError/passphraseNeeded`` for such an act
    public func perform<O: Operation>(_ approval: Approval<O>, asking person: some Person = Nobody()) throws
        -> Receipt<O.Outcome>
    {
        do {
            return try performed(approval, person)
        } catch {
            if Refusal.isOne(error) { device.record(refusal: error, of: approval.operation, approval.shown) }
            throw error
        }
    }

    private func performed<O: Operation>(_ approval: Approval<O>, _ person: some Person) throws -> Receipt<
        O.Outcome
    > {
        let operation = approval.operation
        guard approval.vaultID == vault.id, !approval.isSpent else { throw CeremonyError.changedSinceShown }
        let trust = try store.trust()
        let view = view(trust)
        let shown = try operation.preview(view)
        guard try approval.isOf(shown, in: trust.state) else { throw CeremonyError.changedSinceShown }
        try operation.requireAllowed(shown)
        let standing = try standing(approval.consent, operation, shown, view)
        let context = CommitContext<O>(
            self, trust, view, person, consent: approval.consent, standing: standing)
        let work = try operation.perform(shown, in: context)
        guard !isKept || !reachesSecret(work) else { throw CeremonyError.passphraseNeeded }
        do {
            try commit(work, since: trust, person)
        } catch {
            // A commit may be on the disk although the vault file could not be written: then its lines of the
            // log stay true.
            if hasMoved(since: trust) { approval.spend() }
            if case StoreError.changedSinceShown = error { throw CeremonyError.changedSinceShown }
            throw (error as? StoreError).map(work.explained) ?? error
        }
        approval.spend()
        return Receipt(try work.finish(), approval.consent)
    }

    private func reachesSecret<Outcome>(_ work: PreparedCommit<Outcome>) -> Bool {
        if Outcome.self is any SecretOutcome.Type { return true }
        switch work.commit {
        case .change(_, _, _, _, let change): return change.map(vault.loses(by:)) ?? false
        case .clearLog: return false
        }
    }

    /// Nobody else changes the store meanwhile: this session holds the vault's lock. false where the store
    /// cannot be read.
    private func hasMoved(since trust: SealedTrust) -> Bool {
        (try? store.trust()).map { $0.state.generation > trust.state.generation } ?? false
    }

    /// A person's yes is taken from the preview; the others are derived again.
    private func standing<O: Operation>(
        _ consent: Consent, _ operation: O, _ shown: O.Shown, _ view: VaultView
    ) throws -> StandingApproval? {
        switch consent {
        case .person: return nil
        case .policy:
            guard let standing = try operation.standingApproval(of: shown, view) else {
                throw try operation.unapproved(shown, view)
            }
            return standing
        case .developmentVault:
            guard vault.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
            return nil
        }
    }

    private func commit<Outcome>(
        _ work: PreparedCommit<Outcome>, since trust: SealedTrust, _ person: some Person
    ) throws {
        switch work.commit {
        case .change(let changes, let events, let borrowed, let history, let vaultChange):
            let reuse = KeyReuse.caused(by: changes + borrowed, in: trust.state)
            try person.requireWord(for: reuse, in: trust.state, isDevelopment: vault.isDevelopment)
            try work.usingUp()
            try store.change(
                since: trust, changes, events: events, borrowing: borrowed, accepting: reuse,
                writing: history, with: vaultChange)
        case .clearLog: try store.clearLog(since: trust)
        }
    }

    private func view(_ trust: SealedTrust) -> VaultView {
        VaultView(
            vaultID: vault.id, trust: trust.state, seedNames: vault.seedNames,
            importedKeys: vault.importedKeys, slots: vault.slots,
            isDevelopment: vault.isDevelopment,
            shield: device.shield(trust.state, store.store), history: store.history(trust),
            now: device.clock(),
            moment: VaultMoment(trust.state, at: device.reading), isLive: device.isLive(vault.id),
            requireNonces: device.nonces.prepare,
            content: { [store] in try store.store.content($0) })
    }
}

/// What an operation gives its caller, and what a key or a seed can be made of.
protocol SecretOutcome {}

extension HeldSecret: SecretOutcome {}
extension [BananaShare]: SecretOutcome {}
extension DealGroup.Dealt: SecretOutcome {}
