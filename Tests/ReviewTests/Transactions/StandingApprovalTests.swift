import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Keys
import Metadata
import Review
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

/// A vault that holds //Alice of the development phrase, and the fixture network.
enum SigningVault {
    static let runtime = FixtureRuntime.standard
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
    static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!

    /// Who signed the metadata of the fixture network.
    static let verifier = PublicKey(
        scheme: .sr25519, bytes: [0xc4, 0x6a] + [UInt8](repeating: 7, count: 28) + [0xbd, 0x57])!

    static func data(
        policy: String? = nil, labels: [(key: [UInt8], label: String)] = [], runtime: FixtureRuntime = runtime
    ) throws -> ChainData {
        let blob = runtime.metadata()
        var state = TrustState()
        state.networks = [runtime.specs]
        state.verifiers = [runtime.genesisHash: .custom(verifier)]
        state.metadata = [
            MetadataRecord(
                genesis: runtime.genesisHash, version: runtime.specVersion, hash: .blake2b(of: blob),
                length: blob.count)
        ]
        state.verifiers[runtime.genesisHash] = .custom(
            PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32)))
        let labels = labels.isEmpty ? [(alice, "")] : labels
        state.keys = labels.enumerated().map { place, item in
            KeyRecord(
                publicKey: PublicKey(scheme: .sr25519, bytes: item.key)!, seed: "main", path: "//\(place)",
                hasPassword: false,
                label: item.label.isEmpty ? nil : item.label, networks: [runtime.genesisHash])
        }
        if let policy { state.settings[TransactionPolicy.setting] = Array(policy.inHLO.utf8) }
        return ChainData(state: state) { _ in blob }
    }

    static func transfer(_ amount: UInt128 = 60, to account: [UInt8] = bob) -> [UInt8] {
        runtime.call(
            "Balances", "transfer_keep_alive", [FixtureValue.address(account), FixtureValue.compact(amount)])
    }

    static let mortal = Era.mortal(MortalEra(period: 64, phase: 0)!)

    static func payload(
        _ call: [UInt8], tip: UInt128 = 0, signer: [UInt8] = alice, era: Era = mortal,
        runtime: FixtureRuntime = runtime
    ) -> [UInt8] {
        let block = era == .immortal ? runtime.genesisHash : Hash32(bob)
        return runtime.transactionPayload(
            signer: signer, call: call, FixtureExtensionValues(era: era, blockHash: block, tip: tip))
    }

    /// 03, or 08 without a network.
    static func message(_ text: String, signer: [UInt8] = alice, isBound: Bool = true) -> [UInt8] {
        [0x53, 0x01, isBound ? 0x03 : 0x08] + signer + Array("<Bytes>\(text)</Bytes>".utf8)
            + (isBound ? runtime.genesisHash.bytes : [])
    }

    static func bulk(_ payloads: [[UInt8]]) -> [UInt8] {
        [0x53, 0xff, 0x04, 0x00]
            + FixtureValue.vector(payloads.map { FixtureValue.bytes(Array($0.dropFirst())) })
    }
}

@Suite struct StandingApprovalLaws {
    /// Without a word about the metadata hash, which such a rule demands.
    static let bare = """
        {"networks": ["heliotest"], "calls": ["Balances.transfer_keep_alive"], "destinations": \
        ["0x\(Hex.encode(SigningVault.bob))"], "maximum_amount": "100", "maximum_tip": "5"}
        """
    /// The transactions here turn the hash off.
    static let whole = bare.replacing("{", with: "{\"require_metadata_hash\": \"never\", ")
    static let policy = "{\"approve\": [\(whole)]}"

    /// As the fixture's network writes it.
    static func address(_ account: [UInt8]) -> String {
        TransactionPolicy.Account.address(of: account, prefix: SigningVault.runtime.specs.base58Prefix)
    }

    static func rules(
        _ payload: [UInt8], policy: String = policy, runtime: FixtureRuntime = SigningVault.runtime
    ) throws -> [Int]? {
        let data = try SigningVault.data(policy: policy, runtime: runtime)
        return try data.standingApproval(of: try TransactionReview(data).review(try Payload(payload)))?.rules
    }

