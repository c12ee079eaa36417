import Extrinsics
import FixtureRuntime
import Hashing
import SubstratePrimitives
import TestSupport
import Testing

/// Lowest amounts, limits over time and limits of assets, as a policy states them.
@Suite struct BudgetPolicyLaws {
    typealias Fault = TransactionPolicy.Fault

    static let whole = """
        {"networks": ["n"], "calls": ["A.b"], "destinations": ["\(PolicyLaws.bob)"], "maximum_amount": "1 HLO", "maximum_tip": "0 HLO"
        """

    @Test func `every key is read as its rule`() throws {
        let policy = try PolicyFileLaws.read(
            #"""
            {"minimum_amount": "2", "maximum_per_day": "3", "maximum_per_week": "4", "maximum_per_month": "5", "assets": [
              {"asset": "1984", "pallet": "Assets", "decimals": 2, "maximum_amount": "0.06 USDT", "minimum_amount": "0.01 USDT", "maximum_per_week": "0.07 USDT"}, {"asset": "0x00ff"}]}
            """#.inHLO)
        #expect(
            policy
                == TransactionPolicy(
                    minimumAmount: "2", totals: .init(perDay: "3", perWeek: "4", perMonth: "5"),
                    assets: [
                        .init(
                            .pallet("Assets", id: "1984"), unit: AssetUnit(symbol: "USDT", decimals: 2),
                            maximumAmount: 6, minimumAmount: 1, totals: .init(perWeek: 7)),
                        .init(.location("0x00ff")),
                    ]))
        #expect(policy.hasBudget && policy.hasAnyBudget)
        #expect(
            try !PolicyFileLaws.read(#"{"maximum_amount": "5 HLO", "assets": [{"asset": "0x00"}]}"#)
                .hasAnyBudget)
        #expect(
            try PolicyFileLaws.read(
                #"{"assets": [{"asset": "0x00", "decimals": 0, "maximum_per_day": "1 X"}]}"#
            ).hasBudget)
    }

    @Test func `what is not such a value is refused with its place`() {
        func fault(_ text: String) -> Fault? { PolicyFileLaws.fault(text) }
        for key in ["minimum_amount", "maximum_per_day", "maximum_per_week", "maximum_per_month"] {
            for value in [
                #""5  DOT""#, #""-1 DOT""#, #""01 DOT""#, #""1. DOT""#, #"".5 DOT""#, #""5 7""#, "true", "[]",
                "{}",
            ] {
                #expect(PolicyFileLaws.isForm("{\"\(key)\": \(value)}", key), "\(key)")
            }
        }
        for value in ["{}", "[1]", #"[{}]"#, #"[{"pallet": "Assets"}]"#] {
            #expect(PolicyFileLaws.isForm("{\"assets\": \(value)}", "assets"))
        }
        for id in [#""1984""#, #""01""#, #""0xAB""#, #""x""#, "7", #""0x""#] {
            guard case .form? = fault("{\"assets\": [{\"asset\": \(id)}]}")?.reason else {
                Issue.record("\(id)")
                continue
            }
        }
        for (text, place, reason) in [
            (#"{"maximum_amount": "20"}"#, "maximum_amount", .unitMissing(number: "20")),
            (#"{"maximum_tip": 0}"#, "maximum_tip", .unitMissing(number: "0")),
            (#"{"maximum_per_day": ["1 HLO", "2.50"]}"#, "maximum_per_day", .unitMissing(number: "2.5")),
            (#"{"maximum_amount": "1,000 HLO"}"#, "maximum_amount", .commas("1,000 HLO")),
            (#"{"maximum_tip": ["1 HLO", "1,5"]}"#, "maximum_tip", .commas("1,5")),
            (#"{"maximum_amount": ["1 HLO", "2 HLO"]}"#, "maximum_amount", .unitTwice("HLO")),
            (#"{"assets": [{"asset": "0x00", "maximum_amount": "2 X"}]}"#, "assets[1]", .decimalsMissing),
            (
                #"{"assets": [{"asset": "0x00", "decimals": 1, "maximum_amount": "2 X", "minimum_amount": "1 Y"}]}"#,
                "assets[1]", .otherUnit("Y")
            ),
            (
                #"{"assets": [{"asset": "0x00", "decimals": 1, "maximum_amount": "2.01 X"}]}"#,
                "assets[1].maximum_amount", .form(found: #""2.01 X""#)
            ),
        ] as [(String, String, Fault.Reason)] {
            #expect(fault(text) == Fault(place: place, reason: reason), "\(text)")
        }
        let missing = Fault(place: "approve[1].maximum_amount", reason: .unitMissing(number: "20"))
        #expect(missing.detail(unit: "KSM").utf8Ends(with: #"write "maximum_amount": "20 KSM""#))
        #expect(
            fault(#"{"assets": [{"asset": "0x00", "per_day": "1"}]}"#)
                == Fault(place: "assets[1]", reason: .unknownRule("per_day")))
        #expect(
            fault(#"{"assets": [{"asset": "1", "pallet": "A"}, {"asset": "1", "pallet": "A"}]}"#)
                == Fault(place: "assets[2]", reason: .duplicateAsset("1")))
        #expect(fault(#"{"assets": [{"asset": "1", "pallet": "A"}, {"asset": "1", "pallet": "B"}]}"#) == nil)
        #expect(
            fault(#"{"minimum_amount": "5.5 HLO", "maximum_amount": "5 HLO"}"#)
                == Fault(place: "", reason: .minimumAboveMaximum))
        #expect(fault(#"{"minimum_amount": "5.0 HLO", "maximum_amount": "5 HLO"}"#) == nil)
        #expect(
            fault(
                #"{"assets": [{"asset": "0x00", "decimals": 0, "minimum_amount": "2 X", "maximum_amount": "1 X"}]}"#
            )
                == Fault(place: "assets[1]", reason: .minimumAboveMaximum))
    }

    @Test func `a rule with a limit over time names its signers`() {
        for budget in [
            #""maximum_per_day": "1 HLO""#, #""maximum_per_month": "1 HLO""#,
            #""assets": [{"asset": "0x00", "decimals": 0, "maximum_per_week": "1 X"}]"#,
        ] {
            #expect(
                PolicyFileLaws.fault("{\"approve\": [\(Self.whole), \(budget)}]}")
                    == Fault(place: "approve[1]", reason: .budgetWithoutSigners))
            #expect(
                PolicyFileLaws.fault(
                    "{\"approve\": [\(Self.whole), \(budget), \"signers\": [\"\(PolicyLaws.bob)\"]}]}") == nil
            )
        }
        #expect(PolicyFileLaws.fault("{\"approve\": [\(Self.whole), \"minimum_amount\": \"1 HLO\"}]}") == nil)
    }

    @Test func `an amount below the lowest is refused, and none is no amount`() throws {
        let runtime = PolicyLaws.runtime
        #expect(try PolicyLaws.violation(TransactionPolicy(minimumAmount: "60"), runtime.transfer(60)) == nil)
        #expect(
            try PolicyLaws.violation(TransactionPolicy(minimumAmount: "61"), runtime.transfer(60))
                == .amountTooSmall(total: 60))
        let remark = runtime.call("System", "remark", [FixtureValue.bytes([1])])
        #expect(try PolicyLaws.violation(TransactionPolicy(minimumAmount: "61"), remark) == nil)
    }

    @Test func `what cannot be counted is refused under each key that counts`() throws {
        let all = PolicyLaws.runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(Account.bob), [0]])
        for (policy, key) in [
            (TransactionPolicy(minimumAmount: "1"), TransactionPolicy.Key.minimumAmount),
            (TransactionPolicy(totals: .init(perDay: "1")), .maximumPerDay),
            (TransactionPolicy(totals: .init(perWeek: "1")), .maximumPerWeek),
            (TransactionPolicy(totals: .init(perMonth: "1")), .maximumPerMonth),
            (TransactionPolicy(assets: []), .assets),
        ] {
            let found = try PolicyLaws.violation(policy, all)
            #expect(found == .amountUncounted(key) && found?.rule == key)
            #expect(policy.violation(ofMessage: [1], on: .fixture("n"), signer: nil) == .messageNotMentioned)
        }
    }

    @Test func `raising a limit, and another network or signer, leave a rule its counters`() throws {
        func identity(_ change: (inout TransactionPolicy) -> Void) throws -> Hash32 {
            var rule = try PolicyFileLaws.read(
                "\(Self.whole), \"signers\": [\"\(PolicyLaws.bob)\"], \"maximum_per_day\": \"1 HLO\"}")
            change(&rule)
            return rule.budgetIdentity
        }
        let own = try identity { _ in }
        #expect(try own == identity { ($0.maximumAmount, $0.maximumTip, $0.minimumAmount) = ("9", "9", "1") })
        #expect(try own == identity { $0.totals = .init(perDay: "9", perMonth: "9") })
        #expect(
            try own
                == identity {
                    ($0.requireStateProof, $0.minimumRemaining) = (.signer, "9")
                    $0.existingDestinations = true
                })
        #expect(try own == identity { ($0.networks, $0.signers) = (["n", "m"], []) })
        #expect(try own == identity { $0.calls = ["A.b", "A.b"] })
        #expect(try own == identity { $0.destinations = [.init(Account.bob)] })
        for change: (inout TransactionPolicy) -> Void in [
            { $0.calls = ["A.c"] }, { $0.calls = nil }, { $0.destinations = [] }, { $0.feeAsset = .any },
            { $0.mortality = .any },
            { $0.extensions = .deny }, { $0.messages = .prefix([1]) }, { $0.requireMetadataHash = .never },
        ] { #expect(try own != identity(change)) }
        #expect(
            own != TransactionPolicy.vaultBudget
                && TransactionPolicy().budgetIdentity != TransactionPolicy.vaultBudget)
    }
}

@Suite struct CountPolicyLaws {
    private static let rule = """
        {"networks": ["polkadot"], "calls": ["Balances.transfer_keep_alive"], "destinations": [], "maximum_amount": "5 HLO", "maximum_tip": "0 HLO"
        """

    private static func rule(_ count: String?) throws -> TransactionPolicy {
        let json = "{\"approve\": [\(rule)\(count.map { ", \"maximum_count\": \($0)" } ?? "")}]}"
        return try TransactionPolicy(json: Array(json.utf8)).approve![0]
    }

    @Test func `a missing number of signatures is the stated one`() throws {
        for (text, hour, day) in [
            (nil, 20, 100), ("{\"per_hour\": 0}", 0, 100), ("{\"per_day\": 7, \"per_hour\": 9}", 9, 7),
            ("null", 20, 100),
        ]
            as [(String?, UInt32, UInt32)]
        {
            let rule = try Self.rule(text)
            #expect(rule.maximumCount(within: .hour) == hour && rule.maximumCount(within: .day) == day)
            #expect(try rule.budgetIdentity == Self.rule(nil).budgetIdentity)
        }
    }

    @Test(arguments: [
        "5", "{}", "[]", "{\"per_hour\": \"5\"}", "{\"per_hour\": -1}", "{\"per_hour\": 4294967296}",
        "{\"per_week\": 5}",
    ])
    func `anything else than numbers per hour and day is refused`(text: String) {
        let error = #expect(throws: TransactionPolicy.Fault.self) { try Self.rule(text) }
        #expect(error?.place == "approve[1].maximum_count")
        if case .form? = error?.reason {} else { Issue.record("\(String(describing: error))") }
    }

    @Test func `outside of a rule there is no number of signatures`() {
        let error = #expect(throws: TransactionPolicy.Fault.self) {
            try TransactionPolicy(json: Array("{\"maximum_count\": {\"per_hour\": 5}}".utf8))
        }
        #expect(error == TransactionPolicy.Fault(place: "maximum_count", reason: .form(found: "an object")))
    }
}
