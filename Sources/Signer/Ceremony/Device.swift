import AirGap
import Diagnostics
import HardwareProtocol
import History
import Keys
import Review
import SubstratePrimitives
import SystemIO
import TrustStore
import UOS
import Vault

/// A vault, its trust store and the network detector, as they are without the passphrase.
public struct Device: Sendable {
    /// The path of the folder that holds the vault and its store, resolved once: links may lead to it, but
    /// every file of one vault is taken from one folder, and no link is followed for a file in it.
    public let directory: String
    private let detector: @Sendable () -> ShieldReport
    let clock: @Sendable () -> UInt64
    let boot: @Sendable () -> BootReading
    let nonces: any NonceKeeper
    /// Takes part in opening a vault that is bound to it.
    let hardware: any Hardware
    /// nil where starts are not compared.
    let firstDraw: FirstDraw?

    /// - Parameters:
    ///   - directory: the vault's directory.
    ///   - detector: finds out what this machine is connected to.
    ///   - clock: seconds since 1970.
    ///   - boot: the start of the machine.
    ///   - nonces: keeps the nonces of open offers.
    ///   - hardware: what a vault may be bound to.
    ///   - firstDraw: what an unlock compares with the process before; nil compares nothing.
    public init(
        directory: String, detector: @escaping @Sendable () -> ShieldReport = { Shield().report() },
        clock: @escaping @Sendable () -> UInt64 = { systemClock() },
        boot: @escaping @Sendable () -> BootReading = { .system() },
        nonces: any NonceKeeper = NonceMemory(), hardware: any Hardware = NoHardware(),
        firstDraw: FirstDraw? = nil
    ) {
        self.directory = Directory.resolved(directory)
        self.detector = detector
        self.clock = clock
        self.boot = boot
        self.nonces = nonces
        self.hardware = hardware
        self.firstDraw = firstDraw
    }

    /// Seconds since 1970 by this device's clock.
    public var now: UInt64 { clock() }

    /// The clocks of this device.
    var reading: ClockReading { ClockReading(wall: clock(), boot: boot()) }

    /// The vault's header. Nothing in it is proven before an unlock.
    /// - Throws: `VaultError.missing(_:)` where there is no vault, `VaultError.lost(_:)` where only its store
    ///   is left, other cases for one that cannot be read.
    public func vault() throws(VaultError) -> Vault {
        do throws(VaultError) {
            return try Vault.open(directory: directory)
        } catch {
            guard case .missing = error, TrustStore.exists(directory: directory) else { throw error }
            throw .lost(directory)
        }
    }

    /// The trust in the store, **not checked**: print it with these words.
    /// - Throws: `VaultError.missing(_:)`, `StoreError`
    public func trust() throws -> UncheckedTrust { try store().uncheckedTrust() }

    /// The store without its key, for reading.
    /// - Throws: `VaultError.missing(_:)` where there is no vault either, `StoreError.missing` where only its
    ///   store is gone.
    public func store() throws -> TrustStore {
        try Vault.requirePrivate(directory: directory)
        do {
            return try TrustStore(directory: directory, clock: clock, boot: boot)
        } catch {
            guard error == .missing else { throw error }
            _ = try vault()
            throw error
        }
    }

    func view() throws -> VaultView {
        let (vault, store) = (try vault(), try store())
        let unchecked = try store.uncheckedTrust()
        let trust = unchecked.state
        return VaultView(
            vaultID: vault.id, trust: trust, seedNames: vault.seedNames,
            importedKeys: vault.importedKeys, slots: vault.slots, isDevelopment: vault.isDevelopment,
            shield: shield(trust, store),
            history: store.uncheckedHistory(unchecked), now: clock(), moment: VaultMoment(trust, at: reading),
            isLive: isLive(vault.id),
            requireNonces: nonces.prepare,
            content: { try store.content($0) })
    }

    /// Whether the nonces of an offer of this vault still wait. Nothing is read from them, so this needs no
    /// key.
    func isLive(_ vault: [UInt8]) -> (Hash32) throws -> Bool {
        { [nonces] request in try nonces.holds(request, of: vault) }
    }

    /// Whether the nonces of an open request still wait in memory, so that its second round can come.
    public func isOpen(_ offer: GroupOffer) throws -> Bool { try isLive(vault().id)(offer.request) }

    // MARK: The air gap

    /// What the detector sees now.
    func report() -> ShieldReport { detector() }

    func shield(_ trust: TrustState, _ store: TrustStore) -> ShieldPolicy {
        ShieldPolicy(detector(), settings: trust.settings, journalled: store.journalled)
    }

    /// The detector's result now, compared with the stored settings; unchecked, which is enough to warn.
    public func shield() throws -> ShieldPolicy {
        let store = try store()
        return shield(try store.uncheckedTrust().state, store)
    }

    /// Journals that the device is or was online, once for each change.
    @discardableResult
    public func recordShield() throws -> ShieldPolicy {
        let policy = try shield()
        if let event = policy.event { try store().journal(event) }
        return policy
    }