    @Test func exactlyWhatARuleNamesIsApproved() throws {
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(100), tip: 5)) == [1])
        #expect(
            try Self.rules(SigningVault.payload(SigningVault.transfer()), policy: "{\"approve\": []}") == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer()), policy: "{}") == nil)
        let second = Self.whole.replacing("\"100\"", with: "\"200\"")
        #expect(
            try Self.rules(
                SigningVault.payload(SigningVault.transfer(150)),
                policy: "{\"approve\": [\(Self.whole), \(second)]}") == [2])
    }

    @Test func anotherDestinationNetworkCallAmountOrTipNeedsAPerson() throws {
        #expect(
            try Self.rules(SigningVault.payload(SigningVault.transfer(60, to: SigningVault.alice))) == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(101))) == nil)
        #expect(try Self.rules(SigningVault.payload(SigningVault.transfer(), tip: 6)) == nil)
        let remark = SigningVault.runtime.call("System", "remark", [FixtureValue.bytes([1])])
        #expect(try Self.rules(SigningVault.payload(remark)) == nil)
        #expect(
            try Self.rules(
                SigningVault.payload(SigningVault.transfer()),
                policy: Self.policy.replacing("heliotest", with: "polkadot"))
                == nil)
    }

    @Test func aNestedCallNeedsItsOwnNameAndCountsItsAmounts() throws {
        let batch = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([SigningVault.transfer(50), SigningVault.transfer(50)])])
        let both = Self.policy.replacing(
            "\"Balances.transfer_keep_alive\"",
            with: "\"Balances.transfer_keep_alive\", \"Utility.batch_all\"")
        #expect(try Self.rules(SigningVault.payload(batch)) == nil)
        #expect(try Self.rules(SigningVault.payload(batch), policy: both) == [1])
        let more = SigningVault.runtime.call(
            "Utility", "batch_all",
            [FixtureValue.vector([SigningVault.transfer(50), SigningVault.transfer(51)])])
        #expect(try Self.rules(SigningVault.payload(more), policy: both) == nil)
    }

    @Test func theTransactionsOfABulkAreHeldTogetherAgainstTheLimit() throws {
        let (forty, sixty) = (
            SigningVault.payload(SigningVault.transfer(40)), SigningVault.payload(SigningVault.transfer(60))
        )
        #expect(try Self.rules(SigningVault.bulk([forty, sixty])) == [1, 1])
        #expect(try Self.rules(SigningVault.bulk([sixty, sixty])) == nil)
        let remark = SigningVault.payload(
            SigningVault.runtime.call("System", "remark", [FixtureValue.bytes([1])]))
        #expect(try Self.rules(SigningVault.bulk([forty, remark])) == nil)
    }

    /// A bulk goes to the first rule with room. So whoever moves a rule, or lowers a limit, can let through
    /// what needed a person, and has to say that more is allowed.
    @Test func aBulkThatIsSharedOtherwiseIsMoreThanWasAllowed() throws {
        func policy(_ limits: String...) -> String {
            let rules = limits.map { Self.whole.replacing("\"100\"", with: "\"\($0)\"") }
            return "{\"approve\": [\(rules.joined(separator: ", "))]}"
        }
        let bulk = SigningVault.bulk([
            SigningVault.payload(SigningVault.transfer(60)), SigningVault.payload(SigningVault.transfer(100)),
        ])
        let former = policy("100", "60")
        #expect(try Self.rules(bulk, policy: former) == nil)
        #expect(try Self.rules(bulk, policy: policy("60", "100")) == [1, 2])
        func read(_ text: String) throws -> TransactionPolicy {
            try TransactionPolicy(json: Array(text.inHLO.utf8))
        }
        #expect(try read(policy("60", "100")).keysAllowingMore(than: read(former)) == [.approve])
        // The same with a lower limit alone, which sends the first one to another rule.
        let twice = policy("100", "100")
        let three = SigningVault.bulk(
            [50, 70, 30, 50].map { SigningVault.payload(SigningVault.transfer($0)) })
        #expect(try Self.rules(three, policy: twice) == nil)
        #expect(try read(policy("49", "100")).keysAllowingMore(than: read(twice)) == [.approve])
    }

    /// The sum of a rule's amounts, over the transactions of a bulk, must not come out small.
    @Test func aSumThatNoNumberHoldsNeedsAPerson() throws {
        let rule = Self.policy.replacing("\"100\"", with: "\"\(UInt128.max)\"")
        let (all, one) = (
            SigningVault.payload(SigningVault.transfer(.max)), SigningVault.payload(SigningVault.transfer(1))
        )
        #expect(try Self.rules(all, policy: rule) == [1])
        let limited = Self.policy.replacing("\"100\"", with: "\"\(UInt128.max - 1)\"")
        #expect(
            try Self.rules(
                SigningVault.bulk([one, SigningVault.payload(SigningVault.transfer(.max - 2))]),
                policy: limited) == [1, 1])
        for amounts in [[1, .max - 1], [.max - 1, 3], [1 << 127, 1 << 127, 5]] as [[UInt128]] {
            let bulk = SigningVault.bulk(amounts.map { SigningVault.payload(SigningVault.transfer($0)) })
            #expect(try Self.rules(bulk, policy: limited) == nil)
        }
    }

    static func cause(
        _ payload: [UInt8], policy: String = policy, runtime: FixtureRuntime
    ) throws -> PersonNeeded.Cause? {
        let data = try SigningVault.data(policy: policy, runtime: runtime)
        return try data.personNeeded(for: try TransactionReview(data).review(try Payload(payload)))?.cause
    }

    /// Without an extension that charges, nothing says what the sender pays for being included.
    @Test func aTransactionWithoutATipNeedsAPerson() throws {
        var silent = SigningVault.runtime
        silent.extensions.removeAll { $0.role == .tip }
        for (runtime, expected) in [(SigningVault.runtime, nil), (silent, .unknownTip)]
            as [(FixtureRuntime, PersonNeeded.Cause?)]
        {
            let payload = SigningVault.payload(SigningVault.transfer(), runtime: runtime)
            #expect(try Self.cause(payload, runtime: runtime) == expected)
            #expect(try Self.rules(payload, runtime: runtime) == (expected == nil ? [1] : nil))
        }
    }

    /// A chain may write a recipient as bytes and an amount as a number of any width.
    @Test func bytesAndNumbersThatNobodyExplainsNeedAPerson() throws {
        var runtime = SigningVault.runtime
        func field(_ name: String, _ type: FixtureType, _ typeName: String) -> FixtureField {
            FixtureField(name, type, typeName: typeName)
        }
        let hash = FixtureType.composite(
            path: ["primitive_types", "H256"],
            fields: [FixtureField(nil, .array(32, .u8), typeName: "[u8; 32]")])
        let amount = field("amount", .u128, "BalanceOf<T>")
        runtime.pallets += [
            FixturePallet(
                "TokenGateway", index: 60,
                calls: [
                    FixtureVariant("teleport", index: 0, fields: [field("recipient", hash, "H256"), amount])
                ]),
            FixturePallet(
                "SubtensorModule", index: 61,
                calls: [
                    FixtureVariant(
                        "transfer_stake", index: 0,
                        fields: [
                            field("destination_coldkey", StandardTypes.accountID, "T::AccountId"),
                            field("alpha_amount", .u64, "u64"),
                        ])
                ]),
        ]
        let policy = Self.policy.replacing(
            "\"Balances.transfer_keep_alive\"",
            with: "\"TokenGateway.teleport\", \"SubtensorModule.transfer_stake\"")
        func cause(_ call: [UInt8]) throws -> PersonNeeded.Cause? {
            try Self.cause(SigningVault.payload(call, runtime: runtime), policy: policy, runtime: runtime)
        }
        func broken(_ violation: TransactionPolicy.Violation) -> PersonNeeded.Cause {
            .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(violation))])
        }
        #expect(
            try cause([60, 0] + SigningVault.alice + FixtureValue.integer(UInt128(5)))
                == broken(.destinationUnknown))
        // The gateway names its asset by a hash: no amount of it is the chain's own token.
        #expect(
            try cause([60, 0] + SigningVault.bob + FixtureValue.integer(UInt128(5))) == broken(.amountUnknown)
        )
        for amount in [0, 1, 1_000_000_000_000_000_000] as [UInt64] {
            #expect(
                try cause([61, 0] + SigningVault.bob + FixtureValue.integer(amount)) == broken(.amountUnknown)
            )
        }
    }

    /// A location leads to other chains, where the rule's accounts may be somebody else's.
    @Test func aLocationNeedsAPerson() throws {
        let account = FixtureVariant(
            "AccountId32", index: 1, fields: [FixtureField("id", .array(32, .u8), typeName: "[u8; 32]")])
        let index = FixtureVariant(
            "AccountIndex64", index: 2, fields: [FixtureField("index", .compact(.u64), typeName: "u64")])
        let parachain = FixtureVariant(
            "Parachain", index: 0, fields: [FixtureField(nil, .compact(.u32), typeName: "u32")])
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"], variants: [parachain, account, index])
        let junctions = FixtureType.variant(
            path: ["staging_xcm", "v4", "junctions", "Junctions"],
            variants: [
                FixtureVariant("Here", index: 0),
                FixtureVariant(
                    "X1", index: 1, fields: [FixtureField(nil, .array(1, junction), typeName: nil)]),
            ])
        let location = FixtureType.composite(
            path: ["staging_xcm", "v4", "location", "Location"],
            fields: [
                FixtureField("parents", .u8, typeName: "u8"),
                FixtureField("interior", junctions, typeName: "Junctions"),
            ])
        var runtime = SigningVault.runtime
        func field(_ type: FixtureType) -> FixtureField { FixtureField("target", type, typeName: nil) }
        runtime.pallets.append(
            FixturePallet(
                "Xcm", index: 60,
                calls: [
                    FixtureVariant("send", index: 0, fields: [field(location)]),
                    FixtureVariant("plain", index: 1, fields: [field(StandardTypes.accountID)]),
                ]))
        let policy = Self.policy.replacing(
            "\"Balances.transfer_keep_alive\"", with: "\"Xcm.send\", \"Xcm.plain\"")
        func rules(_ call: [UInt8]) throws -> [Int]? {
            try Self.rules(SigningVault.payload(call, runtime: runtime), policy: policy, runtime: runtime)
        }
        #expect(try rules([60, 1] + SigningVault.bob) == [1])
        // Here, a parachain, and an account of the list.
        for target in [[0, 0], [1, 1, 0] + FixtureValue.compact(2000), [0, 1, 1] + SigningVault.bob]
            as [[UInt8]]
        {
            #expect(try rules([60, 0] + target) == nil)
        }
        // A person's policy compares the accounts in locations too; an index names an account that only the
        // other chain knows.
        let listed = "{\"destinations\": [\"0x\(Hex.encode(SigningVault.bob))\"]}"
        func refusal(_ target: [UInt8]) throws -> ReviewError? {
            let data = try SigningVault.data(policy: listed, runtime: runtime)
            return try TransactionReview(data).review(
                try Payload(SigningVault.payload([60, 0] + target, runtime: runtime)))[0].refusal
        }
        #expect(try refusal([0, 1, 1] + SigningVault.bob) == nil)
        #expect(
            try refusal([0, 1, 1] + SigningVault.alice)
                == .policy(.destination(Self.address(SigningVault.alice))))
        #expect(try refusal([0, 1, 2] + FixtureValue.compact(7)) == .policy(.destinationUnknown))
    }

    @Test func anAddressThatIsNoKeyNeedsAPerson() throws {
        let index = SigningVault.runtime.call(
            "Balances", "transfer_keep_alive", [[1], FixtureValue.compact(1)])
        #expect(try Self.rules(SigningVault.payload(index)) == nil)
        let data = try SigningVault.data(
            policy: "{\"destinations\": [\"0x\(Hex.encode(SigningVault.bob))\"]}")
        let reviewed = try TransactionReview(data).review(try Payload(SigningVault.payload(index)))
        #expect(reviewed[0].refusal == .policy(.destinationUnknown))
    }

    @Test func messagesWarningsAndStrangersNeedAPerson() throws {
        #expect(try Self.rules(SigningVault.message("hello")) == nil)
        #expect(
            try Self.rules(SigningVault.payload(SigningVault.transfer(), signer: SigningVault.bob)) == nil)
        let data = try SigningVault.data(policy: Self.policy)
        var state = data.state
        let record = state.metadata[0]
        state.metadata.append(
            MetadataRecord(
                genesis: record.genesis, version: record.version + 1, hash: record.hash, length: record.length
            ))
        let newer = ChainData(state: state) { _ in SigningVault.runtime.metadata() }
        let reviewed = try TransactionReview(newer).review(
            try Payload(SigningVault.payload(SigningVault.transfer())))
        #expect(reviewed[0].cards.warning.count == 2)
        #expect(try newer.standingApproval(of: reviewed) == nil)
        #expect(try newer.standingApproval(of: []) == nil)
    }

    /// A second chain may take the name of one that the policy lists; a proof may bring any name.
    @Test func aListOfNetworksHoldsForNamesOfOneChainOnly() throws {
        let (runtime, blob) = (SigningVault.runtime, SigningVault.runtime.metadata())
        let proved = try runtime.provedPayload(signer: SigningVault.alice, call: SigningVault.transfer())
        let payloads = [SigningVault.payload(SigningVault.transfer()), SigningVault.message("hello"), proved]
        var twin = runtime.specs
        twin.genesisHash = .blake2b(of: [1])
        var additions = TransactionReview.Additions()
        additions.acceptsProvedNetwork = true
        func refusals(_ policy: String, _ payloads: [[UInt8]], _ change: (inout TrustState) -> Void) throws
            -> [ReviewError?]
        {
            var state = try SigningVault.data(policy: policy).state
            change(&state)
            let review = TransactionReview(ChainData(state: state) { _ in blob }, additions: additions)
            return try payloads.flatMap { try review.review(try Payload($0)).map(\.refusal) }
        }
        let listed = "{\"networks\": [\"heliotest\"], \"messages\": \"allow\"}"
        let refused = ReviewError.policy(.networkUncertain("heliotest"))
        #expect(try refusals(listed, payloads) { _ in } == [nil, nil, nil])
        #expect(try refusals(listed, payloads) { $0.networks.append(twin) } == [refused, refused, refused])
        #expect(
            try refusals("{\"messages\": \"allow\"}", payloads) { $0.networks.append(twin) } == [
                nil, nil, nil,
            ])
        // Another scheme of the same chain is the same chain.
        var scheme = runtime.specs
        scheme.scheme = .ed25519
        #expect(try refusals(listed, payloads) { $0.networks.append(scheme) } == [nil, nil, nil])
        let alone: (inout TrustState) -> Void = { state in
            state.networks = []
            state.metadata = []
        }
        let marked = ReviewError.policy(.networkUncertain("heliotest, unknown chain 0x95cf28ae...ff337b3b"))
        #expect(try refusals(listed, [proved], alone) == [marked])
        let other = "{\"networks\": [\"polkadot\"]}"
        #expect(
            try refusals(other, [proved], alone) == [
                .policy(.network("heliotest, unknown chain 0x95cf28ae...ff337b3b"))
            ])
        #expect(try refusals("{}", [proved], alone) == [nil])
    }

    @Test func aNameThatTwoChainsShareNeedsAPerson() throws {
        let policy = Self.policy.replacing(
            "\"maximum_tip\"", with: "\"messages\": {\"prefix\": \"h\"}, \"maximum_tip\"")
        var state = try SigningVault.data(policy: policy).state
        let blob = SigningVault.runtime.metadata()
        for payload in [SigningVault.payload(SigningVault.transfer()), SigningVault.message("hello")] {
            let one = ChainData(state: state) { _ in blob }
            #expect(
                try one.standingApproval(of: TransactionReview(one).review(Payload(payload)))?.rules == [1])
        }
        let specs = SigningVault.runtime.specs
        state.networks.append(
            NetworkSpecs(
                name: specs.name, title: specs.title, base58Prefix: specs.base58Prefix,
                decimals: specs.decimals, unit: specs.unit,
                genesisHash: Hash32(SigningVault.bob)!))
        for payload in [SigningVault.payload(SigningVault.transfer()), SigningVault.message("hello")] {
            let two = ChainData(state: state) { _ in blob }
            #expect(try two.standingApproval(of: TransactionReview(two).review(Payload(payload))) == nil)
        }
    }

    @Test func aRuleThatLeavesSomethingOpenIsNoRule() throws {
        for (key, place) in [
            ("networks", 1), ("calls", 2), ("destinations", 3), ("maximum_amount", 4), ("maximum_tip", 5),
        ] {
            let open = Self.whole.replacing("\"\(key)\"", with: "\"x\(place)\"")
            #expect(throws: (any Error).self) {
                try TransactionPolicy(json: Array("{\"approve\": [\(open)]}".inHLO.utf8))
            }
        }
        for (whole, open) in [
            ("Balances.transfer_keep_alive", "Balances.*"), ("\"networks\"", "\"approve\": [], \"networks\""),
            ("\"heliotest\"", ""),
        ] {
            let text = Self.policy.replacing(whole, with: open)
            #expect(throws: (any Error).self) { try TransactionPolicy(json: Array(text.inHLO.utf8)) }
        }
        let closed = #"{"networks": ["n"], "calls": ["A.b"], "destinations": [], "maximum_amount": "1"}"#
        #expect(throws: (any Error).self) {
            try TransactionPolicy(json: Array("{\"approve\": [\(closed)]}".inHLO.utf8))
        }
    }
}

