import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Ceremony

/// Signatures that a second machine with the same seed makes again.
@Suite struct CompareSignaturesTests {
    private static func sign(_ fixture: SigningFixture, _ payload: [UInt8], _ nonce: SigningNonce) throws
        -> SignedTransaction
    {
        try fixture.vault.act(SignPayload(try Payload(payload), nonce: nonce))[0]
    }

    private static func facts(_ fixture: SigningFixture) throws -> LogEvent {
        try #require(try fixture.vault.events.last)
    }

    @Test func `two machines with one seed give the same bytes, and the log says how they were made`() throws
    {
        let (first, second) = (try SigningFixture(), try SigningFixture(isDevelopment: false))
        for payload in [first.transfer(), first.message("hello")] {
            let one = try Self.sign(first, payload, .reproducible)
            #expect(try Self.facts(first)["nonce"] == "reproducible")
            #expect(try Self.sign(second, payload, .reproducible).signature == one.signature)
            #expect(try Self.sign(second, payload, .hedged).signature != one.signature)
            #expect(try Self.facts(second)["nonce"] == nil)
        }
    }

    @Test func `an equal answer is called equal, and no second signature exists anywhere`() throws {
        let (first, second) = (try SigningFixture(), try SigningFixture())
        for payload in [first.transfer(), first.message("hello")] {
            let signed = try Self.sign(first, payload, .reproducible)
            let verdicts = try second.vault.act(
                CompareSignatures(try Payload(payload), with: [signed.answer]))
            #expect(verdicts == [.equal])
            let event = try Self.facts(second)
            #expect(event.kind == (payload[2] == 3 ? .messageSigned : .transactionSigned))
            #expect(event["compared"] == "equal" && event["nonce"] == "reproducible")
            #expect(event["signature"] == nil)
            let hex = Hex.encode(signed.signature)
            #expect(!event.facts.contains { $0.value.contains(hex.prefix(40)) })
        }
    }

    @Test func `a hedged answer is not comparable, and a changed or foreign one is different`() throws {
        let (first, second) = (try SigningFixture(), try SigningFixture())
        let payload = first.transfer()
        func verdict(_ bytes: [UInt8], _ scheme: SignatureScheme = .sr25519) throws
            -> CompareSignatures.Verdict
        {
            let answer = Answer.transaction(MultiSignature(scheme: scheme, bytes: bytes))
            return try #require(
                try second.vault.act(CompareSignatures(try Payload(payload), with: [answer])).first)
        }
        let hedged = try Self.sign(first, payload, .hedged).signature
        #expect(try verdict(hedged) == .notComparable)
        #expect(try Self.facts(second)["compared"] == "not_comparable")
        let good = try Self.sign(first, payload, .reproducible).signature
        for index in [0, 31, 32, 63] {
            var changed = good
            changed[index] ^= 1
            #expect(try verdict(changed) == .different, "byte \(index)")
        }
        let other = try Self.sign(first, first.transfer(61), .reproducible).signature
        #expect(try verdict(other) == .different)
        #expect(try Self.facts(second)["compared"] == "different")
        #expect(try verdict(good, .ed25519) == .different)
        #expect(try verdict(good) == .equal)
    }

    @Test func `a comparison needs an answer for each payload, and what may not be signed is not compared`()
        throws
    {
        let fixture = try SigningFixture()
        let payload = try Payload(fixture.transfer())
        let one = try Self.sign(fixture, fixture.transfer(), .reproducible).answer
        for (answers, have) in [([], 0), ([one, one], 2)] as [([Answer], Int)] {
            #expect(throws: CeremonyError.otherAnswers(have: have, need: 1)) {
                try fixture.vault.act(CompareSignatures(payload, with: answers))
            }
        }
        #expect(try fixture.vault.events.count { $0.kind == .transactionSigned } == 1)
        let forbidden = try SigningFixture(allowed: false)
        #expect(throws: (any Error).self) {
            try forbidden.vault.act(CompareSignatures(payload, with: [one]))
        }
        #expect(try !forbidden.vault.events.contains { $0.kind == .transactionSigned })
    }
}
