import Accounts
import Cards
import Extrinsics
import Hashing
import UOS

extension Card {
    /// The content of a message, recovered from the card's line: the UTF-8 of a text, or the bytes that hex
    /// stands for.
    var statedMessage: [UInt8]? {
        guard case .message(let message) = content else { return nil }
        return switch message {
        case .text: Array(value.utf8)
        case .bytes: value.utf8.starts(with: "0x".utf8) ? Hex.decode(value) : nil
        }
    }
}

extension MessagePayload {
    /// The one card of the message, which states every byte that is signed: the tags around the content are
    /// the same for all messages.
    func card() throws(ReviewError) -> Card {
        var card = Card(message: Array(content))
        guard let stated = card.statedMessage else { throw .notOnCards(.card("message 1")) }
        if let gap = CardGap(rebuilt: Self.openingTag + stated + Self.closingTag, bytes: tagged) {
            throw .notOnCards(gap)
        }
        card.coverage = .states(0..<tagged.count)
        return card
    }
}
