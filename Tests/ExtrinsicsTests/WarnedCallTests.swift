import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// Which calls of real runtimes are warned of: what their names promise is decided call by call.
@Suite struct WarnedCallTests {
    @Test func `a name that many pallets use is warned of in its own pallet only`() {
        for pallet in ["XcmPallet", "PolkadotXcm"] {
            for call in ["execute", "send"] {
                #expect(Warning.of(pallet: pallet, call: call) == .runsProgram)
            }
        }
        for (pallet, call) in [
            ("Contracts", "call"), ("Revive", "call"), ("EVM", "call"), ("EVM", "create"), ("EVM", "create2"),
            ("Ethereum", "transact"),
        ] {
            #expect(Warning.of(pallet: pallet, call: call) == .runsProgram)
        }
        #expect(Warning.of(pallet: "Registrar", call: "swap") == .givesOwnership)
        #expect(Warning.of(pallet: "Registrar", call: "deregister") == .changesRuntime)
        #expect(Warning.of(pallet: "Staking", call: "bond") == .redirectsRewards)
        #expect(Warning.of(pallet: "NominationPools", call: "set_commission") == .redirectsRewards)
        for call in [
            "call", "execute", "send", "swap", "deregister", "bond", "set_commission", "create", "create2",
            "transact",
        ] {
            #expect(Warning.of(pallet: "Named", call: call) == nil)
        }
        for pallet in ["Assets", "ForeignAssets", "Uniques", "Nfts"] {
            #expect(Warning.of(pallet: pallet, call: "approve_transfer") == .givesProxy)
        }
    }

    @Test func `only a call of the table, in its own pallet, moves nothing, and none of them is warned of`() {
        func name(_ pallet: String, _ call: String) -> ShownCalls.Name {
            .init(pallet: ExactText(pallet), call: ExactText(call))
        }
        for (pallet, call) in [
            ("System", "remark"), ("System", "remark_with_event"), ("Staking", "chill"),
            ("Staking", "nominate"), ("Utility", "batch"), ("Utility", "batch_all"),
            ("Utility", "force_batch"),
        ] {
            #expect(name(pallet, call).movesNothing && Warning.of(pallet: pallet, call: call) == nil)
            #expect(!name("Named", call).movesNothing && !name(pallet, call + "s").movesNothing)
        }
        // Each moves or locks something, though no argument of it is an amount.
        for (pallet, call) in [
            ("Balances", "transfer_all"), ("Staking", "withdraw_unbonded"), ("Nfts", "transfer"),
            ("Proxy", "add_proxy"), ("Utility", "as_derivative"), ("System", "set_code"),
        ] {
            #expect(!name(pallet, call).movesNothing)
        }
    }

