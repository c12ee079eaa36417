import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// The fixture with every call that is warned of, and with the calls that carry calls.
struct WarnedRuntime {
    /// The warning of each call, written down here a second time: a name that is dropped from the table of
    /// the code must not pass.
    static let calls: [(warning: Warning, names: [String])] = [
        (.movesEverything, ["transfer_all", "contribute_all"]),
        (
            .changesRuntime,
            [
                "set_code", "set_code_without_checks", "authorize_upgrade",
                "authorize_upgrade_without_checks",
                "apply_authorized_upgrade", "enact_authorized_upgrade", "set_storage", "kill_storage",
                "kill_prefix",
                "set_current_head", "schedule_code_upgrade", "force_set_current_code",
                "force_set_current_head",
                "force_schedule_code_upgrade", "force_queue_action", "authorize_force_set_current_code_hash",
                "apply_authorized_force_set_current_code",
            ]
        ),
        (
            .replacesKeys,
            [
                "set_keys", "purge_keys", "set_key", "set_controller", "create_recovery", "initiate_recovery",
                "claim_recovery",
                "set_recovered", "vouch_recovery", "set_keys_from_ah", "purge_keys_from_ah", "remove_key",
                "set_friend_groups",
                "initiate_attempt", "approve_attempt", "finish_attempt",
            ]
        ),
        (
            .givesProxy,
            [
                "add_proxy", "add_authorized_alias", "approve_transfer", "approve_item_attributes",
                "set_claim_permission",
                "set_commission_claim_permission",
            ]
        ),
        (.givesOwnership, ["transfer_ownership", "set_team", "set_owner", "update_roles"]),
        (.redirectsRewards, ["set_payee", "update_payee"]),
        (
            .removesAccess,
            [
                "remove_proxy", "remove_proxies", "kill_pure", "kill_anonymous", "remove_authorized_alias",
                "remove_all_authorized_aliases",
                "remove_recovery", "cancel_recovered",
            ]
        ),
        (
            .superuser,
            [
                "sudo", "sudo_as", "sudo_unchecked_weight", "dispatch_as", "dispatch_as_fallible",
                "dispatch_as_fallback_account",
                "dispatch_whitelisted_call", "dispatch_whitelisted_call_with_preimage", "as_recovered",
                "control_inherited_account",
            ]
        ),
        (
            .runsProgram,
            [
                "instantiate", "instantiate_with_code", "instantiate_old_weight",
                "instantiate_with_code_old_weight", "call_old_weight",
                "eth_transact", "eth_call", "eth_instantiate_with_code", "eth_substrate_call",
            ]
        ),
    ]

    /// Names near those of the table.
    static let harmless = [
        "transfer", "transfer_al", "transfer_all_", "Sudo", "set_codes", "sudo_", "add_proxies", "set_keyss",
        "remark", "call", "send",
        "swap",
    ]

    static let names = calls.flatMap(\.names) + harmless

    /// What a call can stand in.
    enum Wrapper: String, CaseIterable {
        case bare, batch, batchAll, forceBatch, proxy, multisig, multisigOfBytes, sudo, dispatchAs, scheduled,
            scheduledNamed, preimage,
            derivative, twice

        /// The warning that the wrapper has of its own.
        var own: [Warning] {
            switch self {
            case .sudo, .dispatchAs: [.superuser]
            case .bare, .batch, .batchAll, .forceBatch, .proxy, .multisig, .multisigOfBytes, .scheduled,
                .scheduledNamed, .preimage,
                .derivative, .twice:
                []
            }
        }
    }

    let runtime: FixtureRuntime
    private let metadata: RuntimeMetadata

    init() throws {
        var runtime = FixtureRuntime.standard
        let call = FixtureField("call", .runtimeCall, typeName: "Box<<T as Config>::RuntimeCall>")
        let number = FixtureField("when", .u32, typeName: "BlockNumberFor<T>")
        let bounded = FixtureType.variant(
            path: ["frame_support", "traits", "preimages", "Bounded"],
            variants: [
                FixtureVariant(
                    "Legacy", index: 0, fields: [FixtureField("hash", .array(32, .u8), typeName: "H::Output")]
                ),
                FixtureVariant(
                    "Inline", index: 1, fields: [FixtureField(nil, .bytes, typeName: "BoundedInline")]),
                FixtureVariant(
                    "Lookup", index: 2,
                    fields: [
                        FixtureField("hash", .array(32, .u8), typeName: "H::Output"),
                        FixtureField("len", .u32, typeName: "u32"),
                    ]),
            ])
        runtime.pallets += [
            FixturePallet(
                "Named", index: 90,
                calls: Self.names.enumerated().map { FixtureVariant($1, index: UInt8($0)) }),
            FixturePallet(
                "Carrier", index: 91,
                calls: [
                    FixtureVariant("sudo", index: 0, fields: [call]),
                    FixtureVariant(
                        "dispatch_as", index: 1,
                        fields: [FixtureField("as_origin", .u8, typeName: "u8"), call]),
                    FixtureVariant("schedule", index: 2, fields: [number, call]),
                    FixtureVariant(
                        "schedule_named_after", index: 3,
                        fields: [FixtureField("after", .u32, typeName: "u32"), call]),
                    FixtureVariant(
                        "propose", index: 4,
                        fields: [FixtureField("proposal", bounded, typeName: "BoundedCallOf<T>")]),
                    FixtureVariant(
                        "as_derivative", index: 5,
                        fields: [FixtureField("index", .u16, typeName: "u16"), call]),
                    FixtureVariant(
                        "as_multi_opaque", index: 6,
                        fields: [FixtureField("call", .bytes, typeName: "OpaqueCall<T>")]),
                    FixtureVariant(
                        "approve_by_hash", index: 7,
                        fields: [FixtureField("call_hash", .array(32, .u8), typeName: "[u8; 32]")]),
                ]),
        ]
        self.runtime = runtime
        metadata = try RuntimeMetadata(runtime.metadata())
    }

