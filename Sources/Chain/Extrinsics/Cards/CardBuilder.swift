import Cards
import Hashing
import Metadata
import SubstratePrimitives

/// Turns decoded values into the lines a person reads, by the types they were decoded with.
///
/// Every bit of a value shows on some card: a value without content, such as an empty list, has a card that
/// says so. ``CardRebuilder`` rebuilds the bytes from the literal cards; if it cannot, the payload is
/// refused.
struct CardBuilder {
    let types: TypeView
    /// The enumeration of all pallets' calls.
    let callType: TypeReference
    let context: DecodingContext
    let judge: ShapeJudge
    let caches = CardCaches()
    var writer: CardWriter
    /// The account in whose name the current call runs; nil when it is not known.
    var origin: [UInt8]?
    /// The pallet of the current call; empty outside of calls.
    var pallet = ""
    /// How many more values may be decoded for calls inside bytes or behind hashes.
    var hiddenValues = ValueLimits.count
    /// Levels of values that are being shown, those around a hidden call included: one stack holds them all.
    private(set) var depth = 0
    private let base: Int

    init(
        types: TypeView, specs: NetworkSpecs, callType: TypeReference, indent: Int = 0,
        context: DecodingContext = DecodingContext(),
        budget: CardBudget
    ) {
        self.types = types
        self.callType = callType
        self.context = context
        judge = ShapeJudge(types: types, context: context)
        origin = context.signer
        writer = CardWriter(specs: specs, budget: budget)
        base = indent
    }

    mutating func build(
        _ value: Value, _ type: TypeReference, part: String, _ hint: Hint = Hint()
    ) throws(ExtrinsicError) -> [Card] {
        writer.cards = []
        do throws(MetadataError) {
            try show(value, type, indent: base, hint)
        } catch {
            throw ExtrinsicError(.metadata(error.reason), place: part)
        }
        guard !writer.isFull else { throw ExtrinsicError(.tooMuchToShow, place: part) }
        return writer.cards
    }

    /// Notes a number that is not shown as an amount but may be one. Its width does not decide that, because
    /// some chains count their tokens in 64 bits.
    private mutating func noteBareNumber(_ value: Value, _ hint: Hint) {
        switch value {
        // Only an unsigned integer of up to 128 bits shows as an amount, whatever its type is called.
        case .unsigned: if hint.typeName?.isBalance == true { return }
        case .signed, .wide: break
        case .bool, .char, .text, .bytes, .bits, .list, .record, .variant: return
        }
        if !hint.explainsNumbers { writer.summary.hasBareNumbers = true }
    }

    /// Notes a variant that says its name and nothing else. Beside an `Exact` with an amount it may be `Max`,
    /// and nobody can see that: of an enumeration a proof has the one variant that was chosen. So each is one
    /// that may move everything, unless a table says what is chosen there. An Option shows as none. A program
    /// is counted nowhere, with or without choices in it.
    private mutating func noteChoice(_ variant: Variant, _ definition: TypeDefinition, _ hint: Hint) {
        guard variant.fields.isEmpty, !hint.explainsChoices else { return }
        let isOfProgram = hint.instructions > 0 || definition.ident == "Instruction"
        if isOfProgram, writer.summary.warnings.contains(.runsProgram) { return }
        writer.summary.hasBareChoices = true
    }

    /// Notes bytes that may name a recipient.
    private mutating func noteBytes(_ bytes: [UInt8], _ hint: Hint) {
        if !bytes.isEmpty, !hint.explainsBytes { writer.summary.possibleRecipients.append(bytes) }
    }

    mutating func show(_ value: Value, _ type: TypeReference, indent: Int, _ hint: Hint) throws(MetadataError)
    {
        guard !writer.isFull else { return }
        depth += 1
        defer { depth -= 1 }
        try parts(value, type, indent: indent, hint)
        if let constant = hint.typeName?.boundConstant, let count = value.length,
            let maximum = caches.bound(constant, of: pallet, context), count > maximum
        {
            writer.tell(.aboveBound(maximum: maximum, constant: ExactText(constant)), indent)
        }
    }

