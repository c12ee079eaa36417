import Cards
import ColdSigner
import Hashing
import SubstratePrimitives
import Testing
import UOS

/// The card of a message states every byte that is signed.
@Suite struct MessageStatementLaws {
    static func reviewed(_ content: [UInt8]) throws -> ReviewedTransaction {
        let tagged = Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)
        let payload = [0x53, 0x01, 0x03] + SigningVault.alice + tagged + SigningVault.runtime.genesisHash.bytes
        return try #require(try TransactionReview(SigningVault.data()).review(try Payload(payload)).first)
    }

    static let contents: [[UInt8]] = [
        [], Array("hello".utf8), Array("0xff00aa".utf8), [0xff, 0x00, 0xaa], Array("é".utf8), Array("e\u{301}".utf8), [0], [0x0a],
        Array("</Bytes>".utf8), Array("\u{202e}".utf8), [0xc3, 0x28], Array("0x".utf8), Array("0x\u{34f}41".utf8),
    ]

    @Test(arguments: contents)
    func itsCardStatesAllSignedBytes(content: [UInt8]) throws {
        let reviewed = try Self.reviewed(content)
        let card = try #require(reviewed.cards.message.first)
        #expect(reviewed.cards.message.count == 1 && !card.isDerived)
        #expect(card.coverage == .states(0..<reviewed.signingBytes.count))
    }

    @Test func twoMessagesNeverHaveTheSameCard() throws {
        let cards = try Self.contents.map { try #require(try Self.reviewed($0).cards.message.first) }
        for first in cards.indices {
            for second in cards.indices where second > first { #expect(cards[first] != cards[second]) }
        }
    }
}
