import SubstratePrimitives

/// The arguments whose amounts are of the chain's own token.
///
/// A row stands here only where the pallet's source gives the amount to the runtime's native currency, and
/// where each runtime that we know of uses that name of a pallet for it. `ParachainStaking` stakes the shares
/// of pools on one chain, and `Democracy` counts locked votes on another: their rows hold on the chains whose
/// runtimes were read (``chainRows``), by genesis hash, which is among the signed bytes. These are not here:
/// the salaries of `FellowshipCore`, which are paid in dollars; `AssetRewards.stake` and
/// `Portfolio.move_portfolio_funds`, which name their asset by another thing; credits for blocks
/// (`OnDemand.place_order_with_credits`); and a second instance of a pallet, such as
/// `NisCounterpartBalances`. `fixtures/calls/amounts.tsv` has the class of each argument.
///
/// Sources: paritytech/polkadot-sdk, `substrate/frame` and `polkadot/runtime`; polkadot-evm/frontier,
/// `frame/evm`; AstarNetwork/Astar, `pallets/dapp-staking`, whose currency is that of the runtime.
extension ArgumentMeaning {
    /// Rows that hold on some chains alone, by the name that the list of known chains has for their runtimes.
    ///
    /// Sources, each with `type Currency = Balances` for the pallet: moonbeam-foundation/moonbeam,
    /// `runtime/{moonbeam,moonriver}/src/lib.rs`; Manta-Network/Manta, `runtime/manta/src/lib.rs`;
    /// zeitgeistpm/zeitgeist, `runtime/common/src/lib.rs`; KILTprotocol/kilt-node,
    /// `runtimes/spiritnet/src/{lib,governance}.rs`; AcalaNetwork/Acala,
    /// `runtime/{acala,karura}/src/governance/democracy.rs`. Not Mangata (`MultiTokenCurrencyAdapter`),
    /// nor Interlay and Kintsugi (`Escrow`).
    static let chainRows: [(row: Row, chains: Set<ExactText>)] =
        [
            Row(.native, ["ParachainStaking"], "amount", ["delegate", "delegate_with_auto_compound"]),
            Row(.native, ["ParachainStaking"], "bond", ["join_candidates"]),
            Row(.native, ["ParachainStaking"], "more", ["candidate_bond_more", "delegator_bond_more"]),
            Row(
                .native, ["ParachainStaking"], "less",
                ["schedule_candidate_bond_less", "schedule_delegator_bond_less"]),
        ].map { ($0, ["manta", "moonbeam", "moonriver", "zeitgeist"]) }
        + [
            Row(.native, ["ParachainStaking"], "amount", ["join_delegators"]),
            Row(.native, ["ParachainStaking"], "stake", ["join_candidates"]),
            Row(.native, ["ParachainStaking"], "more", ["candidate_stake_more", "delegator_stake_more"]),
            Row(.native, ["ParachainStaking"], "less", ["candidate_stake_less", "delegator_stake_less"]),
        ].map { ($0, ["kilt-spiritnet"]) }
        + [
            Row(.native, ["Democracy"], "balance", ["delegate"]),
            Row(.native, ["Democracy"], "value", ["propose"]),
            Row(.native, ["Democracy"], "vote", ["vote"]),
        ].map { ($0, ["acala", "karura", "kilt-spiritnet"]) }

    static let nativeRows: [Row] =
        transfers + staking + governance + deposits + [
            // `Contracts` and `Revive` move the value of a call with the native currency.
            Row(
                .native, ["Contracts", "Revive"], "value",
                [
                    "call", "call_old_weight", "instantiate", "instantiate_old_weight",
                    "instantiate_with_code",
                    "instantiate_with_code_old_weight",
                ]),
            Row(
                .native, ["Revive"], "storage_deposit_limit",
                ["call", "instantiate", "instantiate_with_code", "upload_code"]),
            Row(.native, ["EVM"], "value", ["withdraw"]),
        ]

    /// `pallet_balances` under the name of the first instance is the native currency. Vesting locks and pays
    /// it.
    private static let transfers: [Row] = [
        Row(
            .native, ["Balances"], "value",
            ["burn", "force_transfer", "transfer", "transfer_allow_death", "transfer_keep_alive"]),
        Row(.native, ["Balances"], "amount", ["force_unreserve"]),
        Row(.native, ["Balances"], "delta", ["force_adjust_total_issuance"]),
        Row(.native, ["Balances"], "new_free", ["force_set_balance", "set_balance"]),
        Row(.native, ["Balances"], "new_reserved", ["set_balance"]),
        Row(.native, ["Claims"], "value", ["mint_claim"]),
        Row(.native, ["Claims"], "vesting_schedule", ["mint_claim"]),
        Row(.native, ["Currencies"], "amount", ["transfer_native_currency"]),
        Row(.native, ["Vesting"], "schedule", ["force_vested_transfer", "vested_transfer"]),
    ]

