import Extrinsics
import Metadata
import SubstratePrimitives

/// What the signed bytes of a transaction say about the state that may be proven beside it.
public struct StateCheckpoint: Equatable, Sendable {
    public let genesisHash: GenesisHash
    /// The 32 bytes at the end of the signed bytes that the chain compares with a block of its own.
    public let blockHash: Hash32
    public let era: MortalEra
    /// The name of the network, and the spec version in the signed bytes.
    public let runtime: RuntimeVersion

    public init(genesisHash: GenesisHash, blockHash: Hash32, era: MortalEra, runtime: RuntimeVersion) {
        self.genesisHash = genesisHash
        self.blockHash = blockHash
        self.era = era
        self.runtime = runtime
    }

    /// How many blocks old the state of the era's first block is at most when a block includes the
    /// transaction.
    ///
    /// Chains also forget the hash of the block, most after 4,097 blocks. That is code, not state: it can
    /// only shorten this, and is no part of what is proven.
    public var maximumAge: UInt32 { era.period - 1 }
}

extension StateCheckpoint {
    /// Reads the checkpoint from the extensions, and requires that the end of the signed bytes agrees.
    ///
    /// The types say which extension names the block, and whoever makes the types could point at other bytes.
    /// But the chain reads the block hash at the end: in 707 published runtimes only the metadata hash has an
    /// implicit part behind it.
    /// - Parameters:
    ///   - decoded: the transaction.
    ///   - network: whose genesis hash and name say what the state is of.
    /// - Throws: ``StateProofError/noCheckpoint``, ``StateProofError/immortal``
    public init(signedBy decoded: DecodedTransaction, network: NetworkSpecs) throws(StateProofError) {
        let source = decoded.source
        let count = source.extrinsic.extensions.count {
            TransactionExtension.role(of: $0, in: source.registry) == .era
        }
        guard count == 1, let era = decoded.facts.era, let hash = decoded.facts.blockHash else {
            throw .noCheckpoint
        }
        let bytes = decoded.signingBytes
        let ends: [ArraySlice<UInt8>] = [
            bytes[...], bytes.last == 0 ? bytes.dropLast() : [],
            bytes.dropLast(32).last == 1 ? bytes.dropLast(33) : [],
        ]
        guard ends.contains(where: { $0.suffix(32).elementsEqual(hash.bytes) }) else { throw .noCheckpoint }
        guard case .mortal(let mortal) = era else { throw .immortal }
        self.init(
            genesisHash: network.genesisHash, blockHash: hash, era: mortal,
            runtime: RuntimeVersion(
                specName: network.name, specVersion: decoded.runtimeVersion.specVersion))
    }
}
