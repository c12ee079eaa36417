import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// What limits make of numbers, and destinations of bytes, in calls that are known and in calls that are not.
@Suite struct ArgumentMeaningLaws {
    static let limits: [TransactionPolicy.Key: TransactionPolicy] = [
        .maximumAmount: TransactionPolicy(maximumAmount: "1000"),
        .minimumAmount: TransactionPolicy(minimumAmount: "1"),
        .maximumPerDay: TransactionPolicy(totals: .init(perDay: "1000")),
        .assets: TransactionPolicy(assets: []),
    ]

    /// The fixture with one more call of one argument.
    static func runtime(
        _ type: FixtureType, typeName: String? = nil, pallet: String = "SubtensorModule",
        call: String = "transfer_stake",
        argument: String = "alpha_amount"
    ) -> FixtureRuntime {
        var runtime = FixtureRuntime.standard
        runtime.pallets.removeAll { $0.name == pallet }
        let field = FixtureField(argument, type, typeName: typeName)
        runtime.pallets.append(
            FixturePallet(pallet, index: 99, calls: [FixtureVariant(call, index: 0, fields: [field])]))
        return runtime
    }

    static func violation(
        _ policy: TransactionPolicy, _ bytes: [UInt8], _ runtime: FixtureRuntime
    ) throws -> TransactionPolicy.Violation? {
        let decoded = try runtime.decode(runtime.transactionBody(call: [99, 0] + bytes))
        return policy.violation(of: decoded, on: runtime.specs, signer: Account.alice)
    }

    static let wide = FixtureType.composite(
        path: ["primitive_types", "U256"], fields: [FixtureField(nil, .array(4, .u64), typeName: "[u64; 4]")])

    private static func bytes(_ count: Int) -> [UInt8] { [5] + [UInt8](repeating: 0, count: count - 1) }

    /// Integers of every width, and what holds them.
    static let integers: [(type: FixtureType, bytes: [UInt8])] = {
        let plain: [(FixtureType.Primitive, Int)] = [
            (.u8, 1), (.u16, 2), (.u32, 4), (.u64, 8), (.u128, 16), (.u256, 32), (.i8, 1), (.i16, 2),
            (.i32, 4), (.i64, 8), (.i128, 16),
            (.i256, 32),
        ]
        let compact: [FixtureType] = [.u8, .u16, .u32, .u64, .u128]
        let newtype = FixtureType.composite(
            path: ["any", "Alpha"], fields: [FixtureField(nil, .u64, typeName: "u64")])
        let chosen = FixtureType.variant(
            path: ["any", "Choice"],
            variants: [FixtureVariant("Some", index: 1, fields: [FixtureField(nil, .u32, typeName: "u32")])])
        return plain.map { (.primitive($0.0), bytes($0.1)) } + compact.map { (.compact($0), [20]) }
            + [
                (wide, bytes(32)), (.array(4, .u64), bytes(8) + bytes(8) + bytes(8) + bytes(8)),
                (.option(.u64), [1] + bytes(8)),
                (.sequence(.u64), [4] + bytes(8)), (.tuple([.u64]), bytes(8)), (newtype, bytes(8)),
                (chosen, [1] + bytes(4)),
            ]
    }()

    /// Integers beside others, or with a name of their own: parts.
    static let parts: [(type: FixtureType, bytes: [UInt8])] = {
        let (amount, times) = (
            FixtureField("amount", .u64, typeName: "u64"), FixtureField("times", .u32, typeName: "u32")
        )
        func order(_ fields: [FixtureField]) -> FixtureType {
            .composite(path: ["any", "Order"], fields: fields)
        }
        let chosen = FixtureType.variant(
            path: ["any", "Choice"], variants: [FixtureVariant("Of", index: 1, fields: [amount, times])])
        return [
            (order([amount]), bytes(8)), (order([amount, times]), bytes(8) + bytes(4)),
            (chosen, [1] + bytes(8) + bytes(4)),
            (
                order([FixtureField(nil, .u64, typeName: nil), FixtureField(nil, .u32, typeName: nil)]),
                bytes(8) + bytes(4)
            ),
            (.tuple([.bool, .u64]), [1] + bytes(8)),
            (.option(order([amount, times])), [1] + bytes(8) + bytes(4)),
            (.sequence(.tuple([.u64, .u32])), [4] + bytes(8) + bytes(4)),
        ]
    }()

