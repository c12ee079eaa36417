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
        try view.trust.requireSeed(of: key)
        return Subject(key: key, network: try key.network(named: network, in: view.trust))
    }

    /// What a secret QR code holds, as text: `secret:0x` and the hex digits of 32 or 64 bytes, `:` and those
    /// of the genesis hash.
    public func perform(_ shown: Subject, in context: CommitContext<Self>) throws -> PreparedCommit<
        HeldSecret
    > {
        let secret = try context.keyPair(shown.key).exportSecret()
        return PreparedCommit(
            HeldSecret(Self.text(secret, genesis: shown.network.genesisHash)),
            events: [LogEvent(.keySecretExported, LogEvent.facts(of: shown.key, in: context.view.trust))])
    }

    private static func text(_ secret: borrowing SecretBytes, genesis: GenesisHash) -> SecretBytes {
        let prefix = Array("secret:0x".utf8)
        let suffix = Array((":" + genesis.hex).utf8)
        let digits = Array("0123456789abcdef".utf8)
        return SecretBytes(count: prefix.count + 2 * secret.count + suffix.count) { out in
            out.copyBytes(from: prefix)
            secret.withUnsafeBytes { secret in
                for (index, byte) in secret.enumerated() {
                    out[prefix.count + 2 * index] = digits[Int(byte >> 4)]
                    out[prefix.count + 2 * index + 1] = digits[Int(byte & 15)]
                }
            }
            for (index, byte) in suffix.enumerated() { out[prefix.count + 2 * secret.count + index] = byte }
        }
    }
}
