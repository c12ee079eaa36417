import Extrinsics
import FixtureRuntime
import Hashing
import Review
import StateProof
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

@Suite struct RuleAnswerLaws {
    /// With a count of its own the rule signs a call again.
    private static let policy =
        "{\"approve\": [\(SigningFixture.rule.replacing("{", with: "{\"maximum_count\": {\"per_day\": 9}, "))]}"

    private static func sign(_ payload: [UInt8], _ fixture: SigningFixture, _ session: Session) throws
        -> [SignedTransaction]
    {
        let approval = try session.preview(SignPayload(try Payload(payload))).confirmUnattended(
            byRulesAlone: true)
        #expect(approval.consent == .policy)
        return try session.perform(approval).outcome
    }

    private static func count(_ fixture: SigningFixture) throws -> Int {
        try fixture.vault.events.filter { $0.kind == .transactionSigned }.count
    }

    @Test func `a payload that a rule signed has its answer, in the same session and after another unlock`()
        throws
    {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let (first, second) = (fixture.transfer(), fixture.transfer(40, nonce: 1))
        var answers = RuleAnswers()
        do {
            let session = try fixture.vault.session()
            #expect(try answers.answer(to: Payload(first), in: session) == nil)
            let signed = try Self.sign(first, fixture, session)
            #expect(try answers.answer(to: Payload(first), in: session) == signed[0].answer)
            #expect(try answers.answer(to: Payload(second), in: session) == nil)
            let next = try Self.sign(second, fixture, session)
            #expect(try answers.answer(to: Payload(second), in: session) == Answer(next))
        }
        #expect(try Self.count(fixture) == 2)
        let session = try fixture.vault.session()
        var later = RuleAnswers()
        #expect(
            try later.answer(to: Payload(first), in: session)
                == answers.answer(to: Payload(first), in: session))
        #expect(try Self.count(fixture) == 2)
    }

    @Test func `a payload whose state proof fails has no answer, also where the log has one`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let session = try fixture.vault.session()
        let alone = try Payload(fixture.transfer())
        let broken = try Payload(
            StateEnvelope(header: [], items: [], nodes: [[1, 2, 3]]).around(Payload(fixture.transfer())))
        let signed = try Self.sign(fixture.transfer(), fixture, session)
        var answers = RuleAnswers()
        // The proof is beside the bytes that were signed, and not of them.
        #expect(broken.bytes == alone.bytes && broken.state != nil)
        let refusal = #expect(throws: StateProofError.self) { try session.preview(SignPayload(broken)) }
        #expect(throws: try #require(refusal)) { try answers.answer(to: broken, in: session) }
        #expect(try answers.answer(to: alone, in: session) == signed[0].answer)
        // What no rule would sign today has its answer still.
        try fixture.set(policy: nil, in: session)
        #expect(try answers.answer(to: alone, in: session) == signed[0].answer)
        #expect(try Self.count(fixture) == 1)
    }

    @Test func `a comparison by a rule is no answer, and takes the place of none`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let session = try fixture.vault.session()
        let payload = try Payload(fixture.transfer())
        func compare(_ answer: Answer) throws {
            let preview = try session.preview(CompareSignatures(payload, with: [answer]))
            _ = try session.perform(preview.confirmUnattended(byRulesAlone: true))
        }
        let other = try SigningFixture().vault.act(fixture.operation(fixture.transfer()))[0].answer
        try compare(other)
        var answers = RuleAnswers()
        #expect(try answers.answer(to: payload, in: session) == nil)
        let signed = try Self.sign(fixture.transfer(), fixture, session)
        try compare(other)
        #expect(try answers.answer(to: payload, in: session) == signed[0].answer)
        var later = RuleAnswers()
        #expect(try later.answer(to: payload, in: session) == signed[0].answer)
    }

    @Test func `where answers are compared on a second machine, a hedged one is none`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let session = try fixture.vault.session()
        let payload = try Payload(fixture.transfer())
        _ = try Self.sign(fixture.transfer(), fixture, session)
        var answers = RuleAnswers(nonce: .reproducible)
        #expect(try answers.answer(to: payload, in: session) == nil)
        let preview = try session.preview(SignPayload(payload, nonce: .reproducible))
        let signed = try session.perform(preview.confirmUnattended(byRulesAlone: true)).outcome
        #expect(try answers.answer(to: payload, in: session) == signed[0].answer)
        let (one, other) = (try SigningFixture(), try SigningFixture())
        let again = try one.vault.act(SignPayload(try Payload(one.transfer()), nonce: .reproducible))
        #expect(again[0].signature == signed[0].signature)
        #expect(try other.vault.act(other.operation(other.transfer()))[0].signature != again[0].signature)
    }

    @Test func `what a person or a development vault signed is no answer of a rule`() throws {
        let fixture = try SigningFixture(policy: Self.policy)
        // Above the limit of the rule.
        let payload = fixture.transfer(101)
        try fixture.vault.act(fixture.operation(payload))
        let session = try fixture.vault.session()
        let preview = try session.preview(fixture.operation(payload))
        #expect(try preview.confirmUnattended().consent == .developmentVault)
        var answers = RuleAnswers()
        #expect(try answers.answer(to: Payload(payload), in: session) == nil)
    }

    @Test func `by rules alone a development vault says yes to nothing`() throws {
        let fixture = try SigningFixture(policy: Self.policy)
        let session = try fixture.vault.session()
        let above = try session.preview(fixture.operation(fixture.transfer(101)))
        let error = #expect(throws: CeremonyError.self) {
            try above.confirmUnattended(byRulesAlone: true)
        }
        #expect(error.map { if case .noRuleApproves = $0 { true } else { false } } == true)
        #expect(try above.confirmUnattended().consent == .developmentVault)
        try fixture.set(policy: nil, in: session)
        #expect(throws: CeremonyError.approveNeedsPolicy) {
            try session.preview(fixture.operation(fixture.transfer())).confirmUnattended(byRulesAlone: true)
        }
    }

    @Test func `an answer in a log that somebody changed is not given again`() throws {
        let fixture = try SigningFixture(isDevelopment: false, policy: Self.policy)
        let session = try fixture.vault.session()
        _ = try Self.sign(fixture.transfer(), fixture, session)
        try fixture.vault.write(sql: "UPDATE log SET payload = x'5301' WHERE payload IS NOT NULL")
        var answers = RuleAnswers()
        let error = #expect(throws: StoreError.self) {
            try answers.answer(to: Payload(fixture.transfer()), in: session)
        }
        #expect(error.map { if case .sealBroken = $0 { true } else { false } } == true)
    }

    @Test func `a failing store and a device that is online end a queue, and a refused payload does not`() {
        for error in StoreError.examples { #expect(QueueEnd.isOne(error)) }
        #expect(QueueEnd.isOne(CeremonyError.online([])) && QueueEnd.isOne(CeremonyError.unacknowledged))
        for error in [CeremonyError.declined, .approveNeedsPolicy, .changedSinceShown] {
            #expect(!QueueEnd.isOne(error))
        }
        #expect(!QueueEnd.isOne(PayloadError.blindSigning) && !QueueEnd.isOne(ReviewError.unknownSigner))
    }
}
