import Extrinsics
import FixtureRuntime
import Hashing
import SubstratePrimitives
import TestSupport
import Testing

/// The order of policies: whatever a new one lets through and a former one stopped, it allows more.
@Suite struct PolicyOrderLaws {
    private static let runtime: FixtureRuntime = {
        var runtime = FixtureRuntime.standard
        runtime.addExtension("CheckFlag", explicit: [7])
        return runtime
    }()

    /// A transaction or a message with everything that a key judges.
    private struct Act: Sendable {
        let judge: @Sendable (TransactionPolicy) -> Bool
    }

    private static let acts: [Act] = {
        let signers = [Account.alice, Account.bob]
        let networks = [NetworkSpecs.fixture(), .fixture("other"), .fixture("heliotest", .ed25519)]
        let asset = runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(1), FixtureValue.address(Account.bob), FixtureValue.compact(5)])
        let all = runtime.call("Balances", "transfer_all", [FixtureValue.address(Account.bob), [0]])
        let calls =
            [0, 2, 3].map { runtime.transfer($0) } + [
                runtime.call(
                    "Balances", "transfer_keep_alive",
                    [FixtureValue.address(Account.alice), FixtureValue.compact(2)]), asset, all,
                runtime.call("System", "remark", [FixtureValue.bytes([1])]),
            ]
        func mortal(_ period: UInt32) -> Era { .mortal(MortalEra(period: period, phase: 0)!) }
        let values = [
            FixtureExtensionValues(), FixtureExtensionValues(tip: 2),
            FixtureExtensionValues(era: mortal(64), blockHash: Hash32(Account.bob)),
            FixtureExtensionValues(era: mortal(128), blockHash: Hash32(Account.bob), tip: 3),
        ]
        var acts: [Act] = []
        for runtime in [FixtureRuntime.standard, runtime] {
            for call in calls {
                for values in values {
                    let body = runtime.transactionBody(call: call, values)
                    guard let decoded = try? runtime.decode(body) else { continue }
                    for network in networks {
                        for signer in signers {
                            acts.append(Act { $0.violation(of: decoded, on: network, signer: signer) == nil })
                        }
                    }
                }
            }
        }
        for call in calls {
            guard let decoded = try? Self.runtime.decode(Self.runtime.transactionBody(call: call, values[0]))
            else { continue }
            for evidence in StateKeyLaws.evidences {
                acts.append(
                    Act {
                        $0.violation(of: decoded, on: networks[0], signer: signers[0]) == nil
                            && $0.stateViolation(of: decoded.summary, on: networks[0], beside: evidence)
                                == nil
                    })
            }
        }
        for text in ["a", "ab", "b"] {
            for network in networks.map(Optional.some) + [nil] {
                for signer in signers {
                    acts.append(
                        Act {
                            $0.violation(ofMessage: Array(text.utf8), on: network, signer: signer) == nil
                        })
                }
            }
        }
        return acts
    }()

    /// Few values for each key, so that two policies meet often.
    private struct Maker {
        var generator: SeededGenerator

        mutating func maybe<T>(_ values: [T]) -> T? {
            Bool.random(using: &generator) ? values.randomElement(using: &generator) : nil
        }

        mutating func some<T>(_ values: [T]) -> [T]? {
            guard Bool.random(using: &generator) else { return nil }
            return values.filter { _ in Bool.random(using: &generator) }
        }

        mutating func limit() -> TransactionPolicy.Limit? {
            let dot = TransactionPolicy.Amount(text: "1.5 DOT")!
            let amounts = [UInt128(1), 2, 3].map { TransactionPolicy.Limit.hlo($0) }
            let two = TransactionPolicy.Limit([dot] + amounts[1].amounts)!
            let between = TransactionPolicy.Limit(TransactionPolicy.Amount(text: "0.0000000000025 HLO")!)
            return maybe(amounts + [two, between, .init(dot)])
        }

        mutating func rule() -> TransactionPolicy {
            var policy = TransactionPolicy()
            let count = Int.random(in: 0...4, using: &generator)
            for _ in 0..<count { change(&policy) }
            return policy
        }

        /// Gives one key another value.
        mutating func change(_ policy: inout TransactionPolicy) {
            let accounts = [TransactionPolicy.Account(Account.alice), .init(Account.bob)]
            switch TransactionPolicy.Key.allCases.randomElement(using: &generator)! {
            case .networks: policy.networks = some(["heliotest", "other", "heliotest/ed25519"])
            case .calls:
                policy.calls = some([
                    "Balances.transfer_keep_alive", "Balances.*", "System.remark", "Assets.*",
                ])
            case .destinations: policy.destinations = some(accounts)
            case .signers: policy.signers = some(accounts)
            case .maximumAmount: policy.maximumAmount = limit()
            case .minimumAmount: policy.minimumAmount = limit()
            case .maximumPerDay: policy.totals.perDay = limit()
            case .maximumPerWeek: policy.totals.perWeek = limit()
            case .maximumPerMonth: policy.totals.perMonth = limit()
            case .assets:
                policy.assets = some([
                    .init(
                        .pallet("Assets", id: "1"), unit: AssetUnit(symbol: "X", decimals: 0),
                        maximumAmount: maybe([4, 5, 6]), minimumAmount: maybe([4, 5, 6])),
                    .init(.location("0x00")),
                ])
            case .maximumTip: policy.maximumTip = limit()
            case .feeAsset:
                policy.feeAsset = maybe([
                    .any, .only(native: true, assets: []), .only(native: false, assets: [[1]]),
                ])
            case .mortality:
                policy.mortality = maybe([.any, .mortal(maximumPeriod: 64), .mortal(maximumPeriod: 256)])
            case .extensions:
                policy.extensions = maybe([
                    .allow, .deny, .only([:]), .only([Array("CheckFlag".utf8): .any]),
                    .only([Array("CheckFlag".utf8): .exactly([7])]),
                    .only([Array("CheckFlag".utf8): .exactly([8])]),
                ])
            case .messages:
                policy.messages = maybe([.allow, .deny, .prefix([0x61]), .prefix([0x61, 0x62])])
            case .requireMetadataHash: policy.requireMetadataHash = maybe(MetadataHashDemand.allCases)
            case .requireStateProof: policy.requireStateProof = maybe(StateDemand.allCases)
            case .minimumRemaining: policy.minimumRemaining = limit()
            case .existingDestinations: policy.existingDestinations = maybe([true]) ?? false
            case .keyAge:
                policy.keyAge = maybe([
                    .init(warnDays: 1), .init(refuseDays: 5), .init(checkDays: 2, refuseDays: 9),
                ])
            case .maximumCount, .approve: break
            }
        }
    }

    @Test func `whatever a new policy allows and the former one refused, it allows more`() {
        var maker = Maker(generator: .printed("policy order"))
        var (allowing, quiet) = (0, 0)
        for round in 0..<600 {
            let former = maker.rule()
            var policy = round.isMultiple(of: 3) ? maker.rule() : former
            for _ in 0..<Int.random(in: 1...2, using: &maker.generator) { maker.change(&policy) }
            let isMore = !policy.keysAllowingMore(than: former).isEmpty
            let found = Self.acts.first { $0.judge(policy) && !$0.judge(former) }
            if found != nil { allowing += 1 }
            if !isMore { quiet += 1 }
            #expect(isMore || found == nil, "\(former) then \(policy)")
        }
        // Both answers are common, or the law says nothing.
        #expect(allowing > 40 && quiet > 40, "\(allowing) allow, \(quiet) do not")
    }

    @Test func `the same policy allows no more, and one without keys allows everything`() {
        var maker = Maker(generator: SeededGenerator(seed: 5))
        for _ in 0..<200 {
            let policy = maker.rule()
            #expect(policy.keysAllowingMore(than: policy) == [])
            #expect(policy.keysAllowingMore(than: TransactionPolicy()) == [])
        }
    }

    /// What was spent already leaves less than the limit; the order of the limits decides at every amount.
    @Test func `a higher limit over time, or none, allows more`() {
        for window in BudgetWindow.allCases {
            func policy(_ raw: UInt128?) -> TransactionPolicy {
                let limit = raw.map { TransactionPolicy.Limit.hlo($0) }
                return TransactionPolicy(
                    totals: .init(
                        perDay: window == .day ? limit : nil, perWeek: window == .week ? limit : nil,
                        perMonth: window == .month ? limit : nil))
            }
            for (former, new, isMore) in [
                (5, 6, true), (5, nil, true), (5, 5, false), (5, 4, false), (nil, 5, false),
            ] as [(UInt128?, UInt128?, Bool)] {
                let keys = policy(new).keysAllowingMore(than: policy(former))
                #expect(keys.contains(window.key) == isMore)
            }
        }
    }

    // MARK: Rules

    private static func rules(_ texts: String...) throws -> TransactionPolicy {
        let whole = """
            "networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"],
            "destinations": ["\(PolicyLaws.bob)"], "signers": ["\(PolicyLaws.bob)"],
            "maximum_tip": "0 HLO", "maximum_amount"
            """
        let rules = texts.map { "{\(whole): \($0)}" }.joined(separator: ", ")
        return try TransactionPolicy(json: Array("{\"approve\": [\(rules)]}".utf8))
    }

    @Test func `a rule that signs more than a former one of its own allows more`() throws {
        let own = #""5 HLO", "maximum_per_day": "9 HLO""#
        let former = try Self.rules(own)
        func isMore(_ texts: String...) throws -> Bool {
            let rules = try texts.flatMap { try Self.rules($0).approve! }
            return TransactionPolicy(approve: rules).keysAllowingMore(than: former) == [.approve]
        }
        #expect(try !isMore(own) && !isMore())
        #expect(try !isMore(#""4 HLO", "maximum_per_day": "9 HLO""#))
        #expect(try !isMore(#""5 HLO", "maximum_per_day": "9 HLO", "maximum_count": {"per_day": 2}"#))
        #expect(try isMore(#""6 HLO", "maximum_per_day": "9 HLO""#))
        #expect(try isMore(#""5 HLO""#))
        #expect(try isMore(#""5 HLO", "maximum_per_day": "9 HLO", "maximum_count": {"per_hour": 21}"#))
        #expect(try isMore(#""5 HLO", "maximum_per_day": "9 HLO", "mortality": "any""#))
        // Two of them sign twice as much of one payload.
        #expect(try isMore(own, own))
        // Another rule has spent nothing, even if it allows less.
        #expect(try isMore(#""5 HLO", "maximum_per_day": "9 HLO", "fee_asset": []"#))
        #expect(former.keysAllowingMore(than: TransactionPolicy()) == [.approve])
        #expect(TransactionPolicy().keysAllowingMore(than: former) == [])
        // A rule that says how often approves what was signed within a day.
        let silent = try Self.rules(#""5 HLO""#)
        let counting = try Self.rules(#""5 HLO", "maximum_count": {"per_day": 1}"#)
        #expect(counting.keysAllowingMore(than: silent) == [.approve])
        #expect(silent.keysAllowingMore(than: counting) == [.approve])
    }

    @Test func `a rule that moves in the list keeps its former one`() throws {
        let (one, two) = (#""5 HLO""#, #""7 HLO", "mortality": "any""#)
        let (former, new) = (try Self.rules(one, two).approve!, try Self.rules(two, one).approve!)
        let pairs = TransactionPolicy.pairs(new, former)
        #expect(pairs.map(\.former) == [2, 1])
        #expect(pairs.allSatisfy { $0.isCovered && $0.keepsCounters })
        let less = TransactionPolicy.pairs([new[0]], former)
        #expect(less.map(\.former) == [2] && less.allSatisfy(\.isCovered))
    }

    /// A payload goes to the first rule with room, so what one rule no longer takes fills another.
    @Test func `rules that sign the same allow more wherever a payload may be shared otherwise`() throws {
        let (one, two, less) = (#""5 HLO""#, #""7 HLO", "mortality": "any""#, #""4 HLO""#)
        let former = try Self.rules(one, two)
        func keys(_ texts: String...) throws -> [TransactionPolicy.Key] {
            let rules = try texts.flatMap { try Self.rules($0).approve! }
            return TransactionPolicy(approve: rules).keysAllowingMore(than: former)
        }
        #expect(try keys(two, one) == [.approve])
        #expect(try keys(less, two) == [.approve])
        // The same list, and one that ends earlier.
        #expect(try keys(one, two) == [] && keys(one) == [] && keys() == [])
        // With one rule there is nothing to share.
        #expect(try keys(two) == [] && keys(less) == [])
    }

    @Test func `rules for other networks, signers or calls are tightened and moved without a word`() throws {
        let pairs: [(String, TransactionPolicy, TransactionPolicy)] = [
            (
                "networks", TransactionPolicy(networks: ["a", "b/ed25519"]),
                TransactionPolicy(networks: ["b/sr25519"])
            ),
            (
                "signers", TransactionPolicy(signers: [.init(Account.alice)]),
                TransactionPolicy(signers: [.init(Account.bob)])
            ),
            ("calls", TransactionPolicy(calls: ["A.b"]), TransactionPolicy(calls: ["A.c"])),
            (
                "messages", TransactionPolicy(calls: [], messages: .prefix([1, 2])),
                TransactionPolicy(calls: [], messages: .prefix([1, 3]))
            ),
        ]
        for (name, one, two) in pairs {
            let former = TransactionPolicy(approve: [one, two])
            let moved = TransactionPolicy(approve: [two, one])
            #expect(moved.keysAllowingMore(than: former) == [], "\(name)")
        }
        let meeting: [(TransactionPolicy, TransactionPolicy)] = [
            (TransactionPolicy(networks: ["b"]), TransactionPolicy(networks: ["b/sr25519"])),
            (TransactionPolicy(calls: ["A.*"]), TransactionPolicy(calls: ["A.c"])),
            (
                TransactionPolicy(calls: ["A.b"], messages: .prefix([1])),
                TransactionPolicy(calls: ["A.c"], messages: .prefix([1, 3]))
            ),
            (TransactionPolicy(signers: [.init(Account.alice)]), TransactionPolicy()),
        ]
        for (one, two) in meeting {
            let former = TransactionPolicy(approve: [one, two])
            let moved = TransactionPolicy(approve: [two, one])
            #expect(moved.keysAllowingMore(than: former) == [.approve], "\(one)")
        }
    }

    @Test func `a policy with an asset allows no more than itself`() throws {
        for limits in ["", #", "decimals": 2, "minimum_amount": "3 X""#] {
            let text =
                #"{"maximum_amount": "10 HLO", "assets": [{"asset": "1", "pallet": "Assets"\#(limits)}]}"#
            let policy = try TransactionPolicy(json: Array(text.utf8))
            #expect(policy.keysAllowingMore(than: policy) == [])
        }
    }
}

@Suite struct PolicyAmountLaws {
    @Test func `an amount reads back as what it was, without zeros at its end`() {
        for (text, shown) in [
            ("20 DOT", "20 DOT"), ("0 DOT", "0 DOT"), ("1.50 DOT", "1.5 DOT"), ("0.0 X", "0 X"),
            ("0.000000000001 HLO", "0.000000000001 HLO"),
            ("340282366920938463463374607431768211455 a", "340282366920938463463374607431768211455 a"),
            ("10 a b", "10 a b"),
        ] {
            #expect(TransactionPolicy.Amount(text: text)?.text == shown)
        }
        for text in [
            "", "20", "20 ", " DOT", "DOT", "20  7", "-1 DOT", "+1 DOT", "1,000 DOT", "1e3 DOT", "0x10 DOT",
            "01 DOT", "00 DOT", "1. DOT", ".5 DOT", "1.2.3 DOT", "\u{0661} DOT", "20\u{a0}DOT", "20 1",
            "340282366920938463463374607431768211456 a", "0.000000000000000000000000000000000000001 a",
        ] {
            #expect(TransactionPolicy.Amount(text: text) == nil, "\(text)")
        }
    }

    /// Units are names: two that look equal may be two tokens.
    @Test func `a limit has one amount a unit, by its bytes`() {
        let amounts = ["1 e\u{301}a", "2 \u{e9}a"].map { TransactionPolicy.Amount(text: $0)! }
        #expect(TransactionPolicy.Limit(amounts)?.amounts.count == 2)
        #expect(
            TransactionPolicy.Limit([amounts[0], amounts[0]]) == nil && TransactionPolicy.Limit([]) == nil)
    }

    @Test func `a limit is what it says at every number of decimals`() {
        let limit = TransactionPolicy.Limit(TransactionPolicy.Amount(text: "1.25 X")!)
        for (decimals, maximum, minimum) in [
            (0, 1, 2), (1, 12, 13), (2, 125, 125), (5, 125_000, 125_000),
            (38, 125 * .tenTo(36), 125 * .tenTo(36)),
            (39, .max, .max),
        ] as [(UInt8, UInt128, UInt128)] {
            let unit = AssetUnit(symbol: "X", decimals: decimals)
            #expect(limit.maximum(unit) == maximum && limit.minimum(unit) == minimum, "\(decimals)")
        }
        #expect(limit.maximum(AssetUnit(symbol: "Y", decimals: 2)) == nil)
    }
}

extension UInt128 {
    fileprivate static func tenTo(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
