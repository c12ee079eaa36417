import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// An act that needs no session, because it makes the vault or its store. It has the shape of an
/// ``Operation``: a preview, a consent to exactly what was shown, and an outcome that exists only in a
/// receipt.
public protocol FoundingOperation: Sendable {
    /// What a person must see before saying yes.
    associatedtype Shown: Sendable
    /// The result of the act. It leaves this module only inside a ``Receipt``.
    associatedtype Outcome

    /// Reads what a person must see. Changes nothing.
    func preview(_ device: Device) throws -> Shown

    /// Throws where the network detector says that no passphrase may be asked for.
    func requireOffline(_ device: Device) throws

    /// Previews again, compares with what was confirmed, and acts. When it throws, no vault or store is left
    /// half made.
    func perform(_ shown: Shown, in context: FoundingContext<Self>) throws -> Outcome
}

/// The effects of a founding operation, for a person to see. Changes nothing.
public struct FoundingPreview<O: FoundingOperation>: Sendable {
    let operation: O
    /// What a person must see before saying yes.
    public let shown: O.Shown
    let device: Device

    /// A person's yes.
    /// - Parameter answer: asks the person, who has seen ``shown``. It is asked only where the device is
    ///   offline.
    /// - Throws: ``CeremonyError/declined`` after a no.
    public func confirm(asking answer: () throws -> Bool = { true }) throws -> FoundingApproval<O> {
        try operation.requireOffline(device)
        guard try answer() else { throw CeremonyError.declined }
        return FoundingApproval(
            operation: operation, shown: shown, directory: device.directory, consent: .person)
    }

    /// A yes without a person, by an existing development vault; the act proves that it is one.
    /// - Throws: ``CeremonyError/approveNeedsDevelopmentVault``, ``CeremonyError/online(_:)``,
    ///   ``CeremonyError/unacknowledged``, `VaultError`
    public func confirmUnattended() throws -> FoundingApproval<O> {
        guard try device.vault().isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
        try operation.requireOffline(device)
        return FoundingApproval(
            operation: operation, shown: shown, directory: device.directory, consent: .developmentVault)
    }
}

/// A yes to exactly what one preview showed. Only ``FoundingPreview`` makes one.
public struct FoundingApproval<O: FoundingOperation>: Sendable {
    let operation: O
    let shown: O.Shown
    /// The directory of the device that was shown.
    let directory: String
    /// Who said yes.
    public let consent: Consent
}

/// The parts that a founding operation needs. Only ``Device/perform(_:keyFile:asking:telling:passphrase:)``
/// makes one.
public final class FoundingContext<O: FoundingOperation> {
    let device: Device
    let consent: Consent
    let person: any Person
    private let keyFile: HeldSecret
    private let tell: (KDFCost) -> Void
    private let passphrase: () throws -> SecretBytes

    init(
        _ device: Device, _ consent: Consent, _ person: any Person, keyFile: HeldSecret,
        telling tell: @escaping (KDFCost) -> Void, passphrase: @escaping () throws -> SecretBytes
    ) {
        self.tell = tell
        self.device = device
        self.consent = consent
        self.person = person
        self.keyFile = keyFile
        self.passphrase = passphrase
    }

    /// Makes the vault's file, which holds no seed.
    /// - Throws: ``CeremonyError/weakPassphrase(_:)``, ``CeremonyError/repeatedWords(_:)`` or
    ///   ``CeremonyError/knownPhrase``
    func createVault(cost: KDFCost?, isDevelopment: Bool, lookingAgain: () throws -> Void) throws
        -> UnlockedVault
    {
        let passphrase = try passphrase()
        try PassphraseStrength.require(passphrase, isDevelopment: isDevelopment)
        try lookingAgain()
        let cost = try cost ?? KDFCost.measured()
        return try keyFile.withSecret { (keyFile: borrowing SecretBytes) in
            try Vault.create(
                directory: device.directory, passphrase: passphrase, keyFile: keyFile, cost: cost,
                development: isDevelopment)
        }
    }

    /// Opens the seeds, and proves a consent that only a development vault gives.
    func unlockSeeds() throws -> UnlockedVault {
        let vault = try keyFile.withSecret { (keyFile: borrowing SecretBytes) in
            try device.unlockVault(keyFile: keyFile, telling: tell, passphrase: passphrase)
        }
        switch consent {
        case .person: break
        case .policy: throw CeremonyError.approveNeedsPolicy
        case .developmentVault:
            guard vault.isDevelopment else { throw CeremonyError.approveNeedsDevelopmentVault }
        }
        return vault
    }
}

extension Device {
    /// What a founding operation would do, for a person to see. Changes nothing.
    /// - Throws: what ``FoundingOperation/preview(_:)`` throws.
    public func preview<O: FoundingOperation>(_ operation: O) throws -> FoundingPreview<O> {
        FoundingPreview(operation: operation, shown: try operation.preview(self), device: self)
    }

    /// Carries out the confirmed operation.
    ///
    /// - `keyFile`: the second factor of the vault; empty for a vault without one.
    /// - `person`: the person, who is asked for a word if a backup has keys on more than one network.
    /// - `tell`: gets the cost of deriving the existing vault's key, before its passphrase is asked for, if
    ///   this program would choose another cost.
    /// - `passphrase`: the passphrase of the existing vault, or of the new one. Operations that carry their
    ///   passphrase never ask for it.
    /// - Throws: ``CeremonyError``, `VaultError`, `StoreError`
    public func perform<O: FoundingOperation>(
        _ approval: FoundingApproval<O>, keyFile: HeldSecret = HeldSecret(SecretBytes()),
        asking person: some Person = Nobody(),
        telling tell: @escaping (KDFCost) -> Void = { _ in }, passphrase: @escaping () throws -> SecretBytes
    ) throws -> Receipt<O.Outcome> {
        guard approval.directory.utf8Equals(directory) else { throw CeremonyError.changedSinceShown }
        let context = FoundingContext<O>(
            self, approval.consent, person, keyFile: keyFile, telling: tell, passphrase: passphrase)
        return Receipt(try approval.operation.perform(approval.shown, in: context), approval.consent)
    }
}
