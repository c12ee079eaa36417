import Cards
import Metadata
import SubstratePrimitives

/// How a variant of an enumeration is shown.
enum VariantReading: Equatable {
    /// Shown by its name, followed by its fields.
    case plain
    /// Shown by name, index and path, because its name is that of a special variant but its shape is not.
    case unusual
    /// `None` of an Option.
    case nothing
    /// `Some` of an Option: by its content alone, or by its name first if the content could look like `None`.
    case content(isNamed: Bool)
    case era
    /// One field of that many bytes is an account.
    case account(length: Int)
    /// The field at that index is an account.
    case junction(field: Int, length: Int)
    /// One field of bytes, shown as text if printable.
    case text
    /// The one field has the type that the context spells.
    case parameter
    case amount
}

/// Judges types by their shapes. The result depends on types alone, so building cards and reading them back
/// agree.
struct ShapeJudge {
    let types: TypeView
    let rules: ReadingRules
    /// Whether to show only what a proof could show too: a proof lacks type parameters, which name flags, and
    /// the type inside a compact.
    let showsAsProof: Bool

    init(types: TypeView, context: DecodingContext) {
        self.types = types
        rules = context.rules
        showsAsProof = context.readsAsProof || types.registry.mayHaveProof
    }

    /// The bytes of a fixed array of u8 behind wrappers of one unnamed field; nil for anything else.
    func byteCount(_ reference: TypeReference) throws(MetadataError) -> Int? {
        guard case .array(let count, let element) = try types.definition(try unwrapped(reference)).shape,
            try types.definition(element).shape == .primitive(.u8)
        else { return nil }
        return Int(count)
    }

    /// The integer behind wrappers of one unnamed field, and behind a compact; nil for anything else.
    func integer(_ reference: TypeReference) throws(MetadataError) -> PrimitiveType? {
        switch try types.definition(try unwrapped(reference)).shape {
        case .primitive(let primitive): primitive.isUnsigned || primitive.signedWidth != nil ? primitive : nil
        case .compact(let inner): try types.compactInteger(inner)
        case .composite, .enumeration, .sequence, .array, .tuple, .bits: nil
        }
    }

    /// The type inside wrappers of one unnamed field.
    func unwrapped(_ reference: TypeReference) throws(MetadataError) -> TypeReference {
        var inner = reference
        for _ in 0..<MetadataLimits.nesting {
            switch try types.definition(inner).shape {
            case .composite(let fields) where fields.count == 1 && fields[0].name == nil:
                inner = fields[0].type
            case .tuple(let elements) where elements.count == 1: inner = elements[0]
            case .composite, .enumeration, .sequence, .array, .tuple, .primitive, .compact, .bits:
                return inner
            }
        }
        throw MetadataError(.limit(.nesting), place: "types")
    }

    // MARK: composites

    func trait(_ definition: TypeDefinition) throws(MetadataError) -> TypeTrait {
        let name = definition.ident
        if SpecialReading.account.names.containsUTF8(of: name) {
            let length = name == "AccountId32" ? 32 : 20
            return try fieldBytes(definition) == length ? .account(length: length) : .unusual
        }
        if let format = Fraction(rawValue: name) {
            return try wrappedInteger(definition) == format.integer ? .fraction(format) : .unusual
        }
        switch name {
        case "BitFlags":
            guard let width = try wrappedInteger(definition)?.width, width <= 8 else { return .unusual }
            return .flags
        case "Vote" where definition.shape != .enumeration:
            return try wrappedInteger(definition) == .u8 ? .vote : .none
        case "U256": return try isFourWords(definition) ? .wide : .unusual
        case "Asset", "MultiAsset":
            return definition.path.first?.utf8Contains("xcm") == true ? .xcmAsset : .none
        case "Location", "MultiLocation": return .xcmLocation
        case "DoubleEncoded": return .encodedCall
        case "BTreeSet": return .ordered(isMap: false)
        case "BTreeMap": return .ordered(isMap: true)
        default: return .none
        }
    }

    private func field(_ definition: TypeDefinition) -> TypeReference? {
        guard case .composite(let fields) = definition.shape, fields.count == 1,
            fields[0].name == nil || !rules.standardShapes
        else {
            return nil
        }
        return fields[0].type
    }

    private func fieldBytes(_ definition: TypeDefinition) throws(MetadataError) -> Int? {
        guard let field = field(definition) else { return nil }
        return try byteCount(field)
    }

    private func isFourWords(_ definition: TypeDefinition) throws(MetadataError) -> Bool {
        guard let field = field(definition), case .array(4, let word) = try types.definition(field).shape
        else { return false }
        return try types.definition(word).shape == .primitive(.u64)
    }

    private func wrappedInteger(_ definition: TypeDefinition) throws(MetadataError) -> PrimitiveType? {
        guard let field = field(definition),
            case .primitive(let primitive) = try types.definition(field).shape
        else { return nil }
        return primitive
    }

