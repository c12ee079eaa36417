import SubstratePrimitives

/// The types that the calls of metadata version 12 or 13 reach, with ids of their own.
struct LegacyRegistry: TypeRegistry {
    /// The type of each id; nil for an unknown name.
    fileprivate(set) var definitions: [TypeDefinition?] = []
    fileprivate(set) var variants: [UInt32: [Variant]] = [:]
    fileprivate(set) var unknownNames: [UInt32: String] = [:]
    /// Whether a supplement is present.
    fileprivate(set) var hasTypes = false

    /// Always false: metadata hashes begin with version 15.
    var mayHaveProof: Bool { false }

    /// - Throws: ``MetadataError/Reason/typesNeeded`` without a supplement,
    ///   ``MetadataError/Reason/unknownTypeName(_:)`` for a name that the supplement does not explain.
    func definition(of id: UInt32) throws(MetadataError) -> TypeDefinition {
        guard id < definitions.count else { throw MetadataError(.unknownType(id), place: "types.\(id)") }
        if let definition = definitions[Int(id)] { return definition }
        guard hasTypes else { throw MetadataError(.typesNeeded, place: "types") }
        throw MetadataError(.unknownTypeName(unknownNames[id] ?? ""), place: "types.\(id)")
    }

    /// The variants of an enumeration, by ascending index; none for another type.
    func variants(of id: UInt32) throws(MetadataError) -> [Variant] { variants[id] ?? [] }

    /// - Throws: ``MetadataError/Reason/unknownVariant(_:)`` for an index that the enumeration does not have.
    func variant(_ index: UInt8, of id: UInt32) throws(MetadataError) -> Variant {
        guard let variant = variants[id]?.first(where: { $0.index == index }) else {
            throw MetadataError(.unknownVariant(index), place: "types.\(id)")
        }
        return variant
    }
}

/// Gives each type name an id and works out what it is made of.
struct LegacyRegistryBuilder {
    private(set) var registry = LegacyRegistry()
    private var entries: [ExactText: LegacyTypes.Description] = [:]
    private var known: [ExactText: TypeReference] = [:]
    /// Structures and enumerations whose parts are still to be named, so that types may hold themselves.
    private var waiting: [(id: UInt32, name: String, description: LegacyTypes.Description)] = []
    private let call: TypeReference

    init(_ types: LegacyTypes?) {
        for entry in types?.entries ?? [] {
            entries[ExactText(LegacyName.normal(entry.name))] = entry.description
        }
        // The outer call comes first: arguments refer to it.
        registry.definitions.append(nil)
        registry.hasTypes = types != nil
        call = .id(0)
    }

    /// Builds the enumeration of all calls and returns it.
    mutating func build(_ modules: [LegacyMetadata.Module]) throws(MetadataError) -> TypeReference {
        var pallets: [Variant] = []
        for module in modules {
            guard let calls = module.calls else { continue }
            var variants: [Variant] = []
            for (index, call) in calls.enumerated() {
                guard let index = UInt8(exactly: index) else {
                    throw MetadataError(.limit(.fields), place: "pallets.\(module.name)")
                }
                var fields: [Field] = []
                for argument in call.arguments {
                    fields.append(
                        Field(
                            name: argument.name, type: try reference(argument.type), typeName: argument.type))
                }
                variants.append(Variant(name: call.name, index: index, fields: fields, docs: call.docs))
            }
            let type = add(TypeDefinition(path: [module.name, "Call"], shape: .enumeration), variants)
            pallets.append(
                Variant(name: module.name, index: module.index, fields: [Field(name: nil, type: type)]))
        }
        registry.definitions[0] = TypeDefinition(path: ["RuntimeCall"], shape: .enumeration)
        registry.variants[0] = pallets
        return call
    }

    /// The type with this name. All types that it contains are added, too.
    mutating func reference(_ name: String) throws(MetadataError) -> TypeReference {
        let reference = try resolve(LegacyName.normal(name), depth: 0)
        while let next = waiting.popLast() { try fill(next.id, next.name, next.description) }
        return reference
    }

    private mutating func add(_ definition: TypeDefinition?, _ variants: [Variant] = []) -> TypeReference {
        let id = UInt32(registry.definitions.count)
        registry.definitions.append(definition)
        if !variants.isEmpty { registry.variants[id] = variants }
        return .id(id)
    }

