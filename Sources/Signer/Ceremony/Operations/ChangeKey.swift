import Accounts
import Hashing
import SubstratePrimitives
import TrustStore

/// Changes the label of a key or the networks that it may sign for, or removes the key.
public struct ChangeKey: Operation {
    /// What changes. Networks are named, or given by their genesis hash in hex.
    public enum Change: Sendable {
        /// At most ``KeyRefusal/maximumLabelLength`` bytes; nil removes the label.
        case label(String?)
        /// The key may sign for one network more. A second one needs the person's word.
        case allow(network: String)
        /// The key may no longer sign for a network that it is allowed on.
        case forbid(network: String)
        /// The key goes; its seed, or the record of its group, can derive it again. An imported key goes with
        /// its secret, and only what it was imported from brings it back.
        case remove
    }

    /// The key and the network with these names, and the change to write.
    public struct Step: Sendable, Equatable {
        /// The key as it was before.
        public let key: KeyRecord
        /// The network that is allowed or forbidden.
        public let network: NetworkSpecs?
        let change: TrustChange
        let event: LogEvent
    }

    let address: String
    let change: Change

    /// - `address`: of the key, as `TrustState.key(address:)` reads it. Networks are named, or given by their
    ///   genesis hash in hex.
    public init(_ address: String, _ change: Change) {
        self.address = address
        self.change = change
    }

    /// - Throws: `LookupError`, ``KeyRefusal``, `RotationRefusal`, `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Step {
        let key = try view.trust.key(address: address)
        let publicKey = key.publicKey
        switch change {
        case .label(let text):
            guard (text ?? "").utf8.count <= KeyRefusal.maximumLabelLength else {
                throw KeyRefusal.labelTooLong((text ?? "").utf8.count)
            }
            return step(key, .labelKey(publicKey, text), .keyLabelled, view.trust)
        case .allow(let name):
            try view.trust.requireCompared(key)
            let network = try view.trust.network(named: name, scheme: publicKey.scheme)
            guard !key.networks.contains(network.genesisHash) else {
                throw KeyRefusal.exists(holder: view.trust.holder(of: key), path: key.path)
            }
            return step(
                key, .allowKey(publicKey, network.genesisHash), .keyAllowed, view.trust, network: network)
        case .forbid(let name):
            try view.trust.requireMoved(key: key)
            let network = try specs(named: name, of: publicKey.scheme, view.trust)
            guard key.networks.contains(network.genesisHash) else {
                throw LookupError.keyNotOfNetwork(network.name)
            }
            return step(
                key, .forbidKey(publicKey, network.genesisHash), .keyForbidden, view.trust, network: network)
        case .remove:
            try view.trust.requireMoved(key: key)
            // Its members know the group by this account; it goes with the group.
            if let group = key.group, key.path.utf8.isEmpty {
                throw KeyRefusal.keyOfGroup(view.trust.group(group)?.name ?? "")
            }
            return Step(
                key: key, network: nil, change: .removeKey(publicKey),
                event: LogEvent(.keyRemoved, LogEvent.facts(of: key, in: view.trust))
            )
        }
    }

    /// The specs of the chain for the key's scheme, or any specs of the chain if the vault has none for it:
    /// forbidding then also covers specs that an update brings back.
    /// - Throws: ``LookupError/networkOfOtherScheme(_:has:asked:)`` for a name with another scheme than the
    ///   key's.
    private func specs(named name: String, of scheme: SignatureScheme, _ trust: TrustState) throws
        -> NetworkSpecs
    {
        let named = try trust.networksOfOneChain(named: name)
        let isHeld = trust.network(genesis: named[0].genesisHash, scheme: scheme) != nil
        return isHeld ? try trust.network(named: name, scheme: scheme) : named[0]
    }

    private func step(
        _ key: KeyRecord, _ change: TrustChange, _ kind: LogEvent.Kind, _ trust: TrustState,
        network: NetworkSpecs? = nil
    ) -> Step {
        let named = network.map { [LogEvent.Fact("network", $0.name)] } ?? []
        return Step(
            key: key, network: network, change: change,
            event: LogEvent(
                kind,
                [
                    LogEvent.Fact("key", Hex.encode(key.publicKey.bytes)),
                    LogEvent.Fact("scheme", key.publicKey.scheme.name),
                ] + LogEvent.origin(of: key, in: trust) + named))
    }

    public func perform(_ shown: Step, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let takesSecret = shown.key.isImported && shown.change == .removeKey(shown.key.publicKey)
        return PreparedCommit(
            (), [shown.change], events: [shown.event],
            vault: takesSecret ? try context.session.vault.removing(key: shown.key.publicKey) : nil)
    }
}