    /// A point of a pool is worth one unit of the token, or less after a slash.
    private static let staking: [Row] = [
        Row(.native, ["CollatorSelection"], "bond", ["set_candidacy_bond"]),
        Row(.native, ["CollatorSelection"], "deposit", ["take_candidate_slot"]),
        Row(.native, ["CollatorSelection"], "new_deposit", ["update_bond"]),
        Row(.native, ["DappStaking"], "amount", ["lock", "move_stake", "stake", "unlock", "unstake"]),
        Row(.native, ["NominationPools"], "amount", ["create", "create_with_pool_id", "join"]),
        Row(.native, ["NominationPools"], "extra", ["bond_extra", "bond_extra_other"]),
        Row(.native, ["NominationPools"], "min_create_bond", ["set_configs"]),
        Row(.native, ["NominationPools"], "min_join_bond", ["set_configs"]),
        Row(.native, ["NominationPools"], "unbonding_points", ["unbond"]),
        Row(.native, ["Staking"], "max_additional", ["bond_extra"]),
        Row(.native, ["Staking"], "maybe_total", ["restore_ledger"]),
        Row(.native, ["Staking"], "maybe_unlocking", ["restore_ledger"]),
        Row(.native, ["Staking"], "min_nominator_bond", ["set_staking_configs", "set_staking_limits"]),
        Row(.native, ["Staking"], "min_validator_bond", ["set_staking_configs", "set_staking_limits"]),
        Row(.native, ["Staking"], "value", ["bond", "rebond", "unbond"]),
    ]

    /// `Treasury.spend` names its asset beside the amount; `spend_local` and bounties pay from the native
    /// pot.
    private static let governance: [Row] = [
        Row(.native, ["Bounties"], "fee", ["approve_bounty_with_curator", "propose_curator"]),
        Row(.native, ["Bounties"], "value", ["propose_bounty"]),
        Row(.native, ["ChildBounties"], "fee", ["propose_curator"]),
        Row(.native, ["ChildBounties"], "value", ["add_child_bounty"]),
        Row(.native, ["ConvictionVoting"], "balance", ["delegate"]),
        Row(.native, ["ConvictionVoting"], "vote", ["vote"]),
        Row(.native, ["Society"], "amount", ["waive_repay"]),
        Row(.native, ["Society"], "candidate_deposit", ["found_society", "set_parameters"]),
        Row(.native, ["Society"], "tip", ["vouch"]),
        Row(.native, ["Society"], "value", ["bid", "vouch"]),
        Row(.native, ["FellowshipTreasury", "AmbassadorTreasury", "Treasury"], "amount", ["spend_local"]),
        Row(.native, ["Treasury"], "value", ["propose_spend"]),
    ]

    /// Deposits, fees and prices that a pallet reserves or takes with the native currency.
    private static let deposits: [Row] = [
        Row(.native, ["Auctions"], "amount", ["bid"]),
        Row(.native, ["Broker"], "amount", ["purchase_credit"]),
        Row(.native, ["Broker"], "price_limit", ["purchase"]),
        Row(
            .native, ["Configuration"], "new",
            [
                "set_hrmp_recipient_deposit", "set_hrmp_sender_deposit", "set_on_demand_base_fee",
                "set_scheduler_params",
            ]),
        Row(.native, ["Crowdloan"], "cap", ["create", "edit"]),
        Row(.native, ["Crowdloan"], "value", ["contribute"]),
        Row(.native, ["Identity"], "fee", ["set_fee"]),
        Row(.native, ["Identity"], "judgement", ["provide_judgement"]),
        Row(.native, ["Identity"], "max_fee", ["request_judgement"]),
        Row(.native, ["Nfts", "Uniques"], "bid_price", ["buy_item"]),
        Row(.native, ["Nfts", "Uniques"], "price", ["set_price"]),
        Row(.native, ["Nfts"], "maybe_price", ["create_swap"]),
        Row(.native, ["Nfts"], "mint_data", ["mint_pre_signed"]),
        Row(.native, ["Nfts"], "mint_settings", ["update_mint_settings"]),
        Row(.native, ["Nfts"], "witness_data", ["mint"]),
        Row(.native, ["Nfts"], "witness_price", ["claim_swap"]),
        Row(.native, ["OnDemand"], "max_amount", ["place_order_allow_death", "place_order_keep_alive"]),
        Row(.native, ["Registrar"], "deposit", ["force_register"]),
        Row(.native, ["Slots"], "amount", ["force_lease"]),
    ]
}
