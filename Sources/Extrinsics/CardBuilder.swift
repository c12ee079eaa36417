import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Turns decoded values into the lines a person reads, by the types they were decoded with.
///
/// Every bit of a value shows on some card: what has no content of its own, as an empty list, has a card that says so.
struct CardBuilder {
    let types: TypeView
    let specs: NetworkSpecs
    /// The enumeration of all pallets' calls.
    let callType: TypeReference
    private(set) var cards: [Card] = []
    private let base: Int
    private var path: [String] = []

    init(types: TypeView, specs: NetworkSpecs, callType: TypeReference, indent: Int = 0) {
        self.types = types
        self.specs = specs
        self.callType = callType
        base = indent
    }

    /// What the surroundings say of a value.
    struct Hint {
        /// The type as the runtime's source spells it.
        var typeName: TypeName?
        /// Whether amounts are of the chain's own token here.
        var isNative = true
    }

    mutating func build(_ value: Value, _ type: TypeReference, part: String) throws(ExtrinsicError) -> [Card] {
        cards = []
        do throws(MetadataError) {
            try show(value, type, indent: base, Hint())
        } catch {
            throw ExtrinsicError(.metadata(error.code), place: ([part] + path).joined(separator: "."))
        }
        return cards
    }

    mutating func add(_ kind: Card.Kind, _ value: String, _ indent: Int, _ fields: [Card.Field] = []) {
        cards.append(Card(kind, value, indent: indent, fields: fields))
    }

    mutating func show(_ value: Value, _ type: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError) {
        let definition = try types.definition(type)
        if try special(value, definition, indent: indent, hint) { return }
        switch (definition.shape, value) {
        case (.composite(let fields), .record(let values)):
            try show(fields: fields, values, indent: indent, hint, Wrapped(definition))
        case (.tuple(let elements), .record(let values)):
            try tuple(elements, values, indent: indent, hint)
        case (.enumeration, .variant(let index, let values)):
            try enumeration(type, definition, index, values, indent: indent, hint)
        case (.sequence(let element), .list(let values)), (.array(_, let element), .list(let values)):
            try list(values, element, indent: indent, hint)
        case (.compact(let inner), _):
            guard try !special(value, try types.definition(inner), indent: indent, hint) else { return }
            leaf(value, indent: indent, hint)
        default: leaf(value, indent: indent, hint)
        }
    }

    /// A definition whose lone unnamed field is shown in its place.
    private struct Wrapped {
        let isTransparent: Bool
        init(_ definition: TypeDefinition) {
            guard case .composite(let fields) = definition.shape else {
                isTransparent = false
                return
            }
            isTransparent = fields.count == 1 && fields[0].name == nil
        }
    }

    private mutating func show(
        fields: [Field], _ values: [Value], indent: Int, _ hint: Hint, _ wrapped: Wrapped? = nil
    ) throws(MetadataError) {
        if fields.isEmpty, wrapped != nil { return add(.none, "()", indent) }
        for (place, field) in fields.enumerated() {
            var inner = hint
            inner.typeName = field.typeName.map(TypeName.init) ?? (fields.count == 1 ? hint.typeName : nil)
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
            .init("docs", field.docs), .init("path", definition.path.joined(separator: "::")), .init("type_docs", definition.docs),
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
            return try show(values[0], inner.type, indent: indent, Hint(typeName: hint.typeName?.argument, isNative: hint.isNative))
        }
        add(.enumVariant, variant.name, indent, [.init("docs", variant.docs)])
        try show(fields: variant.fields, values, indent: indent + 1, Hint(typeName: nil, isNative: hint.isNative))
    }

    /// `None` and `Some(None)` must not look alike.
    private func optionNeedsName(_ variant: Variant) throws(MetadataError) -> Bool {
        guard let inner = variant.fields.first else { return false }
        return try types.definition(inner.type).ident == "Option" || variant.fields.count != 1
    }

    // MARK: calls

    /// The variant of an outer call is a pallet, whose one field is the enumeration of that pallet's calls.
    private func isOuterCall(_ type: TypeReference, _ definition: TypeDefinition, _ variant: Variant) throws(MetadataError) -> Bool {
        guard type == callType || definition.ident == "RuntimeCall" || definition.ident == "Call", variant.fields.count == 1 else {
            return false
        }
        let inner = try types.definition(variant.fields[0].type)
        return inner.shape == .enumeration && (type == callType || inner.ident == "Call")
    }

    private mutating func call(_ pallet: Variant, _ value: Value, indent: Int) throws(MetadataError) {
        guard case .variant(let index, let values) = value else { return }
        let type = pallet.fields[0].type
        let variant = try types.variant(index, of: type)
        add(.pallet, pallet.name, indent)
        add(.call, variant.name, indent + 1, [.init("docs", variant.docs)])
        let isNative = AssetCalls.amountsAreNative(in: variant, of: try types.definition(type))
        try show(fields: variant.fields, values, indent: indent + 2, Hint(typeName: nil, isNative: isNative))
    }
}
