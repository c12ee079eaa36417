import SubstratePrimitives

/// The types and variants that decoding a value used. A reader of its bytes asks a proof for exactly these.
///
/// The type inside a compact and the element type of an empty list have no bytes of their own, so they are
/// left out.
struct UsedLeaves {
    private(set) var types = Set<UInt32>()
    /// By the type's id.
    private(set) var variants: [UInt32: Set<UInt8>] = [:]

    private let view: TypeView

    init(_ view: TypeView) { self.view = view }

    /// Adds the types of a value and of everything in it.
    /// - Parameter value: decoded by `reference`, so its depth is bounded.
    mutating func add(_ value: Value, of reference: TypeReference) throws(MetadataError) {
        guard case .id(let id) = reference else { return }
        let definition = try view.definition(reference)
        let content = try view.opaqueContent(of: definition)
        switch definition.shape {
        case .primitive, .compact: return
        case .enumeration:
            guard case .variant(let index, let fields) = value else { throw mismatch(id) }
            variants[id, default: []].insert(index)
            try add(fields, of: view.variant(index, of: reference).fields.map(\.type), in: id)
        case .composite(let fields):
            types.insert(id)
            guard case .record(let values) = value else { throw mismatch(id) }
            try add(values, of: content.map { [$0] } ?? fields.map(\.type), in: id)
        case .tuple(let elements):
            types.insert(id)
            guard case .record(let values) = value else { throw mismatch(id) }
            try add(values, of: elements, in: id)
        case .sequence(let element), .array(_, let element):
            types.insert(id)
            // Bytes need no type of their own.
            guard case .list(let values) = value else { return }
            for value in values { try add(value, of: element) }
        case .bits: types.insert(id)
        }
    }

    private mutating func add(_ values: [Value], of references: [TypeReference], in id: UInt32)
        throws(MetadataError)
    {
        guard values.count == references.count else { throw mismatch(id) }
        for (value, reference) in zip(values, references) { try add(value, of: reference) }
    }

    /// A value that was not decoded by the type.
    private func mismatch(_ id: UInt32) -> MetadataError {
        MetadataError(.malformedType(id), place: "types.\(id)")
    }

    /// Whether a proof shows the leaf.
    func contains(_ leaf: MerkleTypes.Leaf) -> Bool {
        guard let variant = leaf.variant else { return types.contains(leaf.id) }
        return variants[leaf.id]?.contains(variant) ?? false
    }
}
