import Cards
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Accounts

/// Payloads of derivations whose texts a stranger chooses to make one line read as another.
extension SeededGenerator {
    fileprivate mutating func text() -> String {
        (0..<Int.random(in: 1...2, using: &self)).map { _ in
            DerivationStatementLaws.texts.randomElement(using: &self)!
        }.joined()
    }

    fileprivate mutating func root() -> PublicKey {
        let scheme = DerivationStatementLaws.schemes.randomElement(using: &self)!
        return Bool.random(using: &self)
            ? DerivationTests.root
            : PublicKey(
                scheme: scheme,
                bytes: [2]
                    + [UInt8](repeating: .random(in: 0...1, using: &self), count: scheme.publicKeyLength - 1))!
    }

    fileprivate mutating func info() -> SeedInfo {
        let keys = (0..<Int.random(in: 0...2, using: &self)).map { _ in
            SeedInfo.DerivedKey(
                address: text(), path: Bool.random(using: &self) ? text() : nil,
                scheme: SignatureScheme.allCases.randomElement(using: &self)!,
                genesisHash: DerivationStatementLaws.hash(.random(in: 0...6, using: &self)))
        }
        return SeedInfo(name: text(), root: root(), keys: keys)
    }

    fileprivate mutating func export() -> ExportAddrs {
        let features: [[ExportAddrs.Feature]] = [
            [], [.bulkOperations], [.dynamicDerivations, .bulkOperations],
            [.bulkOperations, .bulkOperations],
        ]
        return Bool.random(using: &self)
            ? ExportAddrs(seed: info(), features: features.randomElement(using: &self)!)
            : ExportAddrs(seeds: (0..<Int.random(in: 0...2, using: &self)).map { _ in info() })
    }

    fileprivate mutating func request() -> DynamicDerivationsRequest {
        let entries = (0..<Int.random(in: 0...2, using: &self)).map { _ in
            DynamicDerivationsRequest.Entry(
                path: text(), scheme: SignatureScheme.allCases.randomElement(using: &self)!,
                genesisHash: DerivationStatementLaws.hash(.random(in: 0...6, using: &self)))
        }
        return DynamicDerivationsRequest(root: root(), entries: entries)
    }

    fileprivate mutating func list() -> PathList {
        let paths = (0..<Int.random(in: 0...3, using: &self)).map { _ in text() }
        return PathList(
            scheme: SignatureScheme.allCases.randomElement(using: &self)!,
            genesisHash: DerivationStatementLaws.hash(.random(in: 0...6, using: &self)), paths: paths)
    }

    fileprivate mutating func review() -> (DerivationReview, [UInt8]) {
        if Int.random(in: 0..<3, using: &self) == 0 {
            let list = list()
            return (
                DerivationReview(
                    listing: list, seed: Bool.random(using: &self) ? "main" : nil,
                    DerivationStatementLaws.state),
                SCALEWriter.encode { list.encode(into: &$0) }
            )
        }
        if Bool.random(using: &self) {
            let export = export()
            return (
                DerivationReview(importing: export, seed: nil, DerivationStatementLaws.state),
                SCALEWriter.encode { export.encode(into: &$0) }
            )
        }
        let request = request()
        return (
            DerivationReview(answering: request, seed: nil, DerivationStatementLaws.state),
            SCALEWriter.encode { request.encode(into: &$0) }
        )
    }
}

/// Every byte of a payload of derivations is on a card: the cards alone give it back.
@Suite struct DerivationStatementLaws {
    static let texts = [
        "", " ", "  ", "//a", "//b", "(root)", "(root, as an empty path)", "westend", "sr25519", ": new",
        "5Grw", "  5Grw", "e\u{301}",
        "\u{e9}", "\n",
        "\u{301}",
    ]
    static let schemes: [SignatureScheme] = [.sr25519, .ed25519, .ecdsa]

    /// One name is that of two chains, one reads as the genesis hash of another chain.
    static var state: TrustState {
        var state = TrustState()
        state.settings[TrustState.seedRootPrefix + "main"] = DerivationTests.root.bytes
        for (name, place) in [("westend", 0), ("twice", 1), ("twice", 2), (hash(4).hex, 3), ("a  b", 4)]
            as [(String, UInt8)]
        {
            state.networks.append(
                NetworkSpecs(
                    name: name, title: name, base58Prefix: 42, decimals: 12, unit: "UNIT",
                    genesisHash: hash(place)))
        }
        return state
    }

    static func hash(_ place: UInt8) -> GenesisHash { GenesisHash([UInt8](repeating: place, count: 32))! }

    static func lines(_ review: DerivationReview) -> [[UInt8]] {
        review.groups.flatMap { $0.cards.all }.map { Array("\($0.indent) \($0.kind) \($0.value)".utf8) } + [
            Array("\(review.purpose)".utf8)
        ]
    }