    @Test func everyIntegerThatNothingExplainsMayBeAnAmount() throws {
        for (type, bytes) in Self.integers + Self.parts {
            let unknown = Self.runtime(type)
            #expect(
                try unknown.decode(unknown.transactionBody(call: [99, 0] + bytes)).summary.hasBareNumbers,
                "\(type)")
            for (key, policy) in Self.limits {
                let expected: TransactionPolicy.Violation =
                    key == .maximumAmount ? .amountUnknown : .amountUncounted(key)
                #expect(try Self.violation(policy, bytes, unknown) == expected, "\(type)")
            }
            #expect(try Self.violation(TransactionPolicy(maximumTip: "1"), bytes, unknown) == nil)
            // The same type, where the table says what it is; and where only its name is that of a row.
            let known = Self.runtime(type, pallet: "NominationPools", call: "join", argument: "pool_id")
            let isPart = Self.parts.contains { $0.type == type }
            #expect(
                try Self.violation(TransactionPolicy(maximumAmount: "0"), bytes, known)
                    == (isPart ? .amountUnknown : nil), "\(type)")
            for (pallet, call, argument) in [
                ("Pools", "join", "pool_id"), ("NominationPools", "jump", "pool_id"),
                ("NominationPools", "join", "pool"),
            ] {
                let other = Self.runtime(type, pallet: pallet, call: call, argument: argument)
                #expect(
                    try Self.violation(TransactionPolicy(maximumAmount: "1000"), bytes, other)
                        == .amountUnknown)
            }
        }
    }

    /// The schedule of orml says how much each time, and how many times: no number of it is what moves. That
    /// of polkadot-sdk says all of it.
    @Test func aScheduleIsExplainedPartByPart() throws {
        let (block, balance) = ("BlockNumber", "Balance")
        func schedule(_ fields: [FixtureField]) -> FixtureRuntime {
            Self.runtime(
                .composite(path: ["vesting", "Schedule"], fields: fields), pallet: "Vesting",
                call: "vested_transfer", argument: "schedule")
        }
        let orml = schedule([
            FixtureField("start", .u32, typeName: block), FixtureField("period", .u32, typeName: block),
            FixtureField("period_count", .u32, typeName: "u32"),
            FixtureField("per_period", .compact(.u128), typeName: balance),
        ])
        let often = Self.bytes(4) + Self.bytes(4) + FixtureValue.integer(UInt32(1_000_000)) + [20]
        let sdk = schedule([
            FixtureField("locked", .u128, typeName: balance),
            FixtureField("per_block", .u128, typeName: balance),
            FixtureField("starting_block", .u32, typeName: block),
        ])
        let once = Self.bytes(16) + Self.bytes(16) + Self.bytes(4)
        for (key, policy) in Self.limits {
            let unknown: TransactionPolicy.Violation =
                key == .maximumAmount ? .amountUnknown : .amountUncounted(key)
            #expect(try Self.violation(policy, often, orml) == unknown)
            if key == .maximumAmount { #expect(try Self.violation(policy, once, sdk) == nil) }
        }
        // What comes free with each block is a part of it, and no amount beside it.
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "5"), once, sdk) == nil)
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "4"), once, sdk) == .amount(total: 5))
        // Nothing is a part of less.
        let faster = Self.bytes(16) + FixtureValue.integer(UInt128(6)) + Self.bytes(4)
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "10"), faster, sdk) == .amount(total: 11))
        // Without an amount that it is a part of, it is what moves.
        let alone = schedule([
            FixtureField("per_block", .u128, typeName: balance),
            FixtureField("starting_block", .u32, typeName: block),
        ])
        #expect(
            try Self.violation(
                TransactionPolicy(maximumAmount: "4"), Self.bytes(16) + Self.bytes(4), alone)
                == .amount(total: 5))
    }

    /// A row with a dot is about a part alone: neither a whole argument of that name nor a part of a part.
    @Test func aRowOfAPartIsAboutThatPart() throws {
        func delay(_ fields: [FixtureField], argument: String = "change_rate") throws -> TransactionPolicy
            .Violation?
        {
            let runtime = Self.runtime(
                .composite(path: ["any", "Rate"], fields: fields), pallet: "NominationPools",
                call: "set_commission_change_rate",
                argument: argument)
            return try Self.violation(TransactionPolicy(maximumAmount: "0"), Self.bytes(4), runtime)
        }
        let part = FixtureField("min_delay", .u32, typeName: "u32")
        #expect(try delay([part]) == nil)
        #expect(try delay([FixtureField("max_delay", .u32, typeName: "u32")]) == .amountUnknown)
        #expect(try delay([part], argument: "rate") == .amountUnknown)
        let inner = FixtureType.composite(path: ["any", "Delay"], fields: [part])
        #expect(try delay([FixtureField("min_delay", inner, typeName: nil)]) == .amountUnknown)
        let whole = Self.runtime(
            .u32, pallet: "NominationPools", call: "set_commission_change_rate",
            argument: "change_rate.min_delay")
        #expect(
            try Self.violation(TransactionPolicy(maximumAmount: "0"), Self.bytes(4), whole) == .amountUnknown)
        #expect(
            ArgumentMeaning.of(
                pallet: "Vesting", call: "vested_transfer", argument: "schedule.starting_block") == nil)
    }

    /// A name of a type makes an amount of an unsigned integer of up to 128 bits only.
    @Test func anAmountByItsNameIsCountedOrUnknown() throws {
        for (type, bytes) in Self.integers {
            guard
                [.primitive(.u256), .primitive(.i256), .primitive(.i8), .primitive(.i128), Self.wide]
                    .contains(type)
            else { continue }
            #expect(
                try Self.violation(
                    TransactionPolicy(maximumAmount: "1000"), bytes,
                    Self.runtime(type, typeName: "BalanceOf<T>"))
                    == .amountUnknown)
        }
        let counted = Self.runtime(
            .u64, typeName: "BalanceOf<T>", pallet: "NominationPools", call: "join", argument: "amount")
        #expect(
            try Self.violation(
                TransactionPolicy(maximumAmount: "5"), FixtureValue.integer(UInt64(5)), counted) == nil)
        #expect(
            try Self.violation(
                TransactionPolicy(maximumAmount: "4"), FixtureValue.integer(UInt64(5)), counted)
                == .amount(total: 5))
    }

    @Test func whatHasNoIntegerIsNoAmount() throws {
        for (type, bytes) in [(.bool, [1]), (.bytes, [4, 7]), (.string, [4, 0x61]), (.unit, [])]
            as [(FixtureType, [UInt8])]
        {
            #expect(
                try Self.violation(TransactionPolicy(maximumAmount: "0"), bytes, Self.runtime(type)) == nil)
        }
        let permill = MeaningLaws.newtype("Permill", .u32)
        #expect(
            try Self.violation(TransactionPolicy(maximumAmount: "0"), [1, 0, 0, 0], Self.runtime(permill))
                == nil)
    }

    /// A thing has a worth that no number says, however it is named.
    @Test func aThingAmongAssetsIsNotCounted() throws {
        let fungibility = FixtureType.variant(
            path: ["staging_xcm", "v5", "asset", "Fungibility"],
            variants: [
                FixtureVariant(
                    "Fungible", index: 0, fields: [FixtureField(nil, .compact(.u128), typeName: "u128")]),
                FixtureVariant(
                    "NonFungible", index: 1,
                    fields: [FixtureField(nil, .array(4, .u8), typeName: "AssetInstance")]),
            ])
        let runtime = Self.runtime(fungibility, pallet: "Claims", call: "mint_claim", argument: "value")
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "5"), [0, 20], runtime) == nil)
        #expect(
            try Self.violation(TransactionPolicy(maximumAmount: "4"), [0, 20], runtime) == .amount(total: 5))
        #expect(
            try Self.violation(TransactionPolicy(maximumAmount: "5"), [1, 1, 2, 3, 4], runtime)
                == .amountUnknown)
    }

    // MARK: whose token

    /// Calls of real chains that move another asset than the chain's token, with the spelling that every
    /// pallet has for an amount: 5,000 of such an asset passed a limit as the chain's own token.
    static let ofOtherAssets: [(pallet: String, call: String, argument: String)] = [
        ("Portfolio", "move_portfolio_funds", "funds"), ("VaultRegistry", "register_vault", "collateral"),
        ("AssetRewards", "stake", "amount"), ("FellowshipCore", "set_params", "params"),
        ("ParachainStaking", "delegate", "amount"),
        ("NisCounterpartBalances", "transfer_keep_alive", "value"),
        ("OnDemand", "place_order_with_credits", "max_amount"),
        // The names of a row, one of them changed.
        ("Balance", "transfer_keep_alive", "value"), ("Balances", "transfer_keep_alives", "value"),
        ("Balances", "transfer_keep_alive", "amount"),
    ]

    @Test(arguments: ["Balance", "BalanceOf<T>", "T::Balance", "Compact<BalanceOf<T>>"])
    func `an amount is of the chain's own token only where a row says so`(typeName: String) throws {
        let five = FixtureValue.integer(UInt128(5))
        for (pallet, call, argument) in Self.ofOtherAssets {
            let runtime = Self.runtime(
                .u128, typeName: typeName, pallet: pallet, call: call, argument: argument)
            let decoded = try runtime.decode(runtime.transactionBody(call: [99, 0] + five))
            #expect(
                lines(decoded.method).suffix(2).map(\.trimmed)
                    == ["number 5", "notice in the smallest unit of an asset that is not known"],
                "\(pallet).\(call)")
            #expect(decoded.summary.nativeAmounts.isEmpty)
            #expect(
                decoded.summary.assetAmounts.map(\.key) == [nil]
                    && decoded.summary.assetAmounts.map(\.raw) == [5])
            #expect(try decoded.reencoded() == decoded.signingBytes)
            for (key, policy) in Self.limits {
                let expected: TransactionPolicy.Violation =
                    key == .maximumAmount ? .amountUnknown : .amountUncounted(key)
                #expect(try Self.violation(policy, five, runtime) == expected, "\(pallet).\(call)")
            }
        }
        let known = Self.runtime(
            .u128, typeName: typeName, pallet: "Staking", call: "bond_extra", argument: "max_additional")
        let decoded = try known.decode(known.transactionBody(call: [99, 0] + five))
        #expect(
            lines(decoded.method).last?.trimmed == "balance 5 pHLO" && decoded.summary.nativeAmounts == [5])
        #expect(try decoded.reencoded() == decoded.signingBytes)
    }

    /// The call of Assets in a proof that spells the type of its id otherwise.
    @Test func `an asset whose id has another type name is not the chain's own token`() throws {
        var runtime = FixtureRuntime.standard
        let fields = [
            FixtureField("id", .compact(.u32), typeName: "u32"),
            FixtureField("amount", .u128, typeName: "T::Balance"),
        ]
        runtime.pallets.removeAll { $0.name == "Assets" }
        runtime.pallets.append(
            FixturePallet("Assets", index: 99, calls: [FixtureVariant("transfer", index: 0, fields: fields)]))
        #expect(
            try Self.violation(
                TransactionPolicy(maximumAmount: "5"), [4] + FixtureValue.integer(UInt128(5)), runtime)
                == .amountUnknown)
    }

    // MARK: 256 bits

    static func ethereum(_ call: String = "call", argument: String = "value", decimals: UInt8 = 18)
        -> FixtureRuntime
    {
        var runtime = Self.runtime(wide, typeName: "U256", pallet: "EVM", call: call, argument: argument)
        runtime.specs.decimals = decimals
        return runtime
    }

    static func value(_ words: [UInt64]) -> [UInt8] { words.flatMap { FixtureValue.integer($0) } }

    @Test func anAmountInWeiHasTheUnitOfTheChainWhereThatIsAWei() throws {
        // 10^24: a million of the token.
        let million = Self.value([0x1bce_cced_a100_0000, 0xd3c2, 0, 0])
        for (runtime, expected) in [
            (Self.ethereum(), "balance 1.000000000000000000000000 MHLO"),
            (Self.ethereum("create2"), "balance 1.000000000000000000000000 MHLO"),
            // Ten decimals: the chain converts, and nothing here says how.
            (Self.ethereum(decimals: 10), "number 1000000000000000000000000"),
            (Self.ethereum(argument: "max_fee_per_gas"), "number 1000000000000000000000000"),
            (Self.ethereum("eth_call"), "number 1000000000000000000000000"),
        ] {
            let decoded = try runtime.decode(runtime.transactionBody(call: [99, 0] + million))
            let isAmount = expected.hasPrefix("balance")
            #expect(lines(decoded.method).last?.trimmed == expected)
            #expect(decoded.summary.nativeAmounts == (isAmount ? [1_000_000_000_000_000_000_000_000] : []))
            #expect(decoded.summary.hasBareNumbers == !isAmount)
            #expect(try decoded.reencoded() == decoded.signingBytes)
        }
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [1, 0, 0, 0], [.max, .max, 0, 0], [0, 0, 1, 0], [1, 2, 3, 4],
            [.max, .max, .max, .max],
        ] as [[UInt64]])
    func theCardOfAWideNumberDeterminesItsBytes(words: [UInt64]) throws {
        for decimals in [18, 10] as [UInt8] {
            let runtime = Self.ethereum(decimals: decimals)
            let metadata = try RuntimeMetadata(runtime.metadata(.v15))
            let decoded = try Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0] + Self.value(words)), metadata: metadata,
                specs: runtime.specs)
            let last = try #require(decoded.method.last)
            #expect(last.coverage == .states(2..<34, and: nil))
            // What no counter holds is not countable.
            #expect(decoded.summary.hasBareNumbers == (decimals == 10 || words[2] > 0 || words[3] > 0))
        }
    }

    /// The cards say the value of a program, and not what the program moves.
    @Test func aProgramIsNotCounted() throws {
        let (runtime, value) = (Self.ethereum(), Self.value([5, 0, 0, 0]))
        #expect(try Self.violation(TransactionPolicy(maximumAmount: "5"), value, runtime) == .amountUnknown)
        #expect(try Self.violation(TransactionPolicy(maximumTip: "5"), value, runtime) == nil)
    }
}

