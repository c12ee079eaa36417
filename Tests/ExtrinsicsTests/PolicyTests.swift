import Extrinsics
import FixtureRuntime
import FoundationEssentials
import Hashing
import Metadata
import SubstratePrimitives
import Testing

@Suite struct PolicyLaws {
    static let runtime = FixtureRuntime.standard
    static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    static func violation(_ policy: TransactionPolicy, _ call: [UInt8], tip: UInt128 = 0) throws -> TransactionPolicy.Violation? {
        let decoded = try runtime.decode(runtime.transactionBody(call: call, FixtureExtensionValues(tip: tip)))
        return policy.violation(of: decoded, network: "heliotest")
    }

    @Test func anEmptyPolicyAllowsEverything() throws {
        #expect(try Self.violation(TransactionPolicy(), Self.runtime.transfer()) == nil)
    }

    @Test func networksCallsAndDestinationsAreAllowedByName() throws {
        let transfer = Self.runtime.transfer()
        #expect(try Self.violation(TransactionPolicy(networks: ["polkadot"]), transfer) == .network("heliotest"))
        #expect(try Self.violation(TransactionPolicy(networks: ["heliotest"]), transfer) == nil)
        #expect(try Self.violation(TransactionPolicy(calls: ["Balances.transfer_keep_alive"]), transfer) == nil)
        #expect(try Self.violation(TransactionPolicy(calls: ["Balances.*"]), transfer) == nil)
        #expect(try Self.violation(TransactionPolicy(destinations: [Self.bob]), transfer) == nil)
        #expect(
            try Self.violation(TransactionPolicy(destinations: ["0x" + Hex.encode(Account.alice)]), transfer)
                == .destination(Hex.encode(Account.bob)))
    }

    @Test func nestedCallsAndSumsCount() throws {
        let batch = Self.runtime.call("Utility", "batch", [FixtureValue.vector([Self.runtime.transfer(60), Self.runtime.transfer(60)])])
        #expect(try Self.violation(TransactionPolicy(calls: ["Utility.batch"]), batch) == .call("Balances.transfer_keep_alive"))
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "100"), batch) == .amount(total: 120))
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "120"), batch) == nil)
    }

    @Test func whatCannotBeComparedIsAViolation() throws {
        let all = Self.runtime.call("Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(false)])
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "1"), all) == .amountUnknown)
        let asset = Self.runtime.call(
            "Assets", "transfer", [FixtureValue.compact(1), FixtureValue.address(Account.bob), FixtureValue.compact(5)])
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "100"), asset) == .amountUnknown)
    }

    @Test func aPolicyFileWithAnUnknownRuleOrAnUnreadableValueIsRefused() throws {
        func read(_ text: String) throws -> TransactionPolicy {
            try JSONDecoder().decode(TransactionPolicy.self, from: Data(text.utf8))
        }
        let policy = try read(#"{"networks": ["polkadot"], "maximum_amount": "5", "destinations": ["\#(Self.bob)"]}"#)
        #expect(policy == TransactionPolicy(networks: ["polkadot"], destinations: [Self.bob], maximumAmount: "5"))
        for text in [#"{"network": ["polkadot"]}"#, #"{"maximum_amount": "5 DOT"}"#, #"{"maximum_tip": 5}"#, #"{"destinations": ["Bob"]}"#]
        {
            #expect(throws: DecodingError.self) { try read(text) }
        }
    }

    @Test func theTipHasItsOwnLimit() throws {
        #expect(try Self.violation(TransactionPolicy(maximumTip: "5"), Self.runtime.transfer(), tip: 6) == .tip(6))
        #expect(try Self.violation(TransactionPolicy(maximumTip: "5"), Self.runtime.transfer(), tip: 5) == nil)
    }
}
