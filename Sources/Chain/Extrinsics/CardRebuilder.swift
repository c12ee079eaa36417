import Cards
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Rebuilds the bytes from what a person reads.
///
/// It knows the types and of each literal card the kind, the depth and the line. It knows neither the bytes nor the values that the cards were
/// built from. So if it rebuilds the bytes correctly, the cards determine them: no two byte strings of one type have the same literal cards,
/// whatever a sender calls his types. If it fails, or gets other bytes, the cards do not show everything, and the payload is refused.
///
/// A card also covers the structure bytes in front of its own that follow from it or from those behind it: the count of a list belongs to the
/// first item, as the items that show are counted; the first byte of an Option belongs to its content.
struct CardRebuilder {
    let types: TypeView
    let specs: NetworkSpecs
    let callType: TypeReference
    let context: DecodingContext
    let judge: ShapeJudge
    let caches = CardCaches()

    private let cards: LiteralCards
    /// For each card the position after all deeper cards that follow it.
    private let behind: [Int]
    private(set) var position = 0
    private(set) var bytes: [UInt8] = []
    /// For each card that was read, the end of the bytes that it covers.
    private var ends: [Int]
    /// Variants by what their cards say, for each enumeration.
    private var variants: [UInt32: [ExactText: Variant]] = [:]
    /// Calls by their names, for each enumeration of a pallet's calls.
    private var calls: [UInt32: [ExactText: Variant]] = [:]
    private var accounts: [ExactText: [UInt8]] = [:]
    /// The asset of the amounts in a call, by the position behind the call's name: reading ahead meets calls that are read again in their turn,
    /// and would double the work at each level.
    private var assets: [Int: AssetContext] = [:]
    /// The mode byte, which the card of the hash covers although other bytes stand between them.
    private var mode: (position: Int, range: Range<Int>)?

    /// The cards do not determine the bytes.
    struct Mismatch: Error {
        /// The literal card at which rebuilding failed.
        let position: Int
    }

    init(_ cards: [Card], types: TypeView, specs: NetworkSpecs, callType: TypeReference, context: DecodingContext) {
        self.types = types
        self.specs = specs
        self.callType = callType
        self.context = context
        let literal = LiteralCards(among: cards)
        self.cards = literal
        judge = ShapeJudge(types: types, context: context)
        behind = Self.ends(literal.count) { literal[$0].indent }
        ends = [Int](repeating: 0, count: literal.count)
    }

    /// The position after each card and all deeper cards that follow it.
    static func ends(_ count: Int, indent: (Int) -> Int) -> [Int] {
        var ends = [Int](repeating: count, count: count)
        var open: [Int] = []
        for position in 0..<count {
            let depth = indent(position)
            while let last = open.last, indent(last) >= depth {
                ends[last] = position
                open.removeLast()
            }
            open.append(position)
        }
        return ends
    }

    // MARK: reading cards

    private var next: Card? { position < cards.count ? cards[position] : nil }

    private var mismatch: Mismatch { Mismatch(position: min(position, cards.count - 1)) }

    private func isNext(_ kind: Card.Kind, _ indent: Int) -> Bool {
        position < cards.count && cards[position].kind == kind && cards[position].indent == indent
    }

    private func isNext(_ kind: Card.Kind, _ indent: Int, _ line: String) -> Bool {
        isNext(kind, indent) && cards[position].value.utf8Equals(line)
    }

    @discardableResult
    private mutating func take(_ kind: Card.Kind, _ indent: Int) throws -> String {
        guard isNext(kind, indent) else { throw mismatch }
        ends[position] = bytes.count
        position += 1
        return cards[position - 1].value
    }

    private mutating func take(_ kind: Card.Kind, _ indent: Int, _ line: String) throws {
        guard isNext(kind, indent, line) else { throw mismatch }
        try take(kind, indent)
    }

    /// Adds the bytes that the last read card states.
    private mutating func state(_ own: [UInt8]) {
        bytes += own
        ends[position - 1] = bytes.count
    }

    private mutating func state(_ value: Value, _ type: TypeReference) throws {
        state(try ValueEncoder.encode(value, type, types: types))
    }

    /// Throws if a card is left.
    func finish() throws { guard position == cards.count else { throw mismatch } }

    // MARK: values

