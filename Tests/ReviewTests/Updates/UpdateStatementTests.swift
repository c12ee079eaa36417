import Cards
import Hashing
import SubstratePrimitives
import TestSupport
import Testing

@testable import Accounts
@testable import TrustUpdates

/// Updates of a stranger.
extension SeededGenerator {
    fileprivate mutating func text() -> String {
        (0..<Int.random(in: 1...3, using: &self)).map { _ in
            UpdateStatementLaws.texts.randomElement(using: &self)!
        }.joined()
    }
    fileprivate mutating func hash() -> Hash32 {
        Hash32((0..<32).map { _ in UInt8.random(in: 0...1, using: &self) })!
    }

    fileprivate mutating func specs() -> NetworkSpecs {
        NetworkSpecs(
            name: text(), title: text(), base58Prefix: .random(in: 0...3, using: &self),
            decimals: .random(in: 0...3, using: &self),
            unit: text(), genesisHash: hash(),
            scheme: SignatureScheme.allCases.randomElement(using: &self)!, pathID: text(), logo: text(),
            color: text(),
            secondaryColor: text())
    }

    fileprivate mutating func entry() -> AssetUnits.Entry {
        let isNumber = Bool.random(using: &self)
        let pallet: String? = isNumber || Bool.random(using: &self) ? "A" + text() : nil
        return AssetUnits.Entry(
            pallet: pallet,
            id: isNumber
                ? String(Int.random(in: 0...12, using: &self)) : "0x0\(Int.random(in: 0...3, using: &self))",
            symbol: "s" + text(),
            decimals: .random(in: 0...12, using: &self))
    }

    fileprivate mutating func list() -> AssetUnits? {
        AssetUnits(
            genesisHash: hash(), serial: .random(in: 0...2, using: &self),
            entries: (0..<Int.random(in: 0...3, using: &self)).map { _ in entry() })
    }

    fileprivate mutating func blob() -> [UInt8] {
        (0..<Int.random(in: 0...2, using: &self)).map { _ in UInt8.random(in: 0...1, using: &self) }
    }

    fileprivate mutating func content() -> UnverifiedUpdate.Content {
        switch Int.random(in: 0...3, using: &self) {
        case 0: .addSpecs(specs())
        case 1:
            .loadMetadata(
                blob: blob(), genesis: hash(),
                facts: MetadataFacts(
                    runtimeVersion: RuntimeVersion(
                        specName: text(), specVersion: .random(in: 0...2, using: &self)), ss58Prefix: nil,
                    extensionsComplete: true))
        case 2: .loadTypes(blob())
        default: list().map { .loadAssets($0) } ?? content()
        }
    }
}

/// Every byte that an update's signature covers is on a card: the cards alone give the bytes back, metadata
/// and types by length and hash.
@Suite struct UpdateStatementLaws {
    /// Texts that a stranger chooses to make one line read as another.
    static let texts = [
        "", " ", "a", "DOT", "x, 6 decimals", ", 6 decimals", ": ", "a: b", "a  b", "none", "\u{301}",
        "e\u{301}", "\u{e9}", "\n",
        "\u{202e}", "0x",
    ]
    /// What a person and a program read of cards, as bytes.
    static func print(_ cards: CardSet) -> [[UInt8]] {
        cards.all.map { card in
            Array("\(card.indent) \(card.kind) \(card.value)".utf8)
                + card.fields.flatMap { Array("\0\($0.name.text) \($0.fact)".utf8) }
        }
    }

    /// The lines alone: what stands in a field that is not printed does not count.
    static func lines(_ cards: CardSet) -> [[UInt8]] {
        cards.all.map { card in
            let details =
                [.newSpecs, .metadata, .types].contains(card.kind)
                ? card.fields.flatMap { Array("\0\($0.name.text) \($0.fact)".utf8) } : []
            return Array("\(card.indent) \(card.kind) \(card.value)".utf8) + details
        }
    }

    @Test func twoUpdatesNeverShowTheSameLines() {
        var seen: [[[UInt8]]: [UInt8]] = [:]
        var accepted = 0
        var random = SeededGenerator.printed("lines of updates")
        for _ in 0..<2000 {
            let update = unsigned(random.content())
            let cards = CardSet(update)
            guard (try? update.requireStated(by: cards)) != nil else { continue }
            accepted += 1
            let bytes = Array("\(update.content.word)".utf8) + update.signedBytes
            #expect(seen.updateValue(bytes, forKey: Self.lines(cards)) ?? bytes == bytes)
        }
        #expect(accepted > 1000)
    }

    @Test func specsMetadataAndTypesAreStatedWhateverTheirTexts() {
        var random = SeededGenerator.printed("stated updates")
        for _ in 0..<500 {
            let update = unsigned(random.content())
            if case .loadAssets = update.content { continue }
            #expect(throws: Never.self) { try update.requireStated(by: CardSet(update)) }
        }
    }

