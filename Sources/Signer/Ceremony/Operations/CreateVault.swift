import AirGap
import SubstratePrimitives
import TrustStore
import TrustUpdates
import Vault

/// Makes a vault with its passphrase, its networks and its verifier.
public struct CreateVault: FoundingOperation {
    let verifier: PublicKey?
    let networks: [NetworkSpecs]
    let isDevelopment: Bool
    let cost: KDFCost?

    /// - `verifier`: the general verifier; nil for trust on first use.
    /// - `isDevelopment`: whether this is a vault for tests, in which the network detector only warns. It
    ///   cannot be changed later.
    /// - `cost`: the cost of the key derivation; nil for about a second on this machine.
    public init(verifier: PublicKey?, networks: [NetworkSpecs], isDevelopment: Bool, cost: KDFCost? = nil) {
        self.verifier = verifier
        self.networks = networks
        self.isDevelopment = isDevelopment
        self.cost = cost
    }

    /// The first state of the vault, with the lines of its log.
    /// - Throws: `VaultError.exists(_:)`, ``CeremonyError/onlineAtStart(_:)``
    public func preview(_ device: Device) throws -> ChangeTrust.Step {
        try requireOffline(device)
        try Vault.requirePrivate(directory: device.directory)
        try Vault.requireNone(directory: device.directory)
        let step = TrustSetup.initial(verifier: verifier, networks: networks, allowOnline: isDevelopment)
        return ChangeTrust.Step(changes: step.changes, events: step.events)
    }

    /// No vault for real keys is made on a device that is online.
    /// - Throws: ``CeremonyError/onlineAtStart(_:)``
    public func requireOffline(_ device: Device) throws {
        let report = device.report()
        guard !report.isOnline || isDevelopment else { throw CeremonyError.onlineAtStart(report.findings) }
    }

    public func perform(_ shown: ChangeTrust.Step, in context: FoundingContext<Self>) throws {
        let device = context.device
        let vault = try context.createVault(cost: cost, isDevelopment: isDevelopment) {
            guard try preview(device) == shown else { throw CeremonyError.changedSinceShown }
        }
        // What the detector finds of the past is acknowledged at once: a new vault holds nothing that could
        // have leaked.
        let past = ShieldPolicy.accountFor(device.report())
        // The first unlock of another process has something to compare with.
        let draw = device.firstDraw.map {
            [TrustChange.putSetting(StoreSetting.firstDraw, $0.digest(for: vault))]
        }
        do {
            _ = try TrustStore.create(
                directory: device.directory, vault: vault,
                changes: shown.changes + past.changes + (draw ?? []),
                events: shown.events + past.events,
                clock: device.clock, boot: device.boot)
            device.firstDraw?.tell(vault.id)
        } catch {
            // Without a store, or beside a foreign one, the new vault is removed. A store that was just made
            // is complete, and its vault stays.
            if error as? StoreError == .alreadyExists || !TrustStore.exists(directory: device.directory) {
                vault.discardNew()
            }
            throw error
        }
    }
}