    mutating func value(_ type: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let definition = try types.definition(type)
        if let content = try types.opaqueContent(of: definition) { return try opaque(content, indent, hint) }
        let trait = try caches.trait(of: definition, judge)
        if try special(type, definition, trait, indent, hint) { return }
        switch definition.shape {
        case .composite(let fields):
            if fields.isEmpty { return try take(.none, indent, "()") }
            if case .xcmAsset = trait { return try asset(fields, indent, hint) }
            try self.fields(fields, indent, hint)
        case .tuple(let elements): try tuple(elements, indent, hint)
        case .enumeration: try enumeration(type, definition, indent, hint)
        case .sequence(let element): try sequence(type, element, indent, hint)
        case .array(let count, let element): try array(count, element, type, indent, hint)
        case .primitive(let primitive): try self.primitive(primitive, type, indent, hint)
        case .compact(let inner):
            guard let integer = try types.compactInteger(inner) else { return try take(.none, indent, "()") }
            if let format = try judge.fraction(inside: inner, caches) { return try fraction(format, type, indent) }
            try self.primitive(integer, type, indent, hint)
        case .bits:
            let digits = Array(try take(.bits, indent).utf8)
            guard digits.starts(with: Array("0b".utf8)) else { throw mismatch }
            try state(.bits(digits.dropFirst(2).map { $0 == UInt8(ascii: "1") }), type)
        }
    }

    /// The first card of the content covers the length in front of it.
    private mutating func opaque(_ content: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let (start, first) = (bytes.count, position)
        try value(content, indent, hint)
        let length = SCALEWriter.encode { $0.compact(UInt64(bytes.count - start)) }
        bytes.insert(contentsOf: length, at: start)
        for card in first..<position { ends[card] += length.count }
    }

    private mutating func special(
        _ type: TypeReference, _ definition: TypeDefinition, _ trait: TypeTrait, _ indent: Int, _ hint: Hint
    ) throws -> Bool {
        switch trait {
        case .account(let length):
            try account(length, indent)
            return true
        case .flags:
            guard isNext(.identityField, indent), let flags = try judge.flags(of: definition) else { return false }
            try self.flags(flags, type, indent)
            return true
        case .vote:
            guard isNext(.number, indent), let byte = StandardVote.byte(cards[position].value) else { return false }
            try take(.number, indent)
            state([byte])
            return true
        case .fraction(let format):
            try fraction(format, type, indent)
            return true
        case .xcmAsset, .xcmLocation, .encodedCall, .unusual, .none:
            guard let format = try judge.fraction(of: type, hint, caches) else { return false }
            try fraction(format, type, indent)
            return true
        }
    }

    private mutating func account(_ length: Int, _ indent: Int) throws {
        let text = try take(.account, indent)
        let account: [UInt8]
        let key = ExactText(text)
        if let known = accounts[key] {
            account = known
        } else {
            let isHex = text.utf8Starts(with: "0x")
            guard
                let read = isHex
                    ? Hex.decode(text) : (try? SS58Address(text)).flatMap({ $0.prefix == specs.base58Prefix ? $0.account : nil })
            else { throw mismatch }
            account = read
            if accounts.count < CardCaches.addressLimit { accounts[key] = account }
        }
        guard account.count == length else { throw mismatch }
        state(account)
    }

    private mutating func flags(_ flags: [Variant], _ type: TypeReference, _ indent: Int) throws {
        var bits: UInt128 = 0
        let first = position
        while isNext(.identityField, indent) {
            let name = cards[position].value
            let named = flags.filter { $0.name.utf8Equals(name) }
            guard named.count == 1, bits & UInt128(named[0].index) == 0 else { throw mismatch }
            bits |= UInt128(named[0].index)
            try take(.identityField, indent)
        }
        // One integer stands for all of them; it belongs to the first.
        let own = try ValueEncoder.encode(.unsigned(bits), try judge.unwrapped(type), types: types)
        bytes += own
        for card in first..<position { ends[card] = bytes.count }
    }

    private mutating func fraction(_ format: Fraction, _ type: TypeReference, _ indent: Int) throws {
        guard let (magnitude, isNegative) = format.number(try take(.number, indent)) else { throw mismatch }
        let leaf = try judge.unwrapped(type)
        guard format.integer.isUnsigned else {
            // The magnitude of the lowest number is too large for a positive number.
            let bits = isNegative ? ~magnitude &+ 1 : magnitude
            return try state(.signed(Int128(truncatingIfNeeded: bits)), leaf)
        }
        guard !isNegative else { throw mismatch }
        try state(.unsigned(magnitude), leaf)
    }

