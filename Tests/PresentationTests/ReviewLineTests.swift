import Cards
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Lines
@testable import Presentation
@testable import TerminalIO

/// What the program makes of cards: lines that cannot be taken for others.
@Suite struct ReviewLineTests {
    private static func lines(_ cards: [Card], docs: Bool = false) -> [String] {
        CardLines(view: CardView(docs: docs)).lines(cards).map(\.text)
    }

    private static let address = AccountAddress([UInt8](repeating: 9, count: 32), prefix: 42)

    private static func account(_ known: KnownAccount?, indent: Int = 1) -> Card {
        Card(.account(.init(address, known: known)), indent: indent)
    }

    @Test func namesStandBeforeTheirOneValue() {
        let cards = [
            Card(.fieldName, "dest"), Card(.enumVariant, "Id", indent: 1), Self.account(nil, indent: 2),
        ]
        #expect(Self.lines(cards) == ["  dest Id \(Self.address.text)"])
        let two = [
            Card(.fieldName, "pair"), Card(.number, "1", indent: 1), Card(.number, "2", indent: 1),
            Card(.number, "3"),
        ]
        #expect(Self.lines(two) == ["  pair", "    1", "    2", "  3"])
        let nested = [
            Card(.fieldName, "call"), Card(.pallet, "System", indent: 1), Card(.call, "remark", indent: 2),
        ]
        #expect(Self.lines(nested) == ["  call", "    System", "      remark"])
    }

