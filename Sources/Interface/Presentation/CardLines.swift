import Cards
import GroupReview
import Hashing
import Lines
import SubstratePrimitives
import TerminalIO

/// Cards as lines: a section a heading, a card a line, its depth as an indent.
package struct CardLines {
    let view: CardView

    package init(view: CardView) {
        self.view = view
    }

    func lines(_ cards: CardSet) -> [StyledLine] {
        let sections: [(String, [Card])] = [
            ("Group", cards.group), ("Signer", cards.author), ("Warnings", cards.warning),
            ("Call", cards.method),
            ("Extensions", cards.extensions), ("Message", cards.message), ("Verifier", cards.verifier),
            ("Metadata", cards.metadata),
            ("Types", cards.types), ("Network specs", cards.newSpecs), ("Network", cards.network),
            ("Derivations", cards.derivations),
        ]
        return sections.flatMap { heading, cards in
            cards.isEmpty ? [] : [StyledLine(heading, .heading)] + lines(cards)
        }
    }

    package func lines(_ cards: [Card]) -> [StyledLine] {
        CardRow.rows(cards, amounts: view.amounts).flatMap(lines)
    }

    private func lines(of row: CardRow) -> [StyledLine] {
        let (indent, line, card) = (row.indent, row.line, row.cards.last!)
        var runs = [StyledLine.Run(row.names, .dim), StyledLine.Run(line.label.map { $0 + " " } ?? "", .dim)]
        runs += [StyledLine.Run(line.text, Self.style(card))] + whose(card)
        runs = runs.filter { !$0.text.utf8.isEmpty }
        if let first = runs.first { runs[0] = StyledLine.Run(StyledLine.unmarked(first.text), first.style) }
        let others = (card.signer?.otherNetworks ?? []).map {
            StyledLine(
                indent: indent + 2, Wording.alsoSigns(network: $0.name.text, genesis: $0.genesis.hex),
                .warning)
        }
        let details = details(card).map {
            StyledLine(indent: indent + 2, StyledLine.unmarked($0), .dim)
        }
        return [StyledLine(indent: indent, runs, icon: Self.account(card))] + others + details
            + (view.docs ? row.cards.flatMap { docs($0, indent: indent + 2) } : [])
    }

    private func whose(_ card: Card) -> [StyledLine.Run] {
        // A notice has it only where its account is known.
        guard let known = card.known, let words = Wording.whose(known.relation, label: known.label?.text)
        else { return [] }
        return [StyledLine.Run(" " + words, Self.style(card) == .ownAccount ? .ownAccount : .dim)]
    }

    /// The account that a card names; nil for a key whose account is not its bytes, and for all other cards.
    private static func account(_ card: Card) -> [UInt8]? {
        guard let bytes = card.account?.address.account ?? card.signer?.publicKey else { return nil }
        // 33 bytes are an ecdsa key.
        return bytes.count == 33 ? PublicKey(scheme: .ecdsa, bytes: bytes)?.accountID : bytes
    }

    private static func style(_ card: Card) -> TextStyle {
        switch card.kind {
        case .warning, .authorUnknown: .warning
        case .pallet, .call: .call
        case .notice: .notice
        case .balance, .tip: .amount
        case .author: .ownAccount
        case .account:
            switch card.relation {
            case .own, .group, .imported: .ownAccount
            case .contact(let mark): mark.isOfOtherNetwork ? .warning : .account
            case .stranger, .unchecked: .account
            }
        case .fieldName, .fieldNumber, .enumVariant, .number, .text, .bytes, .bits, .bool, .none,
            .identityField, .eraImmortal, .eraMortal,
            .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .verifier,
            .metadata, .types, .newSpecs,
            .network, .derivation, .message:
            .plain
        }
    }

    /// Docs of calls, variants, fields and the types of fields, as the metadata has them. Each line starts
    /// with a sign that no card starts with.
    private func docs(_ card: Card, indent: Int) -> [StyledLine] {
        let docs: [ExactText] =
            switch card.content {
            case .call(_, let docs), .identityField(_, let docs), .fieldName(_, .docs(let docs)),
                .fieldNumber(_, .docs(let docs)):
                [docs]
            case .enumVariant(let variant): variant.docs.map { [$0] } ?? []
            case .fieldName(_, .typed(let docs, _, let typeDocs)),
                .fieldNumber(_, .typed(let docs, _, let typeDocs)):
                [docs, typeDocs]
            case .pallet, .fieldName(_, .none), .fieldNumber(_, .none), .account, .balance, .tip, .number,
                .text, .bytes, .bits, .bool, .none, .era, .nonce, .blockHash, .genesisHash, .specVersion,
                .txVersion, .metadataHash, .extension, .signer, .warning, .verifier, .metadata, .types,
                .newSpecs, .network, .derivation, .message, .notice:
                []
            }
        return docs.flatMap { docs in
            docs.text.utf8.split(separator: UInt8(ascii: "\n")).map { Self.trimmed($0) }.filter {
                !$0.utf8.isEmpty
            }.map {
                StyledLine(indent: indent, "# " + Escape.line($0), .dim)
            }
        }
    }

    /// A line of a doc comment without the blank that it starts with and those at its end.
    private static func trimmed(_ line: Substring.UTF8View) -> String {
        var line = line
        while let last = line.last, [0x20, 0x09, 0x0d].contains(last) { line.removeLast() }
        if line.first == UInt8(ascii: " ") { line.removeFirst() }
        return String(decoding: line, as: UTF8.self)
    }

    private static func line(_ field: Card.Field) -> String {
        guard field.name == "length", case .number(let count) = field.fact else { return field.fact.line }
        return Wording.bytes(count)
    }

    /// Facts that a person needs beside the line itself, escaped.
    private func details(_ card: Card) -> [String] {
        switch card.kind {
        case .author:
            guard let signer = card.signer else { return [] }
            let (path, label) = (
                signer.path.text, signer.label.map { [Escape.line("label \($0.text)")] } ?? []
            )
            if let group = signer.group {
                return [
                    Escape.line("group \(group.text), path ") + (path.isEmpty ? "(none)" : Escape.path(path))
                ] + label
            }
            if signer.isImported { return ["imported key"] + label }
            // No seed has an empty name: the account is one that `inspect --signer` names.
            guard let seed = signer.seed, seed != "" else { return label }
            return [
                Escape.line("seed \(seed.text), path ") + (path.isEmpty ? "(root)" : Escape.path(path))
            ] + label
        case .newSpecs:
            return card.fields.map { Escape.line("\($0.name.text): \($0.fact.line)") }
        case .metadata, .types, .verifier:
            return card.fields.filter { !$0.fact.line.utf8Equals(card.value) }
                .map { Escape.line("\($0.name.text): \(Self.line($0))") }
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .account, .balance, .tip, .number, .text,
            .bytes, .bits, .bool, .none,
            .identityField, .eraImmortal, .eraMortal, .nonce, .blockHash, .genesisHash, .specVersion,
            .txVersion, .metadataHash, .extension,
            .authorUnknown, .warning, .network, .derivation, .message, .notice:
            return []
        }
    }
}

extension Card.Fact {
    var line: String {
        switch self {
        case .text(let text): text.text
        case .texts(let texts): texts.map(\.text).joined(separator: ", ")
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .absent: "none"
        }
    }
}
