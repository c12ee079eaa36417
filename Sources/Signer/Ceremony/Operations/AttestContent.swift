import Accounts
import Review
import SubstratePrimitives
import TrustStore
import TrustUpdates
import UOS

/// Signs specs, metadata, types or an asset list that the vault holds, so that the hot side can make a signed
/// update of them.
public struct AttestContent: Operation {
    /// What is signed. Networks are named, or given by their genesis hash in hex.
    public enum Content: Sendable {
        /// The specs of a network.
        case specs(network: String)
        /// - Parameter version: nil for the newest.
        case metadata(network: String, version: UInt32?)
        /// The types for metadata 13 and older.
        case types
        /// The units of a network's assets.
        case assets(network: String)
    }

    /// What is signed, and the key that signs it.
    public struct Subject: Sendable, Equatable {
        /// The content with the bytes that are signed.
        public let attestation: Attestation
        /// The key that signs.
        public let key: KeyRecord
    }

    let content: Content
    let address: String

    /// - `address`: of the key that signs.
    public init(_ content: Content, key address: String) {
        self.content = content
        self.address = address
    }

    /// - Throws: `LookupError`, `Attestation.Failure`, `ReviewError.noMetadata(network:)`,
    ///   `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Subject {
        let key = try view.trust.key(address: address)
        try view.trust.requireHeldHere(key)
        return Subject(attestation: try Attestation(subject(in: view.trust), view.chain), key: key)
    }

    private func subject(in trust: TrustState) throws -> Attestation.Subject {
        switch content {
        case .types: return .types
        case .specs(let name):
            let specs = try trust.network(named: name)
            return .specs(specs.genesisHash, specs.scheme)
        case .assets(let name): return .assets(try trust.networksOfOneChain(named: name)[0].genesisHash)
        case .metadata(let name, let version):
            let genesis = try trust.networksOfOneChain(named: name)[0].genesisHash
            guard let newest = trust.metadata(genesis: genesis).map(\.version).max() else {
                throw ReviewError.noMetadata(network: name)
            }
            return .metadata(genesis, version: version ?? newest)
        }
    }

    /// - Throws: ``KeyRefusal/schemeCannotAttest(_:)``
    public func requireAllowed(_ shown: Subject) throws {
        guard shown.key.publicKey.scheme != .ethereum else {
            throw KeyRefusal.schemeCannotAttest(shown.key.publicKey.scheme.name)
        }
    }

    /// SufficientCrypto: the scheme's index, the public key and the signature.
    public func perform(_ shown: Subject, in context: CommitContext<Self>) throws -> PreparedCommit<[UInt8]> {
        let pair = try context.keyPair(shown.key)
        let signature = UpdateSignature(
            key: pair.publicKey, signature: try pair.sign(shown.attestation.signedBytes))
        guard let answer = signature.sufficientCrypto else {
            throw KeyRefusal.schemeCannotAttest(pair.scheme.name)
        }
        return PreparedCommit(answer, events: [shown.attestation.event(signedBy: pair.publicKey)])
    }
}
