import HardwareProtocol
import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// Lets words open the vault in place of its passphrase. Another recovery key stops opening it.
///
/// The words are drawn, and shown to a person, before this is performed. If they were shown afterwards, an
/// end of the program or of the TPM in between would leave a vault whose old words open nothing and whose new
/// words nobody has.
public struct MakeRecoveryKey: Operation {
    /// What is known before the act.
    public struct Shown: Sendable, Equatable {
        /// Whether the words that are on paper now open nothing afterwards.
        public let replaces: Bool
    }

    let words: HeldSecret
    let passphrase: HeldSecret
    let keyFile: HeldSecret

    /// - Parameters:
    ///   - words: those of a drawn key.
    ///   - passphrase: of the vault; it stays.
    ///   - keyFile: empty for a vault without one.
    public init(_ words: HeldSecret, passphrase: HeldSecret, keyFile: HeldSecret) {
        self.words = words
        self.passphrase = passphrase
        self.keyFile = keyFile
    }

    public func preview(_ view: VaultView) throws -> Shown {
        Shown(replaces: view.slots.contains { $0.factors == [.recoveryKey] })
    }

    /// - Throws: ``CeremonyError/openedWithRecoveryKey``
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let (change, sealed) = try context.changeSlots(
            keeping: passphrase, keyFile, recovery: .replaced(words))
        return PreparedCommit(
            (), sealed, events: [context.slotEvent(after: change)], vault: change)
    }
}

/// Notes that a person has typed the words of the recovery key: the vault was opened with them.
public struct CheckRecoveryKey: Operation {
    /// Nothing is told beforehand: the session knows what opened the vault.
    public init() {}

    public func preview(_ view: VaultView) throws {}

    /// - Throws: ``CeremonyError/recoveryKeyNeeded`` where something else opened the vault
    public func perform(_ shown: Void, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let vault = context.session.vault
        guard vault.isOpenedByRecoveryKey, let lock = vault.recoveryLock else {
            throw CeremonyError.recoveryKeyNeeded
        }
        return PreparedCommit(
            (), [.putSetting(StoreSetting.checkedRecovery, lock)], events: [LogEvent(.recoveryKeyChecked)])
    }

    public func isSame(_ one: Void, _ other: Void) -> Bool { true }
}

/// Adds a factor to the passphrase, or gives one up.
public struct ChangeFactors: Operation {
    /// What is changed.
    public enum Change: Sendable {
        /// A key file is needed from now on: this one, of 32 bytes to 1 MiB.
        case bindKeyFile(HeldSecret)
        /// No key file is needed any more.
        case unbindKeyFile
        /// No words on paper open the vault any more.
        case unbindRecoveryKey
        /// A secret in the TPM is needed from now on, while these PCRs are as they are: a bit for each. A
        /// vault that is bound already is bound anew.
        case bindTPM(pcrs: UInt32)
        /// No TPM is needed any more.
        case unbindTPM
        /// A secret of the security key that is plugged in is needed from now on. A vault that is bound
        /// already is bound anew.
        case bindSecurityKey
        /// No security key is needed any more.
        case unbindSecurityKey
        /// A secret that a token decrypts is needed from now on.
        case bindToken(TokenKey, module: String)
        /// No token is needed any more.
        case unbindToken
    }

    let change: Change
    let passphrase: HeldSecret
    let keyFile: HeldSecret

    /// - Parameters:
    ///   - change: what is changed.
    ///   - passphrase: of the vault; it stays.
    ///   - keyFile: that the vault needs now; empty where it needs none.
    public init(_ change: Change, passphrase: HeldSecret, keyFile: HeldSecret) {
        self.change = change
        self.passphrase = passphrase
        self.keyFile = keyFile
    }

    /// The rule as it is before the act.
    /// - Throws: ``CeremonyError/factorNotBound(_:)``; ``CeremonyError/recoveryKeyUnchecked(exists:)`` where
    ///   a factor that can be lost would take the place of the passphrase alone
    public func preview(_ view: VaultView) throws -> [KeySlotInfo] {
        let all = Set(view.slots.flatMap(\.factors))
        switch change {
        case .bindKeyFile, .bindTPM, .bindSecurityKey, .bindToken: try Self.requireRecovery(view)
        case .unbindToken:
            guard view.slots.contains(where: { $0.tokenModule != nil }) else {
                throw CeremonyError.factorNotBound(.token(label: "", module: ""))
            }
        case .unbindSecurityKey:
            guard view.slots.contains(where: \.needsSecurityKey) else {
                throw CeremonyError.factorNotBound(.securityKey(isVerified: false))
            }
        case .unbindTPM:
            guard view.slots.contains(where: \.needsTPM) else {
                throw CeremonyError.factorNotBound(.tpm(pcrs: []))
            }
        case .unbindKeyFile:
            guard all.contains(.keyFile) else { throw CeremonyError.factorNotBound(.keyFile) }
        case .unbindRecoveryKey:
            guard all.contains(.recoveryKey) else { throw CeremonyError.factorNotBound(.recoveryKey) }
            // A TPM breaks, is cleared, and stays behind with its machine; a security key gets lost.
            if view.slots.contains(where: \.needsHardware) {
                throw CeremonyError.recoveryKeyInUse
            }
        }
        return view.slots
    }