// MARK: real runtimes

/// The table and everyday calls, against published metadata.
@Suite struct KnownCallLaws {
    static let files = [
        "polkadot-1002005-v14", "polkadot-2000000-v15", "polkadot-2003000-v16",
        "asset-hub-polkadot-2000000-v15", "westend-9122-v14",
        "westend-9150-v14",
    ]

    static func metadata() throws -> [RuntimeMetadata] {
        try files.compactMap { try SharedData.read("metadata/\($0).scale").map { try RuntimeMetadata($0) } }
    }

    static func calls(_ metadata: RuntimeMetadata) throws -> [(
        pallet: String, call: Variant, type: TypeReference
    )] {
        try metadata.pallets.flatMap { pallet -> [(pallet: String, call: Variant, type: TypeReference)] in
            guard let type = pallet.calls, case .id(let id) = type else { return [] }
            return try metadata.registry.variants(of: id).map { (pallet.name, $0, type) }
        }
    }

    /// A row for a call that no known runtime has would be a guess about others.
    @Test func everyRowIsAnArgumentOfAKnownRuntime() throws {
        let known = try Self.metadata()
        guard !known.isEmpty else { return }
        var held: Set<String> = []
        for metadata in known {
            for (pallet, call, _) in try Self.calls(metadata) {
                for field in call.fields {
                    let argument = "\(pallet).\(call.name).\(field.name ?? "")"
                    held.insert(argument)
                    for part in try Self.parts(of: field.type, TypeView(metadata.registry)) {
                        held.insert("\(argument).\(part)")
                    }
                }
            }
        }
        // Those that were read in a pallet's source.
        let fromSource = Set(try AmountFact.all().filter { !$0.isFromMetadata }.map(\.place))
        let rows = ArgumentMeaning.all.filter { !$0.pallet.utf8Equals("EVM") }.map {
            "\($0.pallet).\($0.call).\($0.argument)"
        }
        .filter { !fromSource.contains($0) }
        #expect(rows.count > 400)
        #expect(rows.filter { !held.contains($0) }.sorted() == [])
    }

