import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

@Suite struct PolicyLaws {
    static let runtime = FixtureRuntime.standard
    static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    static func violation(
        _ policy: TransactionPolicy, _ call: [UInt8]? = nil, runtime: FixtureRuntime = runtime,
        signer: [UInt8]? = Account.alice,
        values: FixtureExtensionValues = FixtureExtensionValues()
    ) throws -> TransactionPolicy.Violation? {
        let decoded = try runtime.decode(runtime.transactionBody(call: call ?? runtime.transfer(), values))
        return policy.violation(of: decoded, on: runtime.specs, signer: signer)
    }

    @Test func anEmptyPolicyAllowsEverything() throws {
        #expect(try Self.violation(TransactionPolicy()) == nil)
        #expect(TransactionPolicy().violation(ofMessage: [1], on: nil, signer: nil) == nil)
    }

    @Test func networksCallsAndDestinationsAreAllowedByName() throws {
        let transfer = Self.runtime.transfer()
        #expect(
            try Self.violation(TransactionPolicy(networks: ["polkadot"]), transfer) == .network("heliotest"))
        #expect(try Self.violation(TransactionPolicy(networks: ["heliotest"]), transfer) == nil)
        // With its scheme a name stands for that scheme alone.
        let message = { (names: [String], scheme: SignatureScheme) in
            TransactionPolicy(networks: names.map { .init(text: $0) }, messages: .allow).violation(
                ofMessage: [1], on: .fixture("heliotest", scheme), signer: nil)
        }
        #expect(message(["heliotest/ed25519"], .ed25519) == nil && message(["heliotest"], .ed25519) == nil)
        #expect(message(["heliotest/ed25519"], .sr25519) == .network("heliotest"))
        #expect(message(["ed25519", "heliotest/", "/ed25519"], .ed25519) == .network("heliotest"))
        #expect(
            try Self.violation(TransactionPolicy(calls: ["Balances.transfer_keep_alive"]), transfer) == nil)
        #expect(try Self.violation(TransactionPolicy(calls: ["Balances.*"]), transfer) == nil)
        #expect(try Self.violation(TransactionPolicy(destinations: [.typed(Self.bob)]), transfer) == nil)
        #expect(
            try Self.violation(TransactionPolicy(destinations: [.init(Account.alice)]), transfer)
                == .destination(address(Account.bob)))
    }

    @Test func namesCompareAsBytesAndNotAsGraphemes() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        #expect(composed == decomposed)
        var runtime = Self.runtime
        runtime.renamePallet("Balances", to: composed)
        let call = runtime.call(
            composed, "transfer_keep_alive", [FixtureValue.address(Account.bob), FixtureValue.compact(1)])
        #expect(
            try Self.violation(
                TransactionPolicy(calls: [.init(text: composed + ".*")!]), call, runtime: runtime) == nil)
        #expect(
            try Self.violation(
                TransactionPolicy(calls: [.init(text: decomposed + ".*")!]), call, runtime: runtime)
                == .call(composed + ".transfer_keep_alive"))
        let transaction = try Self.runtime.decode(Self.runtime.transactionBody(call: Self.runtime.transfer()))
        let policy = TransactionPolicy(networks: [.init(composed)], messages: .allow)
        #expect(policy.violation(of: transaction, on: .fixture(composed), signer: nil) == nil)
        #expect(
            policy.violation(of: transaction, on: .fixture(decomposed), signer: nil) == .network(decomposed))
        #expect(
            policy.violation(ofMessage: [], on: .fixture(decomposed), signer: nil) == .network(decomposed))
    }

    @Test func nestedCallsAndSumsCount() throws {
        let batch = Self.runtime.call(
            "Utility", "batch", [FixtureValue.vector([Self.runtime.transfer(60), Self.runtime.transfer(60)])])
        #expect(
            try Self.violation(TransactionPolicy(calls: ["Utility.batch"]), batch)
                == .call("Balances.transfer_keep_alive"))
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "119"), batch) == .amount(total: 120))
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "120"), batch) == nil)
    }

    @Test func whatCannotBeComparedIsAViolation() throws {
        let all = Self.runtime.call(
            "Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(false)])
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "1"), all) == .amountUnknown)
        let asset = Self.runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(1), FixtureValue.address(Account.bob), FixtureValue.compact(5)])
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "100"), asset) == .amountUnknown)
    }

    @Test func theTipHasItsOwnLimit() throws {
        #expect(
            try Self.violation(TransactionPolicy(maximumTip: "5"), values: FixtureExtensionValues(tip: 6))
                == .tip(6))
        #expect(
            try Self.violation(TransactionPolicy(maximumTip: "5"), values: FixtureExtensionValues(tip: 5))
                == nil)
    }

    /// The payloads here turn the hash off.
    @Test func aDemandForTheMetadataHashIsBrokenByWhatTheChainDoesNotCheck() throws {
        #expect(
            try Self.violation(TransactionPolicy(requireMetadataHash: .always)) == .metadataHash(.disabled))
        #expect(
            try Self.violation(TransactionPolicy(requireMetadataHash: .wherePossible))
                == .metadataHash(.disabled))
        #expect(try Self.violation(TransactionPolicy(requireMetadataHash: .never)) == nil)
        var without = Self.runtime
        without.extensions.removeAll { $0.role == .metadataHash }
        let always = TransactionPolicy(requireMetadataHash: .always)
        #expect(try Self.violation(always, runtime: without) == .metadataHash(.unsupported))
        #expect(
            try Self.violation(TransactionPolicy(requireMetadataHash: .wherePossible), runtime: without)
                == nil)
        // It is about transactions, so a policy with it alone does not allow messages.
        #expect(always.violation(ofMessage: [1], on: nil, signer: nil) == .messageNotMentioned)
    }

    @Test func everyDemandAllowsWhatTheStricterOneAllows() {
        let checks: [MetadataHashCheck] = [.passed, .notCompared(version: 14), .disabled, .unsupported]
        let table: [(MetadataHashDemand, [Bool])] = [
            (.always, [true, false, false, false]), (.wherePossible, [true, false, false, true]),
            (.never, [true, true, true, true]),
        ]
        for (demand, allowed) in table { #expect(checks.map(demand.allows) == allowed) }
        for (index, (demand, _)) in table.enumerated() {
            for (other, (former, _)) in table.enumerated() {
                #expect(demand.isWeaker(than: former) == (index > other))
            }
        }
    }

    @Test func onlyAListedSignerMaySign() throws {
        let (bob, alice) = (
            TransactionPolicy.Account.typed(Self.bob), TransactionPolicy.Account(Account.alice)
        )
        let otherPrefix = SS58Address(prefix: 0, account: Account.alice)!.text
        for signer in [alice, .typed(otherPrefix), .typed("0x" + Hex.encode(Account.alice))] {
            #expect(try Self.violation(TransactionPolicy(signers: [bob, signer])) == nil)
        }
        #expect(
            try Self.violation(TransactionPolicy(signers: [bob])) == .signer(address(Account.alice)))
        #expect(try Self.violation(TransactionPolicy(signers: [])) == .signer(address(Account.alice)))
        #expect(try Self.violation(TransactionPolicy(signers: [alice]), signer: nil) == .signerUnknown)
        #expect(try Self.violation(TransactionPolicy(), signer: nil) == nil)
    }

    @Test func anECDSASignerIsNamedByItsAccountOrItsKey() throws {
        let key = [UInt8](repeating: 2, count: 33)
        let byKey = TransactionPolicy(signers: [.typed(SS58Address(prefix: 42, account: key)!.text)])
        #expect(try Self.violation(byKey, signer: BLAKE2b.hash(key)) == nil)
        #expect(try Self.violation(byKey, signer: Account.alice) != nil)
    }
}

