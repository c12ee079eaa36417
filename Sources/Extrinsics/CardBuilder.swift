import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Turns decoded values into the lines a person reads, by the types they were decoded with.
///
/// Every bit of a value shows on some card: what has no content of its own, as an empty list, has a card that says so.
struct CardBuilder {
    let types: TypeView
    let specs: NetworkSpecs
    /// The enumeration of all pallets' calls.
    let callType: TypeReference
    let context: DecodingContext
    var cards: [Card] = []
    var summary = CallSummary()
    /// The account in whose name the current call runs; nil when it is not known.
    var origin: [UInt8]?
    /// Calls that stand inside byte vectors or behind hashes, one inside the other.
    var hiddenDepth = 0
    var caches = CardCaches()
    private let base: Int

    init(
        types: TypeView, specs: NetworkSpecs, callType: TypeReference, indent: Int = 0, context: DecodingContext = DecodingContext()
    ) {
        self.types = types
        self.specs = specs
        self.callType = callType
        self.context = context
        origin = context.signer
        base = indent
    }

    /// What the surroundings say of a value.
    struct Hint {
        /// The type as the runtime's source spells it.
        var typeName: TypeName?
        /// Whose amounts stand here.
        var asset = AssetContext.native
    }

    mutating func build(_ value: Value, _ type: TypeReference, part: String) throws(ExtrinsicError) -> [Card] {
        cards = []
        do throws(MetadataError) {
            try show(value, type, indent: base, Hint())
        } catch {
            throw ExtrinsicError(.metadata(error.code), place: part)
        }
        return cards
    }

    mutating func add(_ kind: Card.Kind, _ value: String, _ indent: Int, _ fields: [Card.Field] = []) {
        cards.append(Card(kind, value, indent: indent, fields: fields))
    }

    mutating func add(_ notice: Notice, _ indent: Int) { cards.append(notice.card(indent: indent)) }

    mutating func show(_ value: Value, _ type: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError) {
        let definition = try types.definition(type)
        let trait = trait(of: definition)
        if try special(value, definition, trait, indent: indent, hint) { return }
        switch (definition.shape, value) {
        case (.composite(let fields), .record(let values)):
            if fields.isEmpty { return add(.none, "()", indent) }
            if case .encodedCall = trait, let bytes = value.byteString { hide(.blake2b(of: bytes)) }
            if case .xcmLocation = trait { try explainLocation(fields, values, indent: indent) }
            if case .xcmAsset = trait {
                try show(fields: fields, values, indent: indent, try assetHint(fields, values, hint))
            } else {
                try show(fields: fields, values, indent: indent, hint)
            }
        case (.tuple(let elements), .record(let values)):
            try tuple(elements, values, indent: indent, hint)
        case (.enumeration, .variant(let index, let values)):
            try enumeration(type, definition, index, values, indent: indent, hint)
        case (.sequence(let element), .list(let values)), (.array(_, let element), .list(let values)):
            try list(values, element, indent: indent, hint)
        case (.array, .bytes(let bytes)):
            add(.bytes, "0x" + Hex.encode(bytes), indent, [.init("hex", Hex.encode(bytes))])
        case (.compact(let inner), _):
            let wrapped = try types.definition(inner)
            guard try !special(value, wrapped, self.trait(of: wrapped), indent: indent, hint) else { return }
            leaf(value, indent: indent, hint)
        case (.primitive(.i256), .wide(let digits)): add(.number, Decimal256.text(digits, isSigned: true), indent)
        default: leaf(value, indent: indent, hint)
        }
    }

    mutating func show(fields: [Field], _ values: [Value], indent: Int, _ hint: Hint) throws(MetadataError) {
        for (place, field) in fields.enumerated() {
            var inner = hint
            inner.typeName = field.typeName.map { typeName($0) } ?? (fields.count == 1 ? hint.typeName : nil)
            if fields.count == 1, field.name == nil {
                // A wrapper keeps the name its user gave it when its own field says nothing about amounts.
                if hint.typeName?.isBalance == true { inner.typeName = hint.typeName }
                try show(values[place], field.type, indent: indent, inner)
                continue
            }
            try label(field, place, indent)
            try show(values[place], field.type, indent: indent + 1, inner)
        }
    }

