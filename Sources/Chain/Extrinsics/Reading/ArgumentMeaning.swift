import SubstratePrimitives

/// The meaning of arguments of known calls whose types do not tell it.
///
/// A type `u64` says nothing: on one chain it counts slashing spans, on another it is all that somebody owns.
/// Neither does the name of an argument, which every chain chooses for itself. So under a limit each integer
/// may be an amount, and under a list of destinations each byte string and each place on another chain may be
/// a recipient, except where this table says by pallet, call and argument what it is. So a limit refuses a
/// call with a number that no row explains, and a rule leaves it to a person.
///
/// The rows are calls that people make every day in the runtimes whose metadata the tests read; a test
/// compares each row with them. Calls of the root origin are left out. What an argument holds of accounts,
/// amounts, fractions and calls counts as it does everywhere: a row explains only the rest.
///
/// A row explains one number or one list of them. An argument of several parts needs a row for each part,
/// `schedule.starting_block`: two chains may give one name to different parts, and the amount may be what two
/// of them make together. The schedule of `Vesting` in polkadot-sdk says all that is locked; that of orml
/// says how much each time, and how many times. So the second has an unknown amount, as long as nothing
/// multiplies.
///
/// An amount is another matter. Every runtime calls the number of any token a balance, and a metadata
/// proof spells its types as its sender likes, so no type says whose unit an amount is in. It is of the
/// chain's own token only where a row says that (``native``), by the same three names; beside an argument
/// that names an asset it is of that asset, and anywhere else of an asset that is not known. Whoever gives
/// another call these three names in a proof has signed nothing that the chain takes: the digest of the
/// proof is among the signed bytes.
public enum ArgumentMeaning: String, Sendable, CaseIterable {
    /// Names something on the chain: an asset, an item, a pool, a referendum, a parachain.
    case identifier
    /// How many, or the place in a list.
    case count
    /// A block, an era, a period or a delay.
    case time
    /// The most that a call may compute.
    case weight
    /// One of a few values: a vote, flags, an origin, the number of decimals.
    case choice
    /// The hash of a call or of data.
    case hash
    /// Text or bytes that the chain keeps and does not act on.
    case data
    /// A public key or a signature that the chain checks.
    case key
    /// An amount that says how fast the amount before it becomes free. It is shown and counts nowhere: it is
    /// a part of that amount, and moves nothing.
    case rate
    /// The chain that assets are sent to or through. Only a location that consists of chains has this
    /// meaning.
    case route
    /// Assets by their locations. The numbers inside a location name the asset; any other number may be an
    /// amount.
    case asset
    /// Who receives, on another chain. The numbers inside a location name the place; any other number may be
    /// an amount.
    case beneficiary
    /// An amount of 256 bits in wei. That is the smallest unit of the chain where its token has 18 decimals;
    /// a chain with another number of decimals converts, by a rule that no metadata states, so the number
    /// stays a number there.
    case wei
    /// Numbers whose type is called a balance are amounts of the chain's own token. The argument may have a
    /// second meaning for its other numbers: a vote has a balance and a conviction.
    case native

    /// What its numbers and bytes are beside amounts; nil for an argument that nothing is known of.
    public static func of(pallet: String, call: String, argument: String) -> Self? {
        meanings(pallet: pallet, call: call, argument: argument).first { $0 != .native }
    }

    /// Whether its amounts are of the chain's own token.
    /// - Parameters:
    ///   - pallet: that has the call, as the metadata spells it.
    ///   - call: that has the argument.
    ///   - argument: its name.
    ///   - genesis: of the chain; nil asks for what holds on every chain.
    public static func isNative(pallet: String, call: String, argument: String, on genesis: GenesisHash?)
        -> Bool
    {
        meanings(pallet: pallet, call: call, argument: argument).contains(.native)
            || genesis.map { isNativeThere(pallet: pallet, call: call, argument: argument, genesis: $0) }
                ?? false
    }

    private static func isNativeThere(
        pallet: String, call: String, argument: String, genesis: GenesisHash
    ) -> Bool {
        let argument = Argument(pallet: ExactText(pallet), call: ExactText(call), name: ExactText(argument))
        guard let chains = chainTable[argument], let chain = WellKnownChain.chain(genesis: genesis) else {
            return false
        }
        return chains.contains(ExactText(chain.specName))
    }

