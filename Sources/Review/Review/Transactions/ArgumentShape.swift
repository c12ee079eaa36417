import Cards
import SubstratePrimitives

/// The shape that an argument of a well-known call has on the cards.
///
/// Every bit of a value is on a card. So if a proof adds something inside an argument, such as a field beside
/// the account in `dest` or a wider number in `value`, a card is added or a line becomes longer than in the
/// known runtimes.
indirect enum ArgumentShape: Sendable {
    case account
    /// An integer of at most 64 bits.
    case number
    /// An amount of at most 128 bits, in a known unit or not.
    case amount
    case flag
    /// Text or bytes of any length: a remark, a proof of keys.
    case data
    /// A call, or the bytes or the hash of one, below which a known call is shown.
    case call
    case list(ArgumentShape)
    /// A value, or `None`.
    case maybe(ArgumentShape)
    /// A variant by its name, which has no content but where it is named here.
    case choice([String: ArgumentShape])
    /// Parts by their names, in this order.
    case parts([(name: String, shape: ArgumentShape)])
    case either([ArgumentShape])
    /// Differs between the known runtimes, or has a depth that its own rules judge: locations, keys, origins.
    case anything

    /// A card and those below it.
    struct Node {
        let card: Card
        let below: [Node]

        /// The cards of a value, without what this side makes of them.
        static func tree(_ cards: ArraySlice<Card>, isDerived: Bool) -> [Node] {
            tree(cards.filter { $0.kind != .notice && (isDerived || !$0.isDerived) }[...])
        }

        private static func tree(_ cards: ArraySlice<Card>) -> [Node] {
            var found: [Node] = []
            var rest = cards
            while let card = rest.popFirst() {
                let below = rest.prefix { $0.indent > card.indent }
                rest = rest.dropFirst(below.count)
                found.append(Node(card: card, below: tree(below)))
            }
            return found
        }
    }

    /// Whether these cards are a value of the shape.
    func fits(_ nodes: [Node]) -> Bool {
        switch self {
        case .account:
            // `Raw` holds any number of bytes, and no chain takes it for an account.
            if let node = Self.lone(nodes, [.enumVariant]) {
                let names = ["Id", "Index", "Address32", "Address20"]
                guard names.contains(where: { $0.utf8Equals(node.card.value) }) else { return false }
                return Self.leaf(node.below, [.account, .none])
                    || Self.isNumber(node.below, [.number], digits: 20)
            }
            return Self.leaf(nodes, [.account])
        case .number: return Self.isNumber(nodes, [.number], digits: 20)
        case .amount: return Self.isNumber(nodes, [.balance, .number], digits: 39)
        case .flag: return Self.leaf(nodes, [.bool])
        case .data: return Self.leaf(nodes, [.text, .bytes])
        case .call:
            guard let first = nodes.first, [.pallet, .text, .bytes].contains(first.card.kind) else {
                return false
            }
            return nodes.dropFirst().allSatisfy { $0.card.kind == .pallet }
        case .list(let element):
            if Self.leaf(nodes, [.none]) { return true }
            return nodes.allSatisfy { $0.card.kind == .fieldNumber && element.fits($0.below) }
        case .maybe(let shape): return Self.leaf(nodes, [.none]) || shape.fits(nodes)
        case .choice(let contents):
            guard let node = Self.lone(nodes, [.enumVariant]) else { return Self.leaf(nodes, [.none]) }
            guard let content = contents.first(where: { $0.key.utf8Equals(node.card.value) }) else {
                return node.below.isEmpty
            }
            return content.value.fits(node.below)
        case .parts(let parts):
            return nodes.count == parts.count
                && zip(nodes, parts).allSatisfy { node, part in
                    node.card.kind == .fieldName && part.name.utf8Equals(node.card.value)
                        && part.shape.fits(node.below)
                }
        case .either(let shapes): return shapes.contains { $0.fits(nodes) }
        case .anything: return true
        }
    }

    private static func lone(_ nodes: [Node], _ kinds: Set<Card.Kind>) -> Node? {
        nodes.count == 1 && kinds.contains(nodes[0].card.kind) ? nodes[0] : nil
    }

    private static func leaf(_ nodes: [Node], _ kinds: Set<Card.Kind>) -> Bool {
        lone(nodes, kinds)?.below.isEmpty == true
    }

    private static func isNumber(_ nodes: [Node], _ kinds: Set<Card.Kind>, digits: Int) -> Bool {
        guard let node = lone(nodes, kinds), node.below.isEmpty else { return false }
        return node.card.kind == .balance || node.card.value.utf8.count <= digits
    }

    // MARK: of known calls

    private static let weight = either([
        .number, parts([("ref_time", .number)]), parts([("ref_time", .number), ("proof_size", .number)]),
    ])
    private static let timepoint = parts([("height", .number), ("index", .number)])
    private static let schedule = either([
        parts([("locked", .amount), ("per_block", .amount), ("starting_block", .number)]),
        // orml.
        parts([("start", .number), ("period", .number), ("period_count", .number), ("per_period", .amount)]),
    ])
    private static let vote = choice([
        "Standard": parts([("vote", .number), ("balance", .amount)]),
        "Split": parts([("aye", .amount), ("nay", .amount)]),
        "SplitAbstain": parts([("aye", .amount), ("nay", .amount), ("abstain", .amount)]),
    ])

    /// nil for a name that no argument of the list of known calls has.
    static func of(argument: String, pallet: String) -> ArgumentShape? {
        // A location names a foreign asset.
        if argument.utf8Equals("id"), pallet.utf8Equals("ForeignAssets") { return .anything }
        return table.first { $0.names.contains(where: argument.utf8Equals) }?.shape
    }

    private static let table: [(names: [String], shape: ArgumentShape)] = [
        (
            [
                "dest", "source", "target", "delegate", "owner", "destination", "real", "controller", "to",
                "member_account",
                "validator_stash",
            ], .account
        ),
        (["targets", "other_signatories"], .list(.account)),
        (["value", "amount", "max_additional", "unbonding_points", "balance", "id"], .amount),
        (
            ["index", "threshold", "delay", "era", "num_slashing_spans", "class", "poll_index", "pool_id"],
            .number
        ),
        (["keep_alive", "store_call"], .flag),
        (["remark", "proof"], .data),
        (["call", "call_hash"], .call),
        (["calls"], .list(.call)),
        (["proxy_type", "force_proxy_type", "conviction"], .choice([:])),
        (["payee"], .choice(["Account": .account])),
        (["extra"], .choice(["FreeBalance": .amount])),
        (["maybe_timepoint"], .maybe(timepoint)),
        (["max_weight"], weight),
        (["schedule"], schedule),
        (["vote"], vote),
        (["as_origin", "keys"], .anything),
    ]
}