@Suite struct StandingApprovalOfExtensionsLaws {
    static func rules(
        _ key: String? = nil, era: Era = SigningVault.mortal,
        _ change: (inout FixtureRuntime) -> Void = { _ in }
    ) throws
        -> [Int]?
    {
        var runtime = SigningVault.runtime
        change(&runtime)
        let rule = StandingApprovalLaws.whole.replacing(
            "\"maximum_tip\"", with: (key.map { $0 + ", " } ?? "") + "\"maximum_tip\"")
        return try StandingApprovalLaws.rules(
            SigningVault.payload(SigningVault.transfer(), era: era, runtime: runtime),
            policy: "{\"approve\": [\(rule)]}", runtime: runtime)
    }

    @Test func aFeeInAnAssetNeedsAPersonUnlessTheRuleNamesTheAsset() throws {
        func some(_ runtime: inout FixtureRuntime) {
            runtime.chargeAsset(FixtureValue.some([0xc0, 7, 0, 0]))
        }
        #expect(try Self.rules { $0.chargeAsset(FixtureValue.none) } == [1])
        #expect(try Self.rules(nil, some) == nil)
        #expect(try Self.rules(#""fee_asset": "native""#, some) == nil)
        #expect(try Self.rules(#""fee_asset": ["0xc1070000"]"#, some) == nil)
        #expect(try Self.rules(#""fee_asset": ["0xc0070000"]"#, some) == [1])
    }

