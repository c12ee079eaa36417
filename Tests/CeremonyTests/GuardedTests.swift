import Diagnostics
import Hashing
import Keys
import Review
import SubstratePrimitives
import Testing
import Threshold
import TrustStore
import UOS

@testable import Ceremony

/// Both rounds of a guarded signature, with the online machine in this process.
@Suite struct GuardedLaws {
    private static let value = [UInt8](repeating: 7, count: 32)

    private static func first(_ payload: [UInt8], _ value: [UInt8] = value) throws -> Payload {
        try Payload(GuardRound.commitment(GuardHash.commitment(to: value)).around(Payload(payload)))
    }

    private static func second(_ payload: [UInt8], _ point: [UInt8], _ value: [UInt8] = value) throws
        -> Payload
    {
        try Payload(GuardRound.reveal(GuardReveal(value, point: point)).around(Payload(payload)))
    }

    private static func point(_ answer: Answer) throws -> GuardPoint {
        guard case .guardPoint(let point) = answer else { throw CeremonyError.guardUnrevealed }
        return point
    }

    private static func point(_ fixture: SigningFixture, _ payload: [UInt8], _ value: [UInt8] = value) throws
        -> GuardPoint
    {
        try point(try fixture.vault.act(AnswerGuard(first(payload, value))))
    }

