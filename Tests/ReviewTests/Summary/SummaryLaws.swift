import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import History
@testable import Review

/// A summary says what its cards say: nothing that counts is missing, nothing is said twice.
@Suite struct SummaryLaws {
    /// The digits of a sum that may be larger than any integer.
    private static func sum(_ amounts: [UInt128]) -> Planck { amounts.reduce(0) { $0 + Planck($1) } }

    @Test func totalsRecipientsCallsAndWarningsAreThoseOfTheCalls() throws {
        var generator = SeededGenerator.printed("summaries")
        for _ in 0..<120 {
            let sample = SummarySample.drawn(by: &generator)
            let reviewed = try sample.reviewed(tip: 7)
            let summary = ReviewSummary(reviewed)
            #expect(summary.warnings == reviewed.cards.warning)

            let native = summary.totals.first { $0.asset == nil }
            #expect(native?.raw == (sample.amounts.isEmpty ? nil : Self.sum(sample.amounts)))
            let asset = summary.totals.first { $0.asset != nil }
            #expect(asset?.raw == (sample.assetAmounts.isEmpty ? nil : Self.sum(sample.assetAmounts)))
            #expect(summary.totals.count == (native == nil ? 0 : 1) + (asset == nil ? 0 : 1))
            // What a policy compares is the same sum.
            let policy = try #require(reviewed.decoded).summary.nativeTotal
            #expect(policy == .max || Planck(policy) == native?.raw ?? 0)

            let named = Dictionary(grouping: sample.recipients) { $0 }.mapValues(
                \.count)
            #expect(
                Dictionary(uniqueKeysWithValues: summary.recipients.map { ($0.account, $0.count) }) == named
            )
            let counted = Dictionary(grouping: sample.calls) { $0 }.mapValues(\.count)
            #expect(
                Dictionary(
                    uniqueKeysWithValues: summary.calls.map {
                        ("\($0.name.pallet).\($0.name.call)", $0.count)
                    }) == counted)

