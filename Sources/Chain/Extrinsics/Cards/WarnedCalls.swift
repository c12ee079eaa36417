import Cards
import SubstratePrimitives

/// The one table of the calls that are warned of. Sources: paritytech/polkadot-sdk, `substrate/frame`,
/// `polkadot/xcm/pallet-xcm` and `polkadot/runtime`; polkadot-evm/frontier, `frame/evm` and `frame/ethereum`;
/// opentensor/subtensor, `pallets/subtensor` (all that a coldkey has goes to another one);
/// AstarNetwork/Astar, `pallets/dapp-staking`; moonbeam-foundation/crowdloan-rewards; AcalaNetwork/Acala,
/// `modules/evm`; gear-tech/gear, `pallets/gear` and `pallets/gear-voucher`; PolymeshAssociation/Polymesh,
/// `pallets/identity` and `pallets/multisig`; chainflip-io/chainflip-backend,
/// `state-chain/pallets/cf-funding`; UniqueNetwork/unique-chain, `pallets/unique`; enjin/indexer, `src/types`
/// (`MultiTokens`).
extension Warning {
    /// The warning for a call, found by the name that FRAME gives to the call. A name that other pallets use
    /// for something else counts only in its own pallet.
    public static func of(pallet: String, call: String) -> Warning? {
        of(call: call) ?? ofGeneric(pallet: pallet, call: call)
    }

    static func of(call: String) -> Warning? {
        switch call {
        case "transfer_all", "contribute_all", "swap_coldkey", "schedule_swap_coldkey",
            "announce_coldkey_swap", "swap_coldkey_announced":
            .movesEverything
        case "set_code", "set_code_without_checks", "authorize_upgrade", "authorize_upgrade_without_checks",
            "apply_authorized_upgrade",
            "enact_authorized_upgrade", "set_storage", "kill_storage", "kill_prefix", "set_current_head",
            "schedule_code_upgrade",
            "force_set_current_code", "force_set_current_head", "force_schedule_code_upgrade",
            "force_queue_action",
            "authorize_force_set_current_code_hash", "apply_authorized_force_set_current_code":
            .changesRuntime
        case "set_keys", "purge_keys", "set_keys_from_ah", "purge_keys_from_ah", "set_key", "remove_key",
            "set_controller",
            "create_recovery", "initiate_recovery", "claim_recovery", "set_recovered", "vouch_recovery",
            "set_friend_groups",
            "initiate_attempt", "approve_attempt", "finish_attempt":
            .replacesKeys
        case "add_proxy", "add_authorized_alias", "approve_transfer", "approve_item_attributes",
            "set_claim_permission",
            "set_commission_claim_permission":
            .givesProxy
        case "transfer_ownership", "set_team", "set_owner", "set_dapp_owner", "update_roles": .givesOwnership
        case "remove_proxy", "remove_proxies", "kill_pure", "kill_anonymous", "remove_authorized_alias",
            "remove_all_authorized_aliases", "remove_recovery", "cancel_recovered":
            .removesAccess
        case "set_payee", "update_payee", "set_dapp_reward_beneficiary", "update_reward_address":
            .redirectsRewards
        case "sudo", "sudo_as", "sudo_unchecked_weight", "dispatch_as", "dispatch_as_fallible",
            "dispatch_as_fallback_account",
            "dispatch_whitelisted_call", "dispatch_whitelisted_call_with_preimage", "as_recovered",
            "control_inherited_account":
            .superuser
        case "instantiate", "instantiate_with_code", "instantiate_old_weight",
            "instantiate_with_code_old_weight", "call_old_weight",
            "eth_transact", "eth_call", "eth_call_v2", "eth_instantiate_with_code", "eth_substrate_call":
            .runsProgram
        default: nil
        }
    }

    static func ofGeneric(pallet: String, call: String) -> Warning? {
        switch (pallet, call) {
        case ("XcmPallet", "execute"), ("XcmPallet", "send"), ("PolkadotXcm", "execute"),
            ("PolkadotXcm", "send"):
            .runsProgram
        case ("Contracts", "call"), ("Revive", "call"), ("EVM", "call"), ("EVM", "create"),
            ("EVM", "create2"), ("Ethereum", "transact"), ("Evm", "call"), ("Evm", "create"),
            ("Evm", "create2"):
            .runsProgram
        // Acala's, whose pallet has the same name.
        case ("EVM", "strict_call"), ("EVM", "create_nft_contract"), ("EVM", "create_predeploy_contract"):
            .runsProgram
        case ("EVM", "transfer_maintainer"): .givesOwnership
        case ("Gear", "send_message"), ("Gear", "send_reply"), ("Gear", "create_program"),
            ("Gear", "upload_program"), ("GearVoucher", "call"), ("GearVoucher", "call_deprecated"):
            .runsProgram
        // An identity holds the assets: whoever gets its primary key has all of them, and what else an
        // authorization grants is a part of that.
        case ("Identity", "add_authorization"), ("Identity", "add_secondary_keys_with_authorization"),
            ("Identity", "set_secondary_key_permissions"):
            .givesProxy
        case ("MultiSig", "make_multisig_primary"): .replacesKeys
        case ("MultiSig", "make_multisig_secondary"): .givesProxy
        // For ever: there is no call that takes it back.
        case ("Funding", "bind_redeem_address"), ("Funding", "bind_executor_address"): .givesOwnership
        case ("SubtensorModule", "swap_hotkey"), ("SubtensorModule", "swap_hotkey_v2"): .replacesKeys
        case ("MultiTokens", "approve_collection"), ("MultiTokens", "approve_token"),
            ("Unique", "set_allowance_for_all"), ("Unique", "approve"), ("Unique", "approve_from"):
            .givesProxy
        case ("Unique", "change_collection_owner"), ("Unique", "add_collection_admin"): .givesOwnership
        case ("Staking", "bond"), ("NominationPools", "set_commission"): .redirectsRewards
        case ("Registrar", "swap"): .givesOwnership
        case ("Registrar", "deregister"): .changesRuntime
        default: nil
        }
    }

