import Cards
import Extrinsics
import FixtureRuntime
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// What limits make of a variant that says its name and nothing else.
@Suite struct ChoiceLaws {
    private static let target = FixtureField(
        "recipient_account_id", .array(32, .u8), typeName: "AccountId<T>")

    /// A call of one amount, which is `Max` or a number, and of what stands beside it.
    private static func runtime(
        _ name: String = "RedemptionAmount", pallet: String = "Treasure", call: String = "take",
        argument: String = "amount", beside: [FixtureField] = []
    ) -> FixtureRuntime {
        let amount = FixtureType.variant(
            path: ["pallet", name],
            variants: [
                FixtureVariant("Max", index: 0),
                FixtureVariant("Exact", index: 1, fields: [FixtureField(nil, .u128, typeName: "T")]),
            ])
        var runtime = FixtureRuntime.standard
        runtime.pallets.removeAll { $0.name == pallet }
        let field = FixtureField(argument, amount, typeName: "\(name)<T::Amount>")
        runtime.pallets.append(
            FixturePallet(
                pallet, index: 99, calls: [FixtureVariant(call, index: 0, fields: beside + [field])])
        )
        return runtime
    }

    /// The same call read by whole metadata, and by a proof that shows the chosen variant alone.
    private static func decodedBoth(_ runtime: FixtureRuntime, _ call: [UInt8]) throws -> [DecodedTransaction]
    {
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let info = ExtraInfo(metadata.runtimeVersion, runtime.specs)
        var values = FixtureExtensionValues()
        values.metadataHash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let parts = runtime.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: call, extensions: parts.explicit + parts.implicit)
        return [
            try runtime.decode(runtime.transactionBody(call: call, values)),
            try Extrinsics.decode(
                body: runtime.transactionBody(call: call, values), proof: proof, specs: runtime.specs),
        ]
    }

    @Test(arguments: ["redeem", "rebalance"])
    func `Max of Chainflip moves everything, and a number is a number`(call: String) throws {
        let runtime = Self.runtime(pallet: "Funding", call: call, beside: [Self.target])
        for decoded in try Self.decodedBoth(runtime, [99, 0] + Account.bob + [0]) {
            #expect(
                decoded.summary.warnings == [.movesEverything] && !decoded.summary.hasOnlyCountableAmounts)
            for (key, policy) in ArgumentMeaningLaws.limits {
                #expect(
                    policy.violation(of: decoded, on: runtime.specs, signer: Account.alice)
                        == (key == .maximumAmount ? .amountUnknown : .amountUncounted(key)))
            }
        }
        let exact = [99, 0] + Account.bob + [1] + FixtureValue.integer(UInt128(7))
        for decoded in try Self.decodedBoth(runtime, exact) {
            #expect(decoded.summary.warnings.isEmpty && decoded.summary.hasBareNumbers)
        }
        // In a batch, too; and by no other name.
        let batch = runtime.call(
            "Utility", "batch", [FixtureValue.vector([[99, 0] + Account.bob + [0]])])
        #expect(
            try runtime.decode(runtime.transactionBody(call: batch)).summary.warnings == [.movesEverything])
        for (pallet, call, argument) in [
            ("Funds", "redeem", "amount"), ("Funding", "redeemed", "amount"),
            ("Funding", "redeem", "address"),
        ] {
            let other = Self.runtime(pallet: pallet, call: call, argument: argument)
            let summary = try other.decode(other.transactionBody(call: [99, 0, 0])).summary
            #expect(summary.warnings.isEmpty && summary.hasBareChoices)
        }
    }

    @Test func `a variant that nothing explains may be an amount, whatever its siblings are`() throws {
        for name in ["RedemptionAmount", "Option", "Kind"] {
            let runtime = Self.runtime(name)
            for decoded in try Self.decodedBoth(runtime, [99, 0, 0]) {
                #expect(decoded.summary.hasBareChoices && !decoded.summary.hasBareNumbers, "\(name)")
                for (key, policy) in ArgumentMeaningLaws.limits {
                    #expect(
                        policy.violation(of: decoded, on: runtime.specs, signer: Account.alice)
                            == (key == .maximumAmount ? .amountUnknown : .amountUncounted(key)), "\(name)")
                }
                #expect(
                    TransactionPolicy(maximumTip: "1").violation(
                        of: decoded, on: runtime.specs, signer: Account.alice) == nil)
            }
            // Where a row says what the argument is; and where only its name is that of a row.
            let known = Self.runtime(name, pallet: "Staking", call: "set_payee", argument: "payee")
            #expect(try !known.decode(known.transactionBody(call: [99, 0, 0])).summary.hasBareChoices)
            for (pallet, call, argument) in [
                ("Stakes", "set_payee", "payee"), ("Staking", "set_payees", "payee"),
                ("Staking", "set_payee", "payees"),
            ] {
                let other = Self.runtime(name, pallet: pallet, call: call, argument: argument)
                #expect(try other.decode(other.transactionBody(call: [99, 0, 0])).summary.hasBareChoices)
            }
        }
    }

    /// None is no amount, and the asset of an amount is told by its variant.
    @Test func `an Option without content and the asset of an amount say no amount`() throws {
        var runtime = FixtureRuntime.standard
        let currency = FixtureType.variant(
            path: ["primitives", "CurrencyId"],
            variants: [FixtureVariant("Native", index: 0), FixtureVariant("Stable", index: 1)])
        let fields = [
            FixtureField("hint", .option(.u64), typeName: "Option<u64>"),
            FixtureField("currency_id", currency, typeName: "CurrencyId"),
        ]
        runtime.pallets.append(
            FixturePallet(
                "Named", index: 99,
                calls: [
                    FixtureVariant("one", index: 0, fields: [fields[0]]),
                    FixtureVariant("two", index: 1, fields: [fields[1]]),
                ]))
        for call in [[99, 0, 0], [99, 1, 1]] as [[UInt8]] {
            for decoded in try Self.decodedBoth(runtime, call) { #expect(!decoded.summary.hasBareChoices) }
        }
    }

    /// Of the calls of known runtimes, only these are open by their choices alone, and each needs another
    /// origin than a person's account. Beside them it is `Rewards`, which stakes whatever a pool owes.
    @Test func `few calls of known runtimes lose by it`() throws {
        let specs = NetworkSpecs(
            name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]), scheme: .sr25519)
        var open: Set<String> = []
        let known = try KnownCallLaws.metadata()
        for metadata in known {
            let types = TypeView(metadata.registry)
            for (pallet, call, _) in try KnownCallLaws.calls(metadata) {
                let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
                let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
                guard
                    let summary = try? Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary
                else { continue }
                if summary.hasBareChoices, !summary.hasBareNumbers { open.insert("\(pallet).\(call.name)") }
                // `Rewards` stands behind the amount.
                guard pallet.utf8Equals("NominationPools"), call.name.utf8Equals("bond_extra") else {
                    continue
                }
                let rewards = try Extrinsics.decodeCall(
                    [index, call.index, 1], metadata: metadata, specs: specs)
                #expect(rewards.summary.hasBareChoices && !rewards.summary.hasOnlyCountableAmounts)
                #expect(summary.hasOnlyCountableAmounts)
            }
        }
        guard !known.isEmpty else { return }
        #expect(open == Self.open, "\(open.sorted())")
    }

    private static let open: Set<String> = [
        "AhMigrator.force_set_stage", "AhMigrator.set_dmp_queue_priority",
        "Balances.force_adjust_total_issuance", "MultiBlockElection.manage", "NominationPools.set_configs",
        "RcMigrator.force_set_stage", "RcMigrator.set_ah_ump_queue_priority",
        "SnowbridgeSystemFrontend.set_operating_mode", "Staking.set_staking_configs",
        "StakingAhClient.set_mode", "StateTrieMigration.force_set_progress", "Utility.dispatch_as",
        "Utility.dispatch_as_fallible",
    ]
}
