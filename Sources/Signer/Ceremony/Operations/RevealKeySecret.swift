import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// Exports the secret of a key. Whoever sees it owns the account.
public struct RevealKeySecret: Operation {
    let name: String
    let network: String?

    /// What is exported.
    public struct Subject: Sendable, Equatable {
        /// The key whose secret is exported.
        public let key: KeyRecord
        /// The network that the secret names.
        public let network: NetworkSpecs
    }

    /// - Parameters:
    ///   - name: the key's address or label.
    ///   - network: a network of the key by its name; nil for its first.
    public init(key name: String, network: String? = nil) {
        self.name = name
        self.network = network
    }

    /// - Throws: `LookupError`, ``KeyRefusal/heldByGroup(_:)``, `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Subject {
        let key = try view.trust.key(named: name)
        try view.trust.requireHeldHere(key)
        return Subject(key: key, network: try key.network(named: network, in: view.trust))
    }

    /// Returns the text of a secret QR code: `secret:0x` and the hex digits of 32 or 64 bytes, `:` and those
    /// of the genesis hash.
    public func perform(_ shown: Subject, in context: CommitContext<Self>) throws -> PreparedCommit<
        HeldSecret
    > {
        let secret = try context.keyPair(shown.key).exportSecret()
        return PreparedCommit(
            HeldSecret(SecretKeyText.code(secret, genesis: shown.network.genesisHash)),
            events: [LogEvent(.keySecretExported, LogEvent.facts(of: shown.key, in: context.view.trust))])
    }
}
