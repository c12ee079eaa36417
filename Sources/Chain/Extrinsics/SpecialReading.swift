import Metadata
import SubstratePrimitives

/// Types that are shown in a form of their own instead of by their parts.
///
/// A name proves nothing: any runtime and any proof may call any type `Option`. So each reading is for one shape only, and every other shape
/// shows by its parts. An enumeration is judged by the variant at hand, because a metadata proof holds one leaf a variant and must show what
/// full metadata shows. ``CardRebuilder`` turns every reading back into bytes.
package enum SpecialReading: String, CaseIterable, Sendable {
    case option, account, accountOfAddress, accountOfJunction, era, identityText, flags, fraction, vote, configOperation, fungibleAmount
    case call, opaque, amount, text

    /// Names of the types: the last parts of their paths.
    package var names: Set<String> {
        switch self {
        case .option: ["Option"]
        case .account: ["AccountId32", "AccountId20"]
        case .accountOfAddress: ["MultiAddress", "Source"]
        case .accountOfJunction: ["Junction"]
        case .era: ["Era"]
        case .identityText: ["Data"]
        case .flags: ["BitFlags"]
        case .fraction: ["Percent", "PerU16", "Permill", "Perbill", "Perquintill", "FixedI64", "FixedU64", "FixedI128", "FixedU128"]
        case .vote: ["Vote"]
        case .configOperation: ["ConfigOp"]
        case .fungibleAmount: ["Fungibility"]
        case .call: ["RuntimeCall", "Call"]
        case .opaque: ["WrapperKeepOpaque", "WrapperOpaque"]
        // These go by the shape, an amount also by the spelling of its type: `TypeName.balances`.
        case .amount, .text: []
        }
    }

    /// The required shape, in words.
    package var shape: String {
        switch self {
        case .option: "None at 0 without fields, or Some at 1 with one unnamed field"
        case .account: "one unnamed field, 32 or 20 bytes as the name says"
        case .accountOfAddress: "Address32 at 3 with 32 bytes, or Address20 at 4 with 20 bytes, in one unnamed field"
        case .accountOfJunction: "AccountId32 with a field id of 32 bytes, or AccountKey20 with a field key of 20 bytes"
        case .era: "Immortal at 0 without fields, or MortalN at N with one unnamed byte"
        case .identityText: "RawN at N + 1 with N bytes in one unnamed field"
        case .flags: "one unnamed field, an unsigned integer of up to 64 bits; the bits are named by the type's parameter"
        case .fraction: "one unnamed field, the integer that the name stands for"
        case .vote: "one unnamed byte"
        case .configOperation: "Set at 1 with one unnamed field, whose type name is a parameter"
        case .fungibleAmount: "Fungible at 0 with one unnamed integer"
        case .call: "a variant whose one field is an enumeration called Call; in the type of all calls any enumeration"
        case .opaque: "two unnamed fields, Compact<u32> and the content"
        case .amount: "an unsigned integer of up to 128 bits, compact or not"
        case .text: "a sequence of u8"
        }
    }

    /// Where the shape is defined.
    package var source: String {
        switch self {
        case .option: "paritytech/scale-info src/impls.rs"
        case .account: "paritytech/polkadot-sdk substrate/primitives/core/src/crypto.rs; polkadot-evm/frontier primitives/account"
        case .accountOfAddress: "paritytech/polkadot-sdk substrate/primitives/runtime/src/multiaddress.rs"
        case .accountOfJunction: "paritytech/polkadot-sdk polkadot/xcm/src"
        case .era: "paritytech/polkadot-sdk substrate/primitives/runtime/src/generic/era.rs"
        case .identityText: "paritytech/polkadot-sdk substrate/frame/identity/src/types.rs"
        case .flags: "paritytech/polkadot-sdk substrate/frame/identity/src/types.rs, substrate/frame/nfts/src/macros.rs"
        case .fraction: "paritytech/polkadot-sdk substrate/primitives/arithmetic/src"
        case .vote: "paritytech/polkadot-sdk substrate/frame/conviction-voting/src/vote.rs"
        case .configOperation: "paritytech/polkadot-sdk substrate/frame/staking/src/pallet/mod.rs"
        case .fungibleAmount: "paritytech/polkadot-sdk polkadot/xcm/src/v3/multiasset.rs"
        case .call: "paritytech/polkadot-sdk substrate/frame/support/procedural/src/construct_runtime"
        case .opaque: "paritytech/polkadot-sdk substrate/frame/support/src/traits/misc.rs"
        case .amount: "paritytech/polkadot-sdk substrate/frame/balances/src/lib.rs"
        case .text: "paritytech/parity-scale-codec src/codec.rs"
        }
    }
}

/// How a variant of an enumeration is shown.
enum VariantReading: Equatable {
    /// By its name, then its fields.
    case plain
    /// By name, index and path: the name belongs to a special reading and the shape does not.
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
    /// The one field has the type that the context spell.
    case parameter
    case amount
}

/// Judges types by their shapes. What it says follows from types alone, so that building cards and reading them back agree.
struct ShapeJudge {
    let types: TypeView
    let rules: ReadingRules
    /// Whether to show only what a proof could show too: a proof has no type parameters, which name flags, and not the type inside a compact.
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
            case .composite(let fields) where fields.count == 1 && fields[0].name == nil: inner = fields[0].type
            case .tuple(let elements) where elements.count == 1: inner = elements[0]
            case .composite, .enumeration, .sequence, .array, .tuple, .primitive, .compact, .bits: return inner
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
        if let format = Fraction(ident: name) {
            return try wrappedInteger(definition) == format.integer ? .fraction(format) : .unusual
        }
        switch name {
        case "BitFlags":
            guard let width = try wrappedInteger(definition)?.width, width <= 8 else { return .unusual }
            return .flags
        case "Vote" where definition.shape != .enumeration:
            return try wrappedInteger(definition) == .u8 ? .vote : .none
        case "Asset", "MultiAsset": return definition.path.first?.utf8Contains("xcm") == true ? .xcmAsset : .none
        case "Location", "MultiLocation": return .xcmLocation
        case "DoubleEncoded": return .encodedCall
        default: return .none
        }
    }

    private func field(_ definition: TypeDefinition) -> TypeReference? {
        guard case .composite(let fields) = definition.shape, fields.count == 1, fields[0].name == nil || !rules.standardShapes else {
            return nil
        }
        return fields[0].type
    }

    private func fieldBytes(_ definition: TypeDefinition) throws(MetadataError) -> Int? {
        guard let field = field(definition) else { return nil }
        return try byteCount(field)
    }

    private func wrappedInteger(_ definition: TypeDefinition) throws(MetadataError) -> PrimitiveType? {
        guard let field = field(definition), case .primitive(let primitive) = try types.definition(field).shape else { return nil }
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
            guard name == "Set", variant.index == 1, let field = lone(variant), let type = field.typeName.flatMap(TypeName.init) else {
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
        guard rules.standardShapes else { return variant.fields.isEmpty ? .nothing : .content(isNamed: false) }
        if variant.index == 0, variant.name == "None", variant.fields.isEmpty { return .nothing }
        guard variant.index == 1, variant.name == "Some", let inner = lone(variant) else { return .unusual }
        // An Option inside, also in wrappers that do not show, begins with a `None` of its own.
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
}
