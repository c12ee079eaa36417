import Cards
import FoundationEssentials
import Hashing
import SubstratePrimitives
import Testing

@Suite struct CardTests {
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `cards are numbered in reading order across sections`() {
        var set = CardSet()
        set.extensions = [Card(.nonce(0))]
        set.method = [Card(.pallet("Balances")), Card(.call("transfer", docs: ""), indent: 1)]
        set.author = [Card(.signer(.init(.key, address: "main")))]
        let numbered = set.numbered()
        #expect(numbered.all.map(\.value) == ["main", "Balances", "transfer", "0"])
        #expect(numbered.all.map(\.index) == [0, 1, 2, 3])
        #expect(numbered.numbered() == numbered)
    }

    @Test func `cards compare by bytes`() {
        #expect(Card(.text("K")) != Card(.text("\u{212A}")))
        #expect(Card.Field("a", "é") != Card.Field("a", "e\u{301}"))
        #expect(Card.Field("K", "") != Card.Field("\u{212A}", ""))
        #expect(Card.Fact.texts(["a", "b"]) != .texts(["ab"]))
        #expect(Card.Fact.text("1") != .number(1))
    }

    /// The limit of what a payload may show counts the line and every text among the facts.
    @Test(
        arguments: [
            .pallet("Balances"), .call("transfer", docs: "é"), .fieldName("dest"),
            .fieldName("dest", .docs("doc")),
            .fieldName("d", .typed(docs: "doc", path: "a::b", typeDocs: "of it")),
            .fieldNumber(12), .fieldNumber(7, .typed(docs: "doc", path: "a::b", typeDocs: "of it")),
            .enumVariant(.init("Id", docs: "doc")), .enumVariant(.init("Id")),
            .enumVariant(.init("Id", docs: "doc", unusual: .init(index: 7, path: "a::b"))),
            .account(.init(AccountAddress([UInt8](repeating: 1, count: 32), prefix: 42))),
            .account(.init(AccountAddress([1, 2, 3], prefix: 42), known: .init(.stranger, label: "label"))),
            .balance(.init(raw: 1_234, decimals: 2, unit: "UNIT", asset: .location("0x00"))),
            .tip(.init(raw: 0, decimals: 12, unit: "")), .number(.integer("123")),
            .number(.vote(StandardVote(0x81)!)), .text("é"), .text("é", isBytes: true), .bytes([1, 2]),
            .bytes([1], key: .ed25519), .message(.text("é")), .verifier(nil),
        ] as [Card.Content])
    func `the text of a card is its line and the texts among its facts`(content: Card.Content) {
        let card = Card(content)
        let facts = card.fields.map { field in
            if case .text(let text) = field.fact { text.utf8.count } else { 0 }
        }
        #expect(card.textLength == facts.reduce(card.value.utf8.count, +))
    }

    @Test func `a card that covers other bytes is another card`() {
        var one = Card(.bytes([0]))
        one.coverage = .states(0..<1)
        var other = one
        other.coverage = .interprets(0..<1)
        #expect(one != other)
        other.coverage = .states(0..<1, and: 4..<5)
        #expect(one != other)
    }

    @Test func `a card is an object whose fields stand beside its kind`() throws {
        let genesis = GenesisHash.blake2b(of: [])
        let signer = Card.Signer(
            .key, address: "a", publicKey: [1], seed: "s", hasPassword: true,
            otherNetworks: [.init(name: "b", genesis: genesis)])
        var card = Card(.signer(signer), indent: 2)
        let others = #""other_genesis_hashes":["\#(genesis.hex)"],"other_networks":["b"]"#
        let json =
            #"{"address":"a","has_password":true,"indent":2,"index":0,"kind":"author","label":null,\#(others),"path":"","public_key":"01","seed":"s","value":"a"}"#
        #expect(try Self.json(card) == json)
        card = Card(.fieldName("dest"), indent: 2)
        card.coverage = .states(3..<5, and: 9..<10)
        #expect(
            try Self.json(card)
                == #"{"indent":2,"index":0,"kind":"field_name","states":[[9,10],[3,5]],"value":"dest"}"#)
    }
}