    @Test func aTransactionThatNeverExpiresNeedsAPersonUnlessTheRuleAllowsIt() throws {
        #expect(try Self.rules(era: .immortal) == nil)
        #expect(try Self.rules(#""mortality": "any""#, era: .immortal) == [1])
        #expect(try Self.rules(#""mortality": {"maximum_period": 64}"#) == [1])
        #expect(try Self.rules(#""mortality": {"maximum_period": 32}"#) == nil)
    }

    @Test func anUnknownExtensionWithDataNeedsAPerson() throws {
        for (explicit, implicit) in [([UInt8(1)], [UInt8]()), ([], [2]), ([1], [2])] {
            #expect(
                try Self.rules { $0.addExtension("CheckFlag", explicit: explicit, implicit: implicit) } == nil
            )
            #expect(
                try Self.rules(#""extensions": {"CheckFlag": "0x09"}"#) {
                    $0.addExtension("CheckFlag", explicit: explicit, implicit: implicit)
                } == nil)
        }
        #expect(try Self.rules { $0.addExtension("CheckNothing") } == [1])
    }

    @Test func anotherSignerThanTheRuleNamesNeedsAPerson() throws {
        #expect(try Self.rules(#""signers": ["0x\#(Hex.encode(SigningVault.alice))"]"#) == [1])
        #expect(try Self.rules(#""signers": ["0x\#(Hex.encode(SigningVault.bob))"]"#) == nil)
        #expect(try Self.rules(#""signers": []"#) == nil)
    }
}