    /// Whoever binds a vault to something that burns, breaks or gets lost opens it by words on paper later,
    /// or never. So they were typed once before.
    static func requireRecovery(_ view: VaultView) throws(CeremonyError) {
        let locks = view.slots.compactMap(\.recoveryLock)
        guard !locks.isEmpty else { throw .recoveryKeyUnchecked(exists: false) }
        guard locks.contains(where: { $0 == view.trust.settings[StoreSetting.checkedRecovery] }) else {
            throw .recoveryKeyUnchecked(exists: true)
        }
    }

    /// - Throws: ``CeremonyError/openedWithRecoveryKey``
    public func perform(_ shown: [KeySlotInfo], in context: CommitContext<Self>) throws
        -> PreparedCommit<Void>
    {
        typealias Parts = (HeldSecret, UnlockedVault.RecoveryChange, UnlockedVault.HardwareChange)
        let (next, recovery, hardwareChange): Parts =
            switch change {
            case .bindKeyFile(let file): (file, .kept, .kept)
            case .unbindKeyFile: (HeldSecret(SecretBytes()), .kept, .kept)
            case .unbindRecoveryKey: (keyFile, .removed, .kept)
            case .bindTPM(let pcrs): (keyFile, .kept, .boundTPM(pcrs: pcrs))
            case .unbindTPM: (keyFile, .kept, .removedTPM)
            case .bindSecurityKey: (keyFile, .kept, .boundSecurityKey)
            case .unbindSecurityKey: (keyFile, .kept, .removedSecurityKey)
            case .bindToken(let key, let module): (keyFile, .kept, .boundToken(key, module: module))
            case .unbindToken: (keyFile, .kept, .removedToken)
            }
        let (change, sealed) = try context.changeSlots(
            keeping: passphrase, next, recovery: recovery, hardware: hardwareChange)
        // The counter of a TPM that is bound anew, or not any more.
        let isOfTPM =
            switch self.change {
            case .bindTPM, .unbindTPM: true
            case .bindKeyFile, .unbindKeyFile, .unbindRecoveryKey, .bindSecurityKey, .unbindSecurityKey,
                .bindToken, .unbindToken:
                false
            }
        let former = isOfTPM ? try GenerationCounter(context.trust.state.settings) : nil
        var changes = sealed
        if case .bindTPM = self.change, let seal = change.tpmSeal {
            let counter: GenerationCounter
            do throws(HardwareError) {
                counter = try GenerationCounter(
                    primary: seal.primary, after: context.trust.state.generation,
                    in: context.session.vault, changedBy: change)
            } catch { throw VaultError.hardware(error) }
            changes.append(counter.change)
        }
        let hardware = context.session.vault.hardware
        return PreparedCommit(
            (), changes, events: [context.slotEvent(after: change)], vault: change,
            afterwards: {
                // What is left behind is eight bytes in a TPM that may be gone.
                if let former { try? hardware.removeCounter(former.place) }
            })
    }
}

extension CommitContext {
    /// New slots for the passphrase that opened the vault.
    /// - Throws: ``CeremonyError/openedWithRecoveryKey``
    fileprivate func changeSlots(
        keeping passphrase: HeldSecret, _ keyFile: HeldSecret, recovery: UnlockedVault.RecoveryChange,
        hardware: UnlockedVault.HardwareChange = .kept
    ) throws -> (VaultChange, [TrustChange]) {
        guard !session.vault.isOpenedByRecoveryKey else { throw CeremonyError.openedWithRecoveryKey }
        return try changeSlots(to: passphrase, keyFile, recovery: recovery, hardware: hardware)
    }

    /// New slots, and with them a new data key. What the store keeps encrypted under the old one is encrypted
    /// again.
    func changeSlots(
        to passphrase: HeldSecret, _ keyFile: HeldSecret, recovery: UnlockedVault.RecoveryChange,
        hardware: UnlockedVault.HardwareChange = .kept
    ) throws -> (VaultChange, [TrustChange]) {
        let vault = session.vault
        // The slot that opened may be that of the recovery key, which no passphrase is stretched for.
        let cost = try vault.passphraseCost ?? KDFCost.measured()
        let change = try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try keyFile.withSecret { (keyFile: borrowing SecretBytes) in
                try vault.changingPassphrase(
                    to: passphrase, keyFile: keyFile, cost: cost, recovery: recovery, hardware: hardware)
            }
        }
        let sealed = try view.trust.contacts.compactMap { contact -> TrustChange? in
            guard contact.isPrivate else { return nil }
            let name = try PrivateName(contact, in: vault)
            var next = contact
            next.sealed = name.sealed(for: contact.account, in: vault, after: change)
            return .putContact(next)
        }
        return (change, sealed + (try counterChanges(after: change)))
    }

    /// The counter belongs to the TPM: it goes with it, and its authorization value is sealed again with
    /// everything else.
    private func counterChanges(after change: VaultChange) throws -> [TrustChange] {
        guard let counter = try GenerationCounter(trust.state.settings) else { return [] }
        guard change.tpmSeal != nil else { return [GenerationCounter.removal] }
        // A vault that the counter does not vouch for keeps its counter in no act.
        if let problem = session.store.counterProblem { throw problem }
        return [try counter.resealed(in: session.vault, after: change).change]
    }

    /// The line of the log, with the rule from then on.
    fileprivate func slotEvent(after change: VaultChange) -> LogEvent {
        LogEvent(.keySlotsChanged, [LogEvent.Fact("rule", KeySlotInfo.rule(of: change.slots))] + uncounted)
    }

    /// That the vault was changed although its counter does not vouch for it, and why it does not.
    var uncounted: [LogEvent.Fact] {
        session.store.counterProblem.map { [LogEvent.Fact("without_counter", $0.code.rawValue)] } ?? []
    }
}
