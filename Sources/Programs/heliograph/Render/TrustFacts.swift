import Extrinsics
import Hashing
import SubstratePrimitives
import TrustStore

struct NetworkFacts: Encodable {
    let specs: NetworkSpecs
    let verifier: VerifierFacts
    let metadata: [UInt32]
    /// `always`, `where_possible` or `never`; null where the stored value cannot be read, and nothing is signed.
    let require_metadata_hash: Explicit<String>

    init(_ specs: NetworkSpecs, state: TrustState) {
        self.specs = specs
        verifier = VerifierFacts(state.verifiers[specs.genesisHash] ?? .custom(nil), general: state.generalVerifier)
        metadata = state.metadata(genesis: specs.genesisHash).map(\.version).sorted(by: >)
        require_metadata_hash = Explicit(state.metadataHashDemand(genesis: specs.genesisHash)?.rawValue)
    }
}

struct VerifierFacts: Encodable {
    let kind: String
    let public_key: Explicit<String>
    let scheme: Explicit<String>

    init(_ verifier: Verifier, general: PublicKey?) {
        let key: PublicKey? =
            switch verifier {
            case .general: general
            case .custom(let key): key
            case .revoked: nil
            }
        self.init(kind: verifier.word, key: key)
    }

    init(kind: String, key: PublicKey?) {
        self.kind = kind
        public_key = Explicit(key.map { Hex.encode($0.bytes) })
        scheme = Explicit(key?.scheme.name)
    }
}

/// Types that serve every network, in one piece.
struct TypesFacts: Encodable {
    let hash: String
    let bytes: Int

    /// nil where none are loaded.
    init?(_ state: TrustState) {
        guard let types = state.types else { return nil }
        hash = types.hash.hex
        bytes = types.length
    }
}
