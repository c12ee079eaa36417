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

    mutating func add(_ content: Card.Content, _ indent: Int) {
        append(Card(content, indent: indent, isDerived: hiddenDepth > 0))
    }

    mutating func tell(_ notice: Notice, _ indent: Int) { append(Card(notice, indent: indent)) }

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

    /// Notes the destination that a location names, depending on what the location is for.
    ///
    /// A location can name a chain instead of an account. The runtime then keeps what is sent to it in the
    /// chain's own account here, which whoever controls that chain can use. So that account is a destination
    /// like any other. The relay chain and its system chains have no such account, because the relay chain
    /// rules them all. Behind a bridge, the account is the hash of a text that no card shows.
    mutating func note(_ location: LocationText, _ hint: Hint) {
        if hint.isAsset || hint.meaning == .asset { return }
        guard hint.meaning == .route else {
            // A location names an account by its key only on this chain. On another chain, or inside another
            // location, the same bytes can belong to somebody else.
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

/// Limits of what one payload may show, all transactions of a bulk together. No real payload comes near them.
///
/// They grow with the payload, so that a few hundred bytes whose types repeat themselves cost little: a card
/// of a real transaction states more than one byte on average, and its text, docs included, is less than 64
/// bytes for each byte beyond what every payload may show.
public enum CardLimits {
    public static let count = 1 << 16
    /// Bytes of text on all cards, fields included: types with long names would otherwise fill memory.
    public static let text = 1 << 23

    static func count(payload bytes: Int) -> Int { min(count, 1 << 13 + bytes) }

    static func text(payload bytes: Int) -> Int { min(text, 1 << 21 + 64 * min(bytes, text)) }
}

/// How much more may be shown.
public struct CardBudget: Sendable {
    private var cards: Int
    private var text: Int

    /// - Parameter bytes: of the payload.
    public init(payload bytes: Int) {
        cards = CardLimits.count(payload: bytes)
        text = CardLimits.text(payload: bytes)
    }

    /// Whether the limit is exceeded. Then no more cards are added, and the payload is refused.
    public var isSpent: Bool { cards < 0 || text < 0 }

    /// Counts a card, whether or not there is room for it.
    public mutating func spend(on card: Card) {
        cards -= 1
        text -= card.textLength
    }
}
