import Extrinsics
import FixtureRuntime
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// Which calls of real runtimes are warned of: what their names promise is decided call by call.
@Suite struct WarnedCallTests {
    @Test func `a name that many pallets use is warned of in its own pallet only`() {
        for pallet in ["XcmPallet", "PolkadotXcm"] {
            for call in ["execute", "send"] { #expect(Warning.of(pallet: pallet, call: call) == .runsProgram) }
        }
        for (pallet, call) in [
            ("Contracts", "call"), ("Revive", "call"), ("EVM", "call"), ("EVM", "create"), ("EVM", "create2"), ("Ethereum", "transact"),
        ] {
            #expect(Warning.of(pallet: pallet, call: call) == .runsProgram)
        }
        #expect(Warning.of(pallet: "Registrar", call: "swap") == .givesOwnership)
        #expect(Warning.of(pallet: "Registrar", call: "deregister") == .changesRuntime)
        #expect(Warning.of(pallet: "Staking", call: "bond") == .redirectsRewards)
        #expect(Warning.of(pallet: "NominationPools", call: "set_commission") == .redirectsRewards)
        for call in ["call", "execute", "send", "swap", "deregister", "bond", "set_commission", "create", "create2", "transact"] {
            #expect(Warning.of(pallet: "Named", call: call) == nil)
        }
        for pallet in ["Assets", "ForeignAssets", "Uniques", "Nfts"] {
            #expect(Warning.of(pallet: pallet, call: "approve_transfer") == .givesProxy)
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
                    name, index: UInt8(index), fields: name == "Account" ? [FixtureField(nil, .array(32, .u8), typeName: "AccountId")] : [])
            })
        let fields = [FixtureField("payee", payee, typeName: "RewardDestination")]
        let calls = [FixtureVariant("set_payee", index: 0, fields: fields), FixtureVariant("bond", index: 1, fields: fields)]
        runtime.pallets += [
            FixturePallet("Staking", index: 92, calls: calls),
            FixturePallet(
                "NominationPools", index: 93,
                calls: [
                    FixtureVariant(
                        "set_commission", index: 0,
                        fields: [FixtureField("new_commission", payee, typeName: "Option<(Perbill, AccountId)>")])
                ]),
        ]
        let metadata = try RuntimeMetadata(runtime.metadata())
        for (pallet, number, index, name) in names.enumerated().flatMap({ [(92, 0, $0, $1), (92, 1, $0, $1), (93, 0, $0, $1)] }) {
            let call = [UInt8(pallet), UInt8(number), UInt8(index)] + (name == "Account" ? [UInt8](repeating: 7, count: 32) : [])
            for call in [call, runtime.call("Utility", "batch", [FixtureValue.vector([runtime.transfer(), call])])] {
                let decoded = try Extrinsics.decode(
                    body: runtime.transactionBody(call: call), metadata: metadata, specs: runtime.specs)
                #expect(decoded.summary.warnings == (["Account", "Other"].contains(name) ? [.redirectsRewards] : []), "\(name)")
            }
        }
    }

    /// Parts of names that often hand something over.
    private static let verbs = [
        "set_", "sudo", "kill_", "remove_", "approve_", "as_", "claim_", "swap", "send", "execute", "deregister", "add_", "authorize",
        "apply_", "dispatch", "update_", "purge_", "transfer_all", "initiate_", "schedule_code", "force_set_current", "instantiate", "call",
        "bond",
    ]

    /// Of the names above, those that are warned of in Polkadot 2003000.
    private static let warned: Set<String> = [
        "Balances.transfer_all", "NominationPools.set_claim_permission", "NominationPools.set_commission_claim_permission",
        "NominationPools.set_commission", "NominationPools.update_roles", "Paras.apply_authorized_force_set_current_code",
        "Paras.authorize_force_set_current_code_hash",
        "Paras.force_set_current_code", "Paras.force_set_current_head", "Proxy.add_proxy", "Proxy.kill_pure", "Proxy.remove_proxies",
        "Proxy.remove_proxy", "Registrar.deregister", "Registrar.schedule_code_upgrade", "Registrar.set_current_head", "Registrar.swap",
        "Session.purge_keys", "Session.set_keys", "Staking.set_controller", "Staking.set_payee", "Staking.update_payee",
        "StakingAhClient.purge_keys_from_ah", "StakingAhClient.set_keys_from_ah", "System.apply_authorized_upgrade",
        "System.authorize_upgrade", "System.authorize_upgrade_without_checks", "System.kill_prefix", "System.kill_storage",
        "System.set_code", "System.set_code_without_checks", "System.set_storage", "Utility.dispatch_as", "Utility.dispatch_as_fallible",
        "Whitelist.dispatch_whitelisted_call", "Whitelist.dispatch_whitelisted_call_with_preimage", "XcmPallet.add_authorized_alias",
        "XcmPallet.execute", "XcmPallet.remove_all_authorized_aliases", "XcmPallet.remove_authorized_alias", "XcmPallet.send",
        "Staking.bond",
    ]

    /// Those that are not: they need another origin than a person's account, act on what the sender alone has, or take nothing away.
    private static let unwarned: Set<String> = [
        "Balances.transfer_allow_death", "Beefy.set_new_genesis", "Bounties.approve_bounty", "Bounties.approve_bounty_with_curator",
        "Bounties.claim_bounty", "ChildBounties.add_child_bounty", "ChildBounties.claim_child_bounty", "Claims.claim_attest",
        "ConvictionVoting.remove_other_vote", "ConvictionVoting.remove_vote", "Crowdloan.add_memo",
        "ElectionProviderMultiPhase.set_emergency_election_result", "ElectionProviderMultiPhase.set_minimum_untrusted_score",
        "FastUnstake.deregister", "MessageQueue.execute_overweight", "Multisig.approve_as_multi", "Multisig.as_multi",
        "Multisig.as_multi_threshold_1", "NominationPools.apply_slash", "NominationPools.bond_extra", "NominationPools.bond_extra_other",
        "Staking.bond_extra", "NominationPools.claim_commission",
        "NominationPools.claim_payout", "NominationPools.claim_payout_other",
        "NominationPools.set_commission_change_rate", "NominationPools.set_commission_max", "NominationPools.set_configs",
        "NominationPools.set_metadata", "NominationPools.set_state", "Parameters.set_parameter", "Paras.add_trusted_validation_code",
        "Paras.remove_upgrade_cooldown", "Proxy.remove_announcement", "Referenda.set_metadata", "Registrar.add_lock",
        "Registrar.remove_lock", "Scheduler.set_retry", "Scheduler.set_retry_named", "Staking.set_invulnerables",
        "Staking.set_min_commission", "Staking.set_staking_configs", "Staking.set_validator_count", "StakingAhClient.set_mode",
        "StateTrieMigration.set_signed_max_limits", "System.set_heap_pages", "Treasury.remove_approval", "Utility.as_derivative",
        "Whitelist.remove_whitelisted_call", "XcmPallet.claim_assets",
    ]

    @Test func `every such call of Polkadot is decided`() throws {
        guard let blob = try SharedData.read("metadata/polkadot-2003000-v16.scale") else { return }
        let metadata = try RuntimeMetadata(blob)
        var (warned, unwarned): (Set<String>, Set<String>) = ([], [])
        for (pallet, call) in try Self.calls(of: metadata) where Self.verbs.contains(where: { call.hasPrefix($0) }) {
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

    @Test func `every such call of the fixture is decided`() throws {
        let metadata = try RuntimeMetadata(FixtureRuntime.standard.metadata())
        let found = try Self.calls(of: metadata).filter { Warning.of(pallet: $0.pallet, call: $0.call) != nil }
        #expect(Set(found.map { "\($0.pallet).\($0.call)" }) == ["Balances.transfer_all"])
    }

    private static func calls(of metadata: RuntimeMetadata) throws -> [(pallet: String, call: String)] {
        try metadata.pallets.flatMap { pallet -> [(pallet: String, call: String)] in
            guard case .id(let id)? = pallet.calls else { return [] }
            return try metadata.registry.variants(of: id).map { (pallet.name, $0.name) }
        }
    }
}
