import Cards
import Extrinsics
import SubstratePrimitives

/// Sentences for calls of the standard pallets.
///
/// A phrase belongs to a call's name and to arguments by their names, in whatever pallet: `{value}` stands
/// for the one account, amount, text or number that the cards of the argument `value` hold,
/// `{vote.Standard.balance}` for that of a part of an argument. A word in front of a colon says how a value
/// is read: see ``Reading``. Where an argument is missing or holds something else, the next phrase is tried,
/// and at last the call is said by its name: a sentence never leaves out an argument that it speaks of.
/// Source: paritytech/polkadot-sdk, substrate/frame and polkadot/xcm/pallet-xcm.
enum CallPhrases {
    private static let phrases: [(calls: [ExactText], phrase: String)] = [
        (["transfer_keep_alive", "transfer_allow_death", "transfer"], "sends {value} to {dest}"),
        (["transfer", "transfer_keep_alive"], "sends {amount} to {target}"),
        (["transfer", "transfer_keep_alive"], "sends {amount} to {dest}"),
        (["force_transfer"], "sends {value} from {source} to {dest}"),
        (["transfer_all"], "sends everything that can be moved to {dest}"),
        (["approve_transfer"], "lets {delegate} spend {amount}"),
        (["transfer_approved"], "sends {amount} of {owner} to {destination}"),
        (["bond"], "stakes {value}"),
        (["bond_extra"], "stakes {max_additional} more"),
        (["unbond"], "unstakes {value}"),
        (["rebond"], "stakes {value} again"),
        (["withdraw_unbonded"], "withdraws what was unstaked"),
        (["nominate"], "nominates validators"),
        (["chill"], "stops nominating or validating"),
        (["payout_stakers"], "pays out the rewards of validator {validator_stash}"),
        (["join"], "stakes {amount} in pool {pool_id}"),
        (["claim_payout"], "claims the rewards of a pool"),
        (
            ["vote"],
            "votes {aye:vote.Standard.vote}, with {vote.Standard.balance}, in referendum {poll_index}"
        ),
        (["vote"], "votes {aye:vote.Standard.vote}, with {vote.Standard.balance}, in referendum {ref_index}"),
        (["vote"], "votes {vote.Split.aye} aye and {vote.Split.nay} nay in referendum {poll_index}"),
        (["vote"], "votes {vote.Split.aye} aye and {vote.Split.nay} nay in referendum {ref_index}"),
        (
            ["vote"],
            """
            votes {vote.SplitAbstain.aye} aye, {vote.SplitAbstain.nay} nay and {vote.SplitAbstain.abstain} \
            abstain in referendum {poll_index}
            """
        ),
        (["vote"], "votes {aye:approve} on proposal {index}"),
        (["vote"], "votes {aye:aye} in poll {poll}"),
        (["vote"], "votes in referendum {poll_index}"),
        (
            ["delegate"],
            "delegates votes of {balance} to {to}, conviction {variant:conviction}, on track {class}"
        ),
        (["delegate"], "delegates votes of {balance} to {to}"),
        (["remark", "remark_with_event"], "writes {remark} into a block"),
        (["proxy"], "acts for {real}: {call}"),
        (["as_multi", "as_multi_threshold_1"], "acts as a multisig: {call}"),
        (["approve_as_multi"], "approves a multisig call by its hash"),
        (["as_derivative"], "acts for a derived account: {call}"),
        (["if_else"], "makes one of two calls, the second only if the first fails: {main}; else {fallback}"),
        (["as_recovered"], "acts for {account}: {call}"),
        (
            ["sudo", "sudo_unchecked_weight", "sudo_as", "dispatch_as", "dispatch_as_fallible"],
            "acts with other rights: {call}"
        ),
        (
            ["schedule", "schedule_after", "schedule_named", "schedule_named_after"],
            "schedules for later: {call}"
        ),
        (["add_proxy"], "lets {delegate} act with proxy type {variant:proxy_type}, {delay:delay}"),
        (["add_proxy"], "lets {delegate} act for this account"),
        (
            ["create_pure", "anonymous"],
            "creates an account for which this one acts with proxy type {variant:proxy_type}, {delay:delay}"
        ),
        (["remove_proxy"], "ends that {delegate} may act for this account"),
        (["remove_proxies"], "ends that any proxy may act for this account"),
        (["kill_pure", "kill_anonymous"], "removes a pure proxy account for ever"),
        (["set_keys"], "replaces the session keys"),
        (["set_code", "set_code_without_checks"], "replaces the code of the chain"),
        (
            [
                "transfer_assets", "reserve_transfer_assets", "limited_reserve_transfer_assets",
                "teleport_assets",
                "limited_teleport_assets",
            ], "sends assets to another chain: {dest}"
        ),
    ]

