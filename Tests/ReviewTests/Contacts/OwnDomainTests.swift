import Keys
import Review
import Testing
import UOS

@Suite struct OwnDomainLaws {
    /// A chain may give index 255 to a pallet and a call, and choose the arguments.
    @Test func `bytes that start as a contact list is signed are signed as nothing else`() {
        let marker = SigningDomain.marker
        #expect(
            SigningMessage.isOfOwnDomain(marker, .transaction)
                && SigningMessage.isOfOwnDomain(marker + [1, 2], .transaction))
        #expect(!SigningMessage.isOfOwnDomain(Array(marker.dropLast()), .transaction))
        #expect(!SigningMessage.isOfOwnDomain(Array(marker.dropLast()) + [0xfe, 0xff], .transaction))
        #expect(!SigningMessage.isOfOwnDomain([0] + marker, .transaction))
        #expect(
            SigningMessage.isOfOwnDomain(
                MessagePayload.openingTag + marker + MessagePayload.closingTag, .message))
        #expect(SigningMessage.isOfOwnDomain(marker, .message))
        #expect(!SigningMessage.isOfOwnDomain(MessagePayload.openingTag + [0] + marker, .message))
    }
}