    /// What the online program prints of the same cards.
    /// Sentences quote the names of members, and whoever prints a sentence escapes it.
    @Test func aQuotedNameIsEscapedOnceAndEndsAtItsOwnMark() {
        let cases = [
            ("Ana", #""Ana""#), (#"a\"#, #""a\\""#), (#"\""#, #""\\'""#),
            (#"a" (this machine), "bob"#, #""a' (this machine), 'bob""#),
        ]
        for (name, shown) in cases {
            let quoted = name.inQuotationMarks
            #expect(Escape.line(quoted) == shown && Escape.terminal(quoted) == shown)
        }
    }

    @Test func thePlainRowsAreTheLinesOfTheReview() {
        let cards = [
            Card(.pallet, "Balances"), Card(.call, "transfer", indent: 1),
            Card(.fieldName, "dest", indent: 2),
            Card(.enumVariant, "Id", indent: 3), Self.account(nil, indent: 4),
            Card(.fieldName, "value", indent: 2),
            Card(.balance(.init(raw: 15_000_000_000, decimals: 10, unit: "DOT")), indent: 3),
            Card(.fieldName, "| note", indent: 2), Card(.text, "a\nb", indent: 3), Card(.nonce, "7"),
        ]
        let plain = CardRow.rows(cards).map(\.text)
        #expect(plain == Self.lines(cards))
        #expect(plain.contains("      dest Id \(Self.address.text)") && plain.last == "  nonce 7")
    }

    @Test func whoseAnAccountIsStandsInWords() {
        #expect(
            Self.lines([Self.account(.init(.own(seed: "main", path: "//0"), label: "cold"))]) == [
                "    \(Self.address.text) (own: main, //0 \"cold\")"
            ])
        #expect(
            Self.lines([Self.account(.init(.own(seed: "main", path: "")))]) == [
                "    \(Self.address.text) (own: main, root)"
            ])
        #expect(
            Self.lines([Self.account(.init(.stranger))]) == [
                "    \(Self.address.text) (not one of your keys)"
            ])
        #expect(Self.lines([Self.account(nil)]) == ["    \(Self.address.text)"])
        // A label cannot pass for another line.
        #expect(
            Self.lines([Self.account(.init(.own(seed: "s", path: ""), label: "a\nb"))]) == [
                "    \(Self.address.text) (own: s, root \"a\\nb\")"
            ])
    }

    /// A payload names the path of a key that signing derives: nothing in it reads as what the program says.
    @Test(arguments: [
        ("//polkadot//0", "//polkadot//0"), ("//Alice ", #""//Alice\u{20}""#),
        ("//cold, derived and compared (15oF)", #""//cold, derived and compared (15oF)""#),
    ])
    func `a path ends where it ends, in the review and in the list of keys`(path: String, shown: String) {
        #expect(
            Self.lines([Self.account(.init(.own(seed: "main", path: ExactText(path))))]) == [
                "    \(Self.address.text) (own: main, \(shown))"
            ])
        #expect(
            Self.lines([Self.account(.init(.group("board", path: ExactText(path))))]) == [
                "    \(Self.address.text) (your group: board, \(shown))"
            ])
        let public32 = [UInt8](repeating: 1, count: 32)
        for (group, words) in [(nil, "seed main, path \(shown)"), ("board", "group board, path \(shown)")]
            as [(String?, String)]
        {
            let signer = Card.Signer(
                .key, address: Self.address.text.text, publicKey: public32, seed: group == nil ? "main" : nil,
                path: path,
                label: "cold", group: group)
            #expect(
                Self.lines([Card(.signer(signer))]) == [
                    "  \(Self.address.text)", "    " + words, "    label cold",
                ])
        }
        let key = KeyRecord(
            publicKey: PublicKey(scheme: .sr25519, bytes: public32)!, seed: "main", path: path,
            hasPassword: false)
        #expect(TableLine(Wording.key(key, prefix: 42)).text.utf8Contains("  \(shown)  sr25519  never used"))
        #expect(Wording.path(of: key) == shown)
    }

    @Test func docsAreShownOnDemandAndMarked() {
        let card = Card(.call("remark", docs: "Puts bytes.\n\n  amount 5\u{1b}[2J  "))
        #expect(Self.lines([card]) == ["  remark"])
        #expect(
            Self.lines([card], docs: true) == ["  remark", "    # Puts bytes.", "    #  amount 5\\u{1b}[2J"])
    }

    @Test func noCardStartsLikeAContinuation() {
        #expect(Self.lines([Card(.author, "| seed")]) == ["  \\u{7c} seed"])
        #expect(Self.lines([Card(.network, "| x")]) == ["  \\u{7c} x"])
    }

    @Test func amountsArePlain() {
        let card = Card(.tip(.init(raw: 1_500_000_000_000_000, decimals: 12, unit: "HLO")))
        #expect(Self.lines([card]) == ["  tip 1,500 HLO"])
    }

    @Test func aStripHasOneColumnForTwoDots() {
        func columns(_ account: [UInt8]) -> Int {
            IconRaster.strip(of: account).unicodeScalars.count { "▀▄ ".unicodeScalars.contains($0) }
        }
        #expect(columns([UInt8](repeating: 7, count: 32)) == 10)
        #expect(columns([UInt8](repeating: 7, count: 20)) == 8)
        #expect(IconRaster.strip(of: [1, 2, 3]).isEmpty)
    }

    /// Whoever made the proposal chose it.
    @Test(arguments: [
        ("office", #""office""#), (#"a", 2 of 2"#, #""a\", 2 of 2""#), (#"2 of 2\"#, #""2 of 2\\""#),
        ("a  b", #""a \u{20}b""#),
    ])
    func `the label of a group in the making ends where it ends`(label: String, shown: String) throws {
        let members = ["alice", "bob"].enumerated().map {
            GroupMember(name: $1, hostKey: [UInt8](repeating: UInt8($0 + 1), count: 32))
        }
        let proposal = try GroupProposal(
            scheme: .sr25519, threshold: 2, salt: [UInt8](repeating: 3, count: 16), label: label,
            members: members)
        let making = GroupMaking(
            session: proposal.session, proposal: proposal.bytes, seed: "main", hostIndex: 0)
        let line = MakingFacts(making, proposal, in: TrustState()).line
        #expect(line == "\(shown)  2 of 2  \(Wording.waitsForBundle(dealt: false))")
    }
}