    func call(_ name: String) -> [UInt8] { [90, UInt8(Self.names.firstIndex(of: name)!)] }

    func wrap(_ call: [UInt8], in wrapper: Wrapper) -> [UInt8] {
        let other = runtime.transfer()
        return switch wrapper {
        case .bare: call
        case .batch: runtime.call("Utility", "batch", [FixtureValue.vector([other, call])])
        case .batchAll: runtime.call("Utility", "batch_all", [FixtureValue.vector([call, other])])
        case .forceBatch: runtime.call("Utility", "force_batch", [FixtureValue.vector([other, other, call])])
        case .proxy:
            runtime.call("Proxy", "proxy", [FixtureValue.address(Account.bob), FixtureValue.none, call])
        case .multisig:
            runtime.call(
                "Multisig", "as_multi",
                [
                    FixtureValue.integer(UInt16(2)), FixtureValue.vector([Account.bob]), FixtureValue.none,
                    call,
                    FixtureValue.compact(1) + FixtureValue.compact(2),
                ])
        case .multisigOfBytes: [91, 6] + FixtureValue.bytes(call)
        case .sudo: [91, 0] + call
        case .dispatchAs: [91, 1, 7] + call
        case .scheduled: [91, 2] + FixtureValue.integer(UInt32(9)) + call
        case .scheduledNamed: [91, 3] + FixtureValue.integer(UInt32(9)) + call
        case .preimage: [91, 4, 1] + FixtureValue.bytes(call)
        case .derivative: [91, 5] + FixtureValue.integer(UInt16(1)) + call
        case .twice: wrap(wrap(wrap(call, in: .multisig), in: .proxy), in: .batch)
        }
    }

    func decode(_ call: [UInt8]) throws -> DecodedTransaction {
        try Extrinsics.decode(
            body: runtime.transactionBody(call: call), metadata: metadata, specs: runtime.specs)
    }

    /// The codes of the warning cards, and the warnings of the summary, which rules read: both or neither.
    func warnings(_ call: [UInt8]) throws -> Set<Warning> {
        let decoded = try decode(call)
        let codes = decoded.warnings.compactMap { $0.warning?.call }
        #expect(decoded.warnings.count == codes.count && Set(decoded.summary.warnings) == Set(codes))
        return Set(codes)
    }
}