    private static let table: [ExactText: [String]] = phrases.reduce(into: [:]) { table, entry in
        for call in entry.calls { table[call, default: []].append(entry.phrase) }
    }

    /// Calls inside calls that are said in one sentence; what stands deeper is listed in one row, with its
    /// amounts and with what stays in force: else a chain of calls that hold one call each would empty the
    /// sentence.
    private static let depthLimit = 6
    /// Different calls of a batch that are said in its sentence; ``ReviewSummary/calls`` has all.
    private static let kindsLimit = 6

    /// Calls that stay in force and whose amounts say nothing of what they allow: beside others, too, each is
    /// said as if it stood alone.
    private static let stated: Set<ExactText> = ["add_proxy", "create_pure", "anonymous", "vote", "delegate"]
    /// Calls of one name in a batch that are said each.
    private static let statedLimit = 3

    static func sentence(_ call: CallOutline, depth: Int = 0) -> Sentence {
        let byName = Sentence([.words("calls "), .call(pallet: call.pallet, call: call.call)])
        let nested = call.nested
        guard depth < depthLimit || nested.isEmpty else { return byName + Sentence(" with ") + row(nested) }
        if ["batch", "batch_all", "force_batch"].contains(ExactText(call.call)),
            let list = call.argument("calls")
        {
            let calls = CallOutline.calls(in: list)
            // A list that holds something else than calls is not empty.
            if !calls.isEmpty || call.isEmptyBatch { return batch(calls, depth: depth) }
            return byName
        }
        for phrase in table[ExactText(call.call)] ?? [] {
            if let sentence = fill(phrase, call, depth: depth) { return sentence }
        }
        // What stands inside an unknown call is not left out.
        return nested.isEmpty ? byName : byName + Sentence(" with ") + batch(nested, depth: depth)
    }

    private static func batch(_ calls: [CallOutline], depth: Int) -> Sentence {
        if calls.isEmpty { return Sentence("batch of no calls") }
        if calls.count == 1 { return Sentence("batch of 1 call: ") + sentence(calls[0], depth: depth + 1) }
        return Sentence("batch of ") + list(calls, depth: depth)
    }

    /// Calls at the limit of depth and all that they carry, one behind the other.
    private static func row(_ calls: [CallOutline]) -> Sentence {
        list(calls.flatMap(\.withNested), sums: calls, depth: depthLimit)
    }

