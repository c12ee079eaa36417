import Hashing
import SCALE
import SubstratePrimitives

extension MetadataProof {
    /// The proof for one transaction: every type that its call and its extensions decode with, and all types of address and signature.
    ///
    /// - Parameters:
    ///   - metadata: version 15 or later.
    ///   - call: the encoded call, without a length.
    ///   - extensions: all explicit parts, then all implicit parts. `CheckMetadataHash` is enabled in them; its 32-byte hash
    ///     does not change which types are needed, so any stands in for it before the hash is known.
    /// - Throws: ``ValueError`` when the call or the extensions are not of this runtime, ``MetadataError`` when it has no digest.
    public static func make(
        metadata: RuntimeMetadata, extraInfo: ExtraInfo, call: [UInt8], extensions: [UInt8]
    ) throws -> MetadataProof {
        let types = try MerkleTypes(metadata)
        let view = TypeView(metadata.registry)
        var callDecoder = ValueDecoder(types: view, reader: SCALEReader(call))
        _ = try callDecoder.whole(metadata.extrinsic.call)
        var decoder = ValueDecoder(types: view, reader: SCALEReader(extensions))
        for item in metadata.extrinsic.extensions { _ = try decoder.value(item.explicit) }
        for item in metadata.extrinsic.extensions { _ = try decoder.value(item.implicit) }
        guard decoder.reader.remaining == 0 else {
            throw ValueError(.encoding(.leftover(count: decoder.reader.remaining)), path: ["extensions"])
        }
        let frame = [metadata.extrinsic.address, metadata.extrinsic.signature].compactMap { $0 }
        let whole = try MerkleTypes.reachable(from: frame, in: metadata.registry)
        var shown = Set<Int>()
        for (index, leaf) in types.leaves.enumerated() {
            let isUsed = leaf.variant.map { view.hasSeen(variant: $0, of: leaf.id) } ?? view.hasSeen(leaf.id)
            if isUsed || whole.contains(leaf.id) { shown.insert(index) }
        }
        let tree = MerkleTree(leaves: types.leaves.map { BLAKE3.hash($0.encoded) })
        let proof = tree.proof(of: shown)
        // A leaf's place in the proof follows its node, not its place in the tree's order of types.
        let leaves = proof.indices.map { types.leaves[Int($0) - (types.leaves.count - 1)].encoded }
        var writer = SCALEWriter()
        writer.compact(UInt64(leaves.count))
        for leaf in leaves { writer.raw(leaf) }
        writer.vector(proof.indices) { $0.integer($1) }
        writer.vector(proof.nodes) { $0.raw($1) }
        writer.raw(types.extrinsic)
        extraInfo.encode(into: &writer)
        var reader = SCALEReader(writer.bytes)
        return try MetadataProof(from: &reader)
    }
}