@Suite struct WarningLaws {
    @Test(arguments: WarnedRuntime.Wrapper.allCases)
    func `every call of the table is warned of wherever it stands, and no other call is`(
        wrapper: WarnedRuntime.Wrapper
    ) throws {
        let runtime = try WarnedRuntime()
        for (warning, names) in WarnedRuntime.calls {
            for name in names {
                let found = try runtime.warnings(runtime.wrap(runtime.call(name), in: wrapper))
                #expect(found == Set([warning] + wrapper.own), "\(name)")
            }
        }
        for name in WarnedRuntime.harmless {
            #expect(
                try runtime.warnings(runtime.wrap(runtime.call(name), in: wrapper)) == Set(wrapper.own),
                "\(name)")
        }
    }

    /// Two calls, two warnings; the same twice is one.
    @Test func `each warning of a batch is told once`() throws {
        let runtime = try WarnedRuntime()
        let calls = ["set_code", "add_proxy", "set_storage", "transfer"].map(runtime.call)
        let batch = runtime.runtime.call("Utility", "batch", [FixtureValue.vector(calls)])
        #expect(try runtime.decode(batch).summary.warnings == [.changesRuntime, .givesProxy])
        #expect(try runtime.decode(batch).warnings.count == 2)
    }

    @Test(arguments: WarnedRuntime.Wrapper.allCases)
    func `a call that is only a hash is warned of wherever it stands`(wrapper: WarnedRuntime.Wrapper) throws {
        let runtime = try WarnedRuntime()
        let hash = BLAKE2b.hash(runtime.runtime.transfer())
        for hidden in [
            [91, 7] + hash, [91, 4, 0] + hash, [91, 4, 2] + hash + FixtureValue.integer(UInt32(5)),
            [91, 6] + FixtureValue.bytes([1]),
        ] {
            let call = runtime.wrap(hidden, in: wrapper)
            #expect(try runtime.warnings(call) == Set([.hiddenCall] + wrapper.own))
            #expect(try runtime.decode(call).summary.hiddenCalls.count == 1)
        }
    }

    /// The note stands beside the fields of a value and is about all of it, not about the last of them.
    @Test func `a note covers the whole value that it is about`() throws {
        let runtime = try WarnedRuntime()
        let hash = BLAKE2b.hash(runtime.runtime.transfer())
        let decoded = try runtime.decode([91, 4, 2] + hash + FixtureValue.integer(UInt32(5)))
        let note = try #require(decoded.method.first { $0.kind == .notice })
        // Behind the pallet and the call: the variant, the hash, the length.
        #expect(note.coverage == .interprets(2..<(3 + 32 + 4)))
    }

    /// Two warnings are not of a call: their tests are `ProofLaws` and `SignableLaws`.
    @Test func `every warning has its place`() {
        let ofCalls = WarnedRuntime.calls.map(\.warning) + [.hiddenCall]
        #expect(Set(ofCalls).union([.unknownExtension]) == Set(Warning.allCases))
    }
}

/// What a person's policy and a rule under `approve` do at their edges.
@Suite struct PolicyEdgeLaws {
    private static let runtime = FixtureRuntime.standard

    private static func batch(_ amounts: [UInt128]) -> [UInt8] {
        runtime.call("Utility", "batch", [FixtureValue.vector(amounts.map { runtime.transfer($0) })])
    }