    private mutating func tuple(_ elements: [TypeReference], _ indent: Int, _ hint: Hint) throws {
        if elements.isEmpty { return try take(.none, indent, "()") }
        for (index, element) in elements.enumerated() {
            let inner = hint.element(index, of: elements.count)
            guard elements.count > 1 else { return try value(element, indent, inner) }
            try take(.fieldNumber, indent, "\(index + 1)")
            try value(element, indent + 1, inner)
        }
    }

    private func isByte(_ element: TypeReference) -> Bool { (try? types.definition(element))?.shape == .primitive(.u8) }

    private mutating func sequence(_ type: TypeReference, _ element: TypeReference, _ indent: Int, _ hint: Hint) throws {
        if isByte(element) {
            let content = try byteString(indent)
            return state(SCALEWriter.encode { $0.byteVector(content) })
        }
        if isNext(.none, indent, "[]") {
            try take(.none, indent)
            return state([0])
        }
        let count = items(indent)
        // An empty list has a card that says so.
        guard count > 0 else { throw mismatch }
        bytes += SCALEWriter.encode { $0.compact(UInt64(count)) }
        try list(count, element, indent, hint)
    }

    private mutating func array(_ count: UInt32, _ element: TypeReference, _ type: TypeReference, _ indent: Int, _ hint: Hint) throws {
        if isByte(element) {
            guard let content = Hex.decode(try take(.bytes, indent)), content.count == Int(count) else { throw mismatch }
            return state(content)
        }
        if count == 0 { return try take(.none, indent, "[]") }
        try list(Int(count), element, indent, hint)
    }

    private mutating func list(_ count: Int, _ element: TypeReference, _ indent: Int, _ hint: Hint) throws {
        let inner = hint.item
        for index in 0..<count {
            try take(.fieldNumber, indent, "\(index + 1)")
            try value(element, indent + 1, inner)
        }
    }

    /// How many items show from here on.
    private func items(_ indent: Int) -> Int {
        var count = 0
        var card = position
        while card < cards.count, cards[card].kind == .fieldNumber, cards[card].indent == indent {
            count += 1
            card = behind[card]
        }
        return count
    }

    /// Bytes that are shown as text if printable, else as hex.
    private mutating func byteString(_ indent: Int) throws -> [UInt8] {
        if isNext(.text, indent) { return Array(try take(.text, indent).utf8) }
        guard let content = Hex.decode(try take(.bytes, indent)) else { throw mismatch }
        return content
    }

    private mutating func primitive(_ primitive: PrimitiveType, _ type: TypeReference, _ indent: Int, _ hint: Hint) throws {
        switch primitive {
        case .bool: try state(.bool(try take(.bool, indent) == "true"), type)
        case .char:
            let scalars = Array(try take(.text, indent).unicodeScalars)
            guard scalars.count == 1 else { throw mismatch }
            try state(.char(scalars[0]), type)
        case .str: try state(.text(try take(.text, indent)), type)
        case .u8, .u16, .u32, .u64, .u128:
            guard isNext(.balance, indent) else {
                return try state(.unsigned(try unsigned(try take(.number, indent))), type)
            }
            let text = try take(.balance, indent)
            guard let planck = planck(text, hint.asset) else { throw mismatch }
            try state(.unsigned(planck), type)
        case .i8, .i16, .i32, .i64, .i128:
            guard let number = Int128(try take(.number, indent)) else { throw mismatch }
            try state(.signed(number), type)
        case .u256, .i256:
            guard let digits = Decimal256.digits(try take(.number, indent), isSigned: primitive == .i256) else { throw mismatch }
            try state(.wide(digits), type)
        }
    }

    /// Digits as cards write them: no sign, and no zero in front.
    private func unsigned(_ text: String) throws -> UInt128 {
        guard let number = UInt128(text), String(number).utf8.elementsEqual(text.utf8) else { throw mismatch }
        return number
    }

    private func planck(_ text: String, _ asset: AssetContext) -> UInt128? {
        switch asset {
        case .native: TokenAmount.planck(text, decimals: specs.decimals, unit: specs.unit)
        case .known(let unit): TokenAmount.planck(text, decimals: unit.decimals, unit: unit.symbol)
        case .unknown: nil
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
            try take(.fieldName, indent, name)
        } else {
            try take(.fieldNumber, indent, "\(index + 1)")
        }
    }