    private mutating func parts(_ value: Value, _ type: TypeReference, indent: Int, _ hint: Hint)
        throws(MetadataError)
    {
        let definition = try types.definition(type)
        if let content = try types.opaqueContent(of: definition), case .record(let parts) = value,
            parts.count == 1
        {
            return try show(parts[0], content, indent: indent, hint)
        }
        let trait = try caches.trait(of: definition, judge)
        if try special(value, type, trait, indent: indent, hint) { return }
        if definition.isProgram { writer.warn(.runsProgram) }
        var hint = hint
        hint.isAsset = hint.isAsset || definition.isAssetID
        switch (definition.shape, value) {
        case (.composite(let fields), .record(let values)):
            if fields.isEmpty { return writer.add(.none(.unit), indent) }
            if case .encodedCall = trait, let bytes = value.byteString {
                writer.hide(.blake2b(of: bytes))
                writer.summary.hasForeignCalls = true
            }
            if case .xcmLocation = trait {
                let location = LocationText(
                    types: types, addresses: writer.addresses, isElsewhere: hint.isElsewhere)
                if let text = try location.text(fields, values) {
                    writer.tell(.location(ExactText(text), accounts: location.accounts), indent)
                    writer.note(location, hint)
                    hint.isInLocation = true
                }
            }
            if case .ordered(let isMap) = trait, let notice = value.disorder(isMap: isMap) {
                writer.tell(notice, indent)
            }
            if case .unusual = trait { writer.tell(.unusualShape(ExactText(definition.pathText)), indent) }
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
            writer.add(.bytes(bytes), indent)
            if let hash = Hash32(bytes), let name = context.knownChains[hash] {
                return writer.tell(.chain(ExactText(name)), indent)
            }
            noteBytes(bytes, hint)
        case (.compact, .record): writer.add(.none(.unit), indent)
        case (.compact(let inner), _):
            guard let format = try caches.fraction(inside: inner, judge),
                writer.fraction(value, format, indent: indent)
            else {
                noteBareNumber(value, hint)
                return writer.leaf(value, indent: indent, hint)
            }
        case (.primitive(.i256), .wide(let digits)):
            noteBareNumber(value, hint)
            writer.add(integer: Decimal256.text(digits, isSigned: true), indent)
        default:
            noteBareNumber(value, hint)
            if case .bytes(let bytes) = value { noteBytes(bytes, hint) }
            if case .text(let text) = value { noteBytes(Array(text.utf8), hint) }
            writer.leaf(value, indent: indent, hint)
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
        guard !writer.isFull else { return }
        let definition = try types.definition(field.type)
        let docs = Card.FieldDocs.typed(
            docs: ExactText(field.docs), path: ExactText(definition.pathText),
            typeDocs: ExactText(definition.docs))
        let content =
            field.name.map { Card.Content.fieldName(ExactText($0), docs) } ?? .fieldNumber(index + 1, docs)
        writer.add(content, indent)
    }

    private mutating func tuple(_ elements: [TypeReference], _ values: [Value], indent: Int, _ hint: Hint)
        throws(MetadataError)
    {
        if elements.isEmpty { return writer.add(.none(.unit), indent) }
        for (index, element) in elements.enumerated() {
            let inner = hint.element(index, of: elements.count)
            guard elements.count > 1 else {
                try show(values[index], element, indent: indent, inner)
                continue
            }
            writer.add(.fieldNumber(index + 1), indent)
            try show(values[index], element, indent: indent + 1, inner)
        }
    }

    private mutating func list(_ values: [Value], _ element: TypeReference, indent: Int, _ hint: Hint)
        throws(MetadataError)
    {
        if values.isEmpty { return writer.add(.none(.list), indent) }
        let inner = hint.item
        for (index, value) in values.enumerated() {
            writer.add(.fieldNumber(index + 1), indent)
            try show(value, element, indent: indent + 1, inner)
        }
    }

    private mutating func enumeration(
        _ type: TypeReference, _ definition: TypeDefinition, _ index: UInt8, _ values: [Value], indent: Int,
        _ hint: Hint
    ) throws(MetadataError) {
        let variant = try types.variant(index, of: type)
        if try judge.isOuterCall(type, definition, variant, callType: callType) {
            return try call(variant, values[0], indent: indent)
        }
        let reading = try judge.reading(variant, of: definition)
        switch reading {
        case .nothing: return writer.add(.none(.variant(ExactText(variant.name))), indent)
        case .content(isNamed: false):
            guard let field = variant.fields.first else {
                return writer.add(.none(.variant(ExactText(variant.name))), indent)
            }
            return try show(values[0], field.type, indent: indent, hint.item)
        case .era:
            if let era = try? Era(variant: index, fields: values) {
                return writer.add(.era(era), indent)
            }
        case .plain, .unusual, .content, .account, .junction, .text, .parameter, .amount: break
        }
        noteAddresses(variant, definition, reading, hint)
        noteChoice(variant, definition, hint)
        let unusual =
            reading == .unusual
            ? Card.Variant.Unusual(index: index, path: ExactText(definition.pathText)) : nil
        writer.add(
            .enumVariant(
                .init(ExactText(variant.name), docs: ExactText(variant.docs), unusual: unusual)), indent)
        switch reading {
        case .account, .text:
            guard let bytes = values[0].byteString else { return }
            guard case .text = reading else { return writer.account(bytes, indent: indent + 1) }
            noteBytes(bytes, hint)
            writer.bytes(bytes, indent: indent + 1)
        case .junction(let field, _): try junction(variant, values, account: field, indent: indent + 1, hint)
        case .nothing, .plain, .unusual, .content, .era, .parameter, .amount:
            if definition.ident == "Bounded" {
                return try boundedCall(in: variant, values, indent: indent + 1, hint)
            }
            try show(
                fields: variant.fields, values, indent: indent + 1, hint.variant(reading, of: definition))
        }
    }

    /// The amount of an XCM asset is in the unit of the location beside it.
    private func assetHint(_ fields: [Field], _ values: [Value], _ hint: Hint) throws(MetadataError) -> Hint {
        guard let index = AssetReader.id(among: fields) else { return hint }
        let reader = AssetReader(types: types, context: context)
        var inner = hint
        inner.asset = try reader.asset(at: values[index], fields[index].type, isElsewhere: hint.isElsewhere)
        return inner
    }
}

// MARK: special readings

extension CardBuilder {
    /// Types that a person reads in another form than their parts; false when the type is shown by its parts.
    private mutating func special(
        _ value: Value, _ type: TypeReference, _ trait: TypeTrait, indent: Int, _ hint: Hint
    ) throws(MetadataError) -> Bool {
        switch trait {
        case .account:
            guard let account = value.byteString, account.count == 32 || account.count == 20 else {
                return false
            }
            writer.account(account, indent: indent)
            return true
        case .flags: return try flags(value, try types.definition(type), indent: indent)
        case .vote: return writer.vote(value, indent: indent)
        case .wide:
            guard case .list(let words) = value.unwrapped else { return false }
            let bytes = words.compactMap(\.number).flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
            }
            guard bytes.count == 32 else { return false }
            writer.wide(Decimal256.text(bytes), indent: indent, hint)
            return true
        case .fraction(let format): return writer.fraction(value, format, indent: indent)
        case .xcmAsset, .xcmLocation, .encodedCall, .ordered, .unusual, .none:
            guard let format = try judge.fraction(of: type, hint) else { return false }
            return writer.fraction(value, format, indent: indent)
        }
    }