    private static func meanings(pallet: String, call: String, argument: String) -> [Self] {
        table[Argument(pallet: ExactText(pallet), call: ExactText(call), name: ExactText(argument))] ?? []
    }

    /// Whether a part of an argument is a ``rate``.
    static func isRate(pallet: ExactText, call: ExactText, argument: ExactText, part: ExactText) -> Bool {
        partTable[Argument(pallet: pallet, call: call, name: argument)]?[part] == .rate
    }

    /// What the parts of an argument are, by their names, where rows say it. A part of a part has no row.
    static func parts(pallet: String, call: String, argument: String) -> [ExactText: Self]? {
        partTable[Argument(pallet: ExactText(pallet), call: ExactText(call), name: ExactText(argument))]
    }

    /// Decimals of a token whose smallest unit is a wei.
    static let weiDecimals: UInt8 = 18

    /// All arguments of the table, and parts of arguments behind a dot.
    package static var all: [(pallet: String, call: String, argument: String, meaning: Self)] {
        explained.map { row in
            let name = row.argument.name.text + (row.part.map { "." + $0 } ?? "")
            return (row.argument.pallet.text, row.argument.call.text, name, row.meaning)
        }
    }

    private struct Argument: Hashable {
        let pallet: ExactText
        let call: ExactText
        let name: ExactText
    }

    struct Row {
        let meaning: ArgumentMeaning
        let pallets: [String]
        let argument: String
        let calls: [String]

        init(_ meaning: ArgumentMeaning, _ pallets: [String], _ argument: String, _ calls: [String]) {
            (self.meaning, self.pallets, self.argument, self.calls) = (meaning, pallets, argument, calls)
        }

        /// Each pallet with each call.
        var places: [(pallet: String, call: String, argument: String)] {
            pallets.flatMap { pallet in calls.map { (pallet, $0, argument) } }
        }
    }

    /// Whole arguments. No name of an argument has a dot.
    private static let table: [Argument: [Self]] = explained.filter { $0.part == nil }.reduce(into: [:]) {
        table, row in
        table[row.argument, default: []].append(row.meaning)
    }

    private static let partTable: [Argument: [ExactText: Self]] = explained.reduce(into: [:]) { table, row in
        if let part = row.part { table[row.argument, default: [:]][ExactText(part)] = row.meaning }
    }

    private static let chainTable: [Argument: Set<ExactText>] = chainRows.reduce(into: [:]) { table, entry in
        for (pallet, call, argument) in entry.row.places {
            table[
                Argument(pallet: ExactText(pallet), call: ExactText(call), name: ExactText(argument)),
                default: []
            ].formUnion(entry.chains)
        }
    }

    /// All arguments whose amounts are of the chain's own token on some chains only.
    package static var allOnChains: [(pallet: String, call: String, argument: String)] {
        chainRows.flatMap(\.row.places)
    }

    private static let explained: [(argument: Argument, part: String?, meaning: Self)] = (rows + nativeRows)
        .flatMap { row in
            let names = row.argument.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map {
                String($0)!
            }
            return row.pallets.flatMap { pallet in
                row.calls.map { call in
                    let argument = Argument(
                        pallet: ExactText(pallet), call: ExactText(call), name: ExactText(names[0]))
                    return (argument, names.count > 1 ? names[1] : nil, row.meaning)
                }
            }
        }