@Suite struct PolicyExtensionLaws {
    static let runtime = FixtureRuntime.standard

    static func charging(_ asset: [UInt8], option: FixtureType = .option(.u32)) -> FixtureRuntime {
        var runtime = Self.runtime
        runtime.chargeAsset(asset, option: option)
        return runtime
    }

    @Test func theFeeIsPaidInAnAssetOfTheListOnly() throws {
        let (usdt, other): ([UInt8], [UInt8]) = ([0xc0, 7, 0, 0], [1, 0, 0, 0])
        let native = TransactionPolicy(feeAsset: .only(native: true, assets: []))
        let listed = TransactionPolicy(feeAsset: .only(native: false, assets: [usdt]))
        #expect(try PolicyLaws.violation(native) == nil)
        #expect(try PolicyLaws.violation(listed) == .feeAsset(nil))
        #expect(try PolicyLaws.violation(native, runtime: Self.charging(FixtureValue.none)) == nil)
        #expect(
            try PolicyLaws.violation(native, runtime: Self.charging(FixtureValue.some(usdt)))
                == .feeAsset(usdt))
        #expect(try PolicyLaws.violation(listed, runtime: Self.charging(FixtureValue.some(usdt))) == nil)
        #expect(
            try PolicyLaws.violation(listed, runtime: Self.charging(FixtureValue.some(other)))
                == .feeAsset(other))
        #expect(try PolicyLaws.violation(listed, runtime: Self.charging(FixtureValue.none)) == .feeAsset(nil))
        for policy in [
            TransactionPolicy(feeAsset: .any), TransactionPolicy(), TransactionPolicy(extensions: .deny),
        ] {
            #expect(try PolicyLaws.violation(policy, runtime: Self.charging(FixtureValue.some(usdt))) == nil)
        }
    }

    @Test func aTypeThatIsOnlyCalledOptionSaysNothingOfTheFee() throws {
        let native = TransactionPolicy(feeAsset: .only(native: true, assets: []))
        func option(_ variants: [FixtureVariant]) -> FixtureType {
            .variant(path: ["hostile", "Option"], variants: variants)
        }
        let id = FixtureField(nil, .u32, typeName: nil)
        for variants in [
            [FixtureVariant("Some", index: 0), FixtureVariant("None", index: 1, fields: [id])],
            [FixtureVariant("None", index: 0), FixtureVariant("Some", index: 1, fields: [id, id])],
            [
                FixtureVariant("None", index: 0),
                FixtureVariant("Some", index: 1, fields: [FixtureField("id", .u32, typeName: nil)]),
            ],
            [
                FixtureVariant("None", index: 0), FixtureVariant("Some", index: 1, fields: [id]),
                FixtureVariant("All", index: 2),
            ],
        ] {
            let runtime = Self.charging([0], option: option(variants))
            #expect(try PolicyLaws.violation(native, runtime: runtime) == .feeAssetUnknown)
            #expect(
                try PolicyLaws.violation(TransactionPolicy(extensions: .deny), runtime: runtime)
                    == .unknownExtension("ChargeAssetTxPayment", [0, 0]))
        }
        let some = Self.charging(
            [2], option: option([FixtureVariant("None", index: 0), FixtureVariant("Relay", index: 2)]))
        #expect(try PolicyLaws.violation(native, runtime: some) == .feeAssetUnknown)
    }

    @Test func whatPaysIsUnknownWhereOnlyAnUnknownExtensionCouldSay() throws {
        var runtime = Self.runtime
        runtime.extensions.removeAll { $0.role == .tip }
        let native = TransactionPolicy(feeAsset: .only(native: true, assets: []))
        #expect(try PolicyLaws.violation(native, runtime: runtime) == nil)
        runtime.addExtension("PayWith", explicit: [7])
        #expect(try PolicyLaws.violation(native, runtime: runtime) == .feeAssetUnknown)
        #expect(try PolicyLaws.violation(TransactionPolicy(feeAsset: .any), runtime: runtime) == nil)
    }

    @Test func aSecondChargeThatCannotBeReadMakesTheFirstUncertain() throws {
        let native = TransactionPolicy(feeAsset: .only(native: true, assets: []))
        var runtime = Self.charging(FixtureValue.none)
        runtime.addExtension("ChargeTransactionPayment", explicit: [1, 2, 3])
        #expect(try PolicyLaws.violation(native, runtime: runtime) == .feeAssetUnknown)
        runtime.extensions.reverse()
        #expect(try PolicyLaws.violation(native, runtime: runtime) == .feeAssetUnknown)
    }

    @Test func whatFollowsTheAssetMakesItUncertain() throws {
        var runtime = Self.charging(FixtureValue.none)
        let place = runtime.extensions.firstIndex { $0.identifier == "ChargeAssetTxPayment" }!
        guard case .composite(let path, let fields) = runtime.extensions[place].explicit else {
            return #expect(Bool(false))
        }
        runtime.extensions[place].explicit = .composite(
            path: path, fields: fields + [FixtureField("more", .unit, typeName: nil)])
        let native = TransactionPolicy(feeAsset: .only(native: true, assets: []))
        #expect(try PolicyLaws.violation(native, runtime: runtime) == nil)
        runtime.extensions[place].explicit = .composite(
            path: path, fields: fields + [FixtureField("more", .u8, typeName: nil)])
        runtime.extensions[place].role = .fixed(
            explicit: FixtureValue.compact(0) + FixtureValue.none + [7], implicit: [])
        #expect(try PolicyLaws.violation(native, runtime: runtime) == .feeAssetUnknown)
        #expect(
            try PolicyLaws.violation(TransactionPolicy(extensions: .deny), runtime: runtime)
                == .unknownExtension("ChargeAssetTxPayment", [0, 0, 7]))
    }

    @Test func aTransactionExpiresAsSoonAsTheRuleSays() throws {
        func mortal(_ period: UInt32) -> FixtureExtensionValues {
            FixtureExtensionValues(
                era: .mortal(MortalEra(period: period, phase: 0)!), blockHash: Hash32(Account.bob))
        }
        let policy = TransactionPolicy(mortality: .mortal(maximumPeriod: 64))
        #expect(try PolicyLaws.violation(policy) == .immortal)
        #expect(try PolicyLaws.violation(policy, values: mortal(64)) == nil)
        #expect(try PolicyLaws.violation(policy, values: mortal(4)) == nil)
        #expect(try PolicyLaws.violation(policy, values: mortal(128)) == .period(128, maximum: 64))
        #expect(
            try PolicyLaws.violation(
                TransactionPolicy(mortality: .mortal(maximumPeriod: 65536)), values: mortal(65536)) == nil)
        #expect(try PolicyLaws.violation(TransactionPolicy(mortality: .any)) == nil)
        var eraless = Self.runtime
        eraless.extensions.removeAll { $0.role == .mortality }
        #expect(try PolicyLaws.violation(policy, runtime: eraless) == .immortal)
    }

    @Test func anUnknownExtensionWithDataNeedsARuleThatNamesIt() throws {
        let deny = TransactionPolicy(extensions: .deny)
        func only(_ content: TransactionPolicy.ExtensionRule.Content, _ name: String = "CheckFlag")
            -> TransactionPolicy
        {
            TransactionPolicy(extensions: .only([Array(name.utf8): content]))
        }
        #expect(try PolicyLaws.violation(deny) == nil)
        for (explicit, implicit) in [([UInt8(1)], []), ([], [UInt8(2)]), ([UInt8(1), 3], [UInt8(2)])] {
            var runtime = Self.runtime
            runtime.addExtension("CheckNothing")
            runtime.addExtension("CheckFlag", explicit: explicit, implicit: implicit)
            let found = TransactionPolicy.Violation.unknownExtension("CheckFlag", explicit + implicit)
            #expect(try PolicyLaws.violation(deny, runtime: runtime) == found)
            #expect(try PolicyLaws.violation(only(.any, "Checkflag"), runtime: runtime) == found)
            #expect(try PolicyLaws.violation(only(.exactly([9])), runtime: runtime) == found)
            let content = explicit + implicit
            // Neither a part of the content nor more than it.
            for other in [
                [], Array(content.dropLast()), Array(content.dropFirst()), content + [0], [0] + content,
            ] {
                #expect(try PolicyLaws.violation(only(.exactly(other)), runtime: runtime) == found)
            }
            #expect(try PolicyLaws.violation(only(.exactly(explicit + implicit)), runtime: runtime) == nil)
            #expect(try PolicyLaws.violation(only(.any), runtime: runtime) == nil)
            #expect(try PolicyLaws.violation(TransactionPolicy(extensions: .allow), runtime: runtime) == nil)
            #expect(try PolicyLaws.violation(TransactionPolicy(), runtime: runtime) == nil)
            runtime.addExtension("CheckMore", explicit: [5])
            #expect(
                try PolicyLaws.violation(only(.any), runtime: runtime) == .unknownExtension("CheckMore", [5]))
        }
    }

    @Test func aKnownNameWithOtherContentIsUnknown() throws {
        var runtime = Self.runtime
        runtime.addExtension("CheckNonZeroSender2", explicit: [1, 2, 3])
        runtime.renameExtension("CheckNonZeroSender2", to: "CheckTxVersion")
        runtime.extensions.removeAll { $0.role == .transactionVersion }
        #expect(
            try PolicyLaws.violation(TransactionPolicy(extensions: .deny), runtime: runtime)
                == .unknownExtension("CheckTxVersion", [1, 2, 3]))
    }
}