    /// The names of the parts of a type, without those of parts.
    static func parts(of type: TypeReference, _ types: TypeView, depth: Int = 0) throws -> Set<String> {
        func inner(_ fields: [Field]) throws -> Set<String> {
            if fields.count == 1, fields[0].name == nil {
                return try parts(of: fields[0].type, types, depth: depth + 1)
            }
            return Set(fields.compactMap(\.name))
        }
        guard depth < 4 else { return [] }
        switch try types.definition(type).shape {
        case .composite(let fields): return try inner(fields)
        case .enumeration:
            guard case .id(let id) = type else { return [] }
            return try types.registry.variants(of: id).reduce(into: []) { try $0.formUnion(inner($1.fields)) }
        case .sequence(let element), .array(_, let element):
            return try parts(of: element, types, depth: depth + 1)
        case .primitive, .compact, .bits, .tuple: return []
        }
    }

    /// Calls of every day that a limit and a list of destinations must let through, where their accounts and
    /// amounts do.
    static let everyday: [String: [String]] = [
        "Balances": ["transfer_allow_death", "transfer_keep_alive", "transfer", "burn"],
        "Staking": [
            "bond", "bond_extra", "unbond", "rebond", "withdraw_unbonded", "nominate", "chill", "set_payee",
            "payout_stakers",
            "payout_stakers_by_page", "validate", "kick",
        ],
        "NominationPools": [
            "bond_extra", "claim_payout", "unbond", "withdraw_unbonded", "pool_withdraw_unbonded",
            "nominate", "chill",
            "claim_commission", "set_metadata", "set_state", "set_claim_permission",
            "set_commission_claim_permission",
        ],
        "ConvictionVoting": ["vote", "delegate", "undelegate", "unlock", "remove_vote"],
        "Referenda": ["refund_decision_deposit", "refund_submission_deposit"],
        "Proxy": ["add_proxy", "remove_proxy", "create_pure", "kill_pure", "announce"],
        "Nfts": ["set_attribute", "clear_attribute"],
        "Multisig": ["cancel_as_multi", "approve_as_multi"],
        "Identity": ["set_identity", "set_subs", "add_sub", "clear_identity"],
        "Session": ["set_keys", "purge_keys"],
        "System": ["remark", "remark_with_event"], "Preimage": ["note_preimage", "unnote_preimage"],
        "Treasury": ["payout", "check_status"], "Bounties": ["propose_bounty", "claim_bounty"],
        "ChildBounties": ["claim_child_bounty"],
        "Vesting": ["vest", "vest_other", "vested_transfer", "merge_schedules"],
        "Crowdloan": ["withdraw"], "Indices": ["claim", "transfer", "free"],
        "Assets": [
            "transfer", "transfer_keep_alive", "transfer_approved", "approve_transfer", "cancel_approval",
            "mint", "burn",
        ],
        "ForeignAssets": ["transfer", "transfer_keep_alive"], "PoolAssets": ["transfer"],
        "Uniques": ["mint"],
    ]