@Suite struct PolicyReviewLaws {
    static func refusal(
        policy: String, signer: [UInt8] = SigningVault.alice, runtime: FixtureRuntime = SigningVault.runtime
    ) throws
        -> ReviewError?
    {
        let data = try SigningVault.data(policy: policy, runtime: runtime)
        let payload = SigningVault.payload(SigningVault.transfer(), signer: signer, runtime: runtime)
        return try TransactionReview(data).review(try Payload(payload))[0].refusal
    }

    @Test func aTransactionOfAnotherSignerIsRefused() throws {
        let alice = Hex.encode(SigningVault.alice)
        let address = StandingApprovalLaws.address(SigningVault.alice)
        #expect(try Self.refusal(policy: "{\"signers\": [\"0x\(alice)\"]}") == nil)
        #expect(
            try Self.refusal(policy: "{\"signers\": [\"0x\(Hex.encode(SigningVault.bob))\"]}")
                == .policy(.signer(address)))
        #expect(try Self.refusal(policy: "{\"signers\": []}", signer: SigningVault.bob) == .unknownSigner)
    }

    @Test func theRulesForExtensionsHoldForAPersonToo() throws {
        var runtime = SigningVault.runtime
        runtime.chargeAsset(FixtureValue.some([1, 0, 0, 0]))
        runtime.addExtension("CheckFlag", explicit: [7])
        #expect(
            try Self.refusal(policy: #"{"fee_asset": "native"}"#, runtime: runtime)
                == .policy(.feeAsset([1, 0, 0, 0])))
        #expect(
            try Self.refusal(policy: #"{"extensions": "deny"}"#, runtime: runtime)
                == .policy(.unknownExtension("CheckFlag", [7])))
        #expect(
            try Self.refusal(policy: #"{"mortality": {"maximum_period": 32}}"#)
                == .policy(.period(64, maximum: 32)))
        #expect(try Self.refusal(policy: #"{"maximum_amount": "60"}"#, runtime: runtime) == nil)
    }
}