    private static func isMade(_ signed: SignedTransaction, _ payload: [UInt8], _ point: [UInt8]) throws
        -> Bool
    {
        let message = try SigningMessage.bytes(signed.reviewed, scheme: .sr25519)
        let guarded = try #require(
            GuardedSigning(key: signed.key, payload: GuardHash.payload(payload), message: message))
        return guarded.isMade(signed.signature, point: point, reveal: value)
    }

    @Test func `two rounds give a signature that is made as agreed, and the log has both`() throws {
        let fixture = try SigningFixture()
        let payload = fixture.transfer()
        let answer = try Self.point(fixture, payload)
        #expect(answer.scheme == .sr25519 && answer.payload == GuardHash.payload(payload))
        #expect(answer.commitment == GuardHash.commitment(to: Self.value))
        let asked = try #require(try fixture.vault.events.last)
        #expect(asked.kind == .guardAnswered && asked.payload == payload)
        #expect(asked["guard_point"] == Hex.encode(answer.point) && asked["signature"] == nil)
        #expect(asked["guard_commitment"] == Hex.encode(answer.commitment))
        #expect(asked["approved_by"] == nil && asked["network"] == "heliotest")
        let signed = try fixture.vault.act(SignPayload(Self.second(payload, answer.point)))[0]
        #expect(try Self.isMade(signed, payload, answer.point))
        let event = try #require(try fixture.vault.events.last)
        #expect(event.kind == .transactionSigned && event["nonce"] == "guarded")
        #expect(event["signature"] == Hex.encode(signed.signature))
        #expect(event["guard_commitment"] == Hex.encode(answer.commitment))
        // An ordinary signature of the same payload is not.
        let plain = try fixture.vault.act(SignPayload(Payload(payload)))[0]
        #expect(try !Self.isMade(plain, payload, answer.point))
        #expect(try fixture.vault.events.last?["guard_commitment"] == nil)
    }

    /// The machine keeps nothing between the rounds: it may restart, and another one with the seed may
    /// answer.
    @Test func `the second round needs nothing of the first but the point, on any machine with the seed`()
        throws
    {
        let (first, second) = (try SigningFixture(), try SigningFixture(isDevelopment: false))
        let payload = first.transfer()
        let point = try Self.point(first, payload)
        #expect(try Self.point(second, payload) == point)
        #expect(try Self.point(first, payload) == point)
        let one = try first.vault.act(SignPayload(Self.second(payload, point.point)))[0]
        let other = try second.vault.act(SignPayload(Self.second(payload, point.point)))[0]
        #expect(one.signature == other.signature)
        // Another commitment, another payload: another point each time.
        var seen: Set = [point.point]
        for number in UInt8(0)..<8 {
            let value = [UInt8](repeating: number, count: 32)
            guard value != Self.value else { continue }
            #expect(seen.insert(try Self.point(first, payload, value).point).inserted)
            #expect(seen.insert(try Self.point(first, first.transfer(61 + UInt128(number))).point).inserted)
        }
    }

    @Test func `the first round changes nothing but the log, and charges no budget`() throws {
        let fixture = try SigningFixture()
        try fixture.set(policy: "{\"maximum_per_day\": \"100\"}", in: fixture.vault.session())
        let payload = fixture.transfer(60)
        let before = try fixture.vault.snapshot
        let point = try Self.point(fixture, payload)
        for _ in 0..<3 { #expect(try Self.point(fixture, payload) == point) }
        let after = try fixture.vault.snapshot
        #expect(after.state.keys == before.state.keys && after.log.count == before.log.count + 4)
        _ = try fixture.vault.act(SignPayload(Self.second(payload, point.point)))
        // A signature is charged once, and the next one is over the limit: in either round.
        let next = fixture.transfer(60, nonce: 1)
        #expect(throws: ReviewError.self) { try Self.point(fixture, next) }
        #expect(throws: ReviewError.self) {
            try fixture.vault.act(SignPayload(Self.second(next, point.point)))
        }
        #expect(try fixture.vault.events.count { $0.kind == .transactionSigned } == 1)
    }

    @Test func `what is not signed is not answered either, in neither round`() throws {
        let forbidden = try SigningFixture(allowed: false)
        let payload = forbidden.transfer()
        let error = #expect(throws: ReviewError.self) { try Self.point(forbidden, payload) }
        #expect(error == .keyNotAllowed(network: "heliotest"))
        #expect(throws: try #require(error)) {
            try forbidden.vault.act(SignPayload(Self.second(payload, Self.value)))
        }
        let kinds = try forbidden.vault.events.map(\.kind)
        #expect(!kinds.contains(.guardAnswered) && !kinds.contains(.transactionSigned))
        let refused = try forbidden.vault.device.store().journalled.map(\.kind)
        #expect(refused == [.transactionRefused, .transactionRefused])
    }

    @Test func `a person or a rule says yes in each round, and neither yes is for the other`() throws {
        let fixture = try SigningFixture(
            isDevelopment: false, policy: "{\"approve\": [\(SigningFixture.rule)]}")
        let session = try fixture.vault.session()
        func byRule<O: Operation>(_ operation: O) throws -> O.Outcome {
            try session.perform(session.preview(operation).confirmUnattended(byRulesAlone: true)).outcome
        }
        let (payload, large) = (fixture.transfer(60), fixture.transfer(101, nonce: 1))
        let point = try Self.point(try byRule(AnswerGuard(Self.first(payload))))
        #expect(try fixture.vault.events.last?["approved_by"] == "policy rule 1")
        _ = try byRule(SignPayload(Self.second(payload, point.point)))
        #expect(throws: CeremonyError.self) { try byRule(AnswerGuard(Self.first(large))) }
        #expect(throws: CeremonyError.self) { try byRule(SignPayload(Self.second(large, point.point))) }
        // A no to the second round, after a yes to the first.
        let preview = try fixture.vault.device.preview(SignPayload(Self.second(payload, point.point)))
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
    }

    @Test func `no signature is made of a first round, and no option chooses the nonce`() throws {
        let fixture = try SigningFixture()
        let payload = fixture.transfer()
        let first = try Self.first(payload)
        #expect(throws: CeremonyError.guardUnrevealed) { try fixture.vault.act(SignPayload(first)) }
        let point = try Self.point(fixture, payload)
        let second = try Self.second(payload, point.point)
        for guarded in [first, second] {
            #expect(throws: CeremonyError.guardedNonce) {
                try fixture.vault.act(SignPayload(guarded, nonce: .reproducible))
            }
            let answer = Answer.message([UInt8](repeating: 0, count: 64))
            #expect(throws: CeremonyError.guardedNonce) {
                try fixture.vault.act(CompareSignatures(guarded, with: [answer]))
            }
        }
        // A round of its own kind is needed to be answered.
        for other in [second, try Payload(payload)] {
            #expect(throws: PayloadError.self) { try fixture.vault.act(AnswerGuard(other)) }
        }
        #expect(try fixture.vault.events.count { $0.kind == .transactionSigned } == 0)
    }

    @Test func `a reveal for another point, payload or value is refused and logged`() throws {
        let fixture = try SigningFixture()
        let (payload, other) = (fixture.transfer(), fixture.transfer(61))
        let point = try Self.point(fixture, payload)
        let moved = try Self.point(fixture, other)
        let value = [UInt8](repeating: 8, count: 32)
        for wrong in [
            try Self.second(payload, moved.point), try Self.second(other, point.point),
            try Self.second(payload, point.point, value), try Self.second(payload, Self.value),
        ] {
            #expect(throws: GuardedError.otherPoint) { try fixture.vault.act(SignPayload(wrong)) }
            let event = try #require(try fixture.vault.device.store().journalled.last)
            #expect(event.kind == .transactionRefused && event["reason"] == "guard-point")
        }
        #expect(try fixture.vault.events.count { $0.kind == .transactionSigned } == 0)
    }

    /// An answer with another nonce would be refused by the online machine.
    @Test func `a queue hands out again only the answer of the same commitment`() throws {
        let counted = SigningFixture.rule.replacing("{", with: "{\"maximum_count\": {\"per_day\": 9}, ")
        let fixture = try SigningFixture(isDevelopment: false, policy: "{\"approve\": [\(counted)]}")
        let session = try fixture.vault.session()
        func sign(_ payload: Payload) throws -> Answer {
            Answer(
                try session.perform(
                    session.preview(SignPayload(payload)).confirmUnattended(byRulesAlone: true)
                ).outcome)
        }
        let payload = fixture.transfer()
        let value = [UInt8](repeating: 8, count: 32)
        let seconds = try [Self.value, value].map {
            let answer = try session.perform(
                session.preview(AnswerGuard(Self.first(payload, $0))).confirmUnattended(byRulesAlone: true)
            ).outcome
            return try Self.second(payload, Self.point(answer).point, $0)
        }
        var answers = RuleAnswers()
        for second in seconds { #expect(try answers.answer(to: second, in: session) == nil) }
        let one = try sign(seconds[0])
        #expect(try answers.answer(to: seconds[0], in: session) == one)
        #expect(try answers.answer(to: seconds[1], in: session) == nil)
        #expect(try answers.answer(to: Payload(payload), in: session) == nil)
        #expect(try answers.answer(to: Self.first(payload), in: session) == nil)
        let plain = try sign(Payload(payload))
        #expect(try answers.answer(to: Payload(payload), in: session) == plain)
        #expect(try answers.answer(to: seconds[0], in: session) == one)
    }
}