    private mutating func resolve(_ name: String, depth: Int) throws(MetadataError) -> TypeReference {
        let key = ExactText(name)
        if let reference = known[key] { return reference }
        guard depth < MetadataLimits.nesting else {
            throw MetadataError(.limit(.nesting), place: "types.\(name)")
        }
        guard registry.definitions.count < MetadataLimits.types else {
            throw MetadataError(.limit(.types), place: "types")
        }
        let reference = try newReference(name, depth: depth)
        known[key] = reference
        return reference
    }

    private mutating func newReference(_ name: String, depth: Int) throws(MetadataError) -> TypeReference {
        if let primitive = LegacyName.primitives[ExactText(name)] { return .primitive(primitive) }
        if let fixed = try builtIn(name, depth: depth) { return fixed }
        if let description = entries[ExactText(name)] {
            return try described(name, description, depth: depth)
        }
        if LegacyName.isCall(name) { return call }
        if let structural = try structural(name, depth: depth) { return structural }
        if let shorter = LegacyName.shorter(name) { return try resolve(shorter, depth: depth + 1) }
        let reference = add(nil)
        if case .id(let id) = reference { registry.unknownNames[id] = name }
        return reference
    }

    private mutating func described(
        _ name: String, _ description: LegacyTypes.Description, depth: Int
    ) throws(MetadataError) -> TypeReference {
        if case .type(let alias) = description {
            return try resolve(LegacyName.normal(alias), depth: depth + 1)
        }
        let reference = add(nil)
        if case .id(let id) = reference { waiting.append((id, name, description)) }
        return reference
    }

    private mutating func fill(_ id: UInt32, _ name: String, _ description: LegacyTypes.Description)
        throws(MetadataError)
    {
        let path = [LegacyName.ident(name)]
        switch description {
        case .type: return
        case .structure(let fields):
            registry.definitions[Int(id)] = TypeDefinition(
                path: path, shape: .composite(try self.fields(fields)))
        case .enumeration(let variants):
            var list: [Variant] = []
            for (index, variant) in variants.enumerated() {
                guard let index = UInt8(exactly: index) else {
                    throw MetadataError(.limit(.fields), place: "types.\(name)")
                }
                let fields: [Field] =
                    switch variant.shape {
                    case .none: []
                    case .type(let type): try self.fields([LegacyTypes.NamedField(name: nil, type: type)])
                    case .fields(let fields): try self.fields(fields)
                    }
                list.append(Variant(name: variant.name, index: index, fields: fields))
            }
            registry.definitions[Int(id)] = TypeDefinition(path: path, shape: .enumeration)
            registry.variants[id] = list
        }
    }

    private mutating func fields(_ fields: [LegacyTypes.NamedField]) throws(MetadataError) -> [Field] {
        guard fields.count <= MetadataLimits.fields else {
            throw MetadataError(.limit(.fields), place: "types")
        }
        var list: [Field] = []
        for field in fields {
            list.append(
                Field(
                    name: field.name, type: try resolve(LegacyName.normal(field.type), depth: 0),
                    typeName: field.type))
        }
        return list
    }

    /// Types whose encoding the supplement's way of writing cannot express, or whose name says more than
    /// their parts.
    private mutating func builtIn(_ name: String, depth: Int) throws(MetadataError) -> TypeReference? {
        switch name {
        case "AccountId", "T::AccountId":
            let bytes: TypeReference
            if case .type(let alias) = entries[ExactText(name)] {
                bytes = try resolve(LegacyName.normal(alias), depth: depth + 1)
            } else {
                bytes = add(TypeDefinition(shape: .array(count: 32, .primitive(.u8))))
            }
            var ident = "AccountId32"
            if case .id(let id) = bytes, case .array(20, _) = registry.definitions[Int(id)]?.shape {
                ident = "AccountId20"
            }
            return add(TypeDefinition(path: [ident], shape: .composite([Field(name: nil, type: bytes)])))
        case "Era": return era()
        // The published supplement spells the number of a header in two ways that it does not explain;
        // headers hold it compact.
        case "Number": return try resolve("Compact<BlockNumber>", depth: depth + 1)
        case "Blocknumber": return try resolve("BlockNumber", depth: depth + 1)
        case "Data": return data()
        case "Vote":
            return add(
                TypeDefinition(path: ["Vote"], shape: .composite([Field(name: nil, type: .primitive(.u8))])))
        case "BitVec": return add(TypeDefinition(shape: .bits(storeBytes: 1, leastSignificantFirst: true)))
        default: break
        }
        if LegacyName.ident(name) == "AccountVote" { return try accountVote(depth: depth) }
        guard let integer = LegacyName.fractions[ExactText(name)] else { return nil }
        return add(
            TypeDefinition(path: [name], shape: .composite([Field(name: nil, type: .primitive(integer))])))
    }

