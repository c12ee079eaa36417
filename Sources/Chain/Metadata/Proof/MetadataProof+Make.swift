import Hashing
import SCALE
import SubstratePrimitives

extension MetadataProof {
    /// The proof for one transaction: the types that its call and its extensions are decoded by, and no
    /// others.
    ///
    /// The signed bytes hold neither address nor signature, so a reader never decodes their types. Polkadot
    /// Vault decodes call and extensions only (novasamatech/parity-signer,
    /// `rust/parser/src/decoding_with_proof.rs`), and polkadot-api chooses the same leaves
    /// (polkadot-api/polkadot-api, `packages/merkleize-metadata/src/main.ts`, `getProofForExtrinsicPayload`).
    ///
    /// - `metadata`: version 15 or later.
    /// - `call`: the encoded call, without a length.
    /// - `extensions`: all explicit parts, then all implicit parts. `CheckMetadataHash` is enabled in them;
    ///   its 32-byte hash does not change which types are needed, so any stands in for it before the hash is
    ///   known.
    /// - Throws: ``ValueError`` when the call or the extensions are not of this runtime, ``MetadataError``
    ///   when it has no digest.
    public static func make(
        metadata: RuntimeMetadata, extraInfo: ExtraInfo, call: [UInt8], extensions: [UInt8]
    ) throws -> MetadataProof {
        let types = try MerkleTypes(metadata)
        let view = TypeView(metadata.registry)
        var used = UsedLeaves(view)
        var callDecoder = ValueDecoder(types: view, reader: SCALEReader(call))
        try used.add(callDecoder.whole(metadata.extrinsic.call), of: metadata.extrinsic.call)
        var decoder = ValueDecoder(types: view, reader: SCALEReader(extensions))
        for part in metadata.extrinsic.extensions.map(\.explicit)
            + metadata.extrinsic.extensions.map(\.implicit)
        {
            try used.add(decoder.value(part), of: part)
        }
        guard decoder.reader.remaining == 0 else {
            throw ValueError(.encoding(.leftover(count: decoder.reader.remaining)), path: ["extensions"])
        }
        let shown = Set(types.leaves.indices.filter { used.contains(types.leaves[$0]) })
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