    /// Whether the argument `amount` of a call is either a number or `Max`, which is all that there is.
    /// Source: chainflip-io/chainflip-backend, `state-chain/pallets/cf-funding` (`RedemptionAmount`).
    static func takesMaximum(pallet: String, call: String) -> Bool {
        pallet.utf8Equals("Funding") && ["redeem", "rebalance"].contains(ExactText(call))
    }

    /// Variants of the payee of a stake, or of a pool's commission, that pay the stake's own accounts or
    /// nobody.
    static let ownPayees: Set<ExactText> = ["Staked", "Stash", "Controller", "None"]
}

/// Effects of a call that its arguments do not state. Sources: as above,
/// `substrate/frame/{nfts,uniques,assets,bounties,child-bounties,referenda,preimage}`,
/// `substrate/frame/identity`, `cumulus/pallets/collator-selection` and
/// `polkadot/runtime/common/src/{crowdloan,paras_registrar}`; opentensor/subtensor, `pallets/subtensor`.
enum UnstatedEffect {
    /// It gives away, destroys or locks something of a value that no argument states, so no limit of a policy
    /// can compare it.
    case worth
    /// It pays somebody whom only the chain knows, such as the holder of an index or an item, or anybody who
    /// claims it.
    case payee

    static func of(pallet: String, call: String) -> Set<UnstatedEffect> {
        switch (pallet, call) {
        // The call does not say who gets the item or the price. The price of a mint goes to the owner of the
        // collection, an item for sale to anybody who pays, and a swapped item to the owner of the other.
        case ("Nfts", "mint"), ("Nfts", "mint_pre_signed"), ("Nfts", "create_swap"), ("Nfts", "claim_swap"),
            ("Nfts", "set_price"), ("Uniques", "set_price"):
            [.worth, .payee]
        case ("Nfts", "transfer"), ("Nfts", "burn"), ("Uniques", "transfer"), ("Uniques", "burn"),
            ("Nfts", "destroy"), ("Uniques", "destroy"), ("Assets", "refund"), ("ForeignAssets", "refund"),
            ("PoolAssets", "refund"),
            ("Bounties", "award_bounty"), ("ChildBounties", "award_child_bounty"),
            ("Referenda", "place_decision_deposit"),
            ("FellowshipReferenda", "place_decision_deposit"), ("Registrar", "reserve"):
            [.worth]
        // Destroying an asset destroys the balances of all its holders. Once the owner has started, anybody
        // may call `destroy_accounts` and `finish_destroy`.
        case ("Assets", "start_destroy"), ("Assets", "destroy_accounts"), ("Assets", "finish_destroy"),
            ("ForeignAssets", "start_destroy"), ("ForeignAssets", "destroy_accounts"),
            ("ForeignAssets", "finish_destroy"),
            ("PoolAssets", "start_destroy"), ("PoolAssets", "destroy_accounts"),
            ("PoolAssets", "finish_destroy"):
            [.worth]
        // The amount is not in the call: a bond set by the chain, a share of a fee that somebody else
        // proposed, and a deposit for each byte.
        case ("CollatorSelection", "register_as_candidate"), ("Bounties", "accept_curator"),
            ("ChildBounties", "accept_curator"), ("Preimage", "note_preimage"):
            [.worth]
        // The chain sets the price of a subnet when it runs the call.
        case ("SubtensorModule", "register_network"), ("SubtensorModule", "register_network_with_identity"):
            [.worth]
        // A registrar is named by its number. So is a pool, whose operator takes a commission and votes with
        // its stake, and a parachain, for which somebody pays: its account is not among the arguments, and
        // may be anybody's tomorrow.
        case ("Nfts", "buy_item"), ("Uniques", "buy_item"), ("Crowdloan", "contribute"),
            ("Crowdloan", "contribute_all"), ("Identity", "request_judgement"), ("NominationPools", "join"),
            ("OnDemand", "place_order_allow_death"), ("OnDemand", "place_order_keep_alive"),
            ("OnDemand", "place_order_with_credits"), ("Auctions", "bid"):
            [.payee]
        default: []
        }
    }
}

extension ShownCalls.Name {
    /// Calls that move, lock and release nothing, by their pallets; a call of any other name may. A batch is
    /// among them because the calls that it carries are counted beside it.
    private static let idle: [ExactText: Set<ExactText>] = [
        "System": ["remark", "remark_with_event"], "Staking": ["chill", "nominate"],
        "Utility": ["batch", "batch_all", "force_batch"],
    ]

    /// Whether the table of calls that move nothing has this one.
    public var movesNothing: Bool { Self.idle[pallet]?.contains(call) ?? false }
}
