import Diagnostics
import Hashing
import SCALE
import SubstratePrimitives

/// Why a metadata proof is invalid.
public struct MetadataProofError: Error, Equatable, Sendable {
    /// What is wrong with the proof.
    public enum Reason: Sendable, Equatable {
        /// The bytes are too few or not SCALE.
        case encoding(SCALEError.Reason)
        /// Not as many leaves as leaf indices.
        case leafCount(leaves: Int, indices: Int)
        /// A leaf, an index or a node is missing, left over, repeated or out of order.
        case notATree
        /// Two leaves describe one type, or one variant of it.
        case repeatedType(UInt32)
        /// A malformed leaf: an unknown kind, an index above 255, or a bit store that is not 1, 2, 4 or 8
        /// bytes.
        case malformedLeaf
        /// The proof announces more than a limit allows.
        case limit(MetadataLimit)
    }

    /// What is wrong.
    public let reason: Reason
    /// The part of the proof, `proof.leaves.3`; leaves are counted from 0.
    public let place: String

    /// An error in a part of a proof.
    public init(_ reason: Reason, place: String) {
        self.reason = reason
        self.place = place
    }
}

/// The part of a runtime's metadata that one transaction needs, with the hashes that tie it to the whole.
///
/// Its ``hash`` is what the chain checks; a transaction decoded with a proof must commit to it.
/// Source: RFC-0078.
public struct MetadataProof: Sendable {
    /// Call, address, signature and extensions; at most ``MetadataLimits/extensions`` extensions.
    public let extrinsic: ExtrinsicDefinition
    /// Name, version, prefix, decimals and symbol, as the proof says them.
    public let extraInfo: ExtraInfo
    /// What ``hash`` is the hash of.
    let digest: MetadataDigest
    /// The metadata hash that the proof leads to.
    public let hash: Hash32
    /// The types of the leaves.
    public let registry: ProofRegistry
    /// The bytes that the proof was read from: vectors of leaves, of node indices (u32) and of nodes (32
    /// bytes), then `ExtrinsicMetadata` and `ExtraInfo`.
    public let encoded: [UInt8]

    /// Name and version of ``extraInfo``.
    public var runtimeVersion: RuntimeVersion {
        RuntimeVersion(specName: extraInfo.specName, specVersion: extraInfo.specVersion)
    }

    /// Reads a proof and computes where it leads to; the reader stands after it.
    /// - Throws: ``MetadataProofError`` for a malformed part, a limit, or leaves and nodes that are not
    ///   exactly one tree.
    public init(from reader: inout SCALEReader) throws(MetadataProofError) {
        let start = reader.offset
        let tree = try ProofTree(from: &reader)
        registry = try ProofRegistry(tree.leaves)
        let extrinsicStart = reader.offset
        extrinsic = try Self.part("proof.extrinsic") { () throws(SCALEError) in try Self.extrinsic(&reader) }
        guard extrinsic.extensions.count <= MetadataLimits.extensions else {
            throw MetadataProofError(.limit(.extensions), place: "proof.extrinsic")
        }
        let extrinsicHash = Hash32(BLAKE3.hash(reader.bytes[extrinsicStart..<reader.offset]))!
        extraInfo = try Self.part("proof.extra_info") { () throws(SCALEError) in try ExtraInfo(from: &reader)
        }
        digest = MetadataDigest(
            typesTreeRoot: tree.root, extrinsicMetadataHash: extrinsicHash, extraInfo: extraInfo)
        hash = digest.hash
        encoded = Array(reader.bytes[start..<reader.offset])
    }

    private static func extrinsic(_ reader: inout SCALEReader) throws(SCALEError) -> ExtrinsicDefinition {
        let version = try reader.u8()
        let (address, call) = (try TypeReference(merkle: &reader), try TypeReference(merkle: &reader))
        let signature = try TypeReference(merkle: &reader)
        let extensions = try reader.vector(minimumElementSize: 3) { (reader) throws(SCALEError) in
            TransactionExtension(
                identifier: try reader.string(), explicit: try TypeReference(merkle: &reader),
                implicit: try TypeReference(merkle: &reader))
        }
        return ExtrinsicDefinition(
            version: version, address: address, call: call, signature: signature, extensions: extensions)
    }

    static func part<T>(_ place: @autoclosure () -> String, _ body: () throws(SCALEError) -> T)
        throws(MetadataProofError) -> T
    {
        do throws(SCALEError) {
            return try body()
        } catch {
            throw MetadataProofError(.encoding(error.reason), place: place())
        }
    }
}

