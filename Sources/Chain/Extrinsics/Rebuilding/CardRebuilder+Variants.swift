import Cards
import Metadata
import SubstratePrimitives

/// Enumerations, by the variants that their cards name.
extension CardRebuilder {
    /// The variant whose card says `line`; nil unless there is exactly one.
    mutating func variant(_ line: String, of type: TypeReference, _ definition: TypeDefinition) throws
        -> Variant?
    {
        guard case .id(let id) = type else { return nil }
        if variants[id] == nil {
            variants[id] = Self.byText(
                try types.variants(of: id).map { (ExactText(try judge.text($0, of: definition)), $0) })
        }
        return variants[id]?[ExactText(line)]
    }

    /// Variants by their text; those that share it with another one are not among them.
    static func byText(_ all: [(ExactText, Variant)]) -> [ExactText: Variant] {
        Dictionary(grouping: all, by: \.0).compactMapValues { $0.count == 1 ? $0[0].1 : nil }
    }

    mutating func enumeration(
        _ type: TypeReference, _ definition: TypeDefinition, _ indent: Int, _ hint: Hint
    ) throws {
        guard let card = reader.next, card.indent == indent else { throw reader.mismatch }
        if card.kind == .pallet { return try call(card.value, type, definition, indent) }
        if definition.ident == "Option" { return try option(type, definition, card, indent, hint) }
        if card.kind == .eraImmortal || card.kind == .eraMortal { return try reader.era(indent) }
        try named(type, definition, indent, hint)
    }

    /// The cards show an option as nothing, as a variant by its name, or as the content of `Some` alone.
    private mutating func option(
        _ type: TypeReference, _ definition: TypeDefinition, _ card: Card, _ indent: Int, _ hint: Hint
    ) throws {
        if card.kind == .none, let variant = try variant(card.value, of: type, definition),
            try judge.reading(variant, of: definition) == .nothing
        {
            try reader.take(.none, indent)
            return reader.state([variant.index])
        }
        if card.kind == .enumVariant, let variant = try variant(card.value, of: type, definition) {
            switch try judge.reading(variant, of: definition) {
            case .content(isNamed: true), .unusual: return try named(type, definition, indent, hint)
            // The line belongs to the content of `Some`.
            case .plain, .nothing, .content, .era, .account, .junction, .text, .parameter, .amount: break
            }
        }
        guard let some = try variant("Some", of: type, definition),
            try judge.reading(some, of: definition) == .content(isNamed: false)
        else { throw reader.mismatch }
        reader.addStructure([some.index])
        try value(some.fields[0].type, indent, hint.item)
    }

    /// A variant shown by its name, followed by its fields.
    private mutating func named(
        _ type: TypeReference, _ definition: TypeDefinition, _ indent: Int, _ hint: Hint
    ) throws {
        guard let line = reader.line(.enumVariant, indent),
            let variant = try variant(line, of: type, definition)
        else {
            throw reader.mismatch
        }
        try reader.take(.enumVariant, indent)
        reader.state([variant.index])
        let reading = try judge.reading(variant, of: definition)
        switch reading {
        case .account(let length): try reader.account(length, indent + 1)
        case .text:
            let content = try reader.byteString(indent + 1)
            // The variants `Raw0` to `Raw32` have the indices 1 to 33, so the index gives the length.
            guard content.count == Int(variant.index) - 1 else { throw reader.mismatch }
            reader.state(content)
        case .junction(let account, let length): try junction(variant, account, length, indent + 1)
        case .plain, .unusual, .nothing, .content, .era, .parameter, .amount:
            try fields(
                variant.fields, indent + 1,
                definition.ident == "Bounded" ? Hint() : hint.variant(reading, of: definition))
        }
    }

    private mutating func junction(_ variant: Variant, _ account: Int, _ length: Int, _ indent: Int) throws {
        for (index, field) in variant.fields.enumerated() {
            guard index == account else {
                try fields([field.named(index, of: variant.fields.count)], indent, Hint())
                continue
            }
            try reader.take(.fieldName, indent, field.name ?? "\(index + 1)")
            try reader.account(length, indent + 1)
        }
    }
}