    @Test func anAssetIsStatedWhateverItsSymbol() {
        // Each has a letter.
        for symbol in Self.texts.flatMap({ ["s" + $0, $0 + "s"] }) {
            let entry = AssetUnits.Entry(pallet: "My Assets", id: "7", symbol: symbol, decimals: 6)
            let update = unsigned(
                .loadAssets(
                    AssetUnits(genesisHash: network("alpha").genesisHash, serial: 1, entries: [entry])!))
            #expect(throws: Never.self) { try update.requireStated(by: CardSet(update)) }
        }
    }

    /// Both print `Assets 1: USDT, 6 decimals 7: X, 3 decimals`.
    @Test func aPalletThatReadsAsAnotherAssetIsRefused() throws {
        let fixture = try TrustFixture()
        try fixture.accept(unsigned(.addSpecs(network("alpha"))))
        func list(_ entry: AssetUnits.Entry) -> UnverifiedUpdate {
            unsigned(
                .loadAssets(
                    AssetUnits(genesisHash: network("alpha").genesisHash, serial: 1, entries: [entry])!))
        }
        let forged = list(
            AssetUnits.Entry(pallet: "Assets 1: USDT, 6 decimals", id: "7", symbol: "X", decimals: 3))
        let true_ = list(
            AssetUnits.Entry(pallet: "Assets", id: "1", symbol: "USDT, 6 decimals 7: X", decimals: 3))
        #expect(Self.lines(CardSet(forged)) == Self.lines(CardSet(true_)))
        #expect(try fixture.refusal(forged) == .notOnCards(.card("network 4")))
        try fixture.accept(true_)
    }

    @Test func aChangedCardIsRefused() {
        var random = SeededGenerator.printed("changed cards of updates")
        for _ in 0..<150 {
            let update = unsigned(random.content())
            let cards = CardSet(update)
            guard (try? update.requireStated(by: cards)) != nil else { continue }
            for (place, mutant) in Self.mutants(of: cards).enumerated()
            where Self.print(mutant) != Self.print(cards) {
                #expect(throws: CardGap.self, "\(place) \(mutant)") { try update.requireStated(by: mutant) }
            }
        }
    }

    /// Each card left out, doubled, and changed in each thing that it says.
    static func mutants(of cards: CardSet) -> [CardSet] {
        let sections: [WritableKeyPath<CardSet, [Card]>] = [
            \.verifier, \.newSpecs, \.metadata, \.types, \.network,
        ]
        return sections.flatMap { section in
            cards[keyPath: section].indices.flatMap { place -> [CardSet] in
                func changed(_ change: (inout [Card]) -> Void) -> CardSet {
                    var mutant = cards
                    change(&mutant[keyPath: section])
                    return mutant
                }
                return [
                    changed { $0.remove(at: place) }, changed { $0.append($0[place]) },
                    changed { $0[place].indent += 1 }, changed { $0[place].content = .bool(true) },
                ]
                    + cards[keyPath: section][place].content.others.map { content in
                        changed { $0[place].content = content }
                    }
            }
        }
    }

    /// Nothing but the comparison with the payload's own bytes can tell.
    @Test func bytesThatTheCardsDoNotGiveBackAreRefused() throws {
        let fixture = try TrustFixture()
        let specs = network("alpha")
        let bytes = UnverifiedUpdate.Content.addSpecs(specs).signedBytes
        for (changed, place) in [
            (bytes + [0], bytes.count), (Array(bytes.dropLast()), bytes.count - 1),
            ([bytes[0] ^ 1] + bytes.dropFirst(), 0),
        ] {
            let update = UnverifiedUpdate(.addSpecs(specs), signature: nil, signedBytes: changed)
            #expect(try fixture.refusal(update) == .notOnCards(.byte(place)))
        }
    }

    @Test func theKeyOnTheCardIsTheOneThatSigned() throws {
        let update = try UpdateLaws.north.sign(.addSpecs(network("alpha")))
        var cards = CardSet(update)
        #expect(throws: Never.self) { try update.requireStated(by: cards) }
        for key in [
            nil, try UpdateLaws.south.key, PublicKey(scheme: .ed25519, bytes: try UpdateLaws.north.key.bytes),
        ] {
            cards.verifier = [Card(.verifier(key))]
            #expect(throws: CardGap.card("verifier 2")) { try update.requireStated(by: cards) }
        }
    }

    @Test func metadataShowsTheGenesisHashItsLengthAndItsHash() throws {
        let content = try metadata(9, of: network("alpha"))
        guard case .loadMetadata(let blob, let genesis, _) = content else {
            Issue.record("no metadata")
            return
        }
        let cards = CardSet(unsigned(content))
        #expect(cards.network.map(\.kind) == [.network, .genesisHash])
        #expect(cards.network.map(\.value) == ["alpha", genesis.hex])
        #expect(
            cards.metadata[0].fields.suffix(2) == [
                Card.Field("hash", ExactText(Hash32.blake2b(of: blob).hex)),
                Card.Field("length", .number(blob.count)),
            ])
    }
}

extension UnverifiedUpdate.Content {
    var word: String {
        switch self {
        case .addSpecs: "specs"
        case .loadMetadata: "metadata"
        case .loadTypes: "types"
        case .loadAssets: "assets"
        }
    }
}
