import AirGap
import History
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// The state that a preview reads: the header of the vault, its trust and the network detector. It cannot
/// write, and holds no secret.
public struct VaultView {
    /// Tells vaults apart, as the header says; an unlock proves it.
    let vaultID: [UInt8]
    /// Unchecked where the preview is for a person, sealed where it comes before an act.
    let trust: TrustState
    /// In the order in which they were added.
    let seedNames: [String]
    /// Keys whose secrets the vault file holds, because no seed gives them.
    let importedKeys: [PublicKey]
    /// What opens the vault.
    let slots: [KeySlotInfo]
    let isDevelopment: Bool
    /// What the network detector sees now, compared with what the store remembers.
    let shield: ShieldPolicy
    /// Metadata, types and lists by their hash.
    let content: (Hash32) throws -> [UInt8]
    /// Proven where ``trust`` is.
    let history: HistorySource?
    /// The time by this device's clock.
    let now: UInt64
    /// The vault time by which budgets count.
    let moment: VaultMoment
    /// Whether the nonces of an offer still wait in memory.
    let isLive: (Hash32) throws -> Bool
    /// Refuses where nonces cannot wait in memory.
    let requireNonces: () throws -> Void

    init(
        vaultID: [UInt8], trust: TrustState, seedNames: [String], importedKeys: [PublicKey],
        slots: [KeySlotInfo], isDevelopment: Bool, shield: ShieldPolicy,
        history: HistorySource?, now: UInt64, moment: VaultMoment, isLive: @escaping (Hash32) throws -> Bool,
        requireNonces: @escaping () throws -> Void, content: @escaping (Hash32) throws -> [UInt8]
    ) {
        self.vaultID = vaultID
        self.trust = trust
        self.seedNames = seedNames
        self.importedKeys = importedKeys
        self.slots = slots
        self.isDevelopment = isDevelopment
        self.shield = shield
        self.content = content
        self.history = history
        self.now = now
        self.moment = moment
        self.isLive = isLive
        self.requireNonces = requireNonces
    }

    /// The chain data that a review of payloads reads.
    var chain: ChainData {
        ChainData(
            state: trust, history: history.map { ReviewHistory($0, now: now, moment: moment) },
            content: content)
    }

    /// - Throws: ``VaultError/noSuchSeed(_:)``
    func requireSeed(_ name: String) throws(VaultError) {
        guard seedNames.containsUTF8(of: name) else { throw .noSuchSeed(name) }
    }
}
