import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Rebuilds the bytes from what a person reads.
///
/// It knows the types and of each literal card the kind, the depth and the line. It knows neither the bytes
/// nor the values that the cards were built from. So if it rebuilds the bytes correctly, the cards determine
/// them: no two byte strings of one type have the same literal cards, whatever a sender calls his types. If
/// it fails, or gets other bytes, the cards do not show everything, and the payload is refused.
struct CardRebuilder {
    let types: TypeView
    let callType: TypeReference
    let context: DecodingContext
    let judge: ShapeJudge
    let caches = CardCaches()
    var reader: LiteralCardReader
    /// Variants by what their cards say, for each enumeration.
    var variants: [UInt32: [ExactText: Variant]] = [:]
    /// Calls by their names, for each enumeration of a pallet's calls.
    var calls: [UInt32: [ExactText: Variant]] = [:]
    /// The assets of the amounts in a call, by the position behind the call's name: reading ahead meets calls
    /// that are read again in their turn, and would double the work at each level.
    var units: [Int: CallUnits] = [:]

    init(
        _ cards: [Card], types: TypeView, specs: NetworkSpecs, callType: TypeReference,
        context: DecodingContext
    ) {
        self.types = types
        self.callType = callType
        self.context = context
        judge = ShapeJudge(types: types, context: context)
        reader = LiteralCardReader(cards, types: types, specs: specs)
    }

    mutating func value(_ type: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let definition = try types.definition(type)
        if let content = try types.opaqueContent(of: definition) { return try opaque(content, indent, hint) }
        let trait = try caches.trait(of: definition, judge)
        if try special(type, definition, trait, indent, hint) { return }
        switch definition.shape {
        case .composite(let fields):
            if fields.isEmpty { return try reader.take(.none, indent, "()") }
            if case .xcmAsset = trait { return try asset(fields, indent, hint) }
            try self.fields(fields, indent, hint)
        case .tuple(let elements): try tuple(elements, indent, hint)
        case .enumeration: try enumeration(type, definition, indent, hint)
        case .sequence(let element): try sequence(type, element, indent, hint)
        case .array(let count, let element): try array(count, element, type, indent, hint)
        case .primitive(let primitive): try reader.primitive(primitive, type, indent, hint)
        case .compact(let inner):
            guard let integer = try types.compactInteger(inner) else {
                return try reader.take(.none, indent, "()")
            }
            if let format = try caches.fraction(inside: inner, judge) {
                return try reader.fraction(format, try judge.unwrapped(type), indent)
            }
            try reader.primitive(integer, type, indent, hint)
        case .bits: try reader.bits(type, indent)
        }
    }

    /// The first card of the content covers the length in front of it.
    private mutating func opaque(_ content: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let start = reader.mark
        try value(content, indent, hint)
        reader.addLength(since: start)
    }

    private mutating func special(
        _ type: TypeReference, _ definition: TypeDefinition, _ trait: TypeTrait, _ indent: Int, _ hint: Hint
    ) throws -> Bool {
        switch trait {
        case .account(let length):
            try reader.account(length, indent)
            return true
        case .flags:
            guard reader.isNext(.identityField, indent), let flags = try judge.flags(of: definition) else {
                return false
            }
            try reader.flags(flags, try judge.unwrapped(type), indent)
            return true
        case .vote: return try reader.vote(indent)
        case .wide:
            try reader.wide(indent, isWei: hint.isWei)
            return true
        case .fraction(let format):
            try reader.fraction(format, try judge.unwrapped(type), indent)
            return true
        case .xcmAsset, .xcmLocation, .encodedCall, .ordered, .unusual, .none:
            guard let format = try judge.fraction(of: type, hint) else { return false }
            try reader.fraction(format, try judge.unwrapped(type), indent)
            return true
        }
    }

    private mutating func tuple(_ elements: [TypeReference], _ indent: Int, _ hint: Hint) throws {
        if elements.isEmpty { return try reader.take(.none, indent, "()") }
        for (index, element) in elements.enumerated() {
            let inner = hint.element(index, of: elements.count)
            guard elements.count > 1 else { return try value(element, indent, inner) }
            try reader.take(.fieldNumber, indent, "\(index + 1)")
            try value(element, indent + 1, inner)
        }
    }

    private func isByte(_ element: TypeReference) -> Bool {
        (try? types.definition(element))?.shape == .primitive(.u8)
    }

    private mutating func sequence(
        _ type: TypeReference, _ element: TypeReference, _ indent: Int, _ hint: Hint
    ) throws {
        if isByte(element) {
            let content = try reader.byteString(indent)
            return reader.state(SCALEWriter.encode { $0.byteVector(content) })
        }
        if reader.isNext(.none, indent, "[]") {
            try reader.take(.none, indent)
            return reader.state([0])
        }
        let count = reader.items(indent)
        // An empty list has a card that says so.
        guard count > 0 else { throw reader.mismatch }
        reader.addStructure(SCALEWriter.encode { $0.compact(UInt64(count)) })
        try list(count, element, indent, hint)
    }

    private mutating func array(
        _ count: UInt32, _ element: TypeReference, _ type: TypeReference, _ indent: Int, _ hint: Hint
    ) throws {
        if isByte(element) {
            guard let content = Hex.decode(try reader.take(.bytes, indent)), content.count == Int(count)
            else { throw reader.mismatch }
            return reader.state(content)
        }
        if count == 0 { return try reader.take(.none, indent, "[]") }
        try list(Int(count), element, indent, hint)
    }

    private mutating func list(_ count: Int, _ element: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let inner = hint.item
        for index in 0..<count {
            try reader.take(.fieldNumber, indent, "\(index + 1)")
            try value(element, indent + 1, inner)
        }
    }

    mutating func fields(_ fields: [Field], _ indent: Int, _ hint: Hint) throws {
        for (index, field) in fields.enumerated() {
            let inner = hint.field(field, of: fields.count, caches)
            if fields.count == 1, field.name == nil { return try value(field.type, indent, inner) }
            try label(field, index, indent)
            try value(field.type, indent + 1, inner)
        }
    }

    private mutating func label(_ field: Field, _ index: Int, _ indent: Int) throws {
        if let name = field.name {
            try reader.take(.fieldName, indent, name)
        } else {
            try reader.take(.fieldNumber, indent, "\(index + 1)")
        }
    }

    /// The unit of the amount follows from the location in front of it.
    private mutating func asset(_ fields: [Field], _ indent: Int, _ hint: Hint) throws {
        guard let id = AssetReader.id(among: fields) else { return try self.fields(fields, indent, hint) }
        var hint = hint
        for (index, field) in fields.enumerated() {
            try label(field, index, indent)
            let start = reader.mark
            try value(field.type, indent + 1, hint.field(field, of: fields.count, caches))
            guard index == id else { continue }
            hint.asset = try AssetReader(types: types, context: context).asset(
                at: reader.value(field.type, since: start), field.type, isElsewhere: hint.isElsewhere)
        }
    }
}
