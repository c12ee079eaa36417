import Cards
import SubstratePrimitives

/// Collects the cards of one part of a payload, and what they tell about its calls.
struct CardWriter {
    let specs: NetworkSpecs
    let addresses: AddressTexts
    var cards: [Card] = []
    var summary = CallSummary()
    /// Calls inside byte vectors or behind hashes, one inside the other, whose cards are being added. These cards are derived.
    var hiddenDepth = 0
    private(set) var budget: CardBudget

    init(specs: NetworkSpecs, budget: CardBudget) {
        self.specs = specs
        self.budget = budget
        addresses = AddressTexts(prefix: specs.base58Prefix)
    }

    mutating func add(_ kind: Card.Kind, _ value: String, _ indent: Int, _ fields: [Card.Field] = []) {
        append(Card(kind, value, indent: indent, fields: fields, isDerived: hiddenDepth > 0))
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
        if !summary.warnings.contains(.hiddenCall) { summary.warnings.append(.hiddenCall) }
    }
}
