import Cards
import Extrinsics
import FixtureRuntime
import Metadata
import SubstratePrimitives
import Testing

@testable import History
@testable import Review

/// One sentence for each call, and a call that is not known by its name.
@Suite struct SentenceTests {
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    private static func sentence(_ sample: SummarySample) throws -> String {
        try sample.summary().sentences[0].text
    }

    @Test func standardCallsAreSaidInWords() throws {
        #expect(try Self.sentence(.transfer(1_500_000_000_000)) == "sends 1.5 HLO to \(Self.bob)")
        #expect(try Self.sentence(.transferAll()) == "sends everything that can be moved to \(Self.bob)")
        #expect(try Self.sentence(.asset(5)) == "sends 5 of the smallest unit of asset 1984 to \(Self.bob)")
        #expect(try Self.sentence(.remark("hello")) == "writes \"hello\" into a block")
        #expect(
            try Self.sentence(.remark(String(repeating: "x", count: 121)))
                == "writes a text of 121 bytes into a block")
        #expect(try Self.sentence(.addProxy()) == "lets \(Self.bob) act for this account")
    }

    @Test func callsInsideCallsAreSaidToo() throws {
        let carol = try #require(SS58Address(prefix: 42, account: SummarySample.carol)?.text)
        #expect(
            try Self.sentence(.proxy(SummarySample.carol, .transfer(0)))
                == "acts for \(carol): sends 0 HLO to \(Self.bob)")
        #expect(try Self.sentence(.multisig(.remark("x"))) == "acts as a multisig: writes \"x\" into a block")
        #expect(try Self.sentence(.batch([])) == "batch of no calls")
        #expect(try Self.sentence(.batch([.remark("x")])) == "batch of 1 call: writes \"x\" into a block")
        let many = Array(repeating: SummarySample.transfer(1), count: 299) + [.remark("x")]
        #expect(
            try Self.sentence(.batch(many))
                == """
                batch of 300 calls with 0.000000000299 HLO: 299 x Balances.transfer_keep_alive, 1 x \
                System.remark
                """
        )
    }

    /// An amount in a batch inside a batch stands in the sentence, however many calls are around it.
    @Test func amountsInBatchesOfBatchesAreSaid() throws {
        let payment = SummarySample.transfer(999_000_000_000_000)
        func two(_ inner: SummarySample) -> SummarySample { .batch([.remark("x"), inner]) }
        #expect(
            try Self.sentence(.batch([.batch([payment])], "batch"))
                == "batch of 1 call: batch of 1 call: sends 999 HLO to \(Self.bob)")
        #expect(
            try Self.sentence(two(.batch([payment], "force_batch")))
                == """
                batch of 2 calls with 999 HLO: 1 x System.remark, 1 x Utility.force_batch (batch of 1 call: \
                sends 999 HLO to \(Self.bob))
                """
        )
        let carol = try #require(SS58Address(prefix: 42, account: SummarySample.carol)?.text)
        #expect(
            try Self.sentence(two(.proxy(SummarySample.carol, .batch([payment, .asset(5)]))))
                == "batch of 2 calls with 999 HLO, 5 of the smallest unit of asset 1984: 1 x System.remark, "
                + "1 x Proxy.proxy (acts for \(carol): batch of 2 calls with 999 HLO, 5 of the smallest unit of asset 1984: "
                + "1 x Balances.transfer_keep_alive, 1 x Assets.transfer)")
        // Several calls of one kind that carry calls: what all of them carry.
        #expect(
            try Self.sentence(.batch([.batch([payment]), .batch([.remark("x"), payment])]))
                == "batch of 2 calls with 1998 HLO: 2 x Utility.batch_all "
                + "(3 calls with 1998 HLO: 2 x Balances.transfer_keep_alive, 1 x System.remark)")
        #expect(
            try Self.sentence(.batch([.batch([payment]), .batch([])]))
                == """
                batch of 2 calls with 999 HLO: 2 x Utility.batch_all (1 call with 999 HLO: 1 x \
                Balances.transfer_keep_alive)
                """
        )
        // Behind what a sentence spells out, the sums still count what stands deeper.
        let deep = (0..<9).reduce(payment) { inner, _ in two(inner) }
        #expect(
            try Self.sentence(deep).hasPrefix(
                "batch of 2 calls with 999 HLO: 1 x System.remark, 1 x Utility.batch_all ("))
        // More tokens than a sentence names are counted.
        let assets = (1...5).map { id in
            SummarySample(
                call: SummarySample.runtime.call(
                    "Assets", "transfer",
                    [
                        FixtureValue.compact(UInt128(id)), FixtureValue.address(SigningVault.bob),
                        FixtureValue.compact(7),
                    ]))
        }
        #expect(
            try Self.sentence(.batch(assets)).contains(
                " 7 of the smallest unit of asset 3, 2 more tokens: 5 x Assets.transfer"))
        #expect(
            try Self.sentence(.batch(Array(assets.prefix(4)))).contains(
                "asset 3, 1 more token: 4 x Assets.transfer"))
        #expect(try Self.sentence(.batch(Array(assets.prefix(3)))).contains("asset 3: 3 x Assets.transfer"))
    }

    /// Whoever orders the calls cannot put what stays in force behind others that take its place.
    @Test func whatStaysInForceIsSaidBehindManyOtherKinds() throws {
        let remark = SummarySample.remark("x")
        let kinds = [
            remark, .transfer(0), .transferAll(), .asset(0), .batch([remark]),
            .batch([remark], "force_batch"),
            .proxy(SummarySample.carol, remark),
        ]
        let text = try Self.sentence(.batch(kinds + [.addProxy(), remark]))
        #expect(text.contains("2 x System.remark, 1 x Balances.transfer_keep_alive"))
        #expect(text.hasSuffix("1 x Rights.add_proxy (lets \(Self.bob) act for this account), 1 x others"))
        // Six kinds are said, and nothing is left out.
        #expect(try !Self.sentence(.batch(Array(kinds.prefix(6)))).contains("others"))
        #expect(try Self.sentence(.batch(kinds + kinds)).hasSuffix(", 2 x others"))
    }

    /// Calls of standard pallets that the fixture lacks.
    private static func sentence(
        _ name: String, _ fields: [(String, FixtureType, String)], _ bytes: [UInt8],
        pallet: String = "ConvictionVoting"
    ) throws -> String {
        var runtime = FixtureRuntime.standard
        let call = FixtureVariant(
            name, index: 0, fields: fields.map { FixtureField($0.0, $0.1, typeName: $0.2) })
        runtime.pallets.append(FixturePallet(pallet, index: 98, calls: [call]))
        let decoded = try Extrinsics.decode(
            body: runtime.transactionBody(call: [98, 0] + bytes),
            metadata: RuntimeMetadata(runtime.metadata()), specs: runtime.specs)
        return CallPhrases(decoded.summary.shown, decoded.method).sentence.text
    }

    private static func names(_ ident: String, _ names: [String]) -> FixtureType {
        .variant(
            path: ["any", ident], variants: names.enumerated().map { FixtureVariant($1, index: UInt8($0)) })
    }

    @Test func aProxySaysWhatItMayDoAndWhen() throws {
        let kind = Self.names("ProxyType", ["Any", "NonTransfer", "Odd name"])
        func lets(_ kind: UInt8, _ delay: UInt32, _ type: FixtureType) throws -> String {
            try Self.sentence(
                "add_proxy",
                [
                    ("delegate", FixtureRuntime.address, "AccountIdLookupOf<T>"),
                    ("proxy_type", type, "T::ProxyType"),
                    ("delay", .u32, "BlockNumberFor<T>"),
                ],
                FixtureValue.address(SigningVault.bob) + [kind] + FixtureValue.integer(delay))
        }
        #expect(try lets(0, 0, kind) == "lets \(Self.bob) act with proxy type Any, at once")
        #expect(try lets(1, 1, kind) == "lets \(Self.bob) act with proxy type NonTransfer, after 1 block")
        #expect(
            try lets(1, 7200, kind) == "lets \(Self.bob) act with proxy type NonTransfer, after 7200 blocks")
        #expect(try lets(2, 0, kind) == "lets \(Self.bob) act with proxy type \"Odd name\", at once")
        // A type that is no plain variant is not made one.
        #expect(try lets(0, 0, .u8) == "lets \(Self.bob) act for this account")
        let own = [
            ("proxy_type", kind, "T::ProxyType"), ("delay", FixtureType.u32, "BlockNumberFor<T>"),
            ("index", .u16, "u16"),
        ]
        #expect(
            try Self.sentence("create_pure", own, [0] + FixtureValue.integer(UInt32(0)) + [0, 0])
                == "creates an account for which this one acts with proxy type Any, at once")
    }

    @Test func `a vested transfer says all that it sends, and how it comes free`() throws {
        func sent(_ receiver: String, _ parts: [FixtureField], _ bytes: [UInt8]) throws -> String {
            let schedule = FixtureType.composite(path: ["any", "VestingInfo"], fields: parts)
            return try Self.sentence(
                "vested_transfer",
                [(receiver, FixtureRuntime.address, "AccountIdLookupOf<T>"), ("schedule", schedule, "Info")],
                FixtureValue.address(SigningVault.bob) + bytes, pallet: "Vesting")
        }
        func amount(_ name: String) -> FixtureField { FixtureField(name, .u128, typeName: "Balance") }
        func number(_ name: String) -> FixtureField { FixtureField(name, .u32, typeName: "BlockNumber") }
        let unit = UInt128(1_000_000_000_000)
        let (all, some) = (FixtureValue.integer(100 * unit), FixtureValue.integer(unit))
        let block = FixtureValue.integer(UInt32(7))
        #expect(
            try sent(
                "target", [amount("locked"), amount("per_block"), number("starting_block")],
                all + some + block)
                == "sends 100 HLO to \(Self.bob), locked, and frees 1 HLO of it a block")
        let often = [number("start"), number("period"), number("period_count"), amount("per_period")]
        #expect(
            try sent("dest", often, block + block + block + some)
                == "sends 1 HLO to \(Self.bob), 7 times")
    }

    @Test func aVoteSaysWhatItVotesAndWithHowMuch() throws {
        let byte = FixtureType.composite(
            path: ["pallet_conviction_voting", "vote", "Vote"],
            fields: [FixtureField(nil, .u8, typeName: "u8")])
        func amounts(_ names: [String]) -> [FixtureField] {
            names.map { FixtureField($0, .u128, typeName: "Balance") }
        }
        let vote = FixtureType.variant(
            path: ["pallet_conviction_voting", "vote", "AccountVote"],
            variants: [
                FixtureVariant(
                    "Standard", index: 0,
                    fields: [FixtureField("vote", byte, typeName: "Vote")] + amounts(["balance"])),
                FixtureVariant("Split", index: 1, fields: amounts(["aye", "nay"])),
                FixtureVariant("SplitAbstain", index: 2, fields: amounts(["aye", "nay", "abstain"])),
            ])
        let unit = UInt128(1_000_000_000_000)
        func votes(_ index: String, _ bytes: [UInt8]) throws -> String {
            try Self.sentence(
                "vote",
                [
                    (index, .compact(.u32), "PollIndexOf<T, I>"),
                    ("vote", vote, "AccountVote<BalanceOf<T, I>>"),
                ],
                FixtureValue.compact(5) + bytes)
        }
        let balance = FixtureValue.integer(100 * unit)
        for index in ["poll_index", "ref_index"] {
            #expect(
                try votes(index, [0, 0x83] + balance) == "votes aye, locked 3x, with 100 HLO, in referendum 5"
            )
            #expect(
                try votes(index, [0, 0] + balance) == "votes nay, not locked, with 100 HLO, in referendum 5")
            let two = FixtureValue.integer(unit) + FixtureValue.integer(2 * unit)
            #expect(try votes(index, [1] + two) == "votes 1 HLO aye and 2 HLO nay in referendum 5")
        }
        // Only a pallet with `poll_index` knows abstaining.
        let three = (1...3).flatMap { FixtureValue.integer(UInt128($0) * unit) }
        #expect(
            try votes("poll_index", [2] + three)
                == "votes 1 HLO aye, 2 HLO nay and 3 HLO abstain in referendum 5")
        // No vote: the sentence says none.
        #expect(try votes("poll_index", [0, 0x07] + balance) == "votes in referendum 5")
        let collective = [
            ("proposal", FixtureType.array(32, .u8), "T::Hash"), ("index", .compact(.u32), "ProposalIndex"),
            ("approve", .bool, "bool"),
        ]
        #expect(
            try Self.sentence("vote", collective, SigningVault.bob + FixtureValue.compact(5) + [1])
                == "votes aye on proposal 5")
        #expect(
            try Self.sentence("vote", collective, SigningVault.bob + FixtureValue.compact(5) + [0])
                == "votes nay on proposal 5")
        #expect(
            try Self.sentence(
                "vote", [("poll", .u32, "PollIndexOf<T, I>"), ("aye", .bool, "bool")], [5, 0, 0, 0, 0])
                == "votes nay in poll 5")
        #expect(
            try Self.sentence(
                "delegate",
                [
                    ("class", .u16, "ClassOf<T, I>"), ("to", FixtureRuntime.address, "AccountIdLookupOf<T>"),
                    ("conviction", Self.names("Conviction", ["None", "Locked1x"]), "Conviction"),
                    ("balance", .u128, "BalanceOf<T, I>"),
                ], [1, 0] + FixtureValue.address(SigningVault.bob) + [1] + balance)
                == "delegates votes of 100 HLO to \(Self.bob), conviction Locked1x, on track 1")
    }

    /// What one of them allows, or with how much it votes, is not lost among other calls.
    @Test func `a proxy or a vote beside another call is said as if it stood alone`() throws {
        let kind = Self.names("ProxyType", ["Any", "NonTransfer"])
        var runtime = FixtureRuntime.standard
        let fields = [
            FixtureField("delegate", FixtureRuntime.address, typeName: "AccountIdLookupOf<T>"),
            FixtureField("proxy_type", kind, typeName: "T::ProxyType"),
            FixtureField("delay", .u32, typeName: "BlockNumberFor<T>"),
        ]
        let poll = [
            FixtureField("poll", .u32, typeName: "PollIndexOf<T, I>"),
            FixtureField("aye", .bool, typeName: "bool"),
        ]
        let nested = ["main", "fallback"].map {
            FixtureField($0, .runtimeCall, typeName: "Box<<T as Config>::RuntimeCall>")
        }
        runtime.pallets.append(
            FixturePallet(
                "Several", index: 98,
                calls: [
                    FixtureVariant("add_proxy", index: 0, fields: fields),
                    FixtureVariant("vote", index: 1, fields: poll),
                    FixtureVariant("if_else", index: 2, fields: nested),
                ]))
        func summary(_ call: [UInt8]) throws -> (text: String, shown: ShownCalls) {
            let decoded = try Extrinsics.decode(
                body: runtime.transactionBody(call: call), metadata: RuntimeMetadata(runtime.metadata()),
                specs: runtime.specs)
            let shown = decoded.summary.shown
            return (CallPhrases(shown, decoded.method).sentence.text, shown)
        }
        func batch(_ calls: [[UInt8]]) -> [UInt8] {
            runtime.call("Utility", "batch_all", [FixtureValue.vector(calls)])
        }
        let remark = runtime.call("System", "remark", [FixtureValue.bytes([0x78])])
        let proxy = [98, 0] + FixtureValue.address(SigningVault.bob) + [0] + FixtureValue.integer(UInt32(0))
        let lets = "lets \(Self.bob) act with proxy type Any, at once"
        #expect(
            try summary(batch([remark, proxy])).text
                == "batch of 2 calls: 1 x System.remark, 1 x Several.add_proxy (\(lets))")
        #expect(
            try summary(batch([proxy, [98, 1, 5, 0, 0, 0, 1], proxy])).text
                == """
                batch of 3 calls: 2 x Several.add_proxy (\(lets); \(lets)), 1 x Several.vote (votes aye in \
                poll 5)
                """
        )
        #expect(
            try summary(batch([remark] + Array(repeating: proxy, count: 5))).text
                == """
                batch of 6 calls: 1 x System.remark, 5 x Several.add_proxy (\(lets); \(lets); \(lets); 2 more)
                """
        )
        // Harmless ones before it do not hide the one that allows everything.
        let harmless =
            [98, 0] + FixtureValue.address(SigningVault.bob) + [1] + FixtureValue.integer(UInt32(9))
        #expect(
            try summary(batch(Array(repeating: harmless, count: 3) + [proxy])).text
                .hasPrefix("batch of 4 calls: 4 x Several.add_proxy (\(lets); "))
        // Of two calls one runs, so both together are the most that can be moved.
        func pays(_ amount: UInt128) -> [UInt8] {
            runtime.call(
                "Balances", "transfer_keep_alive",
                [FixtureValue.address(SigningVault.bob), FixtureValue.compact(amount)])
        }
        let unit = UInt128(1_000_000_000_000)
        let either = [98, 2] + pays(unit) + pays(2 * unit)
        let said =
            "makes one of two calls, the second only if the first fails: sends 1 HLO to \(Self.bob); "
            + "else sends 2 HLO to \(Self.bob)"
        #expect(try summary(either).text == said)
        // What may run is compared with what was paid before, and is not remembered as paid.
        let payments = try summary(batch([either])).shown.destinations
        #expect(
            payments.map(\.sums).map { $0.map(\.raw) } == [[Planck(3 * unit)]]
                && payments.allSatisfy(\.largest.isEmpty))
        #expect(try summary(batch([pays(unit)])).shown.destinations[0].largest.count == 1)
        #expect(
            try summary(either).shown.hasAlternatives(in: 0)
                && !summary(batch([pays(unit)])).shown.hasAlternatives(in: 0))
        #expect(
            try summary(batch([remark, either])).text
                == "batch of 2 calls with at most 3 HLO: 1 x System.remark, 1 x Several.if_else (\(said))")
    }

    @Test func anythingElseIsSaidByItsName() throws {
        let runtime = SummarySample.runtime
        let unknown = SummarySample(
            call: runtime.call("Rights", "unheard_of", [FixtureValue.integer(UInt128(5))]))
        #expect(try Self.sentence(unknown) == "calls Rights.unheard_of")
        // A batch of something else is not empty.
        let list = SummarySample(
            call: runtime.call("Rights", "batch", [FixtureValue.vector([FixtureValue.integer(UInt32(5))])]))
        #expect(try Self.sentence(list) == "calls Rights.batch")
        // An address by its index is no account: the phrase does not fit.
        let byIndex = SummarySample(
            call: runtime.call("Balances", "transfer_keep_alive", [[1], FixtureValue.compact(1)]))
        #expect(try Self.sentence(byIndex) == "calls Balances.transfer_keep_alive")
        // Deeper than a sentence goes.
        let deep = (0..<8).reduce(SummarySample.remark("x")) { inner, _ in .proxy(SigningVault.bob, inner) }
        #expect(
            try Self.sentence(deep).hasSuffix(
                """
                : calls Proxy.proxy with 2 calls: 1 x Proxy.proxy, 1 x System.remark (writes "x" into a block)
                """
            ))
    }

    /// However many calls stand around it, each with one call in it or beside another.
    @Test(arguments: [7, 9, 12, 20])
    func `an amount and what stays in force stand in the sentence at any depth`(depth: Int) throws {
        func around(_ sample: SummarySample, _ wrap: (SummarySample) -> SummarySample) throws -> String {
            try Self.sentence((0..<depth).reduce(sample) { inner, _ in wrap(inner) })
        }
        let payment = SummarySample.transfer(999_000_000_000_000)
        #expect(
            try around(payment) { .batch([$0]) }.hasSuffix(
                "Balances.transfer_keep_alive (sends 999 HLO to \(Self.bob))"))
        #expect(try around(payment) { .batch([$0]) }.contains(" with 999 HLO: "))
        let lets = "Rights.add_proxy (lets \(Self.bob) act for this account)"
        for wrap in [{ .batch([$0]) }, { .proxy(SummarySample.carol, $0) }, { .multisig($0) }]
            as [(SummarySample) -> SummarySample]
        {
            #expect(try around(.addProxy(), wrap).hasSuffix(lets))
            let both = try around(.batch([payment, .addProxy(), .remark("x")]), wrap)
            #expect(both.contains(lets) && both.contains(" with 999 HLO: "))
        }
        let beside = try around(.addProxy()) { .batch([.remark("x"), $0]) }
        #expect(beside.contains(lets))
        // Nothing is said twice: a sentence grows with its calls, not with the power of their depth.
        #expect(beside.utf8.count < 1000 + 100 * depth)
    }

    /// Behind seven other kinds stands a batch with it.
    @Test func whatStaysInForceInsideABatchIsSaidBehindManyOtherKinds() throws {
        let runtime = SummarySample.runtime
        let kinds: [SummarySample] = [
            .remark("x"), .transfer(1), .transferAll(), .asset(1),
            .init(call: runtime.call("Rights", "unheard_of", [FixtureValue.integer(UInt128(5))])),
            .init(call: runtime.call("Rights", "set_code", [FixtureValue.bytes([1])])),
        ]
        let text = try Self.sentence(
            .batch(kinds + [.batch([.addProxy()]), .proxy(SummarySample.carol, .remark("y"))]))
        #expect(
            text.hasSuffix(
                "1 x Utility.batch_all (batch of 1 call: lets \(Self.bob) act for this account), 1 x others"))
    }

    @Test func messagesAreQuotedOrCounted() throws {
        func sentence(_ text: String) throws -> String {
            ReviewSummary(try SummarySample.review(SigningVault.message(text))[0]).sentences[0].text
        }
        #expect(try sentence("hello") == "signs the text \"hello\"")
        #expect(try sentence(String(repeating: "x", count: 201)) == "signs a text of 201 bytes")
    }
}