    @Test func twoPayloadsNeverShowTheSameLines() {
        var seen: [[[UInt8]]: [UInt8]] = [:]
        var accepted = 0
        var random = SeededGenerator.printed("lines of derivations")
        for _ in 0..<3000 {
            let (review, bytes) = random.review()
            guard review.gap == nil else { continue }
            accepted += 1
            #expect(seen.updateValue(bytes, forKey: Self.lines(review)) ?? bytes == bytes)
        }
        #expect(accepted > 500)
    }

    /// Of two payloads with the same lines one at most is accepted, and there are such pairs.
    @Test func ofTwoPayloadsWithTheSameLinesOneIsRefused() {
        var pairs = 0
        for path in ["//a", "(root)", "", "//a  b", "//a  ", " "] {
            for address in ["b", "b  c", "  c", "c", ""] {
                var seen: [[[UInt8]]: Int] = [:]
                for moved in Self.otherBorders(path, address) {
                    let key = SeedInfo.DerivedKey(
                        address: moved.address, path: moved.path, scheme: .sr25519, genesisHash: Self.hash(0))
                    let export = ExportAddrs(seeds: [
                        SeedInfo(name: "theirs", root: DerivationTests.root, keys: [key])
                    ])
                    let review = DerivationReview(importing: export, seed: nil, Self.state)
                    seen[Self.lines(review), default: 0] += review.gap == nil ? 1 : 0
                    pairs += 1
                }
                #expect(seen.values.allSatisfy { $0 <= 1 })
                pairs -= seen.count
            }
        }
        #expect(pairs > 20)
    }

    /// The same text parted into a path and an address in every way, and the ways to write a root.
    static func otherBorders(_ path: String, _ address: String) -> [(path: String?, address: String)] {
        let text = Array("\(path)  \(address)")
        let parted = text.indices.dropLast().filter { text[$0] == " " && text[$0 + 1] == " " }.map { place in
            (path: Optional(String(text[..<place])), address: String(text[(place + 2)...]))
        }
        return parted + (path == "(root)" ? [(nil, address), ("", address)] : [])
    }