    private mutating func label(_ field: Field, _ place: Int, _ indent: Int) throws(MetadataError) {
        let definition = try types.definition(field.type)
        let facts: [Card.Field] = [
            .init("docs", field.docs), .init("path", definition.pathText), .init("type_docs", definition.docs),
        ]
        if let name = field.name {
            add(.fieldName, name, indent, facts)
        } else {
            add(.fieldNumber, "\(place + 1)", indent, facts)
        }
    }

    private mutating func tuple(_ elements: [TypeReference], _ values: [Value], indent: Int, _ hint: Hint) throws(MetadataError) {
        if elements.isEmpty { return add(.none, "()", indent) }
        for (place, element) in elements.enumerated() {
            var inner = hint
            inner.typeName = hint.typeName?.element(place, of: elements.count)
            guard elements.count > 1 else {
                try show(values[place], element, indent: indent, inner)
                continue
            }
            add(.fieldNumber, "\(place + 1)", indent)
            try show(values[place], element, indent: indent + 1, inner)
        }
    }

    private mutating func list(_ values: [Value], _ element: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError) {
        if values.isEmpty { return add(.none, "[]", indent) }
        var inner = hint
        inner.typeName = hint.typeName?.argument
        for (place, value) in values.enumerated() {
            add(.fieldNumber, "\(place + 1)", indent)
            try show(value, element, indent: indent + 1, inner)
        }
    }

    private mutating func enumeration(
        _ type: TypeReference, _ definition: TypeDefinition, _ index: UInt8, _ values: [Value], indent: Int, _ hint: Hint
    ) throws(MetadataError) {
        let variant = try types.variant(index, of: type)
        if try isOuterCall(type, definition, variant) {
            return try call(variant, values[0], indent: indent)
        }
        if definition.ident == "Option", try !optionNeedsName(variant) {
            guard let inner = variant.fields.first else { return add(.none, variant.name, indent) }
            return try show(values[0], inner.type, indent: indent, Hint(typeName: hint.typeName?.argument, asset: hint.asset))
        }
        add(.enumVariant, variant.name, indent, [.init("docs", variant.docs)])
        if try account(in: variant, of: definition, values, indent: indent + 1) { return }
        if definition.ident == "Bounded", try hiddenCall(in: variant, values, indent: indent + 1) { return }
        var inner = Hint(typeName: nil, asset: hint.asset)
        // The amount of an XCM asset has no type name of its own.
        if variant.name == "Fungible", definition.ident == "Fungibility" { inner.typeName = TypeName("Balance") }
        try show(variant: variant, values, indent: indent + 1, inner)
    }

    private mutating func show(variant: Variant, _ values: [Value], indent: Int, _ hint: Hint) throws(MetadataError) {
        guard hint.typeName != nil, variant.fields.count == 1, variant.fields[0].name == nil else {
            return try show(fields: variant.fields, values, indent: indent, hint)
        }
        try show(values[0], variant.fields[0].type, indent: indent, hint)
    }

    /// `None` and `Some(None)` must not look alike.
    private func optionNeedsName(_ variant: Variant) throws(MetadataError) -> Bool {
        guard let inner = variant.fields.first else { return false }
        return try types.definition(inner.type).ident == "Option" || variant.fields.count != 1
    }

    /// The variant of an outer call is a pallet, whose one field is the enumeration of that pallet's calls.
    private func isOuterCall(
        _ type: TypeReference, _ definition: TypeDefinition, _ variant: Variant
    ) throws(MetadataError) -> Bool {
        let isNamed = definition.ident == "RuntimeCall" || definition.ident == "Call"
        guard type == callType || isNamed, variant.fields.count == 1 else { return false }
        let inner = try types.definition(variant.fields[0].type)
        return inner.shape == .enumeration && (type == callType || inner.ident == "Call")
    }
}
