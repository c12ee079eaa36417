import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Limits of what one payload may show, all transactions of a bulk together. No real payload comes near them.
///
/// They grow with the payload, so that a few hundred bytes whose types repeat themselves cost little: a card of a real transaction states more
/// than one byte on average, and its text, docs included, is less than 64 bytes for each byte beyond what every payload may show.
public enum CardLimits {
    public static let count = 1 << 16
    /// Bytes of text on all cards, fields included: types with long names would otherwise fill memory.
    public static let text = 1 << 23

    static func count(payload bytes: Int) -> Int { min(count, 1 << 13 + bytes) }

    static func text(payload bytes: Int) -> Int { min(text, 1 << 21 + 64 * min(bytes, text)) }
}

/// How much more may be shown.
public struct CardBudget: Sendable {
    private var cards: Int
    private var text: Int

    /// - Parameter bytes: of the payload.
    public init(payload bytes: Int) {
        cards = CardLimits.count(payload: bytes)
        text = CardLimits.text(payload: bytes)
    }

    /// Whether the limit is exceeded. Then no more cards are added, and the payload is refused.
    public var isSpent: Bool { cards < 0 || text < 0 }

    /// Counts a card, whether or not there is room for it.
    public mutating func spend(on card: Card) {
        cards -= 1
        text -= card.textLength
    }
}

/// Turns decoded values into the lines a person reads, by the types they were decoded with.
///
/// Every bit of a value shows on some card: a value without content, such as an empty list, has a card that says so. ``CardRebuilder`` rebuilds
/// the bytes from the literal cards; if it cannot, the payload is refused.
struct CardBuilder {
    let types: TypeView
    let specs: NetworkSpecs
    /// The enumeration of all pallets' calls.
    let callType: TypeReference
    let context: DecodingContext
    let judge: ShapeJudge
    let caches = CardCaches()
    var cards: [Card] = []
    var summary = CallSummary()
    /// The account in whose name the current call runs; nil when it is not known.
    var origin: [UInt8]?
    /// Calls that stand inside byte vectors or behind hashes, one inside the other. Their cards are derived.
    var hiddenDepth = 0
    /// How many more values may be decoded for them.
    var hiddenValues = ValueLimits.count
    /// Levels of values that are being shown, those around a hidden call included: one stack holds them all.
    private(set) var depth = 0
    private(set) var budget: CardBudget
    private let base: Int

    init(
        types: TypeView, specs: NetworkSpecs, callType: TypeReference, indent: Int = 0, context: DecodingContext = DecodingContext(),
        budget: CardBudget
    ) {
        self.types = types
        self.specs = specs
        self.callType = callType
        self.context = context
        judge = ShapeJudge(types: types, context: context)
        origin = context.signer
        self.budget = budget
        base = indent
    }

    mutating func build(_ value: Value, _ type: TypeReference, part: String) throws(ExtrinsicError) -> [Card] {
        cards = []
        do throws(MetadataError) {
            try show(value, type, indent: base, Hint())
        } catch {
            throw ExtrinsicError(.metadata(error.reason), place: part)
        }
        guard !isFull else { throw ExtrinsicError(.tooMuchToShow, place: part) }
        return cards
    }

    mutating func add(_ kind: Card.Kind, _ value: String, _ indent: Int, _ fields: [Card.Field] = []) {
        append(Card(kind, value, indent: indent, fields: fields, isDerived: hiddenDepth > 0))
    }

    mutating func add(_ notice: Notice, _ indent: Int) { append(notice.card(indent: indent)) }

    mutating func append(_ card: Card) {
        budget.spend(on: card)
        if !isFull { cards.append(card) }
    }

    var isFull: Bool { budget.isSpent }

    /// Notes a number as wide as amounts are that does not show as one.
    private mutating func noteBareNumber(_ type: TypeReference, _ hint: Hint) throws(MetadataError) {
        guard hint.typeName?.isBalance != true else { return }
        if let width = try judge.integer(type)?.width, width >= 16 { summary.hasBareNumbers = true }
    }