    /// Calls by their names, with all amounts among their arguments. What a call of several carries is said
    /// behind its name, so that an amount in a batch inside a batch stands in the sentence too.
    /// - Parameter sums: the calls whose amounts are summed, where some of the others carry them.
    private static func list(_ calls: [CallOutline], sums: [CallOutline]? = nil, depth: Int) -> Sentence {
        var kinds: [(name: CallSummary.Name, calls: [CallOutline])] = []
        var places: [CallSummary.Name: Int] = [:]
        for call in calls {
            let name = CallSummary.Name(pallet: call.pallet, call: call.call)
            if let place = places[name] {
                kinds[place].calls.append(call)
            } else {
                places[name] = kinds.count
                kinds.append((name, [call]))
            }
        }
        var parts: [Sentence.Part] =
            [.words(calls.count == 1 ? "1 call" : "\(calls.count) calls")] + amounts(sums ?? calls) + [
                .words(": ")
            ]
        // What stays in force is said wherever it stands: a sender could put seven other kinds before it, or
        // before a call that carries it.
        let said = kinds.enumerated().filter {
            $0.offset < kindsLimit || isStated($0.element.name.call)
                || $0.element.calls.contains { $0.withNested.contains { isStated($0.call) } }
        }
        .map(\.element)
        // In a row, whose calls carry one another, the only one that carries nothing is what all of them do.
        let isRow = depth == depthLimit
        let isOne = isRow && calls.count(where: \.nested.isEmpty) == 1
        for (index, (name, calls)) in said.enumerated() {
            parts += [
                .words("\(index == 0 ? "" : ", ")\(calls.count) x "),
                .call(pallet: name.pallet, call: name.call),
            ]
            let spelled = isRow ? calls.filter(\.nested.isEmpty) : calls
            if isStated(name.call) || isOne, !spelled.isEmpty { parts += stated(spelled, depth: depth + 1) }
            let nested = calls.flatMap(\.nested)
            guard !isRow, !nested.isEmpty else { continue }
            let inside =
                if depth + 1 == depthLimit {
                    row(nested)
                } else {
                    calls.count == 1 ? sentence(calls[0], depth: depth + 1) : list(nested, depth: depth + 1)
                }
            parts += [.words(" (")] + inside.parts + [.words(")")]
        }
        let rest = calls.count - said.reduce(0) { $0 + $1.calls.count }
        if rest > 0 { parts.append(.words(", \(rest) x others")) }
        return Sentence(parts)
    }

    private static func isStated(_ call: String) -> Bool { stated.contains(ExactText(call)) }

    /// A proxy of the type that every runtime calls `Any`.
    private static func allowsAll(_ call: CallOutline) -> Bool {
        guard let type = call.argument("proxy_type") else { return false }
        return type.contains { $0.kind == .enumVariant && $0.value.utf8Equals("Any") }
    }

    private static func stated(_ calls: [CallOutline], depth: Int) -> [Sentence.Part] {
        var parts: [Sentence.Part] = []
        // What allows everything stands first: harmless calls before it must not make it one of "more".
        let ordered = calls.filter(allowsAll) + calls.filter { !allowsAll($0) }
        for call in ordered.prefix(statedLimit) {
            parts += [.words(parts.isEmpty ? " (" : "; ")] + sentence(call, depth: depth).parts
        }
        let rest = calls.count - statedLimit
        return parts + [.words(rest > 0 ? "; \(rest) more)" : ")")]
    }

    /// Tokens of a batch whose sums stand in its sentence; ``ReviewSummary/totals`` has all.
    private static let tokensLimit = 3

    /// ` with 999 DOT`, or nothing. The sums are those of the totals, `at most` where of two calls one runs.
    private static func amounts(_ calls: [CallOutline]) -> [Sentence.Part] {
        let walk = SummaryWalk(calls.flatMap(\.cards), network: nil)
        let totals = walk.totals
        var parts: [Sentence.Part] = []
        for (index, total) in totals.prefix(tokensLimit).enumerated() {
            parts.append(.words(index > 0 ? ", " : walk.hasAlternatives ? " with at most " : " with "))
            parts.append(.amount(total.plain, unit: total.symbol))
            if total.symbol == nil { parts += smallestUnit(of: total.asset ?? "?") }
        }
        let rest = totals.count - tokensLimit
        if rest > 0 { parts.append(.words(", \(rest) more token\(rest == 1 ? "" : "s")")) }
        return parts
    }

    private static func smallestUnit(of asset: String) -> [Sentence.Part] {
        asset.utf8Equals("?")
            ? [.words(" of the smallest unit of an asset that is not known")]
            : [.words(" of the smallest unit of asset "), .name(asset)]
    }

    /// How a phrase reads the cards of an argument.
    private enum Reading: String {
        /// The name of a variant without fields.
        case variant
        /// A number of blocks, of which 0 is at once.
        case delay
        /// A vote: a byte of one, or true for aye.
        case aye
    }