            #expect(summary.unread.contains(.everything) == sample.calls.contains("Balances.transfer_all"))
            #expect(summary.networks.map(\.name) == ["heliotest"] && summary.signers.map(\.seed) == ["main"])
            #expect(summary.sentences.count == 1 && !summary.sentences[0].text.isEmpty)
        }
    }

    /// The cards themselves as the measure: every account and every balance of the call, whatever made them.
    @Test func everyAccountAndBalanceCardCounts() throws {
        var generator = SeededGenerator.printed("cards of summaries")
        for _ in 0..<60 {
            let reviewed = try SummarySample.drawn(by: &generator).reviewed()
            let summary = ReviewSummary(reviewed)
            var own = 0
            for (index, card) in reviewed.cards.method.enumerated() where card.kind == .account {
                let above = reviewed.cards.method[..<index].last {
                    $0.indent < card.indent && $0.kind == .fieldName
                }
                // Accounts of a list stand below their numbers.
                if ["real", "other_signatories"].contains(above?.value ?? "") { own += 1 }
            }
            let accounts = reviewed.cards.method.count { $0.kind == .account }
            #expect(summary.recipients.reduce(0) { $0 + $1.count } == accounts - own)
            let balances = reviewed.cards.method.filter { $0.kind == .balance }.compactMap {
                $0.text(of: "raw").flatMap { Planck($0) }
            }
            #expect(
                summary.totals.filter { $0.asset == nil }.map(\.raw)
                    == (balances.isEmpty ? [] : [balances.reduce(0, +)]))
        }
    }

    /// The kinds whose change a summary may miss, as its documentation says.
    private static let irrelevant: Set<Card.Kind> = [
        .fieldName, .fieldNumber, .enumVariant, .number, .text, .bytes, .bits, .bool, .none, .identityField,
        .nonce, .blockHash,
        .genesisHash,
        .specVersion, .txVersion, .metadataHash, .extension, .notice,
    ]

    @Test func aCardThatChangesChangesTheSummary() throws {
        let all = SummarySample.batch([
            .transfer(5), .transferAll(), .asset(7), .remark("x"), .addProxy(),
            .proxy(SummarySample.carol, .transfer(9)),
            .multisig(.transfer(3)),
        ])
        let reviewed = try all.reviewed(tip: 11)
        let summary = ReviewSummary(reviewed)
        let sections: [WritableKeyPath<CardSet, [Card]>] = [\.author, \.warning, \.method, \.extensions]
        var (changed, kept) = (0, 0)
        for section in sections {
            for index in reviewed.cards[keyPath: section].indices {
                var cards = reviewed.cards
                let card = cards[keyPath: section][index]
                cards[keyPath: section][index] = Self.changed(card)
                let other = ReviewSummary(Self.with(cards, reviewed))
                // The cards of a multisig's signatories and of the account that a proxy acts for name nobody
                // who gains.
                let above =
                    section == \.method
                    ? cards.method[..<index].last { $0.indent < card.indent && $0.kind == .fieldName }?.value
                    : nil
                let isOwnSide = card.kind == .account && ["real", "other_signatories"].contains(above ?? "")
                if Self.irrelevant.contains(card.kind) || isOwnSide {
                    kept += 1
                } else {
                    changed += 1
                    #expect(other != summary, "\(card.kind) \(card.value)")
                }
            }
        }
        #expect(changed > 30 && kept > 20)
    }

    /// The same card with other digits, another name, another key.
    private static func changed(_ card: Card) -> Card {
        var card = card
        card.content = card.content.others[0]
        return card
    }

    private static func with(_ cards: CardSet, _ reviewed: ReviewedTransaction) -> ReviewedTransaction {
        ReviewedTransaction(
            reviewed.content, payload: reviewed.payload, cards: cards, signer: reviewed.signer,
            signatory: reviewed.signatory,
            signingBytes: reviewed.signingBytes, refusal: reviewed.refusal)
    }

    // MARK: Single facts

    /// The names of a multisig's and a proxy's arguments hide nobody in another call.
    @Test func onlyACallThatCarriesACallHasAnOwnSide() throws {
        let runtime = SummarySample.runtime
        let one = SummarySample(
            call: runtime.call("Rights", "gives", [FixtureValue.address(SigningVault.bob)]))
        #expect(try one.summary().recipients.map(\.account) == [SigningVault.bob])
        // Also inside a batch beside a call that carries one.
        let both = try SummarySample.batch([.proxy(SummarySample.carol, .remark("x")), one]).summary()
        #expect(
            both.recipients.map(\.arguments) == [["real"]]
                && both.recipients.map(\.account) == [SigningVault.bob])
        let inside = try SummarySample.proxy(SummarySample.carol, one).summary()
        #expect(inside.recipients.map(\.account) == [SigningVault.bob])
    }

    @Test func anOwnKeyIsToldFromAStranger() throws {
        let summary = try SummarySample.batch([
            .transfer(1, to: SummarySample.carol), .transfer(1), .transfer(2),
            .transfer(1, to: SigningVault.alice),
        ]).summary()
        #expect(
            summary.recipients.map(\.relation) == [
                .own(seed: "main", path: "//1"), .stranger, .own(seed: "main", path: "//0"),
            ])
        #expect(summary.recipients.map(\.label) == ["savings", nil, nil])
        #expect(summary.recipients.map(\.count) == [1, 2, 1])
        #expect(summary.recipients.map(\.arguments) == [["dest"], ["dest"], ["dest"]])
        let nobody = ReviewSummary(
            try TransactionReview(
                ChainData(state: Self.emptied(try SummarySample.data())) { _ in
                    SummarySample.runtime.metadata()
                }
            )
            .review(
                try Payload(
                    SigningVault.payload(SummarySample.transfer(1).call, runtime: SummarySample.runtime)))[0])
        #expect(nobody.recipients.map(\.relation) == [.unchecked])
    }

    private static func emptied(_ data: ChainData) -> TrustState {
        var state = data.state
        state.keys = []
        return state
    }

    @Test func sumsHaveNoLargestNumber() {
        #expect(
            (Planck(.max) + 1).digits == "340282366920938463463374607431768211456"
                && (Planck(.max) + 1).clamped == .max)
        #expect(999 + 1 == (1000 as Planck) && 1 + 999 == (1000 as Planck) && 0 + 0 == (0 as Planck))
        #expect((9 as Planck) < 10 && !((10 as Planck) < 10) && (0 as Planck).tenfold == 0)
        #expect(Planck("007") == 7 && Planck("") == nil && Planck("-1") == nil && Planck("1\u{301}") == nil)
    }

    @Test func aSumIsShownInTheUnit() throws {
        let total = try #require(
            try SummarySample.batch([.transfer(1_500_000_000_000), .transfer(1)]).summary().totals.first)
        #expect(total.plain == "1.500000000001" && total.symbol == "HLO" && total.raw == 1_500_000_000_001)
        let asset = try #require(try SummarySample.asset(5).summary().totals.first)
        #expect(
            asset.plain == "5" && asset.symbol == nil && asset.asset == "1984" && asset.pallet == "Assets")
    }

    @Test func whatCannotBeReadIsSaid() throws {
        func unread(_ call: [UInt8]) throws -> [ReviewSummary.UnreadAmount] {
            try SummarySample(call: call).summary().unread
        }
        let runtime = SummarySample.runtime
        #expect(try unread(runtime.call("Rights", "approve_as_multi", [SigningVault.bob])) == [.hiddenCalls])
        #expect(
            try unread(runtime.call("Rights", "unheard_of", [FixtureValue.integer(UInt128(5))])) == [.numbers]
        )
        #expect(try unread(runtime.call("Rights", "undecided", [[3]])) == [.choices])
        #expect(try unread(SummarySample.transferAll().call) == [.everything])
        #expect(try unread(SummarySample.transfer(5).call) == [])
        let byIndex = runtime.call("Balances", "transfer_keep_alive", [[1], FixtureValue.compact(1)])
        #expect(try SummarySample(call: byIndex).summary().hasOtherAddresses)
        #expect(try !SummarySample.transfer(5).summary().hasOtherAddresses)
    }

    @Test func limitsAreTipFeeAndValidity() throws {
        let limits = ReviewSummary(try SummarySample.transfer(1).reviewed(tip: 7)).limits
        #expect(limits.count == 3)
        guard case .tip(let tip, count: 1) = limits[0], case .feeAsset(let asset) = limits[1],
            case .validity(let era, let notice?) = limits[2]
        else {
            Issue.record("\(limits)")
            return
        }
        #expect(tip.raw == 7 && asset == .native && era.value == "phase 0, period 64")
        #expect(notice.value.hasPrefix("valid for about 64 blocks"))
        let immortal = ReviewSummary(try SummarySample.transfer(1).reviewed(era: .immortal)).limits
        #expect(
            immortal.contains {
                if case .validity(_, let notice?) = $0 {
                    notice.value.hasPrefix("never expires")
                } else {
                    false
                }
            })
    }

    @Test func aCardBesideACallIsNoneOfItsArguments() {
        func account(_ first: UInt8) -> Card.Content {
            .account(.init(AccountAddress([first] + [UInt8](repeating: 0, count: 31), prefix: 42)))
        }
        let cards = [
            Card(.pallet, "P"), Card(.call, "c", indent: 1), Card(.fieldName, "dest", indent: 2),
            Card(account(1), indent: 3), Card(account(2)),
        ]
        #expect(ReviewSummary.recipients(ShownCalls(cards), cards).map(\.arguments) == [["dest"], [""]])
    }

    @Test func recipientsOfABulkAreCountedAsOftenAsTheyAreNamed() throws {
        let parts = try [SummarySample.transfer(1), .batch([.transfer(1), .transfer(2)])].map {
            try $0.summary()
        }
        #expect(ReviewSummary(whole: parts).recipients.map(\.count) == [3])
    }

    @Test func theTipOfABulkIsTheSumOfTheTipsOfItsPayloads() throws {
        var generator = SeededGenerator.printed("tips")
        for _ in 0..<20 {
            let tips = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                [0, 1_000, .max].randomElement(using: &generator)! as UInt128
            }
            let parts = try tips.map { ReviewSummary(try SummarySample.transfer(1).reviewed(tip: $0)) }
            let limits = ReviewSummary(whole: parts).limits
            #expect(limits.count == 3 && limits.dropFirst().first == parts[0].limits.dropFirst().first)
            guard case .tip(let sum, let count) = limits[0] else {
                Issue.record("\(limits)")
                return
            }
            #expect(sum.raw == Self.sum(tips) && sum.symbol == "HLO" && count == tips.count { $0 > 0 })
        }
    }

    @Test func aBulkIsSummedAcrossItsPayloads() throws {
        let samples: [SummarySample] = [
            .transfer(5), .batch([.transfer(6, to: SummarySample.carol), .addProxy()]), .transfer(7),
        ]
        let parts = try SummarySample.review(
            SigningVault.bulk(samples.map { SigningVault.payload($0.call, runtime: SummarySample.runtime) })
        ).map { ReviewSummary($0) }
        let whole = ReviewSummary(whole: parts)
        #expect(whole.totals.map(\.raw) == [18] && whole.networks.count == 1 && whole.signers.count == 1)
        #expect(whole.recipients.map(\.count) == [3, 1] && whole.sentences == parts.flatMap(\.sentences))
        #expect(whole.calls.reduce(0) { $0 + $1.count } == 5 && whole.word?.text == "add proxy")
        #expect(
            whole.warnings == parts[0].warnings + parts[1].warnings.dropLast()
                && !whole.provenance.isCheckedByChain)
    }
}