    /// The unit of the amount follows from the location in front of it.
    private mutating func asset(_ fields: [Field], _ indent: Int, _ hint: Hint) throws {
        guard let id = AssetReader.id(among: fields) else { return try self.fields(fields, indent, hint) }
        var hint = hint
        for (index, field) in fields.enumerated() {
            try label(field, index, indent)
            let start = bytes.count
            try value(field.type, indent + 1, hint.field(field, of: fields.count, caches))
            guard index == id else { continue }
            hint.asset = try AssetReader(types: types, context: context).asset(
                at: decoded(field.type, from: start), field.type, isElsewhere: hint.isElsewhere)
        }
    }

    /// The value of the bytes from `start` on.
    private func decoded(_ type: TypeReference, from start: Int) throws -> Value {
        var decoder = ValueDecoder(types: types, reader: SCALEReader(Array(bytes[start...])))
        return try decoder.whole(type)
    }
}

// MARK: enumerations and calls

extension CardRebuilder {
    /// The variant whose card says `line`; nil unless there is exactly one.
    private mutating func variant(_ line: String, of type: TypeReference, _ definition: TypeDefinition) throws -> Variant? {
        guard case .id(let id) = type else { return nil }
        if variants[id] == nil {
            variants[id] = Self.byText(try types.variants(of: id).map { (ExactText(try judge.text($0, of: definition)), $0) })
        }
        return variants[id]?[ExactText(line)]
    }

    /// Variants by their text; those that share it with another one are not among them.
    private static func byText(_ all: [(ExactText, Variant)]) -> [ExactText: Variant] {
        Dictionary(grouping: all, by: \.0).compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }

    private mutating func enumeration(_ type: TypeReference, _ definition: TypeDefinition, _ indent: Int, _ hint: Hint) throws {
        guard let card = next, card.indent == indent else { throw mismatch }
        if card.kind == .pallet { return try call(type, definition, indent) }
        if definition.ident == "Option" { return try option(type, definition, card, indent, hint) }
        if card.kind == .eraImmortal || card.kind == .eraMortal { return try era(indent) }
        try named(type, definition, indent, hint)
    }

    private mutating func option(
        _ type: TypeReference, _ definition: TypeDefinition, _ card: Card, _ indent: Int, _ hint: Hint
    ) throws {
        if card.kind == .none, let variant = try variant(card.value, of: type, definition),
            try judge.reading(variant, of: definition) == .nothing
        {
            try take(.none, indent)
            return state([variant.index])
        }
        if card.kind == .enumVariant, let variant = try variant(card.value, of: type, definition) {
            switch try judge.reading(variant, of: definition) {
            case .content(isNamed: true), .unusual: return try named(type, definition, indent, hint)
            case .plain, .nothing, .content, .era, .account, .junction, .text, .parameter, .amount: break
            }
        }
        guard let some = try variant("Some", of: type, definition), try judge.reading(some, of: definition) == .content(isNamed: false)
        else { throw mismatch }
        bytes.append(some.index)
        try value(some.fields[0].type, indent, hint.item)
    }

    private mutating func era(_ indent: Int) throws {
        if isNext(.eraImmortal, indent) {
            try take(.eraImmortal, indent, "Immortal")
            return state([0])
        }
        let text = try take(.eraMortal, indent)
        guard let era = MortalEra(text: text) else { throw mismatch }
        state(SCALEWriter.encode { Era.mortal(era).encode(into: &$0) })
    }

    /// A variant shown by its name, followed by its fields.
    private mutating func named(_ type: TypeReference, _ definition: TypeDefinition, _ indent: Int, _ hint: Hint) throws {
        guard isNext(.enumVariant, indent), let variant = try variant(cards[position].value, of: type, definition) else { throw mismatch }
        try take(.enumVariant, indent)
        state([variant.index])
        let reading = try judge.reading(variant, of: definition)
        switch reading {
        case .account(let length): try account(length, indent + 1)
        case .text:
            let content = try byteString(indent + 1)
            guard content.count == Int(variant.index) - 1 else { throw mismatch }
            state(content)
        case .junction(let account, let length): try junction(variant, account, length, indent + 1)
        case .plain, .unusual, .nothing, .content, .era, .parameter, .amount:
            try fields(variant.fields, indent + 1, definition.ident == "Bounded" ? Hint() : hint.variant(reading, of: definition))
        }
    }