/// The word that is typed instead of yes.
@Suite struct TypedWordTests {
    private static func word(_ sample: SummarySample) throws -> String? { try sample.summary().word?.text }

    @Test func ordinaryTransactionsHaveNone() throws {
        for sample: SummarySample in [
            .transfer(5), .asset(5), .remark("x"), .batch([.transfer(5), .asset(1)]),
            .proxy(SigningVault.bob, .transfer(1)),
            .multisig(.transfer(1)),
        ] {
            #expect(try Self.word(sample) == nil)
        }
    }

    @Test func aDangerousCallIsTypedByItsName() throws {
        let runtime = SummarySample.runtime
        #expect(try Self.word(.transferAll()) == "transfer all")
        #expect(try Self.word(.addProxy()) == "add proxy")
        #expect(
            try Self.word(
                SummarySample(
                    call: runtime.call("Rights", "remove_proxy", [FixtureValue.address(SigningVault.bob)])))
                == "remove proxy")
        #expect(
            try Self.word(SummarySample(call: runtime.call("Rights", "set_code", [FixtureValue.bytes([1])])))
                == "set code")
        #expect(
            try Self.word(SummarySample(call: runtime.call("Rights", "approve_as_multi", [SigningVault.bob])))
                == "hidden call")
        #expect(
            try Self.word(.proxy(SigningVault.bob, .batch([.transfer(1), .transferAll()]))) == "transfer all")
    }

    @Test func aNameThatManyPalletsUseIsTypedWithItsPallet() {
        func word(_ pallet: String, _ call: String, _ warnings: [Card] = []) -> String? {
            TypedWord(
                calls: [.init(name: .init(pallet: ExactText(pallet), call: ExactText(call)), count: 1)],
                warnings: warnings)?
                .text
        }
        #expect(
            word("PolkadotXcm", "send") == "polkadotxcm send" && word("Contracts", "call") == "contracts call"
        )
        #expect(word("Registrar", "swap") == "registrar swap" && word("Other", "swap") == nil)
        #expect(word("Contracts", "instantiate_with_code") == "instantiate with code")
        #expect(word("Assets", "approve_transfer") == "approve transfer")
        #expect(word("NominationPools", "update_roles") == "update roles")
        // A payee that is the stake's own account has no warning, and no word.
        #expect(word("Staking", "set_payee") == nil)
        #expect(word("Staking", "set_payee", [Warning.redirectsRewards.card]) == "set payee")
    }

    /// One name for all would let the danger that a person expects stand for another one.
    @Test func ofSeveralDangersEachIsTypedByItsNameTheWorstFirst() throws {
        let runtime = SummarySample.runtime
        let sudo = SummarySample(call: runtime.call("Rights", "sudo", [SummarySample.transferAll().call]))
        let hidden = SummarySample(call: runtime.call("Rights", "approve_as_multi", [SigningVault.bob]))
        #expect(try Self.word(.batch([.transferAll(), .addProxy()])) == "add proxy and transfer all")
        #expect(try Self.word(.batch([.addProxy(), .transferAll()])) == "add proxy and transfer all")
        #expect(try Self.word(.batch([.transferAll(), sudo])) == "sudo and transfer all")
        #expect(
            try Self.word(.batch([sudo, hidden, .transferAll()])) == "hidden call and sudo and transfer all")
        // The same danger again is no other one.
        #expect(try Self.word(.batch([.transferAll(), .transferAll(), .transfer(1)])) == "transfer all")
    }

    @Test func ofMoreThanFourDangersTheWorstAreTypedAndHowManyMoreThereAre() {
        func word(_ names: [String]) -> String? {
            TypedWord(
                calls: names.map { .init(name: .init(pallet: "P", call: ExactText($0)), count: 1) },
                warnings: [])?.text
        }
        let four = ["transfer_all", "sudo", "add_proxy", "set_keys"]
        #expect(word(four) == "sudo and set keys and add proxy and transfer all")
        #expect(word(["kill_pure"] + four) == "sudo and set keys and add proxy and transfer all and 1 more")
        #expect(
            word(["kill_pure"] + four + ["set_code"])
                == "sudo and set code and set keys and add proxy and 2 more")
    }

    /// The table of dangerous calls is the one of the warnings: each of them has a word.
    @Test func everyWarningThatACallHasByItsNameHasAWord() {
        for name in ["transfer_all", "set_code", "set_keys", "add_proxy", "set_team", "sudo", "kill_pure"] {
            let count = ReviewSummary.CallCount(name: .init(pallet: "P", call: ExactText(name)), count: 1)
            #expect(TypedWord(calls: [count], warnings: [])?.text == name.replacing("_", with: " "))
        }
        for warning in Warning.allCases {
            let needsNone = warning == .unknownExtension
            #expect((TypedWord(calls: [], warnings: [warning.card]) == nil) == needsNone)
        }
        for warning in ReviewWarning.allCases {
            let word: String? =
                switch warning {
                case .networkOnlyProved: "unknown network"
                case .knownNameOnUnknownChain: "unknown chain"
                case .unsignedMetadata: "unsigned metadata"
                case .unknownAuthor, .keyNotForNetwork, .olderRuntime, .keyNotDerived, .keyNotStored,
                    .metadataBelieved,
                    .listedNetworkOnlyProved, .lookAlike, .nonceReused, .nonceBelowHighest, .nonceFarAhead,
                    .callRepeated, .signedBefore,
                    .eraExpired, .shortEraForGroup, .paymentFarAbove, .runtimeVersionUnknown, .unusualCall,
                    .tipAboveAmounts, .unreadableMessage, .keyIsOld, .wordsUnchecked:
                    nil
                }
            #expect(TypedWord(calls: [], warnings: [Card(warning: warning)])?.text == word)
        }
    }
}
