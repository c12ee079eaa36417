import Cards
import Metadata
import SubstratePrimitives

/// Proves that the cards of a part determine every byte of it, and records which card covers which bytes.
struct CoverageCheck {
    let types: TypeView
    let specs: NetworkSpecs
    let source: TransactionSource
    let context: DecodingContext

    /// - Parameters:
    ///   - expected: the bytes of the part.
    ///   - offset: where they start among the signed bytes.
    func call(_ cards: [Card], _ expected: ArraySlice<UInt8>, from offset: Int) throws(ExtrinsicError)
        -> [Card]
    {
        try placed(cards, expected, from: offset, part: "call") { rebuilder throws in
            try rebuilder.value(source.extrinsic.call, 0, Hint())
        }
    }

    func extensions(_ cards: [Card], _ expected: ArraySlice<UInt8>, from offset: Int) throws(ExtrinsicError)
        -> [Card]
    {
        try placed(cards, expected, from: offset, part: "extensions") { rebuilder throws in
            try rebuilder.extensions(source)
        }
    }

    private func placed(
        _ cards: [Card], _ expected: ArraySlice<UInt8>, from offset: Int, part: String,
        _ rebuild: (inout CardRebuilder) throws -> Void
    ) throws(ExtrinsicError) -> [Card] {
        guard context.rules.rebuild else { return cards }
        var rebuilder = CardRebuilder(
            cards, types: types, specs: specs, callType: source.extrinsic.call, context: context)
        do {
            try rebuild(&rebuilder)
            try rebuilder.reader.finish()
        } catch let error as MetadataError {
            throw ExtrinsicError(.metadata(error.reason), place: part)
        } catch {
            // A malformed card, or a value that is out of range for its type.
            throw ExtrinsicError(
                .notDeterminedByCards, place: Self.place(of: rebuilder.reader.position, among: cards, part))
        }
        guard rebuilder.reader.bytes[...] == expected else {
            let byte = zip(rebuilder.reader.bytes, expected).enumerated().first {
                $0.element.0 != $0.element.1
            }?.offset
            let card = rebuilder.reader.card(at: byte ?? min(rebuilder.reader.bytes.count, expected.count))
            throw ExtrinsicError(.notDeterminedByCards, place: Self.place(of: card, among: cards, part))
        }
        return Self.placed(cards, rebuilder.reader.coverage(from: offset), offset..<offset + expected.count)
    }

    /// The names above a literal card.
    private static func place(of position: Int, among cards: [Card], _ part: String) -> String {
        let literal = cards.filter { !$0.isDerived }
        guard !literal.isEmpty else { return part }
        var names: [String] = []
        var depth = Int.max
        for card in literal[...min(position, literal.count - 1)].reversed() where card.indent < depth {
            depth = card.indent
            switch card.kind {
            case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .extension: names.append(card.value)
            default: names.append(card.kind.rawValue)
            }
        }
        return ([part] + names.reversed()).joined(separator: ".")
    }

    /// A literal card gets the bytes that it covers. A derived card interprets the bytes of the card that it
    /// belongs to and of all below it.
    private static func placed(_ cards: [Card], _ literal: [Card.Coverage], _ whole: Range<Int>) -> [Card] {
        var placed = cards
        var next = 0
        for index in placed.indices where !placed[index].isDerived {
            placed[index].coverage = literal[next]
            next += 1
        }
        let behind = LiteralCards.ends(placed.count) { placed[$0].indent }
        var bounds: [Range<Int>?] = Array(repeating: nil, count: placed.count)
        // The bytes of an owner are found once, as many derived cards may belong to it.
        var open: [Int] = []
        for index in placed.indices {
            while let last = open.last, placed[last].indent >= placed[index].indent { open.removeLast() }
            if placed[index].isDerived {
                let owner = owner(of: index, placed, behind, open)
                if let owner, bounds[owner] == nil { bounds[owner] = range(of: owner, placed, behind) }
                placed[index].coverage = .interprets(owner.flatMap { bounds[$0] } ?? whole)
            } else {
                open.append(index)
            }
        }
        return placed
    }

    /// The literal card that a derived card belongs to: the card above it, else the card before it. A tip
    /// belongs to the card after it, because it is repeated in front of the whole value.
    private static func owner(of index: Int, _ cards: [Card], _ behind: [Int], _ open: [Int]) -> Int? {
        if let above = open.last(where: { cards[$0].indent < cards[index].indent }) { return above }
        if cards[index].kind == .tip { return (index..<cards.count).first { !cards[$0].isDerived } }
        return (0..<index).last { !cards[$0].isDerived && cards[$0].indent <= cards[index].indent }
    }

    /// The bytes of a literal card and of all below it.
    private static func range(of index: Int, _ cards: [Card], _ behind: [Int]) -> Range<Int>? {
        guard case .states(let first, _) = cards[index].coverage,
            let end = (index..<behind[index]).last(where: { !cards[$0].isDerived }),
            case .states(let last, _) = cards[end].coverage
        else { return nil }
        return first.lowerBound..<last.upperBound
    }
}