    private mutating func structural(_ name: String, depth: Int) throws(MetadataError) -> TypeReference? {
        if let (inner, count) = LegacyName.array(name) {
            return add(TypeDefinition(shape: .array(count: count, try resolve(inner, depth: depth + 1))))
        }
        if let elements = LegacyName.inside("(", name, ")") {
            var types: [TypeReference] = []
            for element in LegacyName.split(elements) { types.append(try resolve(element, depth: depth + 1)) }
            return types.isEmpty ? .void : add(TypeDefinition(shape: .tuple(types)))
        }
        guard let (outer, arguments) = LegacyName.generic(name), let first = arguments.first else {
            return nil
        }
        switch (outer, arguments.count) {
        case ("Compact", 1): return add(TypeDefinition(shape: .compact(try resolve(first, depth: depth + 1))))
        case ("Box", 1): return try resolve(first, depth: depth + 1)
        case ("Vec", 1), ("BTreeSet", 1), ("VecDeque", 1), ("BoundedVec", 2), ("WeakVec", 1):
            return add(TypeDefinition(shape: .sequence(try resolve(first, depth: depth + 1))))
        case ("BTreeMap", 2):
            let pair = TypeDefinition(
                shape: .tuple([
                    try resolve(first, depth: depth + 1), try resolve(arguments[1], depth: depth + 1),
                ]))
            return add(TypeDefinition(shape: .sequence(add(pair))))
        case ("Option", 1):
            let inner = Field(name: nil, type: try resolve(first, depth: depth + 1))
            return add(
                TypeDefinition(path: ["Option"], shape: .enumeration),
                [
                    Variant(name: "None", index: 0, fields: []),
                    Variant(name: "Some", index: 1, fields: [inner]),
                ])
        case ("BitFlags", 1): return flags(of: first)
        default: return nil
        }
    }

    /// A flag's bit is its position among the variants.
    private mutating func flags(of name: String) -> TypeReference {
        var variants: [Variant] = []
        if case .enumeration(let names) = entries[ExactText(name)] {
            for (index, variant) in names.enumerated() where index < 8 {
                variants.append(Variant(name: variant.name, index: 1 << UInt8(index), fields: []))
            }
        }
        let flag = add(TypeDefinition(path: [name], shape: .enumeration), variants)
        return add(
            TypeDefinition(
                path: ["BitFlags"], parameters: [TypeParameter(name: "T", type: flag)],
                shape: .composite([Field(name: nil, type: .primitive(.u64), typeName: name)])))
    }

    // MARK: types with an encoding of their own

    /// `Immortal`, then one variant for each first byte of a mortal era.
    private mutating func era() -> TypeReference {
        add(
            TypeDefinition(path: ["sp_runtime", "generic", "era", "Era"], shape: .enumeration),
            [Variant(name: "Immortal", index: 0, fields: [])]
                + (1...255).map {
                    Variant(name: "Mortal\($0)", index: $0, fields: [Field(name: nil, type: .primitive(.u8))])
                })
    }

    /// `pallet_identity::Data`: nothing, up to 32 bytes with the length in the variant, or a hash.
    private mutating func data() -> TypeReference {
        var variants = [Variant(name: "None", index: 0, fields: [])]
        for length in UInt8(0)...32 {
            let bytes = add(TypeDefinition(shape: .array(count: UInt32(length), .primitive(.u8))))
            variants.append(
                Variant(name: "Raw\(length)", index: length + 1, fields: [Field(name: nil, type: bytes)]))
        }
        let hash = add(TypeDefinition(shape: .array(count: 32, .primitive(.u8))))
        for (index, name) in ["BlakeTwo256", "Sha256", "Keccak256", "ShaThree256"].enumerated() {
            variants.append(
                Variant(name: name, index: 34 + UInt8(index), fields: [Field(name: nil, type: hash)]))
        }
        return add(TypeDefinition(path: ["pallet_identity", "types", "Data"], shape: .enumeration), variants)
    }

    private mutating func accountVote(depth: Int) throws(MetadataError) -> TypeReference {
        let vote = try resolve("Vote", depth: depth + 1)
        func amount(_ name: String) -> Field {
            Field(name: name, type: .primitive(.u128), typeName: "Balance")
        }
        return add(
            TypeDefinition(path: ["AccountVote"], shape: .enumeration),
            [
                Variant(
                    name: "Standard", index: 0, fields: [Field(name: "vote", type: vote), amount("balance")]),
                Variant(name: "Split", index: 1, fields: [amount("aye"), amount("nay")]),
            ])
    }
}
