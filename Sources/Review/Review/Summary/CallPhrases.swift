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
struct CallPhrases {
    private let shown: ShownCalls
    /// Those that were read.
    private let cards: [Card]

    init(_ shown: ShownCalls, _ cards: [Card]) { (self.shown, self.cards) = (shown, cards) }

    /// The sentence for the outermost call.
    var sentence: Sentence {
        shown.outermost(in: cards.indices).first.map { sentence($0) } ?? Sentence("makes no call")
    }

    private static let phrases: [(calls: [ExactText], phrase: String)] = [
        (["transfer_keep_alive", "transfer_allow_death", "transfer"], "sends {value} to {dest}"),
        (["transfer", "transfer_keep_alive"], "sends {amount} to {target}"),
        (["transfer", "transfer_keep_alive"], "sends {amount} to {dest}"),
        (["force_transfer"], "sends {value} from {source} to {dest}"),
        (["transfer_all"], "sends everything that can be moved to {dest}"),
        (["approve_transfer"], "lets {delegate} spend {amount}"),
        // The second call, of orml, gives only one of many amounts.
        (
            ["vested_transfer"],
            "sends {schedule.locked} to {target}, locked, and frees {schedule.per_block} of it a block"
        ),
        (["vested_transfer"], "sends {schedule.per_period} to {dest}, {schedule.period_count} times"),
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

    /// Nesting depth that a sentence spells out. Deeper calls are listed in one row, with their amounts and
    /// with what stays in force; otherwise a long chain of wrappers would hide what the innermost call does.
    private static let depthLimit = 6
    /// Different calls of a batch that are said in its sentence; ``ReviewSummary/calls`` has all.
    private static let kindsLimit = 6

    /// Calls that stay in force and whose amounts do not show what they allow. Each gets its full sentence
    /// even if there are other calls.
    private static let stated: Set<ExactText> = ["add_proxy", "create_pure", "anonymous", "vote", "delegate"]
    /// Calls of one name in a batch that are said each.
    private static let statedLimit = 3

    // MARK: Calls by their places

    private func sentence(_ call: Int, depth: Int = 0) -> Sentence {
        let name = shown.calls[call].name
        let byName = Sentence([.words("calls "), .call(name)])
        let nested = nested(call)
        guard depth < Self.depthLimit || nested.isEmpty else {
            return byName + Sentence(" with ") + row(nested)
        }
        if ["batch", "batch_all", "force_batch"].contains(name.call), let list = argument("calls", of: call) {
            let calls = shown.outermost(in: list)
            // A list that holds something else than calls is not empty.
            if !calls.isEmpty || isEmptyBatch(call) { return batch(calls, depth: depth) }
            return byName
        }
        for phrase in Self.table[name.call] ?? [] {
            if let sentence = fill(phrase, call, depth: depth) { return sentence }
        }
        // What stands inside an unknown call is not left out.
        return nested.isEmpty ? byName : byName + Sentence(" with ") + batch(nested, depth: depth)
    }

    private func batch(_ calls: [Int], depth: Int) -> Sentence {
        if calls.isEmpty { return Sentence("batch of no calls") }
        if calls.count == 1 { return Sentence("batch of 1 call: ") + sentence(calls[0], depth: depth + 1) }
        return Sentence("batch of ") + list(calls, depth: depth)
    }

    /// Calls at the limit of depth and all that they carry, one behind the other.
    private func row(_ calls: [Int]) -> Sentence {
        list(calls.flatMap(withNested), sums: calls, depth: Self.depthLimit)
    }

    /// Calls by their names, with all amounts among their arguments. The calls inside a batch follow its
    /// name, so that an amount in a batch inside a batch is in the sentence, too.
    /// - Parameter sums: the calls whose amounts are summed, where some of the others carry them.
    private func list(_ calls: [Int], sums: [Int]? = nil, depth: Int) -> Sentence {
        var kinds: [(name: ShownCalls.Name, calls: [Int])] = []
        var places: [ShownCalls.Name: Int] = [:]
        for call in calls {
            let name = shown.calls[call].name
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
            $0.offset < Self.kindsLimit || Self.stated.contains($0.element.name.call)
                || $0.element.calls.contains { withNested($0).contains(where: isStated) }
        }
        .map(\.element)
        // In a chain of calls that each carry the next, the innermost call says what all of them do.
        let isRow = depth == Self.depthLimit
        let isOne = isRow && calls.count { nested($0).isEmpty } == 1
        for (index, (name, calls)) in said.enumerated() {
            parts += [.words("\(index == 0 ? "" : ", ")\(calls.count) x "), .call(name)]
            let spelled = isRow ? calls.filter { nested($0).isEmpty } : calls
            if Self.stated.contains(name.call) || isOne, !spelled.isEmpty {
                parts += stated(spelled, depth: depth + 1)
            }
            let inner = calls.flatMap(nested)
            guard !isRow, !inner.isEmpty else { continue }
            let inside =
                if depth + 1 == Self.depthLimit {
                    row(inner)
                } else {
                    calls.count == 1 ? sentence(calls[0], depth: depth + 1) : list(inner, depth: depth + 1)
                }
            parts += [.words(" (")] + inside.parts + [.words(")")]
        }
        let rest = calls.count - said.reduce(0) { $0 + $1.calls.count }
        if rest > 0 { parts.append(.words(", \(rest) x others")) }
        return Sentence(parts)
    }

    private func isStated(_ call: Int) -> Bool { Self.stated.contains(shown.calls[call].name.call) }

    /// A proxy of the type that every runtime calls `Any`.
    private func allowsAll(_ call: Int) -> Bool {
        guard let type = argument("proxy_type", of: call) else { return false }
        return cards[type].contains { $0.kind == .enumVariant && $0.value.utf8Equals("Any") }
    }

    private func stated(_ calls: [Int], depth: Int) -> [Sentence.Part] {
        var parts: [Sentence.Part] = []
        // What allows everything stands first: harmless calls before it must not make it one of "more".
        let ordered = calls.filter(allowsAll) + calls.filter { !allowsAll($0) }
        for call in ordered.prefix(Self.statedLimit) {
            parts += [.words(parts.isEmpty ? " (" : "; ")] + sentence(call, depth: depth).parts
        }
        let rest = calls.count - Self.statedLimit
        return parts + [.words(rest > 0 ? "; \(rest) more)" : ")")]
    }

    /// Tokens of a batch whose sums stand in its sentence; ``ReviewSummary/totals`` has all.
    private static let tokensLimit = 3

    /// ` with 999 DOT`, or nothing. The sums are those of the totals, `at most` where of two calls one runs.
    private func amounts(_ calls: [Int]) -> [Sentence.Part] {
        let hasAlternatives = calls.contains(where: shown.hasAlternatives)
        let totals = ReviewSummary.Total.all(of: calls.flatMap(shown.amounts), network: nil)
        var parts: [Sentence.Part] = []
        for (index, total) in totals.prefix(Self.tokensLimit).enumerated() {
            parts.append(.words(index > 0 ? ", " : hasAlternatives ? " with at most " : " with "))
            parts.append(.amount(total.plain, unit: total.symbol))
            if total.symbol == nil { parts += smallestUnit(of: total.asset ?? Notice.unnamedAsset) }
        }
        let rest = totals.count - Self.tokensLimit
        if rest > 0 { parts.append(.words(", \(rest) more token\(rest == 1 ? "" : "s")")) }
        return parts
    }

    private func smallestUnit(of asset: ExactText) -> [Sentence.Part] {
        asset == Notice.unnamedAsset
            ? [.words(" of the smallest unit of an asset that is not known")]
            : [.words(" of the smallest unit of asset "), .name(asset)]
    }

    /// How a phrase reads the cards of an argument.
    private enum Reading: String {
        /// The name of a variant without fields.
        case variant
        /// A number of blocks; 0 means at once.
        case delay
        /// A vote: a byte of one, or true for aye.
        case aye
    }

    /// nil when an argument does not hold what the phrase says.
    private func fill(_ phrase: String, _ call: Int, depth: Int) -> Sentence? {
        var parts: [Sentence.Part] = []
        for (index, piece) in phrase.utf8.split(
            separator: UInt8(ascii: "{"), omittingEmptySubsequences: false
        ).enumerated() {
            guard index > 0 else {
                parts.append(.words(ExactText(String(decoding: piece, as: UTF8.self))))
                continue
            }
            let halves = piece.split(
                separator: UInt8(ascii: "}"), maxSplits: 1, omittingEmptySubsequences: false)
            let (gap, words) = (halves[0], ExactText(String(decoding: halves[1], as: UTF8.self)))
            guard let value = value(ofGap: gap, call, depth: depth) else { return nil }
            parts += value + [.words(words)]
        }
        return Sentence(parts.filter { $0 != .words("") })
    }

    /// - Parameter gap: the argument's name, or how it is read, `:` and its name.
    private func value(
        ofGap gap: Substring.UTF8View, _ call: Int, depth: Int
    ) -> [Sentence.Part]? {
        let names = gap.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        guard let places = argument(names[names.count - 1], of: call) else { return nil }
        if names.count == 2, let reading = Reading(rawValue: names[0]) {
            return read(cards[places], as: reading)
        }
        return value(cards[places], depth: depth)
    }

    private func read(_ cards: ArraySlice<Card>, as reading: Reading) -> [Sentence.Part]? {
        guard cards.count == 1, let card = cards.first else { return nil }
        switch reading {
        case .variant: return card.kind == .enumVariant ? [.name(ExactText(card.value))] : nil
        case .delay:
            guard card.kind == .number else { return nil }
            if card.value.utf8Equals("0") { return [.words("at once")] }
            return [
                .words("after "), .amount(ExactText(card.value), unit: nil),
                .words(card.value.utf8Equals("1") ? " block" : " blocks"),
            ]
        case .aye:
            if card.kind == .bool { return [.words(card.value.utf8Equals("true") ? "aye" : "nay")] }
            let isVote = ["aye", "nay"].contains { card.value.utf8Starts(with: $0) }
            return card.kind == .number && isVote ? [.words(ExactText(card.value))] : nil
        }
    }

    /// The longest text of the payload that stands in a sentence, in bytes.
    private static let textLimit = 120

    /// The one thing that the cards of an argument say.
    private func value(_ cards: ArraySlice<Card>, depth: Int) -> [Sentence.Part]? {
        let calls = shown.outermost(in: cards.indices)
        if let call = calls.first { return calls.count == 1 ? sentence(call, depth: depth + 1).parts : nil }
        // Where this side names a place on another chain, that is what the cards below it say.
        if let place = cards.lazy.compactMap(\.place).first { return [.place(place)] }
        let values = cards.filter { $0.kind != .enumVariant && $0.kind != .notice }
        guard values.count == 1, let card = values.first else { return nil }
        // A number or bytes inside a variant, such as an address by its index, are not what the phrase means.
        guard card.kind == .account || !cards.contains(where: { $0.kind == .enumVariant }) else { return nil }
        switch card.kind {
        case .account: return [.account(ExactText(card.value))]
        case .balance: return [card.amountPart]
        case .number:
            guard let asset = cards.lazy.compactMap(\.foreignAsset).first else { return [card.amountPart] }
            return [card.amountPart] + smallestUnit(of: asset)
        case .text:
            return card.value.utf8.count <= Self.textLimit
                ? [.quoted(ExactText(card.value))] : [.words("a text of \(card.value.utf8.count) bytes")]
        case .bytes:
            guard case .bytes(let bytes, key: nil) = card.content else { return nil }
            return [.words(bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")]
        case .pallet, .call, .fieldName, .fieldNumber, .enumVariant, .tip, .bits, .bool, .none,
            .identityField, .eraImmortal, .eraMortal,
            .nonce, .blockHash, .genesisHash, .specVersion, .txVersion, .metadataHash, .extension, .author,
            .authorUnknown, .warning, .verifier, .metadata, .types, .newSpecs, .network, .derivation,
            .message, .notice:
            return nil
        }
    }
}

// MARK: Cards by their places

extension CallPhrases {
    /// The calls directly inside this call.
    private func nested(_ call: Int) -> [Int] {
        let cards = shown.calls[call].cards
        return shown.outermost(in: cards.lowerBound + 1..<cards.upperBound)
    }

    /// The call and all that stand in it at any depth, in the order of reading.
    private func withNested(_ call: Int) -> Range<Int> { call..<shown.calls[call].end }

    /// The cards that stand directly below a call, each with all below it.
    private func blocks(of call: Int) -> [Range<Int>] {
        let cards = shown.calls[call].cards
        var (blocks, index): ([Range<Int>], Int) = ([], cards.lowerBound + 2)
        while index < cards.upperBound {
            blocks.append(index..<self.cards[cards].endOfBlock(index))
            index = blocks[blocks.count - 1].upperBound
        }
        return blocks
    }

    /// The cards of an argument, or of a part of it: `vote.Standard.balance` is the field of that name in the
    /// variant `Standard`.
    private func argument(_ path: String, of call: Int) -> Range<Int>? {
        let names = path.utf8.split(separator: UInt8(ascii: ".")).map {
            ExactText(String(decoding: $0, as: UTF8.self))
        }
        guard let first = names.first,
            let block = blocks(of: call).first(where: { cards[$0.lowerBound].isField(first) })
        else { return nil }
        return names.dropFirst().reduce(cards[block].dropFirst()) { $0?.part($1) }?.indices
    }

    /// Whether it takes a list of calls, which is empty.
    private func isEmptyBatch(_ call: Int) -> Bool {
        let counts = blocks(of: call).compactMap { block -> Int? in
            if case .batch(let count)? = cards[block.lowerBound].notice { count } else { nil }
        }
        return !counts.isEmpty && counts.allSatisfy { $0 == 0 }
    }
}

extension ArraySlice<Card> {
    /// The cards below the outermost variant or field of that name; nil where there is not exactly one.
    fileprivate func part(_ name: ExactText) -> ArraySlice<Card>? {
        guard let depth = map(\.indent).min() else { return nil }
        let places = indices.filter {
            self[$0].indent == depth && (self[$0].kind == .enumVariant || self[$0].kind == .fieldName)
                && ExactText(self[$0].value) == name
        }
        return places.count == 1 ? self[(places[0] + 1)..<endOfBlock(places[0])] : nil
    }

    /// Behind a card and all that stand below it.
    fileprivate func endOfBlock(_ index: Int) -> Int {
        self[(index + 1)...].firstIndex { $0.indent <= self[index].indent } ?? endIndex
    }
}

extension Card {
    fileprivate func isField(_ name: ExactText) -> Bool {
        (kind == .fieldName || kind == .fieldNumber) && ExactText(value) == name
    }

    /// The place that a notice names.
    fileprivate var place: ExactText? { if case .location(let text, _)? = notice { text } else { nil } }

    /// The asset in whose smallest unit the number before this notice is.
    fileprivate var foreignAsset: ExactText? {
        if case .foreignUnit(let asset, _)? = notice { asset } else { nil }
    }

    /// A balance or a number.
    fileprivate var amountPart: Sentence.Part {
        amount.map { .amount(ExactText($0.text.plain), unit: ExactText($0.text.symbol)) }
            ?? .amount(ExactText(value), unit: nil)
    }
}