    @Test func `the limit is allowed, and one more is not`() throws {
        for limit in [0, 1, 1000, UInt128.max - 1, .max] as [UInt128] {
            let policy = TransactionPolicy(maximumAmount: .hlo(limit))
            #expect(try PolicyLaws.violation(policy, Self.runtime.transfer(limit)) == nil)
            #expect(try PolicyLaws.violation(policy, Self.batch([limit, 0])) == nil)
            guard limit < .max else { continue }
            #expect(
                try PolicyLaws.violation(policy, Self.runtime.transfer(limit + 1))
                    == .amount(total: .hlo(limit + 1)))
            #expect(
                try PolicyLaws.violation(policy, Self.batch([limit, 1])) == .amount(total: .hlo(limit + 1)))
        }
        for limit in [0, 5, UInt128(UInt64.max)] as [UInt128] {
            let policy = TransactionPolicy(maximumTip: .hlo(limit))
            #expect(try PolicyLaws.violation(policy, values: FixtureExtensionValues(tip: limit)) == nil)
            #expect(
                try PolicyLaws.violation(policy, values: FixtureExtensionValues(tip: limit + 1))
                    == .tip(.hlo(limit + 1)))
        }
    }

    /// Amounts that pass 2^128 together must not come out small.
    @Test func `a sum that no number holds is the largest number`() throws {
        let policy = TransactionPolicy(maximumAmount: "1000")
        for amounts in [
            [.max, 1], [.max, 2], [1 << 127, 1 << 127], [1 << 127, 1 << 127, 5], [.max, .max, .max],
        ] as [[UInt128]] {
            #expect(try PolicyLaws.violation(policy, Self.batch(amounts)) == .amount(total: .hlo(.max)))
        }
        #expect(UInt128.max.addingSaturating(1) == .max && UInt128(2).addingSaturating(3) == 5)
    }

    /// What has a part of the smallest unit is between two amounts.
    @Test func `a limit below the smallest unit is compared exactly`() throws {
        func limit(_ text: String) -> TransactionPolicy.Limit { .init(TransactionPolicy.Amount(text: text)!) }
        let between = limit("0.0000000000025 HLO")
        let (two, three) = (Self.runtime.transfer(2), Self.runtime.transfer(3))
        #expect(try PolicyLaws.violation(TransactionPolicy(maximumAmount: between), two) == nil)
        #expect(
            try PolicyLaws.violation(TransactionPolicy(maximumAmount: between), three) == .amount(total: 3))
        #expect(
            try PolicyLaws.violation(TransactionPolicy(minimumAmount: between), two)
                == .amountTooSmall(total: 2))
        #expect(try PolicyLaws.violation(TransactionPolicy(minimumAmount: between), three) == nil)
    }

    /// Two chains of other decimals count their tokens in other units, and one of the same unit may be worth
    /// something else.
    @Test func `an amount in a unit that a limit does not name is refused, and zero is not`() throws {
        let dot = TransactionPolicy.Limit(TransactionPolicy.Amount(text: "1000000 DOT")!)
        let none = FixtureExtensionValues(tip: 0)
        for (policy, key) in [
            (TransactionPolicy(maximumAmount: dot), TransactionPolicy.Key.maximumAmount),
            (TransactionPolicy(minimumAmount: dot), .minimumAmount),
            (TransactionPolicy(totals: .init(perDay: dot)), .maximumPerDay),
            (TransactionPolicy(totals: .init(perWeek: dot)), .maximumPerWeek),
            (TransactionPolicy(totals: .init(perMonth: dot)), .maximumPerMonth),
        ] {
            let found = try PolicyLaws.violation(policy, Self.runtime.transfer(1))
            #expect(found == .amountUnit(key, unit: "HLO") && found?.rule == key)
            if key != .minimumAmount {
                #expect(try PolicyLaws.violation(policy, Self.runtime.transfer(0)) == nil)
            }
        }
        let tip = TransactionPolicy(maximumTip: dot)
        #expect(
            try PolicyLaws.violation(tip, values: FixtureExtensionValues(tip: 1))
                == .amountUnit(.maximumTip, unit: "HLO"))
        #expect(try PolicyLaws.violation(tip, values: none) == nil)
        let both = TransactionPolicy.Limit(dot.amounts + [TransactionPolicy.Amount(text: "1 HLO")!])!
        let policy = TransactionPolicy(maximumAmount: both)
        #expect(try PolicyLaws.violation(policy, Self.runtime.transfer(1_000_000_000_000)) == nil)
        #expect(
            try PolicyLaws.violation(policy, Self.runtime.transfer(1_000_000_000_001))
                == .amount(total: 1_000_000_000_001))
    }

    /// A call that nobody sees may do anything that a rule speaks of.
    @Test(arguments: WarnedRuntime.Wrapper.allCases)
    func `a hidden call breaks every rule about calls`(wrapper: WarnedRuntime.Wrapper) throws {
        let warned = try WarnedRuntime()
        let hash = Hash32.blake2b(of: Self.runtime.transfer())
        let decoded = try warned.decode(warned.wrap([91, 7] + hash.bytes, in: wrapper))
        func violation(_ policy: TransactionPolicy) -> TransactionPolicy.Violation? {
            policy.violation(of: decoded, on: .fixture(), signer: Account.alice)
        }
        let accounts = [TransactionPolicy.Account(Account.bob)]
        let calls: [TransactionPolicy.CallPattern] = [
            "Carrier.*", "Utility.*", "Proxy.*", "Multisig.*", "Balances.*", "Named.*",
        ]
        #expect(violation(TransactionPolicy(calls: calls)) == .call("0x\(hash.hex)"))
        #expect(violation(TransactionPolicy(destinations: accounts)) == .destinationUnknown)
        #expect(violation(TransactionPolicy(maximumAmount: .hlo(.max))) == .amountUnknown)
        let rest = TransactionPolicy(
            networks: ["heliotest"], signers: [.init(Account.alice)], maximumTip: "0",
            mortality: .any, extensions: .deny)
        #expect(violation(rest) == nil)
    }

    @Test func `an amount, a destination or a call counts wherever it stands`() throws {
        let warned = try WarnedRuntime()
        for wrapper in WarnedRuntime.Wrapper.allCases {
            let decoded = try warned.decode(warned.wrap(Self.runtime.transfer(7), in: wrapper))
            func violation(_ policy: TransactionPolicy) -> TransactionPolicy.Violation? {
                policy.violation(of: decoded, on: .fixture(), signer: Account.alice)
            }
            let own = decoded.summary.nativeTotal
            let (enough, less) = (
                violation(TransactionPolicy(maximumAmount: .hlo(own))),
                violation(TransactionPolicy(maximumAmount: .hlo(own - 1)))
            )
            switch wrapper {
            // The carrier has a number that nobody explains.
            case .dispatchAs, .scheduled, .scheduledNamed, .derivative:
                #expect(enough == .amountUnknown && less == .amountUnknown)
            case .bare, .batch, .batchAll, .forceBatch, .proxy, .multisig, .multisigOfBytes, .sudo, .preimage,
                .twice:
                #expect(own >= 7 && enough == nil && less == .amount(total: .hlo(own)), "\(wrapper)")
            }
            #expect(
                violation(TransactionPolicy(destinations: [.init(Account.alice)]))
                    == .destination(address(Account.bob)))
            let carriers = TransactionPolicy(calls: ["Carrier.*", "Utility.*", "Proxy.*", "Multisig.*"])
            #expect(violation(carriers) == .call("Balances.transfer_keep_alive"), "\(wrapper)")
        }
    }
}
