import Cards
import GroupReview
import Hashing
import Review
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@Suite struct GroupCardLaws {
    private func message(_ hex: String) throws -> GroupMessage {
        guard case .group(let message) = try Payload(GroupVectors.bytes(hex)).content else {
            throw PayloadError.emptyBulk
        }
        return message
    }

    /// The words of BIP-39 in Python's `mnemonic`: abandon is 0, and the bits run from the most significant
    /// one on.
    @Test func `a hash is eight words of eleven bits`() {
        #expect(
            GroupWords.words(of: [UInt8](repeating: 0, count: 32)) == [String](repeating: "abandon", count: 8)
        )
        #expect(
            GroupWords.words(of: [UInt8](repeating: 0xff, count: 11)) == [String](repeating: "zoo", count: 8))
        // 00000000001 00000000010 …
        #expect(
            Array(GroupWords.words(of: [0x00, 0x20, 0x08] + [UInt8](repeating: 0, count: 8)).prefix(3)) == [
                "ability", "able", "abandon",
            ])
    }

    @Test func `the card of a host key has the words that people compare`() throws {
        let group = GroupVectors.groups[0]
        let cards = try message(group.host_cards[0]).cards
        #expect(
            cards.map(\.value).contains { $0.utf8Equals("speed fall input nice bring defy carbon coral") })
        #expect(cards.map(\.value).contains { $0.utf8Equals("0x" + group.host_public_keys[0]) })
    }

    @Test func `a proposal says whether a whole key existed`() throws {
        for group in GroupVectors.all {
            let cards = try message(group.proposal).cards
            let place = try #require(
                cards.firstIndex { $0.kind == .fieldName && $0.value.utf8Equals("origin") })
            let origins = ["dealer": "dealt", "reshare": "reshared"]
            #expect(cards[place + 1].value.utf8Equals(origins[group.kind] ?? "new"))
        }
    }

    /// Nobody signs a proposal or a request: whatever is changed in one is refused, or shown, and changes the
    /// hash that every later message names.
    @Test func `a flipped bit of a proposal or a request is refused or shown`() throws {
        let group = GroupVectors.groups[0]
        let reshared = GroupVectors.reshared[0]
        for (hex, words) in [
            (group.proposal, "session_words"), (reshared.proposal, "session_words"),
            (group.signing[1].request, "request_words"),
        ] {
            func told(_ message: GroupMessage) -> (facts: [String], words: String?) {
                let cards = message.cards
                let place = cards.firstIndex { $0.kind == .fieldName && $0.value.utf8Equals(words) }
                return (cards.map(\.value), place.map { cards[$0 + 1].value })
            }
            let whole = try told(message(hex))
            let bytes = GroupVectors.bytes(hex)
            for bit in 0..<(8 * bytes.count) {
                var flipped = bytes
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                guard case .group(let read)? = try? Payload(flipped).content else { continue }
                let other = told(read)
                #expect(
                    other.facts != whole.facts && (other.words == nil || other.words != whole.words),
                    "bit \(bit)")
            }
        }
    }

    @Test func `the facts of a transaction begin with what its group is asked`() throws {
        let nonce = ReviewSummary.Fact(name: "nonce", value: "7")
        for signing in GroupVectors.groups.flatMap(\.signing) {
            let asking = try message(signing.request)
            guard case .request(let request) = asking else {
                Issue.record("not a request")
                return
            }
            var summary = ReviewSummary()
            summary.facts = [nonce]
            summary.add(groupOf: asking)
            let words = "asks \(request.signers.count) members of a group to sign"
            #expect(summary.facts == [ReviewSummary.Fact(name: "group", value: words), nonce])
        }
    }

    @Test func `the cards of a request have the account that signs, and its path only where there is one`()
        throws
    {
        for group in GroupVectors.groups {
            for signing in group.signing {
                guard case .request(let request) = try message(signing.request) else {
                    Issue.record("not a request")
                    return
                }
                let cards = try message(signing.request).cards
                func value(_ name: String) -> String? {
                    cards.firstIndex { $0.kind == .fieldName && $0.value == name }.map { cards[$0 + 1].value }
                }
                #expect(value("group_key") == "0x" + Hex.encode(request.groupKey))
                #expect(value("account") == "0x" + Hex.encode(request.account))
                #expect(value("path") == (request.path.isEmpty ? nil : request.path))
            }
        }
    }

    @Test func `every message has cards, and those that ask for a signature carry its payload`() throws {
        for group in GroupVectors.all {
            for hex in group.messages {
                let message = try message(hex)
                #expect(
                    message.cards.last.map {
                        $0.value.utf8Equals("0x" + Hash32.blake2b(of: GroupVectors.bytes(hex)).hex)
                    } == true)
                #expect(!ReviewSummary(message).sentences.isEmpty)
            }
            for signing in group.signing {
                #expect(
                    try Hex.encode(message(signing.request).requested?.bytes ?? []).utf8Equals(
                        signing.inner_payload))
                #expect(
                    try Hex.encode(message(signing.package_with_request).requested?.bytes ?? []).utf8Equals(
                        signing.inner_payload))
                #expect(try message(signing.package).requested == nil)
            }
        }
    }
}