    /// nil when an argument does not hold what the phrase says.
    private static func fill(_ phrase: String, _ call: CallOutline, depth: Int) -> Sentence? {
        var parts: [Sentence.Part] = []
        for (index, piece) in phrase.utf8.split(
            separator: UInt8(ascii: "{"), omittingEmptySubsequences: false
        ).enumerated() {
            guard index > 0 else {
                parts.append(.words(String(decoding: piece, as: UTF8.self)))
                continue
            }
            let halves = piece.split(
                separator: UInt8(ascii: "}"), maxSplits: 1, omittingEmptySubsequences: false)
            let (gap, words) = (halves[0], String(decoding: halves[1], as: UTF8.self))
            guard let value = value(ofGap: gap, call, depth: depth) else { return nil }
            parts += value + [.words(words)]
        }
        return Sentence(parts.filter { $0 != .words("") })
    }

    /// - Parameter gap: the argument's name, or how it is read, `:` and its name.
    private static func value(
        ofGap gap: Substring.UTF8View, _ call: CallOutline, depth: Int
    ) -> [Sentence.Part]? {
        let names = gap.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        guard let cards = call.argument(names[names.count - 1]) else { return nil }
        if names.count == 2, let reading = Reading(rawValue: names[0]) { return read(cards, as: reading) }
        return value(cards, depth: depth)
    }

    private static func read(_ cards: ArraySlice<Card>, as reading: Reading) -> [Sentence.Part]? {
        guard cards.count == 1, let card = cards.first else { return nil }
        switch reading {
        case .variant: return card.kind == .enumVariant ? [.name(card.value)] : nil
        case .delay:
            guard card.kind == .number else { return nil }
            if card.value.utf8Equals("0") { return [.words("at once")] }
            return [
                .words("after "), .amount(card.value, unit: nil),
                .words(card.value.utf8Equals("1") ? " block" : " blocks"),
            ]
        case .aye:
            if card.kind == .bool { return [.words(card.value.utf8Equals("true") ? "aye" : "nay")] }
            let isVote = ["aye", "nay"].contains { card.value.utf8Starts(with: $0) }
            return card.kind == .number && isVote ? [.words(card.value)] : nil
        }
    }

    /// The longest text of the payload that stands in a sentence, in bytes.
    private static let textLimit = 120

    /// The one thing that the cards of an argument say.
    private static func value(_ cards: ArraySlice<Card>, depth: Int) -> [Sentence.Part]? {
        let calls = CallOutline.calls(in: cards)
        if let call = calls.first { return calls.count == 1 ? sentence(call, depth: depth + 1).parts : nil }
        // Where this side names a place on another chain, that is what the cards below it say.
        if let place = cards.lazy.compactMap(\.place).first { return [.place(place)] }
        let values = cards.filter { $0.kind != .enumVariant && $0.kind != .notice }
        guard values.count == 1, let card = values.first else { return nil }
        // A number or bytes inside a variant, such as an address by its index, are not what the phrase means.
        guard card.kind == .account || !cards.contains(where: { $0.kind == .enumVariant }) else { return nil }
        switch card.kind {
        case .account: return [.account(card.value)]
        case .balance: return [card.amountPart]
        case .number:
            guard let asset = cards.lazy.compactMap(\.unknownAsset).first else { return [card.amountPart] }
            return [card.amountPart] + smallestUnit(of: asset)
        case .text:
            return card.value.utf8.count <= textLimit
                ? [.quoted(card.value)] : [.words("a text of \(card.value.utf8.count) bytes")]
        case .bytes:
            guard case .bytes(let bytes) = card.facts else { return nil }
            return [.words(bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")]
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .tip, .bits, .bool, .none,
            .identityField, .eraImmortal, .eraMortal,
            .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .author,
            .authorUnknown, .warning,
            .error, .verifier, .metadata, .types, .newSpecs, .network, .derivation, .message, .notice:
            return nil
        }
    }
}

extension Card {
    /// The place that a notice names.
    fileprivate var place: String? { if case .location(let text, _)? = notice { text.text } else { nil } }

    /// A balance or a number.
    fileprivate var amountPart: Sentence.Part {
        amount.map { .amount($0.text.plain, unit: $0.text.symbol) } ?? .amount(value, unit: nil)
    }
}
