import Accounts
import SubstratePrimitives
import TrustStore

/// Forgets which nonces a key signed with on one network, so that no nonce is compared with them.
///
/// The memory protects from a transaction that a chain can never take, and from one that silently replaces
/// another. A nonce that was signed and never sent, on a chain that began anew or with a key that signs
/// elsewhere as well, can make it wrong for good, and then every transaction has a warning and no rule signs.
/// So a person may end it, by a typed word; what was signed stays in the log, and amounts stay counted.
public struct ForgetNonce: Operation {
    /// Whose nonces are forgotten.
    public struct Shown: Sendable, Equatable {
        /// Of the signer.
        public let key: KeyRecord
        /// Where it signed.
        public let network: NetworkSpecs
        /// nil where none is remembered.
        public let highest: UInt128?
        fileprivate let account: [UInt8]
    }

    /// What a person types instead of yes.
    public static let word = "forget nonces"

    let address: String
    let network: String

    /// - Parameters:
    ///   - address: of the key, as `TrustState.key(address:)` reads it.
    ///   - network: its name, or its genesis hash in hex.
    public init(_ address: String, network: String) { (self.address, self.network) = (address, network) }

    /// - Throws: `LookupError`, `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Shown {
        let key = try view.trust.key(address: address)
        let network = try view.trust.network(named: network, scheme: key.publicKey.scheme)
        guard let account = key.ethereumAddress ?? key.publicKey.accountID else {
            throw LookupError.keyNotOfNetwork(network.name)
        }
        let highest = try view.chain.nonceMemory(of: account, on: network.genesisHash).highest
        return Shown(key: key, network: network, highest: highest, account: account)
    }

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        let facts = [
            LogEvent.Fact("network", shown.network.name),
            LogEvent.Fact("signer", shown.key.publicKey.address(prefix: shown.network.base58Prefix)),
            LogEvent.Fact("highest", shown.highest.map { "\($0)" } ?? "none"),
            LogEvent.Fact("word", Self.word),
        ]
        let row = try bench.view.chain.nonceMemory(of: shown.account, on: shown.network.genesisHash)
            .forgetting
        return Work((), events: [LogEvent(.nonceForgotten, facts)], history: HistoryWrite([row]))
    }
}