    // MARK: enumerations

    func reading(_ variant: Variant, of definition: TypeDefinition) throws(MetadataError) -> VariantReading {
        let name = variant.name
        switch definition.ident {
        case "Option": return try option(variant)
        case "Era": return try isEra(variant) ? .era : .unusual
        case "Data":
            guard name.utf8Starts(with: "Raw") else { return .plain }
            guard name.utf8Equals("Raw\(Int(variant.index) - 1)") else { return .unusual }
            return try loneBytes(variant) == Int(variant.index) - 1 ? .text : .unusual
        case "MultiAddress", "Source":
            guard name == "Address32" || name == "Address20" else { return .plain }
            let length = name == "Address32" ? 32 : 20
            guard variant.index == (length == 32 ? 3 : 4) else { return .unusual }
            return try loneBytes(variant) == length ? .account(length: length) : .unusual
        case "Junction": return try junction(variant, name)
        case "ConfigOp":
            guard name == "Set", variant.index == 1, let field = lone(variant),
                let type = field.typeName.flatMap(TypeName.init)
            else {
                return .plain
            }
            return type.isParameter ? .parameter : .plain
        case "Fungibility":
            guard name == "Fungible" else { return .plain }
            guard variant.index == 0, let field = lone(variant) else { return .unusual }
            return try integer(field.type) == nil ? .unusual : .amount
        default: return .plain
        }
    }

    /// What a card says of a variant that shows by its name.
    func text(_ variant: Variant, of definition: TypeDefinition) throws(MetadataError) -> String {
        guard try reading(variant, of: definition) == .unusual else { return variant.name }
        return "\(variant.name) (variant \(variant.index) of \(definition.pathText))"
    }

    private func lone(_ variant: Variant) -> Field? {
        variant.fields.count == 1 && variant.fields[0].name == nil ? variant.fields[0] : nil
    }

    private func loneBytes(_ variant: Variant) throws(MetadataError) -> Int? {
        guard let field = lone(variant) else { return nil }
        return try byteCount(field.type)
    }

    private func option(_ variant: Variant) throws(MetadataError) -> VariantReading {
        guard rules.standardShapes else {
            return variant.fields.isEmpty ? .nothing : .content(isNamed: false)
        }
        if variant.index == 0, variant.name == "None", variant.fields.isEmpty { return .nothing }
        guard variant.index == 1, variant.name == "Some", let inner = lone(variant) else { return .unusual }
        // An Option inside, even behind hidden wrappers, has a `None` of its own, so `Some` is named.
        let content = try types.definition(try unwrapped(inner.type))
        return .content(isNamed: content.ident == "Option" && content.shape == .enumeration)
    }

    private func isEra(_ variant: Variant) throws(MetadataError) -> Bool {
        let name = variant.name
        if variant.index == 0 { return name == "Immortal" && variant.fields.isEmpty }
        guard name.utf8Equals("Mortal\(variant.index)"), let field = lone(variant) else { return false }
        return try types.definition(field.type).shape == .primitive(.u8)
    }

    private func junction(_ variant: Variant, _ name: String) throws(MetadataError) -> VariantReading {
        let (field, length): (String, Int)
        switch ExactText(name) {
        case "AccountId32": (field, length) = ("id", 32)
        case "AccountKey20": (field, length) = ("key", 20)
        default: return .plain
        }
        guard let index = variant.fields.firstIndex(where: { $0.name.utf8Equals(field) }),
            try byteCount(variant.fields[index].type) == length
        else { return .unusual }
        return .junction(field: index, length: length)
    }

    /// The variant of an outer call is a pallet, whose one field is the enumeration of that pallet's calls.
    func isOuterCall(
        _ type: TypeReference, _ definition: TypeDefinition, _ variant: Variant, callType: TypeReference
    ) throws(MetadataError) -> Bool {
        let isNamed = definition.ident == "RuntimeCall" || definition.ident == "Call"
        guard type == callType || isNamed, variant.fields.count == 1 else { return false }
        let inner = try types.definition(variant.fields[0].type)
        return inner.shape == .enumeration && (type == callType || inner.ident == "Call")
    }

    // MARK: flags

    /// The single bits that have names in a set of flags; nil if there are no names.
    func flags(of definition: TypeDefinition) throws(MetadataError) -> [Variant]? {
        guard case .id(let id)? = definition.parameters.first?.type else { return nil }
        return try types.variants(of: id).filter { $0.index.nonzeroBitCount == 1 }
    }
}

extension Fraction {
    /// The integer type that stores it.
    var integer: PrimitiveType {
        switch self {
        case .percent: .u8
        case .perU16: .u16
        case .permill, .perbill: .u32
        case .perquintill, .fixedU64: .u64
        case .fixedI64: .i64
        case .fixedI128: .i128
        case .fixedU128: .u128
        }
    }
}
