import Extrinsics
import Hashing
import SubstratePrimitives
import TrustStore

package struct NetworkFacts: Encodable {
    package let specs: NetworkSpecs
    package let verifier: VerifierFacts
    package let metadata: [UInt32]
    /// `always`, `where_possible` or `never`; null where the stored value cannot be read, and nothing is
    /// signed.
    let require_metadata_hash: Explicit<String>

    package init(_ specs: NetworkSpecs, state: TrustState) {
        self.specs = specs
        verifier = VerifierFacts(
            state.verifiers[specs.genesisHash] ?? .custom(nil), general: state.generalVerifier)
        metadata = state.metadata(genesis: specs.genesisHash).map(\.version).sorted(by: >)
        require_metadata_hash = Explicit(state.metadataHashDemand(genesis: specs.genesisHash)?.rawValue)
    }
}

package struct VerifierFacts: Encodable {
    package let kind: String
    package let public_key: Explicit<String>
    package let scheme: Explicit<String>

    package init(_ verifier: Verifier, general: PublicKey?) {
        let key: PublicKey? =
            switch verifier {
            case .general: general
            case .custom(let key): key
            case .revoked: nil
            }
        self.init(kind: verifier.word, key: key)
    }

    package init(kind: String, key: PublicKey?) {
        self.kind = kind
        public_key = Explicit(key.map { Hex.encode($0.bytes) })
        scheme = Explicit(key?.scheme.name)
    }
}

/// Types that serve every network, in one piece.
package struct TypesFacts: Encodable {
    let hash: String
    let bytes: Int

    /// nil where none are loaded.
    package init?(_ state: TrustState) {
        guard let types = state.types else { return nil }
        hash = types.hash.hex
        bytes = types.length
    }
}
