import Cards
import SubstratePrimitives

/// A call and its arguments, found again among its cards by their depth.
struct CallOutline {
    let pallet: String
    let call: String
    /// The pallet's card and all that stand below it.
    let cards: ArraySlice<Card>
    /// Named or numbered; a single unnamed argument has an empty name.
    let arguments: [(name: String, cards: ArraySlice<Card>)]
    /// Whether it takes a list of calls, which is empty.
    let isEmptyBatch: Bool

    /// The outermost calls among some cards, in order.
    static func calls(in cards: ArraySlice<Card>) -> [CallOutline] {
        var found: [CallOutline] = []
        var index = cards.startIndex
        while index < cards.endIndex {
            guard cards[index].kind == .pallet else {
                index += 1
                continue
            }
            let end = cards.endOfBlock(index)
            if let outline = CallOutline(cards[index..<end]) { found.append(outline) }
            index = end
        }
        return found
    }

    /// - Parameter cards: the pallet's card and all that stand below it.
    private init?(_ cards: ArraySlice<Card>) {
        guard let pallet = cards.first, let call = cards.dropFirst().first, call.kind == .call else {
            return nil
        }
        self.cards = cards
        self.pallet = pallet.value
        self.call = call.value
        var arguments: [(name: String, cards: ArraySlice<Card>)] = []
        var batches: [Int] = []
        var index = cards.startIndex + 2
        while index < cards.endIndex {
            let end = cards.endOfBlock(index)
            switch cards[index].kind {
            case .fieldName, .fieldNumber: arguments.append((cards[index].value, cards[(index + 1)..<end]))
            case .notice: if case .batch(let count)? = cards[index].notice { batches.append(count) }
            case .pallet, .call, .enumVariant, .account, .balance, .tip, .number, .text, .bytes, .bits, .bool,
                .none, .identityField,
                .eraImmortal, .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion,
                .metadataHash, .extension, .author,
                .authorUnknown, .warning, .error, .verifier, .metadata, .types, .newSpecs, .network,
                .derivation, .message:
                arguments.append(("", cards[index..<end]))
            }
            index = end
        }
        self.arguments = arguments
        isEmptyBatch = !batches.isEmpty && batches.allSatisfy { $0 == 0 }
    }

    /// The cards of an argument, or of a part of it: `vote.Standard.balance` is the field of that name in the
    /// variant `Standard`.
    func argument(_ path: String) -> ArraySlice<Card>? {
        let names = path.utf8.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
        guard let first = names.first,
            let cards = arguments.first(where: { $0.name.utf8Equals(first) })?.cards
        else { return nil }
        return names.dropFirst().reduce(cards) { cards, name in cards?.part(name) }
    }

    /// The calls that stand directly in this one.
    var nested: [CallOutline] { arguments.flatMap { Self.calls(in: $0.cards) } }

    /// The call and all that stand in it at any depth, in the order of reading.
    var withNested: [CallOutline] { [self] + nested.flatMap(\.withNested) }
}

extension ArraySlice<Card> {
    /// The cards below the outermost variant or field of that name; nil where there is not exactly one.
    fileprivate func part(_ name: String) -> ArraySlice<Card>? {
        guard let depth = map(\.indent).min() else { return nil }
        let places = indices.filter {
            self[$0].indent == depth && (self[$0].kind == .enumVariant || self[$0].kind == .fieldName)
                && self[$0].value.utf8Equals(name)
        }
        return places.count == 1 ? self[(places[0] + 1)..<endOfBlock(places[0])] : nil
    }

    /// Behind a card and all that stand below it.
    fileprivate func endOfBlock(_ index: Int) -> Int {
        self[(index + 1)...].firstIndex { $0.indent <= self[index].indent } ?? endIndex
    }
}
