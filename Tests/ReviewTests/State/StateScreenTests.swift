import Extrinsics
import FixtureRuntime
import Forge
import History
import Lines
import StateProof
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import Presentation
@testable import Review

/// Laws 33, 40, 41, 43 and 49 of the state proofs: what a person sees of the facts, and where nothing of them
/// is seen.
@Suite struct StateScreenLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    /// `proven on Polkadot People, block …:` is one too, of facts on another chain.
    private static let marks = [
        "proven: ", "proven on ", "layout: ", "this device: ", "not proven: ", "note: ",
    ]

    private static func lines(_ state: StateReview, time: UInt64? = nil) -> [StyledLine] {
        StateLines(state: state, view: CardView(), time: time ?? state.proven.chain.time / 1_000).lines
    }

    private static func texts(_ transaction: StateTransaction) throws -> [String] {
        lines(try StateVault(transaction).state()).map(\.text)
    }

    // MARK: Lines

    /// What somebody may write into the state to be taken for another line.
    private static let hostile: [[UInt8]] =
        [
            "Kraken", "x\n  proven: your account: free 9,999 DOT", "\u{202e}TODK\u{202c}", "\u{200b}\u{2060}",
            "\" proven: true \"", "| proven: x", "   proven: x", "\\u{22}",
            String(repeating: "\u{200d}", count: 10),
        ].map { Array($0.utf8) } + [[0xff, 0xfe], []]

    @Test func `40 Every row starts with its mark or goes on behind one, at every width from 20 columns`()
        throws
    {
        var states = try StateSamples.all.map { try StateVault($0.transaction).state() }
        for text in Self.hostile where text.count <= 32 {
            var asset = StateSamples.foreignAsset()
            asset.chain[.foreignMetadata(StateSamples.location)] =
                [UInt8](repeating: 0, count: 16) + FixtureValue.bytes(text) + FixtureValue.bytes(text) + [
                    6, 0,
                ]
            var identity = StateSamples.identity()
            var people = StateTransaction.people
            people[.identity(Self.bob)] = SampleChain.identity(text)
            people[.superIdentity(Self.bob)] = Self.alice.bytes + [UInt8(text.count + 1)] + text
            identity.addHop(to: people, [.identity(Self.bob), .superIdentity(Self.bob)])
            states += try [asset, identity].map { try StateVault($0).state() }
        }
        var rows = 0
        for state in states {
            // The clock of this device is a day ahead and more.
            let lines = Self.lines(state, time: state.proven.chain.time / 1_000 + 100_000)
            #expect(lines.contains { $0.text.contains("this device: WARNING the block is 1 day before") })
            for width in 20...130 {
                for line in lines.dropFirst() {
                    let wrapped = line.wrapped(to: width)
                    let first = try #require(wrapped.first).text
                    let words = first.drop { $0 == " " }
                    #expect(Self.marks.contains { words.hasPrefix($0) }, "\(width): \(first)")
                    for row in wrapped.dropFirst() {
                        #expect(row.text.hasPrefix("    | "), "\(width): \(row.text)")
                    }
                    rows += wrapped.count
                }
            }
            // Nothing on the lines but what is read from left to right and seen.
            for line in lines {
                #expect(
                    line.text.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) || $0 == "…" },
                    "\(line.text)")
            }
        }
        #expect(rows > 10_000)
    }

    @Test func `40 What somebody wrote into the state is quoted, behind what it cannot choose`() throws {
        let asset = try Self.texts(StateSamples.foreignAsset())
        #expect(
            asset.contains(
                #"  proven: the asset at 0x010100511f calls itself text "Kraken\n \u{20}proven: \u{202e}", with 18 decimals"#
            ), "\(asset)")
        var bytes = StateSamples.foreignAsset()
        bytes.chain[.foreignMetadata(StateSamples.location)] =
            [UInt8](repeating: 0, count: 16) + FixtureValue.bytes([]) + FixtureValue.bytes([0xff]) + [1, 1]
        let words = try Self.texts(bytes)
        #expect(
            words.contains(
                "  proven: the asset at 0x010100511f calls itself bytes 0xff, with 1 decimal, and is frozen"),
            "\(words)")
    }

    @Test func `49 Every fact on another chain names that chain, its block and its time`() throws {
        let state = try StateVault(StateSamples.identity()).state()
        let there = "  proven on Polkadot People, block 4,000,000 of 2025-11-24 16:00 UTC: "
        let (bob, charlie) = (state.address(Self.bob), state.address(StateSamples.charlie))
        #expect(
            Self.lines(state).map(\.text).filter { $0.contains("Polkadot People") } == [
                there + "\(bob) has no identity",
                there + "\(charlie) calls itself text \"Charlie & Co\"; judgement of registrar 1: Reasonable",
                there + "\(bob) is called text \"Sales\" by \(charlie)",
                "  layout: Polkadot People: read by the built-in layout of people-polkadot 2002002 to 2002002",
            ])
        // The own chain's facts name no chain.
        #expect(state.facts.count == 2 && state.otherFacts.count == 3)
    }

    @Test func `49 Session keys on another chain are not those that the call sets`() throws {
        var sample = StateSamples.sessionKeys()
        sample.chain[.nextKeys(Self.alice)] = [UInt8](repeating: 7, count: 32)
        var hub = SampleChain()
        hub.runtime = RuntimeVersion(specName: "statemint", specVersion: 2_000_003)
        hub.setRuntime(hub.runtime)
        hub[.nextKeys(Self.alice)] = [UInt8](repeating: 9, count: 32)
        sample.addHop(to: hub, number: 1_000, [.nextKeys(Self.alice)])
        let lines = try Self.texts(sample)
        #expect(lines.contains("  proven: your account has the session keys of this call already"))
        #expect(
            lines.filter { $0.hasPrefix("  proven on ") }.allSatisfy {
                $0.hasSuffix(": your account has session keys")
            }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  proven on Polkadot Asset Hub, ") })
    }

    @Test func `A plain transfer has at most 14 rows at 80 columns`() throws {
        var sample = StateSamples.identity()
        sample.hop = nil
        // As large as the sums of the example of the contract.
        sample.chain[.account(Self.alice)] = SampleChain.account(
            free: 124_649_218_584_571, reserved: 114_930_837_313_281, frozen: 68_716_999_295_906)
        let state = try StateVault(sample).state()
        func rows(_ time: UInt64) -> [String] {
            Self.lines(state, time: time).flatMap { $0.wrapped(to: 80) }.map(\.text)
        }
        let time = state.proven.chain.time / 1_000
        let usual = rows(time)
        #expect(usual.count <= 13, "\(usual.joined(separator: "\n"))")
        let late = rows(time + 86_400 * 400)
        #expect(late.count <= 14, "\(late.joined(separator: "\n"))")
        #expect(late.contains("  this device: WARNING the block is 400 days before the clock of this device"))
        #expect(late.count == usual.count + 1)
    }

    // MARK: Numbers of proxies

    @Test(arguments: StateChain.all.map(\.name.text))
    func `33 A type of proxy other than 0 is a number, on every listed chain`(name: String) throws {
        let chain = try #require(StateChain.all.first { $0.name.text == name })
        var vault = StateVault(network: StateTransaction.listed(name, chain.last))
        vault.call = vault.network.call(
            "Balances", "transfer_all", [FixtureValue.address(Self.bob.bytes), FixtureValue.bool(false)])
        vault.items = [.account(Self.alice), .proxies(Self.alice)]
        if chain.name != "polkadot", chain.name != "kusama" { vault.items.append(.migration) }
        let types = (UInt8(0)..<31) + [255]
        vault.chain[.proxies(Self.alice)] = SampleChain.proxies(types.map { (Self.bob, $0) })
        let state = try vault.state()
        let address = state.address(Self.bob)
        let words = types.map { $0 == 0 ? "\(address) (type 0, Any)" : "\(address) (type \($0))" }
        #expect(
            Self.lines(state).map(\.text).contains(
                "  proven: your account has 32 proxies: " + words.joined(separator: ", ")))
        #expect(
            state.settled.map(state.words) == [
                "32 accounts may act for yours: " + words.prefix(3).joined(separator: ", ") + " and 29 more"
            ])
    }

    // MARK: Where nothing of the state goes

    @Test(arguments: StateSamples.all.map(\.name))
    func `43 Proven text is no label, no recipient's name, no part of the history or of a card`(name: String)
        throws
    {
        let sample = try #require(StateSamples.all.first { $0.name == name }).transaction
        let vault = StateVault(sample)
        let review = try TransactionReview(vault.data())
        let (alone, beside) = (
            try review.review(vault.transaction())[0], try review.review(vault.payload())[0]
        )
        #expect(alone.cards == beside.cards && alone.signingBytes == beside.signingBytes)
        var summary = ReviewSummary(beside)
        summary.provenBlock = nil
        #expect(summary == ReviewSummary(alone))
        let history = [beside, alone].map { "\(SignedFacts($0, signer: Self.alice.bytes))" }
        #expect(history[0] == history[1])
        // The document has what the chain's state says in `state` alone.
        let (one, other) = (
            JSONText.line(ReviewDocument.Item(alone)), JSONText.line(ReviewDocument.Item(beside))
        )
        for text in ["USDt", "Tether", "Kraken", "Sales", "Charlie & Co"] {
            #expect(!one.contains(text) && !other.contains(text))
        }
    }

    @Test func `41 The condition stands where the facts stand`() throws {
        for sample in StateSamples.all {
            let lines = try Self.texts(sample.transaction)
            #expect(lines.first == "State of the chain (proven by the block hash in the signed bytes)")
            #expect(
                lines.last == """
                      note: if the block is false, the signature is worthless on the chain. Rely on these \
                    lines for this signature only: they are no receipt.
                    """)
        }
    }
}