    /// Refuses if this device is or was online. Call it before asking for a passphrase, and before a question
    /// whose yes needs one.
    ///
    /// An unreadable store states neither its permissions nor what was acknowledged. Then the vault's header
    /// says whether it is a development vault, and only the present state of the network counts.
    /// - Throws: ``CeremonyError/online(_:)``, ``CeremonyError/unacknowledged``
    public func requireOffline() throws {
        do {
            let policy = try recordShield()
            if policy.allowsSecrets { return }
            throw policy.status == .online
                ? CeremonyError.online(policy.report.findings) : CeremonyError.unacknowledged
        } catch {
            guard let broken = error as? StoreError, broken.isBeyondRepair else { throw error }
            let report = detector()
            if report.isOnline, try !vault().isDevelopment { throw CeremonyError.online(report.findings) }
        }
    }

    // MARK: Unlocking

    /// Opens only the seeds. The cost of the derivation is the one passed to `tell`, or a lower one.
    func unlockVault(
        keyFile: borrowing SecretBytes, telling tell: (KDFCost) -> Void, passphrase: () throws -> SecretBytes
    ) throws -> UnlockedVault {
        let vault = try vault()
        // Without the key file even the right passphrase fails, so this is not counted as a wrong passphrase.
        guard keyFile.count > 0 || !vault.slots.allSatisfy(\.needsKeyFile) else {
            throw CeremonyError.keyFileNeeded
        }
        // Its loss would hide that somebody tried to get in.
        if TrustStore.exists(directory: directory), !TrustStore.hasJournal(directory: directory) {
            try vault.suspect(.journal)
        }
        try vault.requireFree()
        if let cost = vault.unusualCost { tell(cost) }
        let passphrase = try passphrase()
        // The words of a recovery key need no key file, and every slot of the passphrase does.
        guard
            keyFile.count > 0 || vault.slots.contains(where: { !$0.needsKeyFile && $0.recoveryLock == nil })
                || RecoveryKey.isRight(passphrase)
        else { throw CeremonyError.keyFileNeeded }
        do {
            return try vault.unlock(passphrase: passphrase, keyFile: keyFile, hardware: hardware)
        } catch {
            // A store that cannot be written to must not hide what is wrong with the passphrase.
            if case .wrongPassphrase = error { _ = try? store().journal(LogEvent(.wrongPassphrase)) }
            throw error
        }
    }

    /// How the TPM limits guessing, if the vault is bound to one.
    public func tpmFacts() throws(HardwareError) -> TPMFacts { try hardware.facts() }

    // MARK: Refusals

    /// The store that refuses cannot take it into its log; the next one that opens does.
    func record(broken error: any Error) {
        guard let broken = error as? StoreError, broken.isBeyondRepair else { return }
        _ = try? store().journal(.sealBroken(broken.code))
    }

    /// For a payload that is refused before it is known what it asks for.
    public func record(refusalOf payload: Payload, reason: Diagnostic.Code) {
        _ = try? store().journal(LogEvent.refusal(of: payload, reason: reason))
    }

    /// For metadata that cannot be expanded.
    public func record(refusalOf compressed: CompressedPayload, reason: Diagnostic.Code) {
        _ = try? store().journal(LogEvent.refusal(of: compressed, reason: reason))
    }
}

extension StoreError {
    /// Whether only a new store helps, because this store is missing or unreadable, or its seal does not
    /// match.
    var isBeyondRepair: Bool {
        switch self {
        case .counterDiffers, .counterSilent: false
        case .sealBroken, .rolledBack, .vaultReplaced, .notAStore, .otherLayout, .unreadable, .missing,
            .damaged:
            true
        case .busy, .alreadyExists, .inputOutput, .journalTooLarge, .vaultFileUnwritten, .changedSinceShown,
            .contentBroken, .conflict,
            .keyReuse:
            false
        }
    }
}

/// Reads of the store as it lies on the disk, **not checked**: print it with these words.
extension Device {
    /// Vault time, **not checked**.
    public func moment() throws -> VaultMoment { VaultMoment(try trust().state, at: reading) }

    /// The chain data that a review of payloads reads.
    public func chain() throws -> ChainData {
        let store = try store()
        let trust = try store.uncheckedTrust()
        let moment = VaultMoment(trust.state, at: reading)
        let history = store.uncheckedHistory(trust).map { ReviewHistory($0, now: clock(), moment: moment) }
        return ChainData(state: trust.state, history: history) { try store.content($0) }
    }

    /// Whether a policy is in force that may approve something without a person.
    /// - Throws: the reason why the policy is unreadable.
    public func hasApprovingRules() throws -> Bool {
        try chain().policy()?.approve?.isEmpty == false
    }

    /// Entries of the log in order, from number `first` on, at most `limit`.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws -> [LogEntry] {
        try store().log(from: first, limit: limit)
    }

    /// Reads the log entry by entry, for logs of any length.
    public func readLog(from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) -> Void) throws {
        try store().readLog(from: first, limit: limit, body)
    }

    /// Events that wait for the next unlock, each with its time in seconds since 1970 by this device's clock.
    public func waiting() throws -> [(time: UInt64, event: LogEvent)] { try store().waiting }

    /// Follows the log's hash chain between the ends that the store names; they are proven only by
    /// ``Session/checkLog()``.
    /// - Throws: `StoreError.sealBroken(_:)`
    public func checkLog() throws { try store().checkLog() }

    /// Checks only the newest entries of the log, so that the time does not grow with the log.
    /// - Returns: the first of them; nil in an empty log.
    public func checkLogEnd() throws -> UInt64? { try store().checkLogEnd() }
}
