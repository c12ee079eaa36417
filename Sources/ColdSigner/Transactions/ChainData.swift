import ColdStore
import Metadata
import SubstratePrimitives

/// What a review reads: networks, keys and the metadata that the state names. It has no way to write.
public struct ChainData {
    public let state: TrustState
    private let content: (Hash32) throws -> [UInt8]

    /// - Parameter content: the bytes that have a hash, from the store or from files.
    public init(state: TrustState, content: @escaping (Hash32) throws -> [UInt8]) {
        self.state = state
        self.content = content
    }

    func metadata(_ record: MetadataRecord) throws -> RuntimeMetadata {
        try RuntimeMetadata(content(record.hash))
    }

    /// The specs of a network for a scheme; a network may be known with several.
    func specs(genesis: GenesisHash, scheme: SignatureScheme) throws(ReviewError) -> NetworkSpecs {
        let known = state.networks(genesis: genesis)
        guard !known.isEmpty else { throw .unknownNetwork(genesis) }
        if case .revoked? = state.verifiers[genesis] { throw .networkBlocked(known[0].name) }
        return known.first { $0.scheme == scheme } ?? known[0]
    }
}