    mutating func show(_ value: Value, _ type: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError) {
        guard !isFull else { return }
        depth += 1
        defer { depth -= 1 }
        let definition = try types.definition(type)
        if let content = try types.opaqueContent(of: definition), case .record(let parts) = value, parts.count == 1 {
            return try show(parts[0], content, indent: indent, hint)
        }
        let trait = try caches.trait(of: definition, judge)
        if try special(value, type, trait, indent: indent, hint) { return }
        switch (definition.shape, value) {
        case (.composite(let fields), .record(let values)):
            if fields.isEmpty { return add(.none, "()", indent) }
            if case .encodedCall = trait, let bytes = value.byteString { hide(.blake2b(of: bytes)) }
            if case .xcmLocation = trait { try explainLocation(fields, values, indent: indent) }
            if case .unusual = trait { add(.unusualShape(definition.pathText), indent) }
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
            if let hash = Hash32(bytes), let name = context.knownChains[hash] { add(.chain(name), indent) }
        case (.compact, .record): add(.none, "()", indent)
        case (.compact(let inner), _):
            guard let format = try judge.fraction(inside: inner, caches), fraction(value, format, indent: indent) else {
                try noteBareNumber(type, hint)
                return leaf(value, indent: indent, hint)
            }
        case (.primitive(.i256), .wide(let digits)):
            summary.hasBareNumbers = true
            add(.number, Decimal256.text(digits, isSigned: true), indent)
        default:
            try noteBareNumber(type, hint)
            leaf(value, indent: indent, hint)
        }
    }

    mutating func show(fields: [Field], _ values: [Value], indent: Int, _ hint: Hint) throws(MetadataError) {
        for (index, field) in fields.enumerated() {
            let inner = hint.field(field, of: fields.count, caches)
            if fields.count == 1, field.name == nil {
                try show(values[index], field.type, indent: indent, inner)
                continue
            }
            try label(field, index, indent)
            try show(values[index], field.type, indent: indent + 1, inner)
        }
    }

    private mutating func label(_ field: Field, _ index: Int, _ indent: Int) throws(MetadataError) {
        guard !isFull else { return }
        let definition = try types.definition(field.type)
        let facts: [Card.Field] = [
            .init("docs", field.docs), .init("path", definition.pathText), .init("type_docs", definition.docs),
        ]
        if let name = field.name {
            add(.fieldName, name, indent, facts)
        } else {
            add(.fieldNumber, "\(index + 1)", indent, facts)
        }
    }

    private mutating func tuple(_ elements: [TypeReference], _ values: [Value], indent: Int, _ hint: Hint) throws(MetadataError) {
        if elements.isEmpty { return add(.none, "()", indent) }
        for (index, element) in elements.enumerated() {
            let inner = hint.element(index, of: elements.count)
            guard elements.count > 1 else {
                try show(values[index], element, indent: indent, inner)
                continue
            }
            add(.fieldNumber, "\(index + 1)", indent)
            try show(values[index], element, indent: indent + 1, inner)
        }
    }

    private mutating func list(_ values: [Value], _ element: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError) {
        if values.isEmpty { return add(.none, "[]", indent) }
        let inner = hint.item
        for (index, value) in values.enumerated() {
            add(.fieldNumber, "\(index + 1)", indent)
            try show(value, element, indent: indent + 1, inner)
        }
    }