@Suite struct MessagePolicyLaws {
    static func violation(
        _ policy: TransactionPolicy, _ text: String = "hello", network: String? = "heliotest",
        signer: [UInt8]? = Account.alice
    ) -> TransactionPolicy.Violation? {
        policy.violation(ofMessage: Array(text.utf8), on: network.map { .fixture($0) }, signer: signer)
    }

    @Test func aPolicyThatLimitsAnythingAndDoesNotMentionMessagesRefusesThem() {
        for policy in [
            TransactionPolicy(networks: ["heliotest"]), TransactionPolicy(calls: []),
            TransactionPolicy(destinations: []),
            TransactionPolicy(signers: [.typed(PolicyLaws.bob), .init(Account.alice)]),
            TransactionPolicy(maximumAmount: "1"),
            TransactionPolicy(maximumTip: "1"), TransactionPolicy(feeAsset: .any),
            TransactionPolicy(mortality: .any),
            TransactionPolicy(extensions: .allow),
        ] {
            #expect(Self.violation(policy) == .messageNotMentioned)
            var stated = policy
            stated.messages = .allow
            #expect(Self.violation(stated) == nil)
            stated.messages = .deny
            #expect(Self.violation(stated) == .message)
        }
        #expect(Self.violation(TransactionPolicy(approve: [TransactionPolicy()])) == nil)
        #expect(Self.violation(TransactionPolicy(messages: .deny)) == .message)
    }

