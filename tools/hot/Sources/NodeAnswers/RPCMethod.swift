/// A method of a Substrate node, with limits for its answer.
///
/// Whoever owns a node chooses its answers. A limit for each method stops an answer of thirty megabytes in
/// place of a hash. A limit of values keeps memory near the length of the text: in `[[],[],…]` two bytes are
/// a value that takes dozens in memory.
public enum RPCMethod: Sendable, CaseIterable {
    case blockHash, finalizedHead, header, runtimeVersion, storageHash, chainName, properties, nextIndex,
        metadata
    /// `state_call` for metadata.
    case runtimeCall
    /// `state_call` for a number or a short list.
    case shortRuntimeCall
    /// One value of a few bytes.
    case storage
    /// A whole block.
    case block
    /// `state_getStorage` for the events of a block.
    case events
    /// Trie nodes that lead to some values of the state.
    case readProof
    case submitAndWatch

    /// The name in a request.
    public var name: String {
        switch self {
        case .blockHash: "chain_getBlockHash"
        case .finalizedHead: "chain_getFinalizedHead"
        case .header: "chain_getHeader"
        case .runtimeVersion: "state_getRuntimeVersion"
        case .storageHash: "state_getStorageHash"
        case .chainName: "system_chain"
        case .properties: "system_properties"
        case .nextIndex: "system_accountNextIndex"
        case .metadata: "state_getMetadata"
        case .runtimeCall, .shortRuntimeCall: "state_call"
        case .storage, .events: "state_getStorage"
        case .block: "chain_getBlock"
        case .readProof: "state_getReadProof"
        case .submitAndWatch: "author_submitAndWatchExtrinsic"
        }
    }

    /// Levels of lists and objects in any message: an error's data and a chain's properties may nest.
    public static let maximumDepth = 16

    /// Bytes of an answer, or of one notice of a subscription; nil for metadata, blocks and their events,
    /// which only the user's limit bounds.
    public var maximumBytes: Int? {
        switch self {
        case .blockHash, .finalizedHead, .runtimeVersion, .storageHash, .storage, .chainName, .nextIndex,
            .submitAndWatch:
            1 << 16
        // Some chains list many tokens; a proof that a signer takes has 49,152 bytes, in hex.
        case .properties, .readProof: 1 << 18
        // A block that starts an era lists its authorities; a dry run lists the events of a batch.
        case .header, .shortRuntimeCall: 1 << 20
        case .metadata, .runtimeCall, .block, .events: nil
        }
    }

    /// Values of every kind in a message, its own object included.
    public var maximumValues: Int {
        switch self {
        case .blockHash, .finalizedHead, .storageHash, .storage, .events, .chainName, .nextIndex, .metadata,
            .runtimeCall,
            .shortRuntimeCall:
            64
        // Three values for each interface of the runtime; a digest's logs; the peers that got an extrinsic;
        // the nodes of a proof, of which a signer takes 256.
        case .header, .runtimeVersion, .submitAndWatch, .readProof: 1 << 10
        case .properties: 1 << 12
        // Each transaction, inherents included.
        case .block: 1 << 15
        }
    }
}