    private mutating func enumeration(
        _ type: TypeReference, _ definition: TypeDefinition, _ index: UInt8, _ values: [Value], indent: Int, _ hint: Hint
    ) throws(MetadataError) {
        let variant = try types.variant(index, of: type)
        if try judge.isOuterCall(type, definition, variant, callType: callType) {
            return try call(variant, values[0], indent: indent)
        }
        let reading = try judge.reading(variant, of: definition)
        switch reading {
        case .nothing: return add(.none, variant.name, indent)
        case .content(isNamed: false):
            guard let field = variant.fields.first else { return add(.none, variant.name, indent) }
            return try show(values[0], field.type, indent: indent, hint.item)
        case .era:
            if let era = try? Era(variant: index, fields: values) {
                return append(ExtensionCards.card(era, indent: indent, hiddenDepth > 0))
            }
        case .plain, .unusual, .content, .account, .junction, .text, .parameter, .amount: break
        }
        noteAddresses(variant, definition, reading)
        let facts: [Card.Field] =
            reading == .unusual
            ? [.init("variant", variant.name), .init("variant_index", .number(Int(index))), .init("path", definition.pathText)] : []
        add(.enumVariant, try judge.text(variant, of: definition), indent, [.init("docs", variant.docs)] + facts)
        switch reading {
        case .account, .text:
            guard let bytes = values[0].byteString else { return }
            if case .text = reading { self.bytes(bytes, indent: indent + 1) } else { account(bytes, indent: indent + 1) }
        case .junction(let field, _): try junction(variant, values, account: field, indent: indent + 1)
        case .nothing, .plain, .unusual, .content, .era, .parameter, .amount:
            if definition.ident == "Bounded" { return try boundedCall(in: variant, values, indent: indent + 1) }
            try show(fields: variant.fields, values, indent: indent + 1, hint.variant(reading, of: definition))
        }
    }
}

/// What a part of a value is told by its context.
extension Hint {
    /// Of one field among others. A wrapper keeps the name its user gave it when its own field says nothing about amounts.
    func field(_ field: Field, of count: Int, _ caches: CardCaches) -> Hint {
        let isWrapper = count == 1 && field.name == nil
        if isWrapper, typeName?.isBalance == true { return self }
        let own = field.typeName.flatMap { caches.typeName($0) }
        // A type parameter says nothing where the context spell what it stands for.
        if isWrapper, typeName != nil, own?.isParameter == true { return self }
        return named(own ?? (count == 1 ? typeName : nil))
    }

    /// Of an element of a tuple.
    func element(_ index: Int, of count: Int) -> Hint { named(typeName?.element(index, of: count)) }

    /// Of an item of a list, and of the content of an Option.
    var item: Hint { named(typeName?.argument) }

    /// Of the fields of a variant.
    func variant(_ reading: VariantReading, of definition: TypeDefinition) -> Hint {
        var hint: Hint =
            switch reading {
            case .parameter: named(typeName?.argument)
            // The amount of an XCM asset has no type name of its own.
            case .amount: named(.balance)
            // `Some` with its name shown is still an Option.
            case .content: named(typeName?.argument)
            case .plain, .unusual, .nothing, .era, .account, .junction, .text: named(nil)
            }
        if definition.ident == "Instruction" { hint.instructions += 1 }
        return hint
    }

    /// Of an argument of a call. Only `execute` runs its message here; any other message is for another chain.
    func argument(_ field: Field, of call: Variant, _ types: TypeView) throws(MetadataError) -> Hint {
        let type = try types.definition(field.type).ident
        guard type == "VersionedXcm" || type == "Xcm", !call.name.utf8.elementsEqual("execute".utf8) else { return self }
        var hint = self
        hint.instructions += 1
        return hint
    }
}

extension ShapeJudge {
    /// The variant of an outer call is a pallet, whose one field is the enumeration of that pallet's calls.
    func isOuterCall(
        _ type: TypeReference, _ definition: TypeDefinition, _ variant: Variant, callType: TypeReference
    ) throws(MetadataError) -> Bool {
        let isNamed = definition.ident == "RuntimeCall" || definition.ident == "Call"
        guard type == callType || isNamed, variant.fields.count == 1 else { return false }
        let inner = try types.definition(variant.fields[0].type)
        return inner.shape == .enumeration && (type == callType || inner.ident == "Call")
    }
}

extension Card {
    /// Bytes of text, facts included.
    var textLength: Int {
        fields.reduce(value.utf8.count) { sum, field in
            guard case .text(let text) = field.fact else { return sum }
            return sum + text.utf8.count
        }
    }
}