    /// Calls of runtimes whose metadata are not at hand: one account is all that they say.
    @Test func `what hands over all, a thing or rewards by one account is warned of`() throws {
        let calls: [(pallet: String, call: String, warning: Warning?)] = [
            ("SubtensorModule", "swap_coldkey", .movesEverything),
            ("SubtensorModule", "schedule_swap_coldkey", .movesEverything),
            ("SubtensorModule", "announce_coldkey_swap", .movesEverything),
            ("SubtensorModule", "swap_coldkey_announced", .movesEverything),
            ("DappStaking", "set_dapp_owner", .givesOwnership),
            ("DappStaking", "set_dapp_reward_beneficiary", .redirectsRewards),
            ("CrowdloanRewards", "update_reward_address", .redirectsRewards),
            ("SubtensorModule", "register_network", nil),
            ("SubtensorModule", "register_network_with_identity", nil),
            ("Named", "register_network", nil),
            ("SubtensorModule", "swap_hotkey", .replacesKeys),
            ("SubtensorModule", "swap_hotkey_v2", .replacesKeys),
            ("Funding", "bind_redeem_address", .givesOwnership),
            ("Funding", "bind_executor_address", .givesOwnership),
            ("MultiTokens", "approve_collection", .givesProxy), ("MultiTokens", "approve_token", .givesProxy),
            ("Unique", "set_allowance_for_all", .givesProxy), ("Unique", "approve", .givesProxy),
            ("Unique", "approve_from", .givesProxy), ("Unique", "change_collection_owner", .givesOwnership),
            ("Unique", "add_collection_admin", .givesOwnership),
            ("Gear", "send_message", .runsProgram), ("Gear", "send_reply", .runsProgram),
            ("Gear", "create_program", .runsProgram), ("Gear", "upload_program", .runsProgram),
            ("GearVoucher", "call", .runsProgram), ("GearVoucher", "call_deprecated", .runsProgram),
            ("EVM", "eth_call_v2", .runsProgram), ("EVM", "strict_call", .runsProgram),
            ("EVM", "create_nft_contract", .runsProgram), ("EVM", "create_predeploy_contract", .runsProgram),
            ("EVM", "transfer_maintainer", .givesOwnership), ("Evm", "call", .runsProgram),
            ("Evm", "create", .runsProgram), ("Evm", "create2", .runsProgram),
            ("MultiSig", "make_multisig_primary", .replacesKeys),
            ("MultiSig", "make_multisig_secondary", .givesProxy),
            ("Identity", "add_secondary_keys_with_authorization", .givesProxy),
            ("Identity", "set_secondary_key_permissions", .givesProxy),
            ("Named", "approve_collection", nil), ("Named", "send_message", nil), ("Named", "approve", nil),
            ("Named", "swap_hotkey", nil), ("Named", "bind_redeem_address", nil),
        ]
        for (pallet, call, warning) in calls {
            var runtime = FixtureRuntime.standard
            let field = FixtureField("who", .array(32, .u8), typeName: "T::AccountId")
            runtime.pallets.append(
                FixturePallet(
                    pallet, index: 92, calls: [FixtureVariant(call, index: 0, fields: [field])]))
            let summary = try Extrinsics.decode(
                body: runtime.transactionBody(call: [92, 0] + [UInt8](repeating: 7, count: 32)),
                metadata: try RuntimeMetadata(runtime.metadata()), specs: runtime.specs
            ).summary
            #expect(summary.warnings == [warning].compactMap { $0 }, "\(call)")
            let isCountable =
                warning != .runsProgram && warning != .movesEverything
                && !call.utf8Starts(with: "register_network") || pallet.utf8Equals("Named")
            #expect(summary.hasOnlyCountableAmounts == isCountable, "\(pallet).\(call)")
        }
    }

    /// Polymesh: whoever accepts the authorization has the identity, or a part of it.
    @Test func `an authorization of an identity gives its key or a part of its rights`() throws {
        var runtime = FixtureRuntime.standard
        let names = ["RotatePrimaryKey", "RotatePrimaryKeyToSecondary", "JoinIdentity", "BecomeAgent"]
        let data = FixtureType.variant(
            path: ["polymesh_primitives", "authorization", "AuthorizationData"],
            variants: names.enumerated().map { FixtureVariant($1, index: UInt8($0)) })
        let target = FixtureField("target", .array(32, .u8), typeName: "Signatory<T::AccountId>")
        runtime.pallets.removeAll { $0.name == "Identity" }
        runtime.pallets.append(
            FixturePallet(
                "Identity", index: 92,
                calls: [
                    FixtureVariant(
                        "add_authorization", index: 0,
                        fields: [target, FixtureField("data", data, typeName: "AuthorizationData")])
                ]))
        for (index, name) in names.enumerated() {
            let call = [92, 0] + [UInt8](repeating: 7, count: 32) + [UInt8(index)]
            let summary = try runtime.decode(runtime.transactionBody(call: call)).summary
            #expect(summary.warnings == [name.hasPrefix("Rotate") ? .replacesKeys : .givesProxy], "\(name)")
        }
    }

