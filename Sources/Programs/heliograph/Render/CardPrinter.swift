import Cards
import Hashing
import SubstratePrimitives
import Terminal

/// Cards as a person reads them at a terminal: a section a heading, a card a line, its depth as an indent.
struct CardPrinter {
    let console: Console

    func print(_ item: ReviewDocument.Item, number: Int?, of count: Int) {
        if let number, count > 1 { console.print(console.paint("Transaction \(number) of \(count)", .bold)) }
        let cards = item.cards
        let sections: [(String, [Card])] = [
            ("Signer", cards.author), ("Warnings", cards.warning), ("Errors", cards.error), ("Call", cards.method),
            ("Extensions", cards.extensions), ("Message", cards.message), ("Verifier", cards.verifier), ("Metadata", cards.metadata),
            ("Types", cards.types), ("Network specs", cards.newSpecs), ("Network", cards.network), ("Derivations", cards.derivations),
        ]
        for (heading, cards) in sections where !cards.isEmpty {
            console.print(console.paint(heading, .bold))
            print(cards)
        }
    }

    func print(_ cards: [Card]) {
        var rest = cards[...]
        while let chain = Self.chain(&rest) { show(chain) }
    }

    /// The next card, and with a name the values that stand alone below it: `dest Id 5FHn…` reads better on one line than on three.
    private static func chain(_ rest: inout ArraySlice<Card>) -> [Card]? {
        guard let first = rest.popFirst() else { return nil }
        var chain = [first]
        while joins(chain.last!.kind), let next = rest.first, next.indent == chain.last!.indent + 1, next.kind != .notice {
            let siblings = rest.dropFirst().prefix { $0.indent >= next.indent }
            guard !siblings.contains(where: { $0.indent == next.indent }), !opensBlock(next.kind) else { break }
            chain.append(rest.removeFirst())
        }
        return chain
    }

    private static func joins(_ kind: Card.Kind) -> Bool { [.fieldName, .fieldNumber, .enumVariant].contains(kind) }
    private static func opensBlock(_ kind: Card.Kind) -> Bool { [.pallet, .call, .fieldName, .fieldNumber].contains(kind) }

    private func show(_ chain: [Card]) {
        // Names have no label and no space, so a run of them reads in one way only.
        let names = chain.dropLast().map { CardLine($0).text + " " }.joined()
        show(chain.last!, indent: chain[0].indent, prefix: console.paint(names, .dim))
    }

    private func show(_ card: Card, indent: Int, prefix: String) {
        let margin = String(repeating: "  ", count: indent + 1)
        // A line break inside a value stays escaped: a second line could be made to look like a card.
        let line = CardLine(card)
        let label = line.label.map { console.paint($0 + " ", .dim) } ?? ""
        console.print(margin + prefix + label + paint(line.text, card.kind))
        for row in icon(card) { console.print(margin + "  " + row) }
        for (name, genesis) in zip(card.texts("other_networks"), card.texts("other_genesis_hashes")) {
            console.print(margin + "  " + console.paint(Wording.alsoSigns(network: name, genesis: genesis), .yellow))
        }
        for detail in details(card) { console.print(margin + "  " + console.paint(Escape.line(detail), .dim)) }
    }

    private func paint(_ text: String, _ kind: Card.Kind) -> String {
        switch kind {
        case .warning, .authorUnknown: console.paint(text, .yellow)
        case .error: console.paint(text, .red)
        case .pallet, .call: console.paint(text, .cyan)
        case .notice: console.paint(text, .green)
        case .balance, .tip, .account, .author: console.paint(text, .bold)
        case .fieldName, .fieldNumber, .enumVariant, .number, .text, .bytes, .bits, .bool, .none, .identityField, .eraImmortal, .eraMortal,
            .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .verifier, .metadata, .types, .newSpecs,
            .network, .derivation, .message:
            text
        }
    }

    /// The icon of the account on a colour terminal, small enough to stand under its address.
    private func icon(_ card: Card) -> [Substring] {
        guard console.colour, [.author, .authorUnknown, .account].contains(card.kind), let hex = card.text("public_key"),
            let account = Hex.decode(hex), let key = PublicKey(scheme: account.count == 33 ? .ecdsa : .sr25519, bytes: account),
            let raster = IconRaster(key, side: Self.iconSide)
        else { return [] }
        return raster.terminal().split(separator: "\n")
    }

    /// Pixels; two rows stand in a line of text.
    private static let iconSide = 12

    private static func line(_ field: Card.Field) -> String {
        guard field.name.utf8Equals("length"), case .number(let count) = field.fact else { return field.fact.line }
        return Wording.bytes(count)
    }

    /// Facts that a person needs beside the line itself.
    private func details(_ card: Card) -> [String] {
        switch card.kind {
        case .author:
            let path = card.text("path") ?? ""
            let seed = card.text("seed") ?? ""
            // No seed has an empty name: the account is one that `inspect --signer` names.
            return (seed.utf8.isEmpty ? [] : ["seed \(seed), path \(path.isEmpty ? "(root)" : path)"])
                + (card.text("label").map { ["label \($0)"] } ?? [])
        case .newSpecs:
            return card.fields.map { "\($0.name): \($0.fact.line)" }
        case .metadata, .types, .verifier:
            return card.fields.filter { !$0.fact.line.utf8Equals(card.value) }
                .map { "\($0.name): \(Self.line($0))" }
        case .account: return card.text("label").map { ["label \($0)"] } ?? []
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .balance, .tip, .number, .text, .bytes, .bits, .bool, .none,
            .identityField, .eraImmortal, .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension,
            .authorUnknown, .warning, .error, .network, .derivation, .message, .notice:
            return []
        }
    }
}

extension Card {
    /// The texts of a field, none where it is absent.
    func texts(_ name: String) -> [String] {
        guard case .texts(let texts)? = fields.first(where: { $0.name.utf8Equals(name) })?.fact else { return [] }
        return texts
    }
}

extension Card.Fact {
    var line: String {
        switch self {
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .absent: "none"
        }
    }
}