    /// Addresses that name no account by its key, places on other chains, and what is sent besides tokens.
    private mutating func noteAddresses(
        _ variant: Variant, _ definition: TypeDefinition, _ reading: VariantReading, _ hint: Hint
    ) {
        switch definition.ident {
        case "MultiAddress", "Source":
            if case .account = reading { return }
            if variant.name != "Id" { writer.summary.hasOtherAddresses = true }
        case "Junction", "Junctions", "MultiLocation":
            writer.summary.hasLocations = true
            // What stands in no location of the usual shape names nobody, unless it is an account by itself.
            guard !hint.isInLocation, !hint.isAsset, hint.meaning != .asset else { return }
            if case .junction = reading { return }
            if definition.ident == "Junction" || variant.fields.isEmpty {
                writer.summary.hasOtherAddresses = true
            }
        case "Fungibility":
            // A thing has a worth, and no number says which.
            if reading != .amount { writer.summary.hasBareNumbers = true }
        default: break
        }
    }

    /// A junction whose account is bare bytes in its own type.
    private mutating func junction(
        _ variant: Variant, _ values: [Value], account: Int, indent: Int, _ hint: Hint
    ) throws(MetadataError) {
        for (index, field) in variant.fields.enumerated() {
            guard index == account, let bytes = values[index].byteString else {
                try show(
                    fields: [field.named(index, of: variant.fields.count)], [values[index]], indent: indent,
                    hint.place)
                continue
            }
            let name = ExactText(field.name ?? "\(index + 1)")
            writer.add(.fieldName(name, .docs(ExactText(field.docs))), indent)
            writer.account(bytes, indent: indent + 1)
        }
    }

    /// Flags by their names, if the metadata names every bit that is set.
    private mutating func flags(_ value: Value, _ definition: TypeDefinition, indent: Int)
        throws(MetadataError) -> Bool
    {
        guard let bits = value.number, let flags = try judge.flags(of: definition) else { return false }
        let set = flags.filter { bits & UInt128($0.index) != 0 }
        guard set.reduce(0, { $0 | UInt128($1.index) }) == bits, bits != 0 else { return false }
        if judge.showsAsProof { writer.add(integer: String(bits), indent) }
        for flag in set {
            writer.append(
                Card(
                    .identityField(ExactText(flag.name), docs: ExactText(flag.docs)), indent: indent,
                    isDerived: judge.showsAsProof || writer.hiddenDepth > 0))
        }
        return true
    }
}