    @Test func twoSeedsOfOnePayloadHaveOneVersion() {
        let seeds = [
            SeedInfo(name: "a", root: DerivationTests.root, keys: []),
            SeedInfo(name: "b", root: DerivationTests.root, keys: []),
        ]
        let review = DerivationReview(importing: ExportAddrs(seeds: seeds), seed: nil, Self.state)
        let other = DerivationReview(
            importing: ExportAddrs(seed: seeds[0], features: []), seed: nil, Self.state)
        let bytes = SCALEWriter.encode { ExportAddrs(seeds: seeds).encode(into: &$0) }
        let cards = review.groups.map(\.cards)
        #expect(DerivationReview.gap(.importing, cards, bytes: bytes) == nil)
        #expect(
            DerivationReview.gap(.importing, [other.groups[0].cards, cards[1]], bytes: bytes)
                == .card("author 2"))
    }

    @Test func aNetworkIsNamedOnceAndOnlyWhereALineNamesIt() throws {
        let keys = [
            SeedInfo.DerivedKey(address: "x", path: "//a", scheme: .sr25519, genesisHash: Self.hash(0))
        ]
        let export = ExportAddrs(seeds: [SeedInfo(name: "theirs", root: DerivationTests.root, keys: keys)])
        let bytes = SCALEWriter.encode { export.encode(into: &$0) }
        var cards = DerivationReview(importing: export, seed: nil, Self.state).groups[0].cards
        let own = cards.network
        for more in [Card.network("westend", Self.hash(5)), Card.network("other", Self.hash(5))] {
            cards.network = more + own
            #expect(DerivationReview.gap(.importing, [cards], bytes: bytes) == .card("network 4"))
        }
    }

    @Test func ordinaryDerivationsAreStated() throws {
        for path in ["", "//a", "//polkadot//0", "//two words", "//a  b", "//a: new", "//e\u{301}"] {
            for scheme in SignatureScheme.allCases {
                let review = DerivationTests.review([
                    try DerivationTests.exported(path == "//a  b" ? "//a" : path, scheme)
                ])
                #expect(review.gap == nil)
                let entry = DynamicDerivationsRequest.Entry(
                    path: path, scheme: scheme, genesisHash: DerivationTests.genesis(scheme))
                let request = DynamicDerivationsRequest(root: DerivationTests.root, entries: [entry])
                let answer = DerivationReview(answering: request, seed: nil, DerivationTests.state)
                #expect((answer.gap == nil) == (path != "//a  b"))
            }
        }
    }

    /// A line of a request reads `//a  b  westend`: as the path `//a` with the address `b`.
    @Test func aPathThatReadsAsAPathAndAnAddressIsRefused() {
        let entry = DynamicDerivationsRequest.Entry(
            path: "//a  b", scheme: .sr25519, genesisHash: Self.hash(0))
        let review = DerivationReview(
            answering: DynamicDerivationsRequest(root: DerivationTests.root, entries: [entry]), seed: nil,
            Self.state)
        #expect(review.refusal == .notOnCards(.card("derivations 1")))
    }

    @Test func noPathAndAnEmptyPathAreDifferentLines() throws {
        var key = try DerivationTests.exported("", .sr25519)
        let none = DerivationTests.review([key])
        key.path = ""
        let empty = DerivationTests.review([key])
        #expect(none.gap == nil && empty.gap == nil)
        #expect(none.groups[0].cards.derivations[0].value != empty.groups[0].cards.derivations[0].value)
        key.path = Card.Derivation.rootPath
        #expect(DerivationTests.review([key]).gap == .card("derivations 1"))
    }

    @Test func aNameOfTwoChainsGivesWayToTheirGenesisHashes() throws {
        let keys = [0, 1, 2, 3].map {
            SeedInfo.DerivedKey(address: "x", path: "//a", scheme: .sr25519, genesisHash: Self.hash($0))
        }
        let export = ExportAddrs(seeds: [SeedInfo(name: "theirs", root: DerivationTests.root, keys: keys)])
        let cards = DerivationReview(importing: export, seed: nil, Self.state).groups[0].cards
        #expect(cards.network.map(\.value) == ["westend", Self.hash(0).hex])
        let networks = ["westend", Self.hash(1).hex, Self.hash(2).hex, Self.hash(3).hex]
        #expect(
            cards.derivations.map(\.value)
                == networks.map { "//a  x  \($0)  sr25519: the address cannot be read, skipped" })
    }

    @Test func theNameTheRootAndTheFeaturesHaveCards() throws {
        let info = SeedInfo(name: "theirs", root: DerivationTests.root, keys: [])
        let two = DerivationReview(
            importing: ExportAddrs(seed: info, features: [.bulkOperations, .dynamicDerivations]), seed: nil,
            Self.state)
        #expect(
            two.groups[0].cards.author.dropFirst().map(\.value) == [
                "payload_version", "2", "features", "bulk operations, dynamic derivations", "seed_name",
                "theirs", "root_key", "sr25519",
                "0x" + Hex.encode(DerivationTests.root.bytes),
            ])
        #expect(two.gap == nil)
        let none = DerivationReview(importing: ExportAddrs(seed: info, features: []), seed: nil, Self.state)
        #expect(none.groups[0].cards.author.map(\.value)[3...4] == ["features", "none"])
        #expect(none.gap == nil)
    }

    @Test func aChangedCardIsRefused() {
        var random = SeededGenerator.printed("changed cards of derivations")
        for _ in 0..<100 {
            let (review, bytes) = random.review()
            guard review.gap == nil else { continue }
            let cards = review.groups.map(\.cards)
            #expect(DerivationReview.gap(review.purpose, cards, bytes: bytes) == nil)
            for group in cards.indices {
                // Only an import names addresses: any other that stands there is of the vault's own key.
                func addresses(_ cards: CardSet) -> [ExactText?] {
                    cards.derivations.map { card in
                        if case .derivation(let key) = card.content { key.address } else { nil }
                    }
                }
                let namesAddresses = review.purpose == .importing
                for mutant in Self.mutants(of: cards[group]) where mutant != cards[group] {
                    let hasOther = addresses(mutant) != addresses(cards[group])
                    if !namesAddresses, hasOther, mutant.derivations.count == cards[group].derivations.count,
                        mutant.derivations.allSatisfy({ $0.kind == .derivation })
                    {
                        continue
                    }
                    var all = cards
                    all[group] = mutant
                    #expect(DerivationReview.gap(review.purpose, all, bytes: bytes) != nil, "\(mutant)")
                }
            }
        }
    }

    /// The author's own card, the seed and the name of the network tell what this vault makes of the payload.
    static func mutants(of cards: CardSet) -> [CardSet] {
        let sections: [WritableKeyPath<CardSet, [Card]>] = [\.author, \.network, \.derivations]
        return sections.flatMap { section in
            cards[keyPath: section].indices.dropFirst(section == \.author ? 1 : 0).flatMap {
                place -> [CardSet] in
                func changed(_ change: (inout [Card]) -> Void) -> CardSet {
                    var mutant = cards
                    change(&mutant[keyPath: section])
                    return mutant
                }
                let card = cards[keyPath: section][place]
                return [
                    changed { $0.remove(at: place) }, changed { $0[place].content = .bool(true) },
                    changed { $0.insert($0[place], at: place) },
                ]
                    + card.content.others.map { content in changed { $0[place].content = content } }
            }
        }
    }

    /// Nothing but the comparison with the payload's own bytes can tell.
    @Test func bytesThatTheCardsDoNotGiveBackAreRefused() throws {
        let export = ExportAddrs(seeds: [
            SeedInfo(
                name: "theirs", root: DerivationTests.root,
                keys: [try DerivationTests.exported("//a", .sr25519)])
        ])
        let bytes = SCALEWriter.encode { export.encode(into: &$0) }
        let review = DerivationReview(importing: export, bytes: bytes + [0], seed: nil, DerivationTests.state)
        #expect(review.refusal == .notOnCards(.byte(bytes.count)))
        let payload = try #require(
            DerivationReview(Payload([0x53, 0xff, 0xde] + bytes), seed: nil, DerivationTests.state))
        #expect(payload.refusal == nil)
    }
}