    @Test func everydayCallsLoseNothing() throws {
        var seen: Set<String> = []
        for metadata in try Self.metadata() {
            let specs = NetworkSpecs(
                name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
                genesisHash: .blake2b(of: [1]), scheme: .sr25519)
            let types = TypeView(metadata.registry)
            for (pallet, call, _) in try Self.calls(metadata)
            where Self.everyday[pallet]?.contains(call.name) == true {
                let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
                let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
                let summary = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary
                #expect(!summary.hasBareNumbers && !summary.hasBareChoices, "\(pallet).\(call.name)")
                #expect(
                    summary.possibleRecipients.isEmpty && !summary.hasOtherAddresses, "\(pallet).\(call.name)"
                )
                seen.insert("\(pallet).\(call.name)")
            }
        }
        guard !seen.isEmpty else { return }
        #expect(
            Set(Self.everyday.flatMap { pallet, calls in calls.map { "\(pallet).\($0)" } }).subtracting(seen)
                == [])
    }

    /// Transfers to other chains, whose sample leads nowhere: a limit counts their amounts.
    @Test func transfersToOtherChainsAreCounted() throws {
        let names: Set<String> = [
            "transfer_assets", "limited_reserve_transfer_assets", "limited_teleport_assets",
            "reserve_transfer_assets", "teleport_assets",
        ]
        for file in ["polkadot-2003000-v16", "asset-hub-polkadot-2000000-v15"] {
            guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
            let metadata = try RuntimeMetadata(blob)
            let specs = NetworkSpecs(
                name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
                genesisHash: .blake2b(of: [1]), scheme: .sr25519)
            var seen: Set<String> = []
            for (pallet, call, _) in try Self.calls(metadata)
            where pallet.hasSuffix("Xcm") || pallet.utf8Equals("XcmPallet") {
                let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
                let types = TypeView(metadata.registry)
                guard names.contains(call.name) || call.name.utf8Equals("send") else { continue }
                let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
                let summary = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary
                if names.contains(call.name) {
                    seen.insert(call.name)
                    #expect(!summary.hasBareNumbers && summary.possibleRecipients.isEmpty, "\(call.name)")
                    #expect(
                        summary.assetAmounts.map(\.raw) == [1] && summary.hasOnlyCountableAmounts
                            && !summary.hasBareChoices,
                        "\(call.name)")
                }
                // A beneficiary that is no account.
                #expect(summary.hasOtherAddresses, "\(call.name)")
            }
            #expect(seen == names)
        }
    }

    /// No argument says what these are worth, or whom they pay.
    @Test func whatNoArgumentStatesIsNotCountable() throws {
        let worth = [
            "Nfts.transfer", "Nfts.burn", "Nfts.mint", "Nfts.set_price", "Uniques.transfer", "Uniques.burn",
            "Uniques.set_price",
            "Nfts.destroy", "Uniques.destroy", "Assets.refund", "ForeignAssets.refund", "PoolAssets.refund",
            "Bounties.award_bounty",
            "ChildBounties.award_child_bounty",
            "Referenda.place_decision_deposit", "Registrar.reserve", "Nfts.mint_pre_signed",
            "Nfts.create_swap", "Nfts.claim_swap", "Assets.start_destroy", "Assets.destroy_accounts",
            "Assets.finish_destroy", "ForeignAssets.start_destroy", "ForeignAssets.destroy_accounts",
            "ForeignAssets.finish_destroy", "PoolAssets.start_destroy", "PoolAssets.destroy_accounts",
            "PoolAssets.finish_destroy", "CollatorSelection.register_as_candidate", "Bounties.accept_curator",
            "ChildBounties.accept_curator", "Preimage.note_preimage",
        ]
        let payees = [
            "Nfts.buy_item", "Uniques.buy_item", "Crowdloan.contribute", "Crowdloan.contribute_all",
            "Nfts.mint", "Nfts.mint_pre_signed", "Nfts.create_swap", "Nfts.claim_swap", "Nfts.set_price",
            "Uniques.set_price", "Identity.request_judgement", "NominationPools.join",
            "OnDemand.place_order_allow_death", "OnDemand.place_order_keep_alive",
            "OnDemand.place_order_with_credits", "Auctions.bid",
        ]
        // A limit counts what these say, and only a list of destinations refuses them.
        let counted = ["NominationPools.join", "OnDemand.place_order_keep_alive", "Auctions.bid"]
        var seen: Set<String> = []
        for metadata in try Self.metadata() {
            let types = TypeView(metadata.registry)
            let specs = NetworkSpecs(
                name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
                genesisHash: .blake2b(of: [1]),
                scheme: .sr25519)
            for (pallet, call, _) in try Self.calls(metadata)
            where (worth + payees).contains("\(pallet).\(call.name)") {
                let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
                let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
                let summary = try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary
                let name = "\(pallet).\(call.name)"
                seen.insert(name)
                if worth.contains(name) { #expect(!summary.hasOnlyCountableAmounts, "\(name)") }
                if payees.contains(name) { #expect(summary.hasOtherAddresses, "\(name)") }
                if counted.contains(name) { #expect(summary.hasOnlyCountableAmounts, "\(name)") }
            }
        }
        #expect(seen.isEmpty || seen == Set(worth + payees), "\(Set(worth + payees).subtracting(seen))")
    }

    /// Numbers of these would decide how much is moved, and their types do not say it.
    @Test func whatNoRowExplainsStaysOpen() throws {
        guard let blob = try SharedData.read("metadata/asset-hub-polkadot-2000000-v15.scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let types = TypeView(metadata.registry)
        let specs = NetworkSpecs(
            name: "known", title: "known", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]), scheme: .sr25519)
        for (pallet, call, _) in try Self.calls(metadata)
        where pallet.utf8Equals("Nfts")
            && ["pay_tips", "claim_swap", "create_swap", "mint_pre_signed"].contains(call.name)
        {
            let index = try #require(metadata.pallets.first { $0.name.utf8Equals(pallet) }?.index)
            let bytes = try [index, call.index] + call.fields.flatMap { try types.sample($0.type) }
            #expect(
                try Extrinsics.decodeCall(bytes, metadata: metadata, specs: specs).summary.hasBareNumbers,
                "\(call.name)")
        }
    }
}

extension String {
    /// Without spaces in front.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
