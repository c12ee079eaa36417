import Cards
import Metadata
import SCALE
import SubstratePrimitives

/// Reads literal cards in their order, and collects the bytes that they state.
///
/// A card also covers the structure bytes in front of its own that follow from it or from those behind it:
/// the count of a list belongs to the first item, as the items that show are counted; the first byte of an
/// Option belongs to its content.
struct LiteralCardReader {
    private let types: TypeView
    let specs: NetworkSpecs
    private let cards: LiteralCards
    /// For each card the position after all deeper cards that follow it.
    private let behind: [Int]
    private(set) var position = 0
    private(set) var bytes: [UInt8] = []
    /// For each card that was read, the end of the bytes that it covers.
    private var ends: [Int]
    /// Accounts by their text, as many as ``AddressTexts`` keeps.
    var accounts: [ExactText: [UInt8]] = [:]
    /// The mode byte, which the card of the hash covers although other bytes stand between them.
    private var mode: (position: Int, range: Range<Int>)?

    /// The cards do not determine the bytes.
    struct Mismatch: Error {
        /// The literal card at which rebuilding failed.
        let position: Int
    }

    init(_ cards: [Card], types: TypeView, specs: NetworkSpecs) {
        self.types = types
        self.specs = specs
        let literal = LiteralCards(among: cards)
        self.cards = literal
        behind = LiteralCards.ends(literal.count) { literal[$0].indent }
        ends = [Int](repeating: 0, count: literal.count)
    }

    // MARK: cards

    /// The card to read next; nil after the last.
    var next: Card? { position < cards.count ? cards[position] : nil }

    var mismatch: Mismatch { Mismatch(position: min(position, cards.count - 1)) }

    func isNext(_ kind: Card.Kind, _ indent: Int) -> Bool {
        position < cards.count && cards[position].kind == kind && cards[position].indent == indent
    }

    func isNext(_ kind: Card.Kind, _ indent: Int, _ line: String) -> Bool {
        isNext(kind, indent) && cards[position].value.utf8Equals(line)
    }

    /// The line of the next card; nil unless it has this kind and this depth.
    func line(_ kind: Card.Kind, _ indent: Int) -> String? {
        isNext(kind, indent) ? cards[position].value : nil
    }

    @discardableResult
    mutating func take(_ kind: Card.Kind, _ indent: Int) throws -> String {
        guard isNext(kind, indent) else { throw mismatch }
        ends[position] = bytes.count
        position += 1
        return cards[position - 1].value
    }

    mutating func take(_ kind: Card.Kind, _ indent: Int, _ line: String) throws {
        guard isNext(kind, indent, line) else { throw mismatch }
        try take(kind, indent)
    }

    /// How many items of a list show from here on.
    func items(_ indent: Int) -> Int {
        var count = 0
        var card = position
        while card < cards.count, cards[card].kind == .fieldNumber, cards[card].indent == indent {
            count += 1
            card = behind[card]
        }
        return count
    }

    /// Throws if a card is left.
    func finish() throws { guard position == cards.count else { throw mismatch } }

    // MARK: reading ahead

    /// Where reading stands, to return to.
    struct Mark {
        fileprivate let position: Int
        fileprivate let length: Int
    }

    var mark: Mark { Mark(position: position, length: bytes.count) }

    /// Passes over the next card and all deeper cards that follow it; none is recorded as read.
    mutating func skip() {
        if position < cards.count { position = behind[position] }
    }

    /// Forgets what was read since the mark. The bytes of these cards are recorded again when the cards are
    /// read in order.
    mutating func rewind(to mark: Mark) {
        position = mark.position
        bytes.removeSubrange(mark.length...)
    }

    // MARK: bytes

    /// Adds the bytes that the last read card states.
    mutating func state(_ own: [UInt8]) {
        bytes += own
        ends[position - 1] = bytes.count
    }

    mutating func state(_ value: Value, _ type: TypeReference) throws {
        state(try ValueEncoder.encode(value, type, types: types))
    }

    /// Adds bytes that the next card covers.
    mutating func addStructure(_ own: [UInt8]) { bytes += own }

    /// Adds a value that all cards since `first` state together; it belongs to the first.
    mutating func state(_ value: Value, _ type: TypeReference, since first: Int) throws {
        bytes += try ValueEncoder.encode(value, type, types: types)
        for card in first..<position { ends[card] = bytes.count }
    }

    /// Inserts the length of the bytes added since the mark, in front of them. The first card of the content
    /// covers the length.
    mutating func addLength(since mark: Mark) {
        let length = SCALEWriter.encode { $0.compact(UInt64(bytes.count - mark.length)) }
        bytes.insert(contentsOf: length, at: mark.length)
        for card in mark.position..<position { ends[card] += length.count }
    }

    /// The value of the bytes since the mark.
    func value(_ type: TypeReference, since mark: Mark) throws -> Value {
        var decoder = ValueDecoder(types: types, reader: SCALEReader(Array(bytes[mark.length...])))
        return try decoder.whole(type)
    }

    /// Adds the byte that says whether the hash of the metadata counts. The card of the hash states it, which
    /// stands among the implicit parts.
    mutating func addMode() throws {
        guard
            let card = (position..<cards.count).first(where: {
                cards[$0].kind == .metadataHash && cards[$0].indent == 0
            })
        else {
            throw mismatch
        }
        let start = bytes.count
        bytes.append(cards[card].value.utf8Equals("None") ? 0 : 1)
        mode = (card, start..<bytes.count)
    }

    // MARK: coverage

    /// The bytes that each card which was read covers, from `offset` on.
    func coverage(from offset: Int) -> [Card.Coverage] {
        var start = 0
        return ends.enumerated().map { card, end in
            // Another card's bytes begin with the mode byte, but only the card of the hash covers it.
            var range = start..<end
            start = end
            if let mode, mode.range.lowerBound == range.lowerBound, !range.isEmpty {
                range = mode.range.upperBound..<end
            }
            let other = mode.flatMap {
                $0.position == card ? $0.range.lowerBound + offset..<$0.range.upperBound + offset : nil
            }
            return .states(range.lowerBound + offset..<range.upperBound + offset, and: other)
        }
    }

    /// The literal card that covers a byte; the last card for a byte after the end.
    func card(at byte: Int) -> Int { ends.firstIndex { $0 > byte } ?? max(0, ends.count - 1) }
}

/// The literal cards of a list, in order, without copying them.
struct LiteralCards {
    private let all: [Card]
    private let indices: [Int]

    init(among all: [Card]) {
        self.all = all
        indices = all.indices.filter { !all[$0].isDerived }
    }

    var count: Int { indices.count }

    subscript(_ position: Int) -> Card { all[indices[position]] }

    /// The position after each card and all deeper cards that follow it.
    static func ends(_ count: Int, indent: (Int) -> Int) -> [Int] {
        var ends = [Int](repeating: count, count: count)
        var open: [Int] = []
        for position in 0..<count {
            let depth = indent(position)
            while let last = open.last, indent(last) >= depth {
                ends[last] = position
                open.removeLast()
            }
            open.append(position)
        }
        return ends
    }
}
