import Cards
import SubstratePrimitives

/// Collects the cards of one part of a payload, and what they tell about its calls.
struct CardWriter {
    let specs: NetworkSpecs
    let addresses: AddressTexts
    var cards: [Card] = []
    var summary = CallSummary()
    /// Calls inside byte vectors or behind hashes, one inside the other, whose cards are being added. These
    /// cards are derived.
    var hiddenDepth = 0
    private(set) var budget: CardBudget

    init(specs: NetworkSpecs, budget: CardBudget) {
        self.specs = specs
        self.budget = budget
        addresses = AddressTexts(prefix: specs.base58Prefix)
    }

    mutating func add(_ kind: Card.Kind, _ value: String, _ indent: Int, _ facts: Card.Facts = .none) {
        append(Card(kind, value, indent: indent, facts: facts, isDerived: hiddenDepth > 0))
    }

    mutating func add(_ notice: Notice, _ indent: Int) { append(notice.card(indent: indent)) }

    mutating func append(_ card: Card) {
        budget.spend(on: card)
        if !isFull { cards.append(card) }
    }

    /// Whether the budget is spent. No more cards are added, and the payload is refused.
    var isFull: Bool { budget.isSpent }

    /// Notes a call that no card shows.
    mutating func hide(_ hash: Hash32) {
        summary.hiddenCalls.append(hash)
        warn(.hiddenCall)
    }

    /// Each warning once.
    mutating func warn(_ warning: Warning) {
        if !summary.warnings.contains(warning) { summary.warnings.append(warning) }
    }

    /// Notes whom a location names, by what it is for.
    ///
    /// A place made of chains is no account, and what is sent to one is at the disposal of whoever controls
    /// it: the runtime keeps it here in an account that the chain's number names. So that account is a
    /// destination like any other. The relay chain and the system chains on it have none, because the relay
    /// chain rules them all. Behind a bridge the account is the hash of a text that no card shows.
    mutating func note(_ location: LocationText, _ hint: Hint) {
        if hint.isAsset || hint.meaning == .asset { return }
        guard hint.meaning == .route else {
            // Only an account of the chain itself is the account that it names. On another chain, or inside
            // another place, the same bytes stand for whoever that place says.
            if !location.isAccount { summary.hasOtherAddresses = true }
            return
        }
        switch location.route {
        case .governed: break
        case .chain(let account): summary.chainAccounts.append(account)
        case nil: summary.hasOtherAddresses = true
        }
    }
}
