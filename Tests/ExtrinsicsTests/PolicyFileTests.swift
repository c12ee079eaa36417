import Extrinsics
import FixtureRuntime
import Hashing
import SubstratePrimitives
import Testing

@Suite struct PolicyFileLaws {
    typealias Fault = TransactionPolicy.Fault

    static func read(_ text: String) throws -> TransactionPolicy {
        try TransactionPolicy(json: Array(text.utf8))
    }

    static func fault(_ text: String) -> Fault? {
        do throws(Fault) {
            _ = try TransactionPolicy(json: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    /// The place is the value's, or that of an item of its list.
    static func isForm(_ text: String, _ place: String) -> Bool {
        guard let fault = fault(text), case .form(let found) = fault.reason else { return false }
        return (fault.place == place || fault.place == "\(place)[1]") && !found.isEmpty
    }

    @Test func everyKeyReadsAsItsRule() throws {
        let all = #"""
            {"networks": ["polkadot"], "calls": ["A.b"], "destinations": ["\#(PolicyLaws.bob)"], "signers": ["0x\#(Hex.encode(Account.bob))"],
             "maximum_amount": "5 DOT", "maximum_tip": ["6 DOT", "0.7 KSM"], "fee_asset": "native", "mortality": "mortal", "extensions": "deny",
             "messages": "deny", "require_metadata_hash": "where_possible"}
            """#
        let bob = TransactionPolicy.Account(Account.bob)
        let (dot, more, ksm) = (
            TransactionPolicy.Amount(text: "5 DOT")!, TransactionPolicy.Amount(text: "6.00 DOT")!,
            TransactionPolicy.Amount(text: "0.7 KSM")!
        )
        #expect(
            try Self.read(all)
                == TransactionPolicy(
                    networks: ["polkadot"], calls: ["A.b"], destinations: [bob], signers: [bob],
                    maximumAmount: .init(dot), maximumTip: .init([ksm, more]),
                    feeAsset: .only(native: true, assets: []),
                    mortality: .mortal(maximumPeriod: 65536),
                    extensions: .deny, messages: .deny, requireMetadataHash: .wherePossible))
        #expect(try Self.read("{}") == TransactionPolicy())
    }

    @Test func everyFormOfARuleReads() throws {
        #expect(try Self.read(#"{"fee_asset": "any"}"#).feeAsset == .any)
        #expect(
            try Self.read(#"{"fee_asset": ["native", "0x01ff"]}"#).feeAsset
                == .only(native: true, assets: [[1, 255]]))
        #expect(try Self.read(#"{"fee_asset": []}"#).feeAsset == .only(native: false, assets: []))
        #expect(try Self.read(#"{"mortality": "any"}"#).mortality == .any)
        for period in [4, 64, 65536] {
            let policy = try Self.read(#"{"mortality": {"maximum_period": \#(period)}}"#)
            #expect(policy.mortality == .mortal(maximumPeriod: UInt32(period)))
        }
        #expect(try Self.read(#"{"extensions": "allow"}"#).extensions == .allow)
        #expect(
            try Self.read(#"{"extensions": {"A": "any", "B": "0x0102"}}"#).extensions
                == .only([Array("A".utf8): .any, Array("B".utf8): .exactly([1, 2])]))
        for (word, demand) in [
            ("always", MetadataHashDemand.always), ("where_possible", .wherePossible), ("never", .never),
        ] {
            #expect(try Self.read("{\"require_metadata_hash\": \"\(word)\"}").requireMetadataHash == demand)
        }
        #expect(try Self.read(#"{"messages": "allow"}"#).messages == .allow)
        #expect(
            try Self.read(#"{"messages": {"prefix": "\u00e9 "}}"#).messages == .prefix([0xc3, 0xa9, 0x20]))
    }

    @Test func aValueOfAnotherFormIsRefusedWithItsPlace() {
        for (key, values) in [
            ("networks", [#""a""#, "[1]", "{}", "true"]),
            ("calls", [#""a""#, "[null]", #"["Balances"]"#, #"["A.b.c"]"#, #"[".b"]"#, #"["A."]"#]),
            ("destinations", ["0", #""Bob""#]),
            ("signers", ["{}"]), ("maximum_amount", [#""5DOT""#, #""-1""#, #""""#]),
            ("maximum_tip", [#""x""#]),
            ("fee_asset", [#""DOT""#, #"["0x"]"#, #"["01"]"#, #"["any"]"#, #"["0x1"]"#, "1", #""Native""#]),
            (
                "mortality",
                [
                    #""immortal""#, "64", #"{"maximum_period": 3}"#, #"{"maximum_period": 65537}"#,
                    #"{"maximum_period": "64"}"#,
                    #"{"maximum_period": -64}"#, #"{"maximum_period": 64, "x": 1}"#, #"{"period": 64}"#, "{}",
                ]
            ), ("extensions", [#"["A"]"#, #"{"A": true}"#, #"{"A": "0x"}"#, #"{"A": "01"}"#, #""any""#]),
            (
                "messages",
                [#"{"prefix": ""}"#, #"{"prefix": 1}"#, #"{"prefix": "a", "x": 1}"#, "{}", "true", #""any""#]
            ),
            (
                "require_metadata_hash",
                [#""where-possible""#, #""Always""#, "\"\"", "true", "[]", #"["always"]"#, "0"]
            ),
            ("approve", ["{}", "[1]"]),
        ] {
            for value in values {
                let place = key == "approve" && value == "[1]" ? "approve[1]" : key
                #expect(Self.isForm("{\"\(key)\": \(value)}", place), "\(key): \(value)")
            }
        }
        #expect(Self.isForm("[]", ""))
        #expect(Self.fault(#"{"signers": ["Bob"]}"#) == Fault(place: "signers", reason: .notAnAddress("Bob")))
        #expect(
            Self.fault(#"{"destinations": ["0x00"]}"#)
                == Fault(place: "destinations", reason: .notAnAddress("0x00")))
    }

    @Test func anUnknownKeyIsRefusedWherever() {
        #expect(
            Self.fault(#"{"network": ["polkadot"]}"#) == Fault(place: "", reason: .unknownRule("network")))
        #expect(Self.fault(#"{"Calls": []}"#) == Fault(place: "", reason: .unknownRule("Calls")))
        #expect(
            Self.fault(#"{"approve": [{"call": []}]}"#)
                == Fault(place: "approve[1]", reason: .unknownRule("call")))
    }

    @Test func aKeyThatStandsTwiceIsRefusedWherever() {
        func duplicate(_ key: String) -> Fault { Fault(place: "", reason: .json(.duplicateKey(key))) }
        #expect(Self.fault(#"{"messages": "deny", "messages": "allow"}"#) == duplicate("messages"))
        #expect(Self.fault(#"{"messages": "deny", "\u006dessages": "allow"}"#) == duplicate("messages"))
        #expect(Self.fault(#"{"\u006Dessages": "deny", "messages": "deny"}"#) == duplicate("messages"))
        #expect(Self.fault(#"{"approve": [{"calls": [], "c\u0061lls": []}]}"#) == duplicate("calls"))
        #expect(Self.fault(#"{"extensions": {"A": "any", "A": "0x00"}}"#) == duplicate("A"))
        #expect(
            Self.fault(#"{"mortality": {"maximum_period": 4, "maximum_period": 64}}"#)
                == duplicate("maximum_period"))
    }

    @Test func aRuleUnderApproveThatLeavesSomethingOpenIsRefused() {
        let whole =
            #"{"networks": ["n"], "calls": ["A.b"], "destinations": [], "maximum_amount": "1 HLO", "maximum_tip": "0 HLO"}"#
        #expect(Self.fault("{\"approve\": [\(whole)]}") == nil)
        for (part, other) in [
            ("\"n\"", ""), ("\"A.b\"", ""), ("A.b", "A.*"), ("{", "{\"messages\": \"deny\", \"x\": 1, "),
            ("[\"n\"]", "null"),
            ("[\"A.b\"]", "null"), ("[]", "null"), ("\"1 HLO\"", "null"), ("\"0 HLO\"", "null"),
        ] {
            let open = whole.replacing(part, with: other)
            let reason: Fault.Reason = other.utf8.contains(UInt8(ascii: "x")) ? .unknownRule("x") : .notWhole
            #expect(
                Self.fault("{\"approve\": [\(whole), \(open)]}")
                    == Fault(place: "approve[2]", reason: reason), "\(open)")
        }
        func rule(_ key: String) -> String { "{\"approve\": [\(whole.replacing("{", with: "{\(key), "))]}" }
        #expect(Self.isForm(rule(#""approve": []"#), "approve[1].approve"))
        #expect(
            Self.fault(rule(#""messages": "allow""#))
                == Fault(place: "approve[1].messages", reason: .approvesEveryMessage))
        #expect(Self.fault(rule(#""messages": {"prefix": "a"}"#)) == nil)
        #expect(Self.fault(rule(#""messages": "deny""#)) == nil)
        #expect(Self.isForm(rule(#""signers": "a""#), "approve[1].signers"))
    }

    @Test func whatIsNoJSONOrTooLargeOrTooDeepIsRefused() {
        #expect(Self.fault("{") == Fault(place: "", reason: .json(.malformed(offset: 1))))
        #expect(Self.fault("{} x") == Fault(place: "", reason: .json(.malformed(offset: 3))))
        #expect(
            Self.fault(#"{"approve": [{"networks": [[[]]]}]}"#)
                == Fault(place: "", reason: .json(.tooDeep(limit: 5))))
        let fitting = "{}" + String(repeating: " ", count: TransactionPolicy.maximumBytes - 2)
        #expect(Self.fault(fitting) == nil)
        #expect(Self.fault(fitting + " ") == Fault(place: "", reason: .tooLong))
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try Self.read("\u{feff}{\"messages\": \"deny\"}").messages == .deny)
    }

    @Test func aPolicyOfBeforeStillReadsAndItsApprovalsAreStricter() throws {
        let old = #"""
            {"networks": null, "maximum_amount": "100 HLO", "approve": [{"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"],
             "destinations": ["\#(PolicyLaws.bob)"], "maximum_amount": "100 HLO", "maximum_tip": "5 HLO", "approve": null}]}
            """#
        let policy = try Self.read(old)
        #expect(
            policy.networks == nil && policy.feeAsset == nil && policy.messages == nil
                && policy.requireMetadataHash == nil)
        let rule = try #require(policy.approve?.first)
        #expect(rule.feeAsset == .only(native: true, assets: []))
        #expect(rule.mortality == .mortal(maximumPeriod: 65536))
        #expect(rule.extensions == .deny)
        #expect(rule.messages == .deny)
        #expect(rule.requireMetadataHash == .always)
        #expect(rule.signers == nil)
    }
}
