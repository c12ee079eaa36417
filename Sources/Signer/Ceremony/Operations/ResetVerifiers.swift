import Diagnostics
import Keys
import SubstratePrimitives
import TrustStore
import TrustUpdates
import Vault

/// Wipes all trust data: networks, metadata, types and verifiers. Seeds and keys stay.
///
/// A store that its seal does not match is renamed and replaced by a new one; then its keys are gone, too.
/// Therefore this operation opens only the seeds and needs no session.
public struct ResetVerifiers: FoundingOperation {
    /// What became of the store.
    public enum Outcome: Sendable, Equatable {
        /// Its trust was replaced; seeds and keys did not change.
        case reset
        /// The store was refused for this reason, renamed and replaced.
        case replaced(StoreError)
    }

    let verifier: PublicKey?
    let networks: [NetworkSpecs]

    /// - Parameters:
    ///   - verifier: the general verifier from now on; nil for trust on first use.
    ///   - networks: the networks of the vault from now on.
    public init(verifier: PublicKey?, networks: [NetworkSpecs]) {
        self.verifier = verifier
        self.networks = networks
    }

    /// What it does and what the log will say of it; nil where the store cannot be read.
    public func preview(_ device: Device) throws -> ChangeTrust.Step? {
        (try? device.trust()).map { step($0.state) }
    }

    public func requireOffline(_ device: Device) throws { try device.requireOffline() }

    public func perform(_ shown: ChangeTrust.Step?, in context: FoundingContext<Self>) throws -> Outcome {
        let device = context.device
        let vault = try context.unlockSeeds()
        do {
            let store = try TrustStore(directory: device.directory, clock: device.clock, boot: device.boot)
                .unlock(vault)
            let trust = try store.trust()
            let now = step(trust.state)
            guard now == shown else { throw CeremonyError.changedSinceShown }
            try store.change(since: trust, now.changes, events: now.events)
            return .reset
        } catch {
            guard let broken = error as? StoreError else { throw error }
            if broken == .changedSinceShown { throw CeremonyError.changedSinceShown }
            guard broken.isBeyondRepair else { throw error }
            try replace(broken, device, vault)
            return .replaced(broken)
        }
    }

    private func replace(_ error: StoreError, _ device: Device, _ vault: UnlockedVault) throws {
        let fresh = TrustSetup.initial(
            verifier: verifier, networks: networks, allowOnline: vault.isDevelopment)
        _ = try TrustStore.replaceBroken(
            directory: device.directory, vault: vault, changes: fresh.changes,
            events: [LogEvent.sealBroken(error.code), LogEvent(.verifiersReset)] + fresh.events,
            clock: device.clock,
            boot: device.boot)
    }

    private func step(_ state: TrustState) -> ChangeTrust.Step {
        let step = TrustSetup.reset(state, verifier: verifier, networks: networks)
        return ChangeTrust.Step(changes: step.changes, events: step.events)
    }
}
