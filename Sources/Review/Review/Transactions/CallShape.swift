import Cards
import SubstratePrimitives

/// How many fields well-known calls have, and of what shape they are.
///
/// Whoever makes a metadata proof also says which fields a call has. One more field is room for bytes that
/// the chain of the true metadata reads otherwise, or that a person takes for a harmless addition: a transfer
/// with a `salt` is how signed bytes became a second statement. So a call that everybody knows has as many
/// fields as the runtimes give it, or the review says that it does not, and then no rule approves it. The
/// room may as well be inside of a field, beside the account in `dest`: so each argument has its known name
/// and shape (``ArgumentShape``), down to its last part. The arguments of XCM are versions of programs and
/// places, and are judged where a place is read.
enum CallShape {
    /// The most fields that a published runtime of Polkadot, its Asset Hub or Westend gives the call, from
    /// spec version 9010 on.
    static let fields: [(pallets: [String], calls: [(name: String, most: Int)])] = [
        (
            ["Balances"],
            [
                ("transfer", 2), ("transfer_allow_death", 2), ("transfer_keep_alive", 2), ("transfer_all", 2),
                ("force_transfer", 3),
                ("burn", 2),
            ]
        ),
        (
            ["Assets", "ForeignAssets", "PoolAssets"],
            [
                ("transfer", 3), ("transfer_keep_alive", 3), ("transfer_all", 3), ("transfer_approved", 4),
                ("approve_transfer", 3),
            ]
        ),
        (["System"], [("remark", 1), ("remark_with_event", 1)]),
        (
            ["Utility"],
            [("batch", 1), ("batch_all", 1), ("force_batch", 1), ("as_derivative", 2), ("dispatch_as", 2)]
        ),
        (["Proxy"], [("proxy", 3), ("add_proxy", 3), ("remove_proxy", 3)]),
        (["Multisig"], [("as_multi", 6), ("as_multi_threshold_1", 2), ("approve_as_multi", 5)]),
        (
            ["Staking"],
            [
                ("bond", 3), ("bond_extra", 1), ("unbond", 1), ("rebond", 1), ("withdraw_unbonded", 1),
                ("nominate", 1), ("chill", 0),
                ("set_payee", 1), ("payout_stakers", 2),
            ]
        ),
        (
            ["NominationPools"],
            [("join", 2), ("bond_extra", 1), ("unbond", 2), ("withdraw_unbonded", 2), ("claim_payout", 0)]
        ),
        (["Session"], [("set_keys", 2), ("purge_keys", 0)]),
        (["Vesting"], [("vest", 0), ("vest_other", 1), ("vested_transfer", 2)]),
        (["ConvictionVoting"], [("vote", 2), ("delegate", 4), ("unlock", 2)]),
        (
            places,
            [
                ("teleport_assets", 4), ("reserve_transfer_assets", 4), ("limited_teleport_assets", 5),
                ("limited_reserve_transfer_assets", 5), ("transfer_assets", 5),
            ]
        ),
    ]

    private static let places = ["XcmPallet", "PolkadotXcm"]

    /// nil for a call that is not in the list.
    static func mostFields(pallet: String, call: String) -> Int? {
        fields.first { $0.pallets.contains { $0.utf8Equals(pallet) } }?.calls.first {
            $0.name.utf8Equals(call)
        }?.most
    }

    /// A warning for each known call, nested ones too, with more fields than it should have; by the cards,
    /// which show every field.
    static func warnings(_ cards: [Card]) -> [Card] {
        var found: [UnusualCall] = []
        var pallet = ""
        for (index, card) in cards.enumerated() {
            if card.kind == .pallet { pallet = card.value }
            guard card.kind == .call, let most = mostFields(pallet: pallet, call: card.value) else {
                continue
            }
            let body = cards[(index + 1)...].prefix { $0.indent > card.indent }
            let count = body.filter {
                $0.indent == card.indent + 1 && ($0.kind == .fieldName || $0.kind == .fieldNumber)
            }.count
            let name = (pallet: ExactText(pallet), call: ExactText(card.value))
            if count > most {
                found.append(.fields(pallet: name.pallet, call: name.call, count: count, most: most))
            }
            let arguments = ArgumentShape.Node.tree(body, isDerived: card.isDerived)
            for (index, argument) in arguments.prefix(most).enumerated()
            where !isKnown(argument, pallet: pallet) {
                found.append(.field(pallet: name.pallet, call: name.call, number: index + 1))
            }
        }
        return found.reduce(into: [UnusualCall]()) { if !$0.contains($1) { $0.append($1) } }
            .map { Card(.warning(.unusualCall($0))) }
    }

    private static func isKnown(_ argument: ArgumentShape.Node, pallet: String) -> Bool {
        if places.contains(where: { $0.utf8Equals(pallet) }) { return true }
        guard argument.card.kind == .fieldName else { return false }
        return ArgumentShape.of(argument: argument.card.value, pallet: pallet)?.fits(argument.below) ?? false
    }
}