@Suite struct MessageReviewLaws {
    static func refusal(_ payload: [UInt8], policy: String) throws -> ReviewError? {
        try TransactionReview(SigningVault.data(policy: policy)).review(try Payload(payload))[0].refusal
    }

    @Test func aPolicyThatForbidsEveryCallRefusesMessages() throws {
        for bound in [true, false] {
            let message = SigningVault.message("hello", isBound: bound)
            #expect(try Self.refusal(message, policy: #"{"calls": []}"#) == .policy(.messageNotMentioned))
            #expect(
                try Self.refusal(message, policy: #"{"calls": [], "messages": "deny"}"#) == .policy(.message))
            #expect(try Self.refusal(message, policy: #"{"calls": [], "messages": "allow"}"#) == nil)
            #expect(try Self.refusal(message, policy: #"{"messages": {"prefix": "hel"}}"#) == nil)
            #expect(
                try Self.refusal(message, policy: #"{"messages": {"prefix": "<Bytes>"}}"#)
                    == .policy(.messagePrefix))
            #expect(try Self.refusal(message, policy: "{}") == nil)
            #expect(try Self.refusal(message, policy: StandingApprovalLaws.policy) == nil)
        }
    }

    @Test func networksAndSignersHoldForMessages() throws {
        let policy = #"{"networks": ["heliotest"], "messages": "allow"}"#
        #expect(try Self.refusal(SigningVault.message("hello"), policy: policy) == nil)
        #expect(
            try Self.refusal(SigningVault.message("hello", isBound: false), policy: policy)
                == .policy(.networkMissing))
        let signers = #"{"signers": ["0x\#(Hex.encode(SigningVault.bob))"], "messages": "allow"}"#
        #expect(
            try Self.refusal(SigningVault.message("hello"), policy: signers)
                == .policy(.signer(StandingApprovalLaws.address(SigningVault.alice))))
        let stranger = try Self.refusal(
            SigningVault.message("hello", signer: SigningVault.bob), policy: policy)
        #expect(stranger == .unknownSigner)
    }

    @Test func onlyARuleWithAPrefixApprovesAMessage() throws {
        func rules(_ payload: [UInt8], _ keys: String) throws -> [Int]? {
            let rule = StandingApprovalLaws.whole.replacing(
                "\"maximum_tip\"", with: keys + ", \"maximum_tip\"")
            return try StandingApprovalLaws.rules(payload, policy: "{\"approve\": [\(rule)]}")
        }
        let prefix = #""messages": {"prefix": "login "}"#
        let login = SigningVault.message("login 7")
        #expect(try rules(login, prefix) == [1])
        #expect(try rules(SigningVault.message("logout"), prefix) == nil)
        #expect(try rules(login, #""messages": "deny""#) == nil)
        #expect(try rules(SigningVault.message("login 7", isBound: false), prefix) == nil)
        #expect(try rules(SigningVault.message("login 7", signer: SigningVault.bob), prefix) == nil)
        #expect(try rules(login, prefix + #", "signers": []"#) == nil)
        #expect(
            try rules(SigningVault.bulk([login, SigningVault.payload(SigningVault.transfer())]), prefix) == [
                1, 1,
            ])
        let noCalls = prefix + "," + StandingApprovalLaws.whole.dropFirst().dropLast()
        let messagesOnly =
            "{\"approve\": [{\(noCalls.replacing("\"Balances.transfer_keep_alive\"", with: ""))}]}"
        #expect(try StandingApprovalLaws.rules(login, policy: messagesOnly) == [1])
        #expect(
            try StandingApprovalLaws.rules(
                SigningVault.payload(SigningVault.transfer()), policy: messagesOnly) == nil)
        #expect(throws: ReviewError.policyUnreadable) { try rules(login, #""messages": "allow""#) }
    }
}

