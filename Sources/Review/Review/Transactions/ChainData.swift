import Extrinsics
import History
import Metadata
import SCALE
import SubstratePrimitives
import TrustStore

/// What a review reads: networks, keys and the metadata that the state names. It has no way to write.
public struct ChainData {
    public let state: TrustState
    package let content: (Hash32) throws -> [UInt8]
    /// nil where nothing is known of former signatures: without a vault, and where payloads of the log are
    /// shown.
    package let history: ReviewHistory?

    /// - `content`: the bytes that have a hash, from the store or from files.
    public init(
        state: TrustState, history: ReviewHistory? = nil, content: @escaping (Hash32) throws -> [UInt8]
    ) {
        self.state = state
        self.history = history
        self.content = content
    }

    /// The same data without the history of signatures.
    var withoutHistory: ChainData { ChainData(state: state, content: content) }

    /// Metadata of version 13 and older is read with the types supplement, when there is one.
    func metadata(_ record: MetadataRecord) throws -> RuntimeMetadata {
        try RuntimeMetadata(content(record.hash), supplement: state.types.map { try content($0.hash) })
    }

    /// nil for an unknown network.
    func specsIfKnown(genesis: GenesisHash, scheme: SignatureScheme) throws(ReviewError) -> NetworkSpecs? {
        try requireNotRevoked(genesis)
        return state.networks(genesis: genesis).isEmpty ? nil : try specs(genesis: genesis, scheme: scheme)
    }

    /// Whether the review offers to store a network that a proof describes: the list must confirm it, and the
    /// vault must not have revoked it or kept a custom verifier, who would be trusted again.
    func isAddable(_ proved: ProvedNetwork, _ genesis: GenesisHash) -> Bool {
        guard proved == .listed(isConfirmed: true) else { return false }
        switch state.verifiers[genesis] {
        case nil, .general: return true
        case .custom, .revoked: return false
        }
    }

    /// The owner's policy; nil when none is set.
    public func policy() throws(ReviewError) -> TransactionPolicy? {
        guard let json = state.settings[TransactionPolicy.setting] else { return nil }
        guard let policy = try? TransactionPolicy(json: json) else { throw .policyUnreadable }
        return policy
    }

    /// A revoked network keeps no specs; only its verifier's state remembers it.
    private func requireNotRevoked(_ genesis: GenesisHash) throws(ReviewError) {
        switch state.verifiers[genesis] {
        case .revoked?: throw .networkBlocked(state.networks(genesis: genesis).first?.name ?? genesis.hex)
        case .general?, .custom?, nil: return
        }
    }

    /// The specs of a network for a scheme; a network may be known with several.
    func specs(genesis: GenesisHash, scheme: SignatureScheme) throws(ReviewError) -> NetworkSpecs {
        try requireNotRevoked(genesis)
        let known = state.networks(genesis: genesis)
        guard !known.isEmpty else { throw .unknownNetwork(genesis) }
        return known.first { $0.scheme == scheme } ?? known[0]
    }
}

extension TransactionPolicy {
    /// The sealed setting that holds the policy, as JSON.
    public static let setting = "policy"
}

extension RuntimeMetadata {
    /// Version 14 and later describe their own types and leave the supplement unread.
    public init(_ blob: [UInt8], supplement: @autoclosure () throws -> [UInt8]?) throws {
        guard blob.count > 4, blob[4] < 14, let entries = try supplement() else {
            try self.init(blob)
            return
        }
        var reader = SCALEReader(entries)
        let types = try LegacyTypes(from: &reader)
        try reader.finish()
        try self.init(blob, types: types)
    }
}
