import Cards
import Hashing
import Review
import SubstratePrimitives
import Testing
import UOS

/// Every byte of a message is on its card.
@Suite struct MessageStatementLaws {
    /// The bytes that a message's card says, by its kind, line and text alone.
    static func stated(_ card: Card) -> [UInt8]? {
        guard card.kind == .message else { return nil }
        let line = card.value
        let text = card.fields.first { $0.name == "text" }?.fact
        switch text {
        case .text(let text): return text.text.utf8.elementsEqual(line.utf8) ? Array(line.utf8) : nil
        case .absent: return line.utf8.starts(with: "0x".utf8) ? Hex.decode(line) : nil
        case .texts, .number, .flag, nil: return nil
        }
    }

    static let contents: [[UInt8]] = [
        [], Array("hello".utf8), Array("0xff00aa".utf8), [0xff, 0x00, 0xaa], [0],
        Array("<Bytes>a</Bytes>".utf8), Array("</Bytes>".utf8),
        // Texts that `String` takes for equal: composed and decomposed, and the Kelvin sign.
        Array("\u{e9}".utf8), Array("e\u{301}".utf8), Array("K".utf8), Array("\u{212a}".utf8),
        Array("\r\n".utf8), Array("\n".utf8),
        // An overlong form and half a surrogate are no UTF-8.
        [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf, 0x61], Array("a".utf8),
    ]

    @Test func theCardOfAMessageGivesBackWhatIsSigned() throws {
        for isBound in [true, false] {
            for content in Self.contents {
                let payload =
                    [0x53, 0x01, isBound ? 0x03 : 0x08] + SigningVault.alice + MessagePayload.openingTag
                    + content
                    + MessagePayload.closingTag + (isBound ? SigningVault.runtime.genesisHash.bytes : [])
                let reviewed = try TransactionReview(SigningVault.data()).review(try Payload(payload))[0]
                try #require(reviewed.cards.message.count == 1)
                let stated = try #require(Self.stated(reviewed.cards.message[0]))
                #expect(
                    MessagePayload.openingTag + stated + MessagePayload.closingTag == reviewed.signingBytes)
                // The program checked the same, and notes which bytes the card states.
                #expect(reviewed.cards.message[0].coverage == .states(0..<reviewed.signingBytes.count))
            }
        }
    }
}