    /// Whether a payee is warned of, by its variant.
    @Test func `a payee is warned of where it is an account`() throws {
        var runtime = FixtureRuntime.standard
        let names = ["Staked", "Stash", "Controller", "Account", "None", "Other"]
        let payee = FixtureType.variant(
            path: ["pallet_staking", "RewardDestination"],
            variants: names.enumerated().map { index, name in
                FixtureVariant(
                    name, index: UInt8(index),
                    fields: name == "Account"
                        ? [FixtureField(nil, .array(32, .u8), typeName: "AccountId")] : [])
            })
        let fields = [FixtureField("payee", payee, typeName: "RewardDestination")]
        let calls = [
            FixtureVariant("set_payee", index: 0, fields: fields),
            FixtureVariant("bond", index: 1, fields: fields),
        ]
        runtime.pallets += [
            FixturePallet("Staking", index: 92, calls: calls),
            FixturePallet(
                "NominationPools", index: 93,
                calls: [
                    FixtureVariant(
                        "set_commission", index: 0,
                        fields: [
                            FixtureField("new_commission", payee, typeName: "Option<(Perbill, AccountId)>")
                        ])
                ]),
        ]
        let metadata = try RuntimeMetadata(runtime.metadata())
        for (pallet, number, index, name) in names.enumerated().flatMap({
            [(92, 0, $0, $1), (92, 1, $0, $1), (93, 0, $0, $1)]
        }) {
            let call =
                [UInt8(pallet), UInt8(number), UInt8(index)]
                + (name == "Account" ? [UInt8](repeating: 7, count: 32) : [])
            for call in [
                call, runtime.call("Utility", "batch", [FixtureValue.vector([runtime.transfer(), call])]),
            ] {
                let decoded = try Extrinsics.decode(
                    body: runtime.transactionBody(call: call), metadata: metadata, specs: runtime.specs)
                #expect(
                    decoded.summary.warnings
                        == (["Account", "Other"].contains(name) ? [.redirectsRewards] : []), "\(name)")
            }
        }
    }

    /// Parts of names that often hand something over.
    private static let verbs = [
        "set_", "sudo", "kill_", "remove_", "approve_", "as_", "claim_", "swap", "send", "execute",
        "deregister", "add_", "authorize",
        "apply_", "dispatch", "update_", "purge_", "transfer_all", "initiate_", "schedule_code",
        "force_set_current", "instantiate", "call",
        "bond",
    ]

    /// Of the names above, those that are warned of in Polkadot 2003000.
    private static let warned: Set<String> = [
        "Balances.transfer_all", "NominationPools.set_claim_permission",
        "NominationPools.set_commission_claim_permission",
        "NominationPools.set_commission", "NominationPools.update_roles",
        "Paras.apply_authorized_force_set_current_code",
        "Paras.authorize_force_set_current_code_hash",
        "Paras.force_set_current_code", "Paras.force_set_current_head", "Proxy.add_proxy", "Proxy.kill_pure",
        "Proxy.remove_proxies",
        "Proxy.remove_proxy", "Registrar.deregister", "Registrar.schedule_code_upgrade",
        "Registrar.set_current_head", "Registrar.swap",
        "Session.purge_keys", "Session.set_keys", "Staking.set_controller", "Staking.set_payee",
        "Staking.update_payee",
        "StakingAhClient.purge_keys_from_ah", "StakingAhClient.set_keys_from_ah",
        "System.apply_authorized_upgrade",
        "System.authorize_upgrade", "System.authorize_upgrade_without_checks", "System.kill_prefix",
        "System.kill_storage",
        "System.set_code", "System.set_code_without_checks", "System.set_storage", "Utility.dispatch_as",
        "Utility.dispatch_as_fallible",
        "Whitelist.dispatch_whitelisted_call", "Whitelist.dispatch_whitelisted_call_with_preimage",
        "XcmPallet.add_authorized_alias",
        "XcmPallet.execute", "XcmPallet.remove_all_authorized_aliases", "XcmPallet.remove_authorized_alias",
        "XcmPallet.send",
        "Staking.bond",
    ]

    /// Those that are not: they need another origin than a person's account, act on what the sender alone
    /// has, or take nothing away.
    private static let unwarned: Set<String> = [
        "Balances.transfer_allow_death", "Beefy.set_new_genesis", "Bounties.approve_bounty",
        "Bounties.approve_bounty_with_curator",
        "Bounties.claim_bounty", "ChildBounties.add_child_bounty", "ChildBounties.claim_child_bounty",
        "Claims.claim_attest",
        "ConvictionVoting.remove_other_vote", "ConvictionVoting.remove_vote", "Crowdloan.add_memo",
        "ElectionProviderMultiPhase.set_emergency_election_result",
        "ElectionProviderMultiPhase.set_minimum_untrusted_score",
        "FastUnstake.deregister", "MessageQueue.execute_overweight", "Multisig.approve_as_multi",
        "Multisig.as_multi",
        "Multisig.as_multi_threshold_1", "NominationPools.apply_slash", "NominationPools.bond_extra",
        "NominationPools.bond_extra_other",
        "Staking.bond_extra", "NominationPools.claim_commission",
        "NominationPools.claim_payout", "NominationPools.claim_payout_other",
        "NominationPools.set_commission_change_rate", "NominationPools.set_commission_max",
        "NominationPools.set_configs",
        "NominationPools.set_metadata", "NominationPools.set_state", "Parameters.set_parameter",
        "Paras.add_trusted_validation_code",
        "Paras.remove_upgrade_cooldown", "Proxy.remove_announcement", "Referenda.set_metadata",
        "Registrar.add_lock",
        "Registrar.remove_lock", "Scheduler.set_retry", "Scheduler.set_retry_named",
        "Staking.set_invulnerables",
        "Staking.set_min_commission", "Staking.set_staking_configs", "Staking.set_validator_count",
        "StakingAhClient.set_mode",
        "StateTrieMigration.set_signed_max_limits", "System.set_heap_pages", "Treasury.remove_approval",
        "Utility.as_derivative",
        "Whitelist.remove_whitelisted_call", "XcmPallet.claim_assets",
    ]

    @Test func `every such call of Polkadot is decided`() throws {
        guard let blob = try SharedData.read("metadata/polkadot-2003000-v16.scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        var (warned, unwarned): (Set<String>, Set<String>) = ([], [])
        for (pallet, call) in try Self.calls(of: metadata)
        where Self.verbs.contains(where: { call.hasPrefix($0) }) {
            // Settings that only the root origin changes.
            if pallet.utf8Equals("Configuration") { continue }
            if Warning.of(pallet: pallet, call: call) == nil {
                unwarned.insert("\(pallet).\(call)")
            } else {
                warned.insert("\(pallet).\(call)")
            }
        }
        #expect(warned == Self.warned, "\(warned.symmetricDifference(Self.warned).sorted())")
        #expect(unwarned == Self.unwarned, "\(unwarned.symmetricDifference(Self.unwarned).sorted())")
    }

    // MARK: words that say all

    /// What the docs of a call say with a word of ``SweepingCall/words``, and what was decided about it.
    struct SweepingCall: Hashable {
        let call: String
        let word: String

        /// Words of a call that takes more than it says, or gives a right to another.
        static let words: Set<String> = [
            "all", "whole", "everything", "entire", "entirely", "any", "anything", "every", "hook", "hooks",
            "behalf", "delegate",
            "delegates", "permission", "permissions", "authorize", "authorise",
        ]

        /// Those that the name of a call or a text has. A name in a text, such as `transfer_all`, is one
        /// word.
        static func words(name: String, docs: String) -> Set<String> {
            let pieces = name.utf8.split(separator: UInt8(ascii: "_")).map {
                String(decoding: $0, as: UTF8.self)
            }
            func isPart(_ byte: UInt8) -> Bool {
                switch byte | 0x20 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_") | 0x20: true
                default: false
                }
            }
            let spelled = docs.utf8.split { !isPart($0) }.map {
                String(decoding: $0, as: UTF8.self).lowercased()
            }
            return Set(pieces + spelled).intersection(words)
        }
    }

    /// Why a call with such a word is not warned of.
    private static let harmless: Set<String> = [
        "other-origin", "upkeep", "amount", "own", "taken-back", "calls", "data", "one-item", "deposit",
        "asset-owner", "program",
    ]

    private static func facts() throws -> [(call: SweepingCall, phrase: String, decided: String)] {
        let text = String(decoding: try Checkout.read("fixtures/calls/sweeping.tsv"), as: UTF8.self)
        return try text.split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            try #require(parts.count == 5, "\(line)")
            return (SweepingCall(call: "\(parts[0]).\(parts[1])", word: parts[2]), parts[3], parts[4])
        }
    }

    @Test func `each sweeping word of a known call is decided`() throws {
        let facts = try Self.facts()
        #expect(facts.count > 300 && Set(facts.map(\.call)).count == facts.count)
        for (call, phrase, decided) in facts {
            let (pallet, name) = try #require(Self.parts(call.call))
            #expect(SweepingCall.words(name: name, docs: phrase).contains(call.word), "\(call)")
            // What was decided is what the table of warnings says.
            let warning = Warning.of(pallet: pallet, call: name)
            #expect(warning?.rawValue ?? decided == decided, "\(call)")
            #expect(warning != nil || Self.harmless.contains(decided), "\(call)")
        }
        // One call has one class.
        #expect(
            Dictionary(grouping: facts, by: \.call.call).allSatisfy {
                Set($0.value.map(\.decided)).count == 1
            })
        #expect(Self.decision("Crowdloan.contribute_all", facts) == "moves-everything")
        #expect(Self.decision("ForeignAssets.transfer_all", facts) == "moves-everything")
        #expect(Self.decision("PolkadotXcm.transfer_assets_using_type_and_then", facts) == "program")
    }

    private static func decision(
        _ call: String, _ facts: [(call: SweepingCall, phrase: String, decided: String)]
    ) -> String? {
        facts.first { $0.call.call.utf8Equals(call) }?.decided
    }

    private static func parts(_ call: String) -> (pallet: String, name: String)? {
        let parts = call.split(separator: ".").map { String($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// New metadata whose docs say such a word of a call that nobody looked at fails here.
    @Test(arguments: KnownCallLaws.files)
    func `no call of a known runtime says a sweeping word unseen`(file: String) throws {
        guard let blob = try SharedData.read("metadata/\(file).scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        let facts = try Self.facts()
        let decided = Set(facts.map(\.call))
        var unseen: [String] = []
        for (pallet, call, _) in try KnownCallLaws.calls(metadata) {
            for word in SweepingCall.words(name: call.name, docs: call.docs).sorted()
            where !decided.contains(SweepingCall(call: "\(pallet).\(call.name)", word: word)) {
                unseen.append("\(pallet).\(call.name): \(word)")
            }
            // A program is warned of by its type.
            let hasProgram = try call.fields.contains {
                ["VersionedXcm", "Xcm"].contains(try TypeView(metadata.registry).definition($0.type).ident)
            }
            let isDecided = Self.decision("\(pallet).\(call.name)", facts)?.utf8Equals("program") == true
            #expect(!isDecided || hasProgram, "\(pallet).\(call.name)")
        }
        #expect(unseen == [])
    }

    @Test func `contributing everything is warned of at any depth`() throws {
        var runtime = FixtureRuntime.standard
        let index = FixtureField("index", .compact(.u32), typeName: "ParaId")
        runtime.pallets.append(
            FixturePallet(
                "Crowdloan", index: 92,
                calls: [
                    FixtureVariant("contribute_all", index: 8, fields: [index]),
                    FixtureVariant(
                        "contribute", index: 1,
                        fields: [index, FixtureField("value", .compact(.u128), typeName: "BalanceOf<T>")]),
                ]))
        let limit = TransactionPolicy(maximumAmount: "100")
        func result(_ call: [UInt8]) throws -> ([Warning], TransactionPolicy.Violation?) {
            let decoded = try runtime.decode(runtime.transactionBody(call: call))
            return (
                decoded.summary.warnings,
                limit.violation(of: decoded, on: runtime.specs, signer: Account.alice)
            )
        }
        func batch(_ call: [UInt8]) -> [UInt8] {
            runtime.call("Utility", "batch", [FixtureValue.vector([runtime.transfer(1), call])])
        }
        let (all, some): ([UInt8], [UInt8]) = ([92, 8, 20], [92, 1, 20] + FixtureValue.compact(99))
        for call in [all, batch(all)] {
            #expect(try result(call) == ([.movesEverything], .amountUnknown))
        }
        for call in [some, batch(some)] { #expect(try result(call) == ([], nil)) }
    }

    // MARK: what no argument states

    /// A price of a mint is paid to the owner of the collection, and an item that is offered goes to whoever
    /// comes: no list of destinations names them, and no limit knows what the item is worth.
    @Test(arguments: [
        "Nfts.mint", "Nfts.mint_pre_signed", "Nfts.create_swap", "Nfts.claim_swap", "Nfts.set_price",
        "Uniques.set_price",
    ])
    func `what pays or gives to somebody unnamed passes neither limit nor list`(name: String) throws {
        let destinations = TransactionPolicy(destinations: [.init(Account.bob)])
        #expect(try Self.violations(of: name, destinations) == [.destinationUnknown, .destinationUnknown])
        let limit = TransactionPolicy(maximumAmount: "100")
        #expect(try Self.violations(of: name, limit) == [.amountUnknown, .amountUnknown])
        // Another pallet's call of that name does something else.
        let (_, call) = try #require(Self.parts(name))
        #expect(try Self.violations(of: "Named.\(call)", destinations) == [nil, nil])
        #expect(try Self.violations(of: "Named.\(call)", limit) == [nil, nil])
    }

    /// Bonds and deposits that the chain alone knows, and the balances of everyone who holds an asset.
    @Test(arguments: [
        "CollatorSelection.register_as_candidate", "Bounties.accept_curator", "ChildBounties.accept_curator",
        "Preimage.note_preimage",
        "Assets.start_destroy", "Assets.destroy_accounts", "Assets.finish_destroy",
        "ForeignAssets.start_destroy", "ForeignAssets.destroy_accounts", "ForeignAssets.finish_destroy",
        "PoolAssets.start_destroy", "PoolAssets.destroy_accounts", "PoolAssets.finish_destroy",
    ])
    func `what locks or destroys an amount that no argument states passes no limit`(name: String) throws {
        let limits = [
            TransactionPolicy(maximumAmount: "100"), TransactionPolicy(totals: .init(perDay: "100")),
        ]
        for limit in limits {
            let found = try Self.violations(of: name, limit)
            #expect(found.allSatisfy { $0 == .amountUnknown || $0 == .amountUncounted(.maximumPerDay) })
        }
        // It pays nobody.
        let destinations = TransactionPolicy(destinations: [.init(Account.bob)])
        #expect(try Self.violations(of: name, destinations) == [nil, nil])
    }

    /// Of a call without arguments, and of a batch that has it behind a transfer of 1 to Bob.
    private static func violations(
        of name: String, _ policy: TransactionPolicy
    ) throws -> [TransactionPolicy.Violation?] {
        var runtime = FixtureRuntime.standard
        let (pallet, call) = try #require(parts(name))
        runtime.pallets.removeAll { $0.name.utf8Equals(pallet) }
        runtime.pallets.append(
            FixturePallet(pallet, index: 92, calls: [FixtureVariant(call, index: 0, fields: [])]))
        let batch = runtime.call("Utility", "batch", [FixtureValue.vector([runtime.transfer(1), [92, 0]])])
        return try [[92, 0], batch].map { call in
            policy.violation(
                of: try runtime.decode(runtime.transactionBody(call: call)), on: runtime.specs,
                signer: Account.alice)
        }
    }

    @Test func `every such call of the fixture is decided`() throws {
        let metadata = try RuntimeMetadata(FixtureRuntime.standard.metadata())
        let found = try Self.calls(of: metadata).filter {
            Warning.of(pallet: $0.pallet, call: $0.call) != nil
        }
        #expect(Set(found.map { "\($0.pallet).\($0.call)" }) == ["Balances.transfer_all"])
    }

    private static func calls(of metadata: RuntimeMetadata) throws -> [(pallet: String, call: String)] {
        try metadata.pallets.flatMap { pallet -> [(pallet: String, call: String)] in
            guard case .id(let id)? = pallet.calls else { return [] }
            return try metadata.registry.variants(of: id).map { (pallet.name, $0.name) }
        }
    }
}