    @Test func aPrefixComparesAsBytes() {
        func prefixed(_ prefix: String) -> TransactionPolicy {
            TransactionPolicy(messages: .prefix(Array(prefix.utf8)))
        }
        #expect(Self.violation(prefixed("hell")) == nil)
        #expect(Self.violation(prefixed("hello")) == nil)
        #expect(Self.violation(prefixed("hello!")) == .messagePrefix)
        #expect(Self.violation(prefixed("ello")) == .messagePrefix)
        #expect(!"e\u{301}x".hasPrefix("e"))
        #expect(Self.violation(prefixed("e"), "e\u{301}x") == nil)
        #expect("\u{e9}".hasPrefix("e\u{301}"))
        #expect(Self.violation(prefixed("e\u{301}"), "\u{e9}") == .messagePrefix)
        #expect(prefixed("a").violation(ofMessage: [0x61, 0xff], on: nil, signer: nil) == nil)
    }

    @Test func networksAndSignersHoldForMessages() {
        let networks = TransactionPolicy(networks: ["heliotest"], messages: .allow)
        #expect(Self.violation(networks) == nil)
        #expect(Self.violation(networks, network: "polkadot") == .network("polkadot"))
        #expect(Self.violation(networks, network: nil) == .networkMissing)
        let signers = TransactionPolicy(signers: [.typed(PolicyLaws.bob)], messages: .allow)
        #expect(Self.violation(signers) == .signer(address(Account.alice)))
        #expect(Self.violation(signers, signer: Account.bob) == nil)
        #expect(Self.violation(signers, signer: nil) == .signerUnknown)
    }
}