    private static let rows: [Row] = [
        Row(
            .identifier, ["AhOps"], "para_id",
            [
                "unreserve_crowdloan_reserve", "unreserve_lease_deposit", "withdraw_crowdloan_contribution",
            ]),
        Row(
            .identifier, ["Assets", "PoolAssets"], "id",
            [
                "approve_transfer", "block", "burn", "cancel_approval", "clear_metadata", "create",
                "destroy_accounts", "destroy_approvals", "finish_destroy", "force_transfer", "freeze",
                "freeze_asset", "mint", "refund", "refund_other", "set_metadata", "set_min_balance",
                "set_team",
                "start_destroy", "thaw", "thaw_asset", "touch", "touch_other", "transfer", "transfer_all",
                "transfer_approved", "transfer_keep_alive", "transfer_ownership",
            ]),
        Row(.identifier, ["Auctions"], "auction_index", ["bid"]),
        Row(.identifier, ["Auctions"], "para", ["bid"]),
        Row(
            .identifier, ["Bounties"], "bounty_id",
            [
                "accept_curator", "approve_bounty", "approve_bounty_with_curator", "award_bounty",
                "claim_bounty", "close_bounty", "extend_bounty_expiry", "poke_deposit", "propose_curator",
                "unassign_curator",
            ]),
        Row(
            .identifier, ["ChildBounties"], "child_bounty_id",
            [
                "accept_curator", "award_child_bounty", "claim_child_bounty", "close_child_bounty",
                "propose_curator", "unassign_curator",
            ]),
        Row(
            .identifier, ["ChildBounties"], "parent_bounty_id",
            [
                "accept_curator", "add_child_bounty", "award_child_bounty", "claim_child_bounty",
                "close_child_bounty", "propose_curator", "unassign_curator",
            ]),
        Row(
            .identifier, ["ConvictionVoting"], "class",
            [
                "delegate", "remove_other_vote", "remove_vote", "undelegate", "unlock",
            ]),
        Row(.identifier, ["ConvictionVoting"], "index", ["remove_other_vote", "remove_vote"]),
        Row(.identifier, ["ConvictionVoting"], "poll_index", ["vote"]),
        Row(
            .identifier, ["Crowdloan"], "index",
            [
                "add_memo", "contribute", "contribute_all", "dissolve", "poke", "refund", "withdraw",
            ]),
        Row(.identifier, ["Identity"], "index", ["set_account_id", "set_fee", "set_fields"]),
        Row(
            .identifier, ["Identity"], "reg_index",
            [
                "cancel_request", "provide_judgement", "request_judgement",
            ]),
        Row(.identifier, ["Indices"], "index", ["claim", "free", "freeze", "poke_deposit", "transfer"]),
        Row(
            .identifier, ["Nfts"], "collection",
            [
                "approve_item_attributes", "approve_transfer", "burn", "buy_item", "cancel_approval",
                "cancel_item_attributes_approval", "clear_all_transfer_approvals", "clear_attribute",
                "clear_collection_metadata", "clear_metadata", "destroy", "lock_collection",
                "lock_item_properties", "lock_item_transfer", "mint", "redeposit", "set_attribute",
                "set_collection_max_supply", "set_collection_metadata", "set_metadata", "set_price",
                "set_team",
                "transfer", "transfer_ownership", "unlock_item_transfer",
            ]),
        Row(
            .identifier, ["Nfts"], "item",
            [
                "approve_item_attributes", "approve_transfer", "burn", "buy_item", "cancel_approval",
                "cancel_item_attributes_approval", "clear_all_transfer_approvals", "clear_metadata",
                "lock_item_properties", "lock_item_transfer", "mint", "set_metadata", "set_price", "transfer",
                "unlock_item_transfer",
            ]),
        Row(.identifier, ["Nfts"], "offered_collection", ["cancel_swap"]),
        Row(.identifier, ["Nfts"], "offered_item", ["cancel_swap"]),
        Row(.identifier, ["Nfts"], "witness_data.owned_item", ["mint"]),
        Row(.identifier, ["Nfts", "Uniques"], "items", ["redeposit"]),
        Row(.identifier, ["Nfts", "Uniques"], "maybe_collection", ["set_accept_ownership"]),
        Row(.identifier, ["Nfts", "Uniques"], "maybe_item", ["clear_attribute", "set_attribute"]),
        Row(
            .identifier, ["NominationPools"], "pool_id",
            [
                "adjust_pool_deposit", "chill", "claim_commission", "create_with_pool_id", "join",
                "migrate_pool_to_delegate_stake", "nominate", "pool_withdraw_unbonded", "set_commission",
                "set_commission_change_rate", "set_commission_claim_permission", "set_commission_max",
                "set_metadata", "set_state", "update_roles",
            ]),
        Row(
            .identifier, ["OnDemand"], "para_id",
            [
                "place_order_allow_death", "place_order_keep_alive", "place_order_with_credits",
            ]),
        Row(.identifier, ["Proxy"], "ext_index", ["kill_anonymous", "kill_pure"]),
        Row(.identifier, ["Proxy"], "index", ["anonymous", "create_pure", "kill_anonymous", "kill_pure"]),
        Row(
            .identifier, ["Referenda"], "index",
            [
                "place_decision_deposit", "refund_decision_deposit", "refund_submission_deposit",
                "set_metadata",
            ]),
        Row(.identifier, ["Registrar"], "id", ["deregister"]),
        Row(.identifier, ["Treasury"], "index", ["check_status", "payout"]),
        Row(
            .identifier, ["Uniques"], "collection",
            [
                "approve_transfer", "burn", "buy_item", "cancel_approval", "clear_attribute",
                "clear_collection_metadata", "clear_metadata", "create", "destroy", "freeze",
                "freeze_collection", "mint", "redeposit", "set_attribute", "set_collection_max_supply",
                "set_collection_metadata", "set_metadata", "set_price", "set_team", "thaw", "thaw_collection",
                "transfer", "transfer_ownership",
            ]),
        Row(
            .identifier, ["Uniques"], "item",
            [
                "approve_transfer", "burn", "buy_item", "cancel_approval", "clear_metadata", "freeze", "mint",
                "set_metadata", "set_price", "thaw", "transfer",
            ]),
        Row(.identifier, ["Utility"], "index", ["as_derivative"]),
        Row(.identifier, ["Vesting"], "schedule1_index", ["merge_schedules"]),
        Row(.identifier, ["Vesting"], "schedule2_index", ["merge_schedules"]),
        Row(
            .count, ["Multisig"], "threshold",
            [
                "approve_as_multi", "as_multi", "cancel_as_multi", "poke_deposit",
            ]),
        Row(.count, ["Nfts"], "witness.account_attributes", ["cancel_item_attributes_approval"]),
        Row(.count, ["Nfts"], "witness.item_configs", ["destroy"]),
        Row(.count, ["Nfts", "Uniques"], "witness.attributes", ["destroy"]),
        Row(.count, ["Nfts", "Uniques"], "witness.item_metadatas", ["destroy"]),
        Row(.count, ["Nfts", "Uniques"], "max_supply", ["set_collection_max_supply"]),
        Row(
            .count, ["NominationPools"], "num_slashing_spans",
            [
                "pool_withdraw_unbonded", "withdraw_unbonded",
            ]),
        Row(
            .count, ["PolkadotXcm", "XcmPallet"], "fee_asset_item",
            [
                "limited_reserve_transfer_assets", "limited_teleport_assets", "reserve_transfer_assets",
                "teleport_assets", "transfer_assets",
            ]),
        Row(.count, ["Recovery"], "threshold", ["create_recovery"]),
        Row(.count, ["Staking"], "num_slashing_spans", ["reap_stash", "withdraw_unbonded"]),
        Row(.count, ["Staking"], "page", ["payout_stakers_by_page"]),
        Row(.count, ["Uniques"], "witness.items", ["destroy"]),
        Row(
            .time, ["AhOps"], "block",
            [
                "unreserve_crowdloan_reserve", "unreserve_lease_deposit", "withdraw_crowdloan_contribution",
            ]),
        Row(.time, ["Auctions"], "first_slot", ["bid"]),
        Row(.time, ["Auctions"], "last_slot", ["bid"]),
        Row(.time, ["Multisig"], "maybe_timepoint.height", ["approve_as_multi", "as_multi"]),
        Row(.time, ["Multisig"], "maybe_timepoint.index", ["approve_as_multi", "as_multi"]),
        Row(.time, ["Multisig"], "timepoint.height", ["cancel_as_multi"]),
        Row(.time, ["Multisig"], "timepoint.index", ["cancel_as_multi"]),
        Row(.time, ["Nfts"], "maybe_deadline", ["approve_transfer"]),
        Row(.time, ["NominationPools"], "change_rate.min_delay", ["set_commission_change_rate"]),
        Row(.time, ["Proxy"], "delay", ["add_proxy", "anonymous", "create_pure", "remove_proxy"]),
        Row(.time, ["Proxy"], "height", ["kill_anonymous", "kill_pure"]),
        Row(.time, ["Recovery"], "delay_period", ["create_recovery"]),
        Row(.time, ["Referenda"], "enactment_moment", ["submit"]),
        Row(.time, ["Staking"], "era", ["payout_stakers", "payout_stakers_by_page"]),
        Row(.time, ["Vesting"], "schedule.starting_block", ["vested_transfer"]),
        // polkadot-sdk, `substrate/frame/vesting/src/vesting_info.rs`: only `locked` is transferred.
        Row(.rate, ["Vesting"], "schedule.per_block", ["force_vested_transfer", "vested_transfer"]),
        Row(.weight, ["Multisig"], "max_weight", ["approve_as_multi", "as_multi"]),
        Row(.weight, ["Multisig"], "max_weight.proof_size", ["approve_as_multi", "as_multi"]),
        Row(.weight, ["Multisig"], "max_weight.ref_time", ["approve_as_multi", "as_multi"]),
        Row(
            .weight, ["PolkadotXcm", "XcmPallet"], "weight_limit",
            [
                "limited_reserve_transfer_assets", "limited_teleport_assets", "transfer_assets",
                "transfer_assets_using_type_and_then",
            ]),
        Row(
            .weight, ["PolkadotXcm", "XcmPallet"], "weight_limit.proof_size",
            [
                "limited_reserve_transfer_assets", "limited_teleport_assets", "transfer_assets",
                "transfer_assets_using_type_and_then",
            ]),
        Row(
            .weight, ["PolkadotXcm", "XcmPallet"], "weight_limit.ref_time",
            [
                "limited_reserve_transfer_assets", "limited_teleport_assets", "transfer_assets",
                "transfer_assets_using_type_and_then",
            ]),
        Row(.choice, ["Assets", "ForeignAssets", "PoolAssets"], "decimals", ["set_metadata"]),
        Row(.choice, ["ConvictionVoting"], "conviction", ["delegate"]),
        Row(.choice, ["ConvictionVoting"], "vote", ["vote"]),
        Row(.choice, ["Identity"], "fields", ["set_fields"]),
        Row(.choice, ["Identity"], "judgement", ["provide_judgement"]),
        Row(.choice, ["Nfts"], "lock_settings", ["lock_collection"]),
        // Which of an item's attributes; whether the price is paid or received; who may mint.
        Row(.choice, ["Nfts"], "maybe_price.direction", ["create_swap"]),
        Row(.choice, ["Nfts"], "mint_settings.mint_type", ["update_mint_settings"]),
        Row(.choice, ["Nfts"], "namespace", ["clear_attribute", "set_attribute"]),
        Row(.choice, ["Nfts"], "witness_price.direction", ["claim_swap"]),
        // `extra` of `bond_extra` is not here: `Rewards` stakes whatever the pool owes.
        Row(
            .choice, ["NominationPools"], "permission",
            [
                "set_claim_permission", "set_commission_claim_permission",
            ]),
        Row(.choice, ["NominationPools"], "state", ["set_state"]),
        // Each names an account, or leaves or removes the one that is there.
        Row(.choice, ["NominationPools"], "new_bouncer", ["update_roles"]),
        Row(.choice, ["NominationPools"], "new_nominator", ["update_roles"]),
        Row(.choice, ["NominationPools"], "new_root", ["update_roles"]),
        // What a proxy may do moves nothing by itself.
        Row(.choice, ["Proxy"], "force_proxy_type", ["proxy", "proxy_announced"]),
        Row(
            .choice, ["Proxy"], "proxy_type",
            [
                "add_proxy", "anonymous", "create_pure", "kill_anonymous", "kill_pure", "remove_proxy",
            ]),
        Row(.choice, ["Referenda"], "proposal_origin", ["submit"]),
        // Where rewards go, of which `redirectsRewards` warns; the stake is another argument.
        Row(.choice, ["Staking"], "payee", ["bond", "set_payee"]),
        Row(.hash, ["Identity"], "identity", ["provide_judgement"]),
        Row(.hash, ["Multisig"], "call_hash", ["approve_as_multi", "cancel_as_multi", "poke_deposit"]),
        Row(.hash, ["Preimage"], "hash", ["unnote_preimage"]),
        Row(.hash, ["Preimage"], "hashes", ["ensure_updated"]),
        Row(.hash, ["Proxy"], "call_hash", ["announce", "reject_announcement", "remove_announcement"]),
        Row(.hash, ["Referenda"], "maybe_hash", ["set_metadata"]),
        Row(.hash, ["Referenda"], "proposal", ["submit"]),
        Row(.hash, ["Referenda"], "proposal.len", ["submit"]),
        Row(.data, ["Assets", "ForeignAssets", "PoolAssets"], "name", ["set_metadata"]),
        Row(.data, ["Assets", "ForeignAssets", "PoolAssets"], "symbol", ["set_metadata"]),
        Row(.data, ["Bounties"], "description", ["propose_bounty"]),
        Row(.data, ["Bounties"], "remark", ["extend_bounty_expiry"]),
        Row(.data, ["ChildBounties"], "description", ["add_child_bounty"]),
        Row(.data, ["Crowdloan"], "memo", ["add_memo"]),
        Row(.data, ["Identity"], "data", ["add_sub", "rename_sub"]),
        Row(.data, ["Identity"], "info", ["set_identity"]),
        Row(.data, ["Identity"], "subs", ["set_subs"]),
        Row(
            .data, ["Identity"], "username",
            [
                "accept_username", "remove_dangling_username", "remove_expired_approval",
                "set_primary_username",
                "set_username_for",
            ]),
        Row(.data, ["Multisig"], "call", ["as_multi"]),
        Row(.data, ["Nfts", "Uniques"], "data", ["set_collection_metadata", "set_metadata"]),
        Row(.data, ["Nfts", "Uniques"], "key", ["clear_attribute", "set_attribute"]),
        Row(.data, ["Nfts", "Uniques"], "value", ["set_attribute"]),
        Row(.data, ["NominationPools"], "metadata", ["set_metadata"]),
        Row(.data, ["Preimage"], "bytes", ["note_preimage"]),
        Row(.data, ["System"], "remark", ["remark", "remark_with_event"]),
        Row(.key, ["Crowdloan"], "signature", ["contribute", "contribute_all"]),
        Row(.key, ["Identity"], "signature", ["set_username_for"]),
        Row(.key, ["Session"], "keys", ["set_keys"]),
        Row(.key, ["Session"], "proof", ["set_keys"]),
        Row(
            .route, ["PolkadotXcm", "XcmPallet"], "assets_transfer_type",
            [
                "transfer_assets_using_type_and_then"
            ]),
        Row(
            .route, ["PolkadotXcm", "XcmPallet"], "dest",
            [
                "limited_reserve_transfer_assets", "limited_teleport_assets", "reserve_transfer_assets",
                "teleport_assets", "transfer_assets", "transfer_assets_using_type_and_then",
            ]),
        Row(
            .route, ["PolkadotXcm", "XcmPallet"], "fees_transfer_type",
            [
                "transfer_assets_using_type_and_then"
            ]),
        Row(
            .asset, ["AssetConversion"], "asset1",
            [
                "add_liquidity", "create_pool", "remove_liquidity", "touch",
            ]),
        Row(
            .asset, ["AssetConversion"], "asset2",
            [
                "add_liquidity", "create_pool", "remove_liquidity", "touch",
            ]),
        Row(
            .asset, ["AssetConversion"], "path",
            [
                "swap_exact_tokens_for_tokens", "swap_tokens_for_exact_tokens",
            ]),
        Row(
            .asset, ["ForeignAssets"], "id",
            [
                "approve_transfer", "block", "burn", "cancel_approval", "clear_metadata", "create",
                "destroy_accounts", "destroy_approvals", "finish_destroy", "force_transfer", "freeze",
                "freeze_asset", "mint", "refund", "refund_other", "set_metadata", "set_min_balance",
                "set_team",
                "start_destroy", "thaw", "thaw_asset", "touch", "touch_other", "transfer", "transfer_all",
                "transfer_approved", "transfer_keep_alive", "transfer_ownership",
            ]),
        Row(
            .asset, ["PolkadotXcm", "XcmPallet"], "assets",
            [
                "claim_assets", "limited_reserve_transfer_assets", "limited_teleport_assets",
                "reserve_transfer_assets", "teleport_assets", "transfer_assets",
                "transfer_assets_using_type_and_then",
            ]),
        Row(.asset, ["PolkadotXcm", "XcmPallet"], "remote_fees_id", ["transfer_assets_using_type_and_then"]),
        Row(
            .beneficiary, ["PolkadotXcm", "XcmPallet"], "beneficiary",
            [
                "claim_assets", "limited_reserve_transfer_assets", "limited_teleport_assets",
                "reserve_transfer_assets", "teleport_assets", "transfer_assets",
            ]),
        // No shared metadata has these: polkadot-evm/frontier, `frame/evm`.
        Row(.wei, ["EVM"], "value", ["call", "create", "create2"]),
    ]
}