    private mutating func junction(_ variant: Variant, _ account: Int, _ length: Int, _ indent: Int) throws {
        for (index, field) in variant.fields.enumerated() {
            guard index == account else {
                try fields([field.named(index, of: variant.fields.count)], indent, Hint())
                continue
            }
            try take(.fieldName, indent, field.name ?? "\(index + 1)")
            try self.account(length, indent + 1)
        }
    }

    private mutating func call(_ type: TypeReference, _ definition: TypeDefinition, _ indent: Int) throws {
        guard let pallet = try variant(cards[position].value, of: type, definition),
            try judge.isOuterCall(type, definition, pallet, callType: callType)
        else { throw mismatch }
        try take(.pallet, indent)
        state([pallet.index])
        let calls = pallet.fields[0].type
        guard isNext(.call, indent + 1), let variant = try callVariant(cards[position].value, of: calls) else { throw mismatch }
        try take(.call, indent + 1)
        state([variant.index])
        let hint = Hint(typeName: nil, asset: try knownAsset(of: variant, pallet: pallet.name, indent + 2))
        for (index, field) in variant.fields.enumerated() {
            let inner = try hint.argument(field, of: variant, types)
            try fields([field.named(index, of: variant.fields.count)], indent + 2, inner)
        }
    }

    /// The card of a call says the variant's own name.
    private mutating func callVariant(_ name: String, of type: TypeReference) throws -> Variant? {
        guard case .id(let id) = type else { return nil }
        if calls[id] == nil { calls[id] = Self.byText(try types.variants(of: id).map { (ExactText($0.name), $0) }) }
        return calls[id]?[ExactText(name)]
    }

    private mutating func knownAsset(of call: Variant, pallet: String, _ indent: Int) throws -> AssetContext {
        let here = position
        if let known = assets[here] { return known }
        let asset = try asset(of: call, pallet: pallet, indent)
        assets[here] = asset
        return asset
    }

    /// The asset of the amounts among the arguments of a call. The argument that names it may follow them, so it is read ahead.
    private mutating func asset(of call: Variant, pallet: String, _ indent: Int) throws -> AssetContext {
        let traits = try caches.traits(of: call, types: types, callType: callType)
        guard let index = traits.assets.first else { return .native }
        guard context.assets != nil, traits.assets.count == 1 else { return .unknown("?") }
        // The bytes of these cards are recorded again when the cards are read in order.
        let (here, length) = (position, bytes.count)
        if call.fields.count > 1 {
            for _ in 0..<index where position < cards.count { position = behind[position] }
        }
        let field = call.fields[index].named(index, of: call.fields.count)
        try fields([field], indent, Hint())
        let value = try decoded(field.type, from: length)
        position = here
        bytes.removeSubrange(length...)
        var values = [Value](repeating: .record([]), count: call.fields.count)
        values[index] = value
        return try AssetReader(types: types, context: context).asset(of: call, traits, values, pallet: pallet)
    }
}

// MARK: extensions

extension CardRebuilder {
    mutating func extensions(_ source: TransactionSource) throws {
        let items = source.extrinsic.extensions
        for item in items { try explicit(item, source) }
        for item in items { try implicit(item, source) }
    }

    private mutating func explicit(_ item: TransactionExtension, _ source: TransactionSource) throws {
        let role = TransactionExtension.role(of: item, in: source.registry)
        if try isVoid(item.explicit) {
            if role == nil, try isVoid(item.implicit) { try take(.extension, 0, item.identifier) }
            return
        }
        switch role {
        case .era where isNext(.eraImmortal, 0) || isNext(.eraMortal, 0): return try era(0)
        case .nonce where isNext(.nonce, 0): return try number(try take(.nonce, 0), item.explicit)
        case .tip where isNext(.tip, 0), .assetTip where isNext(.tip, 0):
            let text = try take(.tip, 0)
            guard let planck = planck(text, .native) else { throw mismatch }
            return try state(.unsigned(planck), try innermost(item.explicit))
        case .metadataHash where !isNext(.extension, 0, item.identifier): return try readMode()
        case .specVersion, .txVersion, .genesis, .era, .nonce, .tip, .assetTip, .metadataHash, nil: try content(item, item.explicit)
        }
    }