/// The leaves of a proof and the root that they and the nodes lead to.
private struct ProofTree {
    let leaves: [ProofLeaf]
    let root: Hash32

    init(from reader: inout SCALEReader) throws(MetadataProofError) {
        let count = try MetadataProof.part("proof.leaves") { () throws(SCALEError) in
            try reader.count(minimumElementSize: 3)
        }
        guard count <= MetadataLimits.types else {
            throw MetadataProofError(.limit(.types), place: "proof.leaves")
        }
        var leaves: [ProofLeaf] = []
        var hashes: [[UInt8]] = []
        for index in 0..<count {
            let start = reader.offset
            leaves.append(try ProofLeaf(from: &reader, place: "proof.leaves.\(index)"))
            hashes.append(BLAKE3.hash(reader.bytes[start..<reader.offset]))
        }
        let (indices, nodes) = try MetadataProof.part("proof.nodes") { () throws(SCALEError) in
            let indices = try reader.vector(minimumElementSize: 4) { (reader) throws(SCALEError) in
                try reader.integer(UInt32.self)
            }
            return (
                indices,
                try reader.vector(minimumElementSize: 32) { (reader) throws(SCALEError) in
                    try reader.bytes(count: 32)
                }
            )
        }
        guard indices.count == leaves.count else {
            throw MetadataProofError(
                .leafCount(leaves: leaves.count, indices: indices.count), place: "proof.leaf_indices")
        }
        guard let root = MerkleProofWalk.root(indices: indices, leafHashes: hashes, nodes: nodes) else {
            throw MetadataProofError(.notATree, place: "proof")
        }
        self.leaves = leaves
        self.root = root
    }
}

/// One leaf: a type, or one variant of an enumeration.
struct ProofLeaf {
    let id: UInt32
    let definition: TypeDefinition
    let variant: Variant?

    init(from reader: inout SCALEReader, place: String) throws(MetadataProofError) {
        let (path, kind) = try MetadataProof.part(place) { () throws(SCALEError) in
            (try reader.strings(), try reader.u8())
        }
        let malformed = MetadataProofError(.malformedLeaf, place: place)
        var variant: Variant?
        let shape: TypeDefinition.Shape
        switch kind {
        case 0: shape = .composite(try Self.fields(&reader, place))
        case 1:
            let name = try MetadataProof.part(place) { () throws(SCALEError) in try reader.string() }
            let fields = try Self.fields(&reader, place)
            let index = try MetadataProof.part(place) { () throws(SCALEError) in try reader.compactU32() }
            guard let index = UInt8(exactly: index) else { throw malformed }
            variant = Variant(name: name, index: index, fields: fields)
            shape = .enumeration
        case 2: shape = .sequence(try Self.reference(&reader, place))
        case 3:
            let count = try MetadataProof.part(place) { () throws(SCALEError) in
                try reader.integer(UInt32.self)
            }
            shape = .array(count: count, try Self.reference(&reader, place))
        case 4:
            let elements = try MetadataProof.part(place) { () throws(SCALEError) in
                try reader.vector { (reader) throws(SCALEError) in try TypeReference(merkle: &reader) }
            }
            guard elements.count <= MetadataLimits.fields else {
                throw MetadataProofError(.limit(.fields), place: place)
            }
            shape = .tuple(elements)
        case 5:
            let (bytes, order) = try MetadataProof.part(place) { () throws(SCALEError) in
                (try reader.u8(), try reader.bool())
            }
            guard [1, 2, 4, 8].contains(bytes) else { throw malformed }
            shape = .bits(storeBytes: Int(bytes), leastSignificantFirst: order)
        default: throw malformed
        }
        id = try MetadataProof.part(place) { () throws(SCALEError) in try reader.compactU32() }
        definition = TypeDefinition(path: path, shape: shape)
        self.variant = variant
    }

    private static func reference(_ reader: inout SCALEReader, _ place: String) throws(MetadataProofError)
        -> TypeReference
    {
        try MetadataProof.part(place) { () throws(SCALEError) in try TypeReference(merkle: &reader) }
    }

    private static func fields(_ reader: inout SCALEReader, _ place: String) throws(MetadataProofError)
        -> [Field]
    {
        let fields = try MetadataProof.part(place) { () throws(SCALEError) in
            try reader.vector(minimumElementSize: 3) { (reader) throws(SCALEError) in
                Field(
                    name: try reader.option { (reader) throws(SCALEError) in try reader.string() },
                    type: try TypeReference(merkle: &reader),
                    typeName: try reader.option { (reader) throws(SCALEError) in try reader.string() })
            }
        }
        guard fields.count <= MetadataLimits.fields else {
            throw MetadataProofError(.limit(.fields), place: place)
        }
        return fields
    }
}

