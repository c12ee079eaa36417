import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Review
import SubstratePrimitives
import TestSupport
import TrustStore
import UOS

/// Calls of the fixture network, with what a summary must say of them, written down while they are made.
struct SummarySample {
    var call: [UInt8]
    /// Accounts that may receive or gain something, in order.
    var recipients: [[UInt8]] = []
    /// Amounts of the chain's own token.
    var amounts: [UInt128] = []
    /// Amounts of asset 1984.
    var assetAmounts: [UInt128] = []
    var calls: [String] = []

    static let runtime = {
        var runtime = FixtureRuntime.standard
        let account = FixtureField("delegate", FixtureRuntime.address, typeName: "AccountIdLookupOf<T>")
        runtime.pallets.append(
            FixturePallet(
                "Rights", index: 97,
                calls: [
                    FixtureVariant("add_proxy", index: 0, fields: [account]),
                    FixtureVariant("remove_proxy", index: 1, fields: [account]),
                    FixtureVariant(
                        "set_code", index: 2, fields: [FixtureField("code", .bytes, typeName: "Vec<u8>")]),
                    FixtureVariant(
                        "approve_as_multi", index: 3,
                        fields: [FixtureField("call_hash", .array(32, .u8), typeName: "[u8; 32]")]),
                    FixtureVariant(
                        "sudo", index: 4,
                        fields: [
                            FixtureField("call", .runtimeCall, typeName: "Box<<T as Config>::RuntimeCall>")
                        ]),
                    FixtureVariant(
                        "unheard_of", index: 5, fields: [FixtureField("number", .u128, typeName: "u128")]),
                    FixtureVariant(
                        "undecided", index: 95,
                        fields: [
                            FixtureField(
                                "part",
                                .variant(
                                    path: ["any", "Part"], variants: [FixtureVariant("Most", index: 3)]),
                                typeName: "Part")
                        ]),
                    FixtureVariant(
                        "batch", index: 6,
                        fields: [FixtureField("calls", .sequence(.u32), typeName: "Vec<u32>")]),
                    FixtureVariant(
                        "gives", index: 7,
                        fields: [
                            FixtureField("real", FixtureRuntime.address, typeName: "AccountIdLookupOf<T>")
                        ]),
                ]))
        return runtime
    }()

    static let carol = [UInt8](repeating: 3, count: 32)
    static let accounts = [SigningVault.alice, SigningVault.bob, carol, [UInt8](repeating: 4, count: 32)]

    static func transfer(_ amount: UInt128, to account: [UInt8] = SigningVault.bob) -> SummarySample {
        SummarySample(
            call: runtime.call(
                "Balances", "transfer_keep_alive",
                [FixtureValue.address(account), FixtureValue.compact(amount)]),
            recipients: [account], amounts: [amount], calls: ["Balances.transfer_keep_alive"])
    }

    static func transferAll(to account: [UInt8] = SigningVault.bob) -> SummarySample {
        SummarySample(
            call: runtime.call(
                "Balances", "transfer_all", [FixtureValue.address(account), FixtureValue.bool(false)]),
            recipients: [account], calls: ["Balances.transfer_all"])
    }

    static func asset(_ amount: UInt128, to account: [UInt8] = SigningVault.bob) -> SummarySample {
        SummarySample(
            call: runtime.call(
                "Assets", "transfer",
                [FixtureValue.compact(1984), FixtureValue.address(account), FixtureValue.compact(amount)]),
            recipients: [account], assetAmounts: [amount], calls: ["Assets.transfer"])
    }

    static func remark(_ text: String) -> SummarySample {
        SummarySample(
            call: runtime.call("System", "remark", [FixtureValue.bytes(Array(text.utf8))]),
            calls: ["System.remark"])
    }

    static func addProxy(_ account: [UInt8] = SigningVault.bob) -> SummarySample {
        SummarySample(
            call: runtime.call("Rights", "add_proxy", [FixtureValue.address(account)]), recipients: [account],
            calls: ["Rights.add_proxy"])
    }

    static func batch(_ parts: [SummarySample], _ name: String = "batch_all") -> SummarySample {
        wrapped(
            parts, "Utility.\(name)", runtime.call("Utility", name, [FixtureValue.vector(parts.map(\.call))]))
    }

    static func proxy(_ real: [UInt8], _ part: SummarySample) -> SummarySample {
        wrapped(
            [part], "Proxy.proxy",
            runtime.call("Proxy", "proxy", [FixtureValue.address(real), FixtureValue.none, part.call]))
    }

    static func multisig(_ part: SummarySample) -> SummarySample {
        let weight = FixtureValue.compact(1) + FixtureValue.compact(2)
        return wrapped(
            [part], "Multisig.as_multi",
            runtime.call(
                "Multisig", "as_multi",
                [
                    FixtureValue.integer(UInt16(2)), FixtureValue.vector([carol]), FixtureValue.none,
                    part.call, weight,
                ]))
    }

    private static func wrapped(_ parts: [SummarySample], _ name: String, _ call: [UInt8]) -> SummarySample {
        SummarySample(
            call: call, recipients: parts.flatMap(\.recipients), amounts: parts.flatMap(\.amounts),
            assetAmounts: parts.flatMap(\.assetAmounts), calls: [name] + parts.flatMap(\.calls))
    }

    static func drawn(by generator: inout SeededGenerator, depth: Int = 0) -> SummarySample {
        let account = accounts.randomElement(using: &generator)!
        let (largest, kinds) = (UInt128(1) << 80, depth < 3 ? 9 : 6)
        let amount = [0, 1, 1_500_000_000_000, UInt128.random(in: 0...largest, using: &generator), .max]
            .randomElement(using: &generator)!
        switch Int.random(in: 0..<kinds, using: &generator) {
        case 0, 1: return transfer(amount, to: account)
        case 2: return transferAll(to: account)
        case 3: return asset(amount, to: account)
        case 4: return remark("note \(amount)")
        case 5: return addProxy(account)
        case 6:
            return batch(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    drawn(by: &generator, depth: depth + 1)
                })
        case 7: return proxy(account, drawn(by: &generator, depth: depth + 1))
        default: return multisig(drawn(by: &generator, depth: depth + 1))
        }
    }

    // MARK: Reviewing

    /// A vault with the keys of Alice and Carol.
    static func data() throws -> ChainData {
        try SigningVault.data(labels: [(SigningVault.alice, ""), (carol, "savings")], runtime: runtime)
    }

    static func review(_ payload: [UInt8]) throws -> [ReviewedTransaction] {
        try TransactionReview(try data()).review(try Payload(payload))
    }

    func reviewed(tip: UInt128 = 0, era: Era = SigningVault.mortal) throws -> ReviewedTransaction {
        try Self.review(SigningVault.payload(call, tip: tip, era: era, runtime: Self.runtime))[0]
    }

    func summary() throws -> ReviewSummary { ReviewSummary(try reviewed()) }
}