    /// The byte that says whether the hash counts is stated by the card of the hash, which stands among the implicit parts.
    private mutating func readMode() throws {
        guard let card = (position..<cards.count).first(where: { cards[$0].kind == .metadataHash && cards[$0].indent == 0 }) else {
            throw mismatch
        }
        let start = bytes.count
        bytes.append(cards[card].value.utf8Equals("None") ? 0 : 1)
        mode = (card, start..<bytes.count)
    }

    private mutating func implicit(_ item: TransactionExtension, _ source: TransactionSource) throws {
        if try isVoid(item.implicit) { return }
        switch TransactionExtension.role(of: item, in: source.registry) {
        case .era where isNext(.blockHash, 0):
            let line = try take(.blockHash, 0)
            state(try hash(line))
        case .genesis where isNext(.genesisHash, 0):
            let line = try take(.genesisHash, 0)
            state(try hash(line))
        case .txVersion where isNext(.txVersion, 0): try number(try take(.txVersion, 0), item.implicit)
        case .specVersion where isNext(.specVersion, 0):
            let line = try take(.specVersion, 0).utf8
            let name = source.runtimeVersion.specName.utf8
            guard line.starts(with: name), let version = String(line.dropFirst(name.count + 1)) else { throw mismatch }
            try number(version, item.implicit)
        case .metadataHash where isNext(.metadataHash, 0):
            let line = try take(.metadataHash, 0)
            state(line.utf8Equals("None") ? [0] : [1] + (try hash(line)))
        case .specVersion, .txVersion, .genesis, .era, .nonce, .tip, .assetTip, .metadataHash, nil: try content(item, item.implicit)
        }
    }

    /// A part that shows by its own type, below the name of its extension.
    private mutating func content(_ item: TransactionExtension, _ type: TypeReference) throws {
        try take(.extension, 0, item.identifier)
        try value(type, 1, Hint())
    }

    private mutating func number(_ text: String, _ type: TypeReference) throws {
        try state(.unsigned(try unsigned(text)), try innermost(type))
    }

    private func hash(_ text: String) throws -> [UInt8] {
        guard let hash = Hash32(hex: text) else { throw mismatch }
        return hash.bytes
    }

    /// The type inside wrappers of one field, named or not.
    private func innermost(_ type: TypeReference) throws -> TypeReference {
        var inner = type
        for _ in 0..<MetadataLimits.nesting {
            switch try types.definition(inner).shape {
            case .composite(let fields) where fields.count == 1: inner = fields[0].type
            case .tuple(let elements) where elements.count == 1: inner = elements[0]
            case .composite, .enumeration, .sequence, .array, .tuple, .primitive, .compact, .bits: return inner
            }
        }
        throw mismatch
    }

    /// Whether values of the type encode to nothing.
    private func isVoid(_ type: TypeReference, depth: Int = 0) throws -> Bool {
        guard depth < ValueLimits.depth else { throw mismatch }
        switch try types.definition(type).shape {
        case .composite(let fields): return try fields.allSatisfy { try isVoid($0.type, depth: depth + 1) }
        case .tuple(let elements): return try elements.allSatisfy { try isVoid($0, depth: depth + 1) }
        case .compact(let inner): return try types.compactInteger(inner) == nil
        case .enumeration, .sequence, .array, .primitive, .bits: return false
        }
    }
}

// MARK: coverage

extension CardRebuilder {
    /// The bytes that each card which was read covers, from `offset` on.
    func coverage(from offset: Int) -> [Card.Coverage] {
        var start = 0
        return ends.enumerated().map { card, end in
            // The mode byte stands among the bytes of another card; only the card of the hash covers it.
            var range = start..<end
            start = end
            if let mode, mode.range.lowerBound == range.lowerBound, !range.isEmpty { range = mode.range.upperBound..<end }
            let other = mode.flatMap { $0.position == card ? $0.range.lowerBound + offset..<$0.range.upperBound + offset : nil }
            return .states(range.lowerBound + offset..<range.upperBound + offset, and: other)
        }
    }

    /// The literal card that covers a byte; the last card for a byte after the end.
    func card(at byte: Int) -> Int { ends.firstIndex { $0 > byte } ?? max(0, ends.count - 1) }
}

/// The literal ones among cards, in their order; none is copied.
struct LiteralCards {
    private let all: [Card]
    private let places: [Int]

    init(among all: [Card]) {
        self.all = all
        places = all.indices.filter { !all[$0].isDerived }
    }

    var count: Int { places.count }

    subscript(_ position: Int) -> Card { all[places[position]] }
}
