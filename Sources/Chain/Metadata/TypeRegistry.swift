import SubstratePrimitives

/// A source of type definitions: full metadata or a metadata proof.
public protocol TypeRegistry: Sendable {
    /// - Throws: ``MetadataError/Reason/unknownType(_:)`` for an id that the source does not hold, and other
    ///   reasons for a malformed type.
    func definition(of id: UInt32) throws(MetadataError) -> TypeDefinition
    /// The variant whose encoding starts with that index.
    /// - Throws: ``MetadataError/Reason/unknownVariant(_:)`` when the source does not hold it.
    func variant(_ index: UInt8, of id: UInt32) throws(MetadataError) -> Variant
    /// Every variant that the source holds of an enumeration; none for another type.
    func variants(of id: UInt32) throws(MetadataError) -> [Variant]
    /// Whether a runtime of this source may also be read by a metadata proof, that is from version 15 on.
    ///
    /// A proof has no type parameters, so it has no names for flags. So metadata that a proof could replace
    /// shows flags as a number first.
    var mayHaveProof: Bool { get }
}

/// A registry seen during one decode: every definition is read at most once.
public final class TypeView {
    /// Where definitions come from.
    public let registry: any TypeRegistry
    /// By id, for the ids that a runtime has; ids of a proof are its maker's choice.
    private var definitions: [TypeDefinition?] = []
    private var furtherDefinitions: [UInt32: TypeDefinition] = [:]
    private static let idLimit: UInt32 = 1 << 12
    private var variants: [UInt64: Variant] = [:]
    private var allVariants: [UInt32: [Variant]] = [:]
    private var opaqueContents: [ObjectIdentifier: TypeReference?] = [:]

    /// A view that has seen nothing yet.
    public init(_ registry: any TypeRegistry) { self.registry = registry }

    private func known(_ id: UInt32) -> TypeDefinition? {
        guard id < Self.idLimit else { return furtherDefinitions[id] }
        return id < definitions.count ? definitions[Int(id)] : nil
    }

    private func keep(_ definition: TypeDefinition, of id: UInt32) {
        guard id < Self.idLimit else { return furtherDefinitions[id] = definition }
        if id >= definitions.count {
            definitions += [TypeDefinition?](repeating: nil, count: Int(id) + 1 - definitions.count)
        }
        definitions[Int(id)] = definition
    }

    private static let primitives = PrimitiveType.allCases.map { TypeDefinition(shape: .primitive($0)) }
    private static let compacts = PrimitiveType.allCases.map {
        TypeDefinition(shape: .compact(.primitive($0)))
    }
    private static let void = TypeDefinition(shape: .tuple([]))

    /// The definition behind a reference, the same object each time.
    /// - Throws: what the registry throws for an id; a direct reference never fails.
    public func definition(_ reference: TypeReference) throws(MetadataError) -> TypeDefinition {
        switch reference {
        case .primitive(let primitive): return Self.primitives[Int(primitive.rawValue)]
        case .compact(let primitive): return Self.compacts[Int(primitive.rawValue)]
        case .void: return Self.void
        case .id(let id):
            if let known = known(id) { return known }
            let definition = try registry.definition(of: id)
            keep(definition, of: id)
            return definition
        }
    }

    /// The variant of an enumeration by its index, the same object each time.
    /// - Throws: ``MetadataError/Reason/unknownVariant(_:)`` for an index that the source does not hold, and
    ///   for a direct reference.
    public func variant(_ index: UInt8, of reference: TypeReference) throws(MetadataError) -> Variant {
        guard case .id(let id) = reference else {
            throw MetadataError(.unknownVariant(index), place: "types")
        }
        let key = UInt64(id) << 8 | UInt64(index)
        if let known = variants[key] { return known }
        let variant = try registry.variant(index, of: id)
        variants[key] = variant
        return variant
    }

    /// Every variant that the source holds of an enumeration, read at most once; none for another type.
    public func variants(of id: UInt32) throws(MetadataError) -> [Variant] {
        if let known = allVariants[id] { return known }
        let all = try registry.variants(of: id)
        allVariants[id] = all
        return all
    }

    /// What stands inside a byte vector that the metadata describes as a pair of its length and its content.
    ///
    /// `WrapperKeepOpaque<T>` and `WrapperOpaque<T>` write a `Vec<u8>` that holds the encoding of T, and
    /// their type information says `(Compact<u32>, T)`. Source: paritytech/polkadot-sdk,
    /// `substrate/frame/support/src/traits/misc.rs`.
    public func opaqueContent(of definition: TypeDefinition) throws(MetadataError) -> TypeReference? {
        guard definition.ident.utf8Equals("WrapperKeepOpaque") || definition.ident == "WrapperOpaque" else {
            return nil
        }
        if let known = opaqueContents[ObjectIdentifier(definition)] { return known }
        var content: TypeReference?
        if case .composite(let fields) = definition.shape, fields.count == 2,
            fields.allSatisfy({ $0.name == nil }),
            case .compact(let length) = try self.definition(fields[0].type).shape,
            try compactInteger(length) == .u32
        {
            content = fields[1].type
        }
        opaqueContents[ObjectIdentifier(definition)] = content
        return content
    }

    /// The integer behind a compact: itself, or that of a wrapper of one field; nil for a wrapper of nothing.
    public func compactInteger(_ reference: TypeReference) throws(MetadataError) -> PrimitiveType? {
        var inner = reference
        for _ in 0..<MetadataLimits.nesting {
            switch try definition(inner).shape {
            case .primitive(let primitive) where primitive.isUnsigned: return primitive
            case .composite(let fields) where fields.count == 1: inner = fields[0].type
            case .tuple(let elements) where elements.count == 1: inner = elements[0]
            case .composite(let fields) where fields.isEmpty: return nil
            case .tuple(let elements) where elements.isEmpty: return nil
            case .compact(let reference): inner = reference
            default: throw malformed(inner)
            }
        }
        throw MetadataError(.limit(.nesting), place: "types")
    }

    private func malformed(_ reference: TypeReference) -> MetadataError {
        guard case .id(let id) = reference else { return MetadataError(.malformedType(0), place: "types") }
        return MetadataError(.malformedType(id), place: "types.\(id)")
    }
}