/// The types of a proof, by the ids of the tree.
public struct ProofRegistry: TypeRegistry {
    private var definitions: [UInt32: TypeDefinition] = [:]
    /// By type id, in ascending order of the index.
    private var variants: [UInt32: [Variant]] = [:]

    init(_ leaves: [ProofLeaf]) throws(MetadataProofError) {
        for (index, leaf) in leaves.enumerated() {
            let fault = MetadataProofError(.repeatedType(leaf.id), place: "proof.leaves.\(index)")
            guard let variant = leaf.variant else {
                guard definitions.updateValue(leaf.definition, forKey: leaf.id) == nil else { throw fault }
                continue
            }
            if let known = definitions[leaf.id],
                known.shape != .enumeration || !known.path.utf8ElementsEqual(leaf.definition.path)
            {
                throw fault
            }
            definitions[leaf.id] = leaf.definition
            guard variants[leaf.id]?.contains(where: { $0.index == variant.index }) != true else {
                throw fault
            }
            variants[leaf.id, default: []].append(variant)
        }
        for id in variants.keys { variants[id]?.sort { $0.index < $1.index } }
    }

    /// Always true: this source is a proof.
    public var mayHaveProof: Bool { true }

    /// The type of a leaf, by its id in the tree.
    /// - Throws: ``MetadataError/Reason/unknownType(_:)`` for a type without a leaf.
    public func definition(of id: UInt32) throws(MetadataError) -> TypeDefinition {
        guard let definition = definitions[id] else {
            throw MetadataError(.unknownType(id), place: "proof.types.\(id)")
        }
        return definition
    }

    /// The variant of a leaf.
    /// - Throws: ``MetadataError/Reason/unknownVariant(_:)`` for a variant without a leaf.
    public func variant(_ index: UInt8, of id: UInt32) throws(MetadataError) -> Variant {
        guard let variant = variants[id]?.first(where: { $0.index == index }) else {
            throw MetadataError(.unknownVariant(index), place: "proof.types.\(id)")
        }
        return variant
    }

    /// The variants that have leaves, by ascending index: not all that the enumeration has.
    public func variants(of id: UInt32) throws(MetadataError) -> [Variant] {
        variants[id] ?? []
    }
}

extension MetadataProofError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .badInput(
            "bad-metadata-proof", "the metadata proof is invalid: \(Sentence.at(place, reason.sentence))",
            hint: Hints.makeAgain)
    }

    public static var examples: [MetadataProofError] {
        Reason.examples.map { MetadataProofError($0, place: "proof.leaves.3") }
    }
}

extension MetadataProofError.Reason {
    /// What is wrong with the proof, without the place.
    public var sentence: String {
        switch self {
        case .encoding(let reason): reason.sentence
        case .leafCount(let leaves, let indices):
            """
            \(Sentence.count(leaves, "leaf", plural: "leaves")) and \
            \(Sentence.count(indices, "index", plural: "indices")) do not match
            """
        case .notATree: "leaves, indices and nodes do not form one complete tree"
        case .repeatedType(let id): "duplicate type \(id)"
        case .malformedLeaf: "malformed leaf"
        case .limit(let limit): limit.sentence
        }
    }

    static var examples: [Self] {
        [
            .encoding(.invalidUTF8), .leafCount(leaves: 3, indices: 2), .notATree, .repeatedType(4),
            .malformedLeaf, .limit(.types),
        ]
    }
}

extension MetadataProof {
    /// The proof for one transaction. It contains only the types that decode its call and its extensions.
    ///
    /// The signed bytes hold neither address nor signature, so a reader never decodes their types. Polkadot
    /// Vault decodes call and extensions only (novasamatech/parity-signer,
    /// `rust/parser/src/decoding_with_proof.rs`), and polkadot-api chooses the same leaves
    /// (polkadot-api/polkadot-api, `packages/merkleize-metadata/src/main.ts`, `getProofForExtrinsicPayload`).
    ///
    /// - `metadata`: version 15 or later.
    /// - `call`: the encoded call, without a length.
    /// - `extensions`: all explicit parts, then all implicit parts. `CheckMetadataHash` is enabled in them.
    ///   Its hash does not change which types are needed, so any 32 bytes will do before the hash is known.
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
