import Accounts
import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// Stores keys that another wallet made, with their secrets. No seed of the vault gives them.
public struct ImportKeys: Operation {
    /// Where they come from; the log keeps the raw value.
    public enum Origin: String, Sendable, CaseIterable {
        /// From a keystore file.
        case keystore
        /// From a secret that a person typed.
        case secret
        /// From a QR code with a secret.
        case scanned = "scanned_secret"
    }

    /// What is stored.
    public struct Shown: Sendable, Equatable {
        /// Keys that the vault does not hold yet, in the order in which they were given.
        public let added: [PublicKey]
        /// Keys that it holds already; they stay as they are.
        public let held: [KeyRecord]
        /// nil for keys that may not sign anywhere yet.
        public let network: NetworkSpecs?
    }

    let keys: [ForeignKey]
    let origin: Origin
    let network: String?

    /// - Parameters:
    ///   - keys: at least one; the same key twice is one.
    ///   - origin: where they come from.
    ///   - network: its name, or its genesis hash in hex.
    public init(_ keys: [ForeignKey], origin: Origin, network: String? = nil) {
        self.keys = keys
        self.origin = origin
        self.network = network
    }

    /// - Throws: ``KeyRefusal`` where the vault holds all of them, `LookupError`
    public func preview(_ view: VaultView) throws -> Shown {
        var added: [PublicKey] = []
        var held: [KeyRecord] = []
        var specs: NetworkSpecs?
        for key in keys.map(\.publicKey) {
            if let network {
                // One chain, which has to take the keys of every scheme.
                let found = try view.trust.network(named: network, scheme: key.scheme)
                specs = specs ?? found
            }
            if let record = view.trust.key(key) {
                if !held.contains(record) { held.append(record) }
            } else if !added.contains(key) {
                added.append(key)
            }
        }
        if added.isEmpty, let first = held.first {
            throw KeyRefusal.exists(holder: view.trust.holder(of: first), path: first.path)
        }
        return Shown(added: added, held: held, network: specs)
    }

    /// The secrets enter the vault file and the keys the store in one step: a key that signs has its secret,
    /// and the file holds no secret that nobody sees.
    /// - Returns: the keys that were added.
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<[PublicKey]>
    {
        let networks = shown.network.map { Set([$0.genesisHash]) } ?? []
        let named = shown.network.map { [LogEvent.Fact("network", $0.name)] } ?? []
        let events = shown.added.map { key in
            LogEvent(
                .keyAdded,
                [
                    LogEvent.Fact("key", Hex.encode(key.bytes)), LogEvent.Fact("scheme", key.scheme.name),
                    LogEvent.Fact("how", origin.rawValue),
                ] + named)
        }
        let secrets = shown.added.compactMap { key in keys.first { $0.publicKey == key } }
        return PreparedCommit(
            shown.added, shown.added.map { .addKey(KeyRecord(imported: $0, networks: networks)) },
            events: events, vault: try context.session.vault.adding(keys: secrets))
    }
}
