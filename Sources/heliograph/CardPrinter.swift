import Cards

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
            for card in cards { print(card) }
        }
    }

    func print(_ cards: [Card]) { for card in cards { print(card) } }

    private func print(_ card: Card) {
        let margin = String(repeating: "  ", count: card.indent + 1)
        let lines = card.value.split(separator: "\n", omittingEmptySubsequences: false).map { Escape.terminal(String($0)) }
        let label = Self.label(card.kind).map { console.paint($0 + " ", .dim) } ?? ""
        console.print(margin + label + paint(lines[0], card.kind))
        for line in lines.dropFirst() { console.print(margin + paint(line, card.kind)) }
        for detail in details(card) { console.print(margin + "  " + console.paint(Escape.terminal(detail), .dim)) }
    }

    private func paint(_ text: String, _ kind: Card.Kind) -> String {
        switch kind {
        case .warning, .authorUnknown: console.paint(text, .yellow)
        case .error: console.paint(text, .red)
        case .pallet, .call: console.paint(text, .cyan)
        case .notice: console.paint(text, .green)
        case .balance, .tip, .account, .author: console.paint(text, .bold)
        default: text
        }
    }

    /// The word before a value that does not say by itself what it is.
    static func label(_ kind: Card.Kind) -> String? {
        switch kind {
        case .nonce: "nonce"
        case .tip: "tip"
        case .blockHash: "block hash"
        case .genesisHash: "genesis hash"
        case .specVersion: "runtime"
        case .txVersion: "transaction version"
        case .metadataHash: "metadata hash"
        case .eraMortal, .eraImmortal: "era"
        case .notice: "meaning:"
        case .authorUnknown: "unknown signer"
        default: nil
        }
    }

    /// Facts that a person needs beside the line itself.
    private func details(_ card: Card) -> [String] {
        switch card.kind {
        case .author:
            let path = card.text("path") ?? ""
            return ["seed \(card.text("seed") ?? ""), path \(path.isEmpty ? "(root)" : path)"]
                + (card.text("label").map { ["label \($0)"] } ?? [])
        case .newSpecs:
            return card.fields.map { "\($0.name): \($0.fact.line)" }
        case .metadata, .types, .verifier:
            return card.fields.filter { $0.fact.line != card.value }.map { "\($0.name): \($0.fact.line)" }
        case .account: return card.text("label").map { ["label \($0)"] } ?? []
        default: return []
        }
    }
}

extension Card {
    /// The text of a field, nil where it is absent or no text.
    func text(_ name: String) -> String? {
        guard case .text(let text)? = fields.first(where: { $0.name == name })?.fact else { return nil }
        return text
    }
}

extension Card.Fact {
    var line: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .absent: "none"
        }
    }
}