@Suite struct UnmatchedEntryLaws {
    static func entries(_ policy: String, _ data: ChainData? = nil) throws -> [UnmatchedEntry] {
        let data = try data ?? SigningVault.data()
        return data.unmatchedEntries(of: try TransactionPolicy(json: Array(policy.inHLO.utf8)))
    }

    @Test func aCallThatNoHeldMetadataHasIsTold() throws {
        let calls =
            #"["Balances.transfer_keep_alive", "Balances.*", "Balances.transfr", "Balance.*", "balances.*"]"#
        let expected = ["Balances.transfr", "Balance.*", "balances.*"].map {
            UnmatchedEntry(place: "calls", entry: $0, reason: .unknownCall)
        }
        #expect(try Self.entries("{\"calls\": \(calls)}") == expected)
        #expect(try Self.entries("{\"calls\": \(calls), \"networks\": [\"heliotest\"]}") == expected)
        #expect(try Self.entries("{\"calls\": []}") == [])
        #expect(try Self.entries("{}") == [])
        #expect(try Self.entries(StandingApprovalLaws.policy) == [])
    }

    @Test func anAmountThatNoNetworkOfTheRuleCountsIsTold() throws {
        func told(_ text: String) throws -> [UnmatchedEntry.Reason] {
            try Self.entries("{\"maximum_amount\": \(text)}").map(\.reason)
        }
        #expect(try told("\"1 HLO\"") == [] && told("\"0.000000000001 HLO\"") == [])
        #expect(try told("\"1 DOT\"") == [.unknownUnit] && told("\"1 mHLO\"") == [.unknownUnit])
        #expect(try told("\"0.0000000000001 HLO\"") == [.tooFine])
        #expect(
            try Self.entries("{\"maximum_tip\": [\"1 HLO\", \"2 DOT\"]}") == [
                UnmatchedEntry(place: "maximum_tip", entry: "2 DOT", reason: .unknownUnit)
            ])
    }

    @Test func onlyTheNetworksOfTheRuleCount() throws {
        let rule = StandingApprovalLaws.whole.replacing("heliotest", with: "polkadot")
        let entries = try Self.entries("{\"approve\": [\(StandingApprovalLaws.whole), \(rule)]}")
        #expect(
            entries.filter { $0.reason != .unknownUnit } == [
                UnmatchedEntry(place: "approve[2].networks", entry: "polkadot", reason: .unknownNetwork),
                UnmatchedEntry(
                    place: "approve[2].calls", entry: "Balances.transfer_keep_alive", reason: .noMetadata),
            ])
        // No network of the second rule has the unit of its amounts.
        #expect(
            entries.filter { $0.reason == .unknownUnit }.map(\.place) == [
                "approve[2].maximum_amount", "approve[2].maximum_tip",
            ])
    }

    @Test func metadataOfAnyHeldVersionCounts() throws {
        let data = try SigningVault.data()
        var other = SigningVault.runtime
        other.renameCall("Balances", "transfer_keep_alive", to: "send")
        let blob = other.metadata()
        var state = data.state
        state.metadata.append(
            MetadataRecord(
                genesis: SigningVault.runtime.genesisHash, version: 1001, hash: .blake2b(of: blob),
                length: blob.count))
        let known = [state.metadata[0].hash: SigningVault.runtime.metadata(), state.metadata[1].hash: blob]
        let both = ChainData(state: state) { known[$0]! }
        #expect(
            try Self.entries(#"{"calls": ["Balances.transfer_keep_alive", "Balances.send"]}"#, both) == [])
        #expect(try Self.entries(#"{"calls": ["Balances.send"]}"#, data).count == 1)
        state.metadata = []
        let none = ChainData(state: state) { _ in [] }
        #expect(
            try Self.entries(#"{"calls": ["Balances.send"]}"#, none) == [
                UnmatchedEntry(place: "calls", entry: "Balances.send", reason: .noMetadata)
            ])
    }
}

@Suite struct LabelLaws {
    @Test func anAccountOfTheVaultHasItsLabelOnEveryCard() throws {
        let data = try SigningVault.data(labels: [
            (SigningVault.alice, "savings"), (SigningVault.bob, "rent"),
        ])
        let call = SigningVault.runtime.call(
            "Utility", "batch_all",
            [
                FixtureValue.vector([
                    SigningVault.transfer(), SigningVault.transfer(1, to: [UInt8](repeating: 9, count: 32)),
                ])
            ])
        let cards = try TransactionReview(data).review(try Payload(SigningVault.payload(call)))[0].cards
        func labels(_ cards: [Card], _ kind: Card.Kind) -> [Card.Fact?] {
            cards.filter { $0.kind == kind }.map { card in card.fields.first { $0.name == "label" }?.fact }
        }
        #expect(labels(cards.author, .author) == [.text("savings")])
        #expect(labels(cards.method, .account) == [.text("rent"), .absent])
    }
}
