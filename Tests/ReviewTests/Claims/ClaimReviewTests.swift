import Cards
import FixtureRuntime
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS

@testable import Review

/// Claims are beside the review: whatever they say, it is the review of the same transaction without them.
@Suite struct ClaimReviewLaws {
    private static func field<T: FixedWidthInteger & UnsignedInteger>(
        _: T.Type, _ random: inout SeededGenerator
    ) -> T? {
        [nil, 0, 1, 60, T.max, T.random(in: 0...T.max, using: &random)].randomElement(using: &random)!
    }

    static func claims(_ seed: UInt64) -> ClaimedFacts {
        var random = SeededGenerator(seed: seed)
        var claims = ClaimedFacts()
        claims.fee = field(UInt128.self, &random)
        claims.balance = field(UInt128.self, &random)
        claims.existentialDeposit = field(UInt128.self, &random)
        claims.balanceAfter = field(UInt128.self, &random)
        claims.block = field(UInt64.self, &random)
        claims.time = field(UInt64.self, &random)
        return claims
    }

    /// A transfer that a rule approves, one that it refuses, one with a warning and a word, one of a key that
    /// is not in the vault.
    private static let payloads = [
        SigningVault.payload(SigningVault.transfer(60)),
        SigningVault.payload(SigningVault.transfer(1_000_000)),
        SigningVault.payload(SummarySample.transferAll().call, tip: 3),
        SigningVault.payload(SigningVault.transfer(), signer: SigningVault.bob),
    ]

    @Test(arguments: 0..<64)
    func
        `For random claims summary, cards, signed bytes, refusal and the policy's decision are those without`(
            seed: UInt64
        ) throws
    {
        let data = try SigningVault.data(policy: seed.isMultiple(of: 2) ? StandingApprovalLaws.policy : nil)
        for payload in Self.payloads {
            let plain = try Payload(payload)
            let claimed = try Payload(Self.claims(seed).around(plain))
            #expect(claimed.claims != nil)
            let one = try TransactionReview(data).review(plain)
            let other = try TransactionReview(data).review(claimed)
            #expect(one.count == 1 && other.count == 1 && one[0].shows(the: other[0]))
            #expect(
                one[0].payload == other[0].payload && one[0].signingBytes == other[0].signingBytes
                    && one[0].cards == other[0].cards)
            #expect(one[0].refusal == other[0].refusal && ReviewSummary(one[0]) == ReviewSummary(other[0]))
            #expect(try data.standingApproval(of: one)?.rules == data.standingApproval(of: other)?.rules)
            #expect(try data.personNeeded(for: one) == data.personNeeded(for: other))
            #expect(
                LogEvent.refusal(of: plain, reason: "answered-no")
                    == LogEvent.refusal(of: claimed, reason: "answered-no"))
            // Claims are shown for it, and what is shown of them changes nothing that was compared.
            #expect(ClaimReview(Self.claims(seed), beside: other[0], time: 0)?.claims == Self.claims(seed))
        }
    }

    // MARK: Warnings

    /// Of a transfer of 60 with a tip of 3, at this time.
    private static func warnings(time: UInt64 = 1_700_000_000, _ set: (inout ClaimedFacts) -> Void) throws
        -> [ClaimReview.Warning]
    {
        var claims = ClaimedFacts()
        set(&claims)
        let reviewed = try TransactionReview(SigningVault.data()).review(
            Payload(SigningVault.payload(SigningVault.transfer(60), tip: 3)))[
                0]
        let review = try #require(ClaimReview(claims, beside: reviewed, time: time))
        #expect(review.unit == reviewed.specs?.unit && review.decimals == reviewed.specs?.decimals)
        return review.warnings
    }

    @Test
    func `A balance that does not cover amounts, tip, fee and deposit is a warning, to the last planck`()
        throws
    {
        #expect(try Self.warnings { $0.balance = 63 } == [])
        #expect(try Self.warnings { $0.balance = 62 } == [.notCovered])
        #expect(try Self.warnings { ($0.balance, $0.fee, $0.existentialDeposit) = (83, 10, 10) } == [])
        #expect(
            try Self.warnings { ($0.balance, $0.fee, $0.existentialDeposit) = (82, 10, 10) } == [.notCovered])
        // Sums beyond the largest number are no small ones.
        #expect(
            try Self.warnings { ($0.balance, $0.fee, $0.existentialDeposit) = (.max - 1, .max, .max) } == [
                .notCovered
            ])
        #expect(try Self.warnings { ($0.balance, $0.fee) = (.max, .max) } == [.notCovered])
        // Nothing is said of a balance that nobody claims.
        #expect(try Self.warnings { ($0.fee, $0.existentialDeposit) = (.max, .max) } == [])
    }

    @Test func `What is left and what is taken are compared`() throws {
        #expect(try Self.warnings { ($0.balanceAfter, $0.existentialDeposit) = (10, 10) } == [])
        #expect(try Self.warnings { ($0.balanceAfter, $0.existentialDeposit) = (9, 10) } == [.removesAccount])
        #expect(try Self.warnings { ($0.balance, $0.balanceAfter, $0.fee) = (1_000, 927, 10) } == [])
        #expect(
            try Self.warnings { ($0.balance, $0.balanceAfter, $0.fee) = (1_000, 926, 10) } == [.takesMore])
        #expect(
            try Self.warnings { ($0.balance, $0.balanceAfter, $0.fee) = (1_000, 928, 10) } == [.takesLess])
        // Claims that let nothing leave, or even more arrive, contradict a transfer.
        #expect(try Self.warnings { ($0.balance, $0.balanceAfter) = (1_000, 1_000) } == [.takesLess])
        #expect(try Self.warnings { ($0.balance, $0.balanceAfter) = (1_000, 2_000) } == [.takesLess])
    }

    @Test func `A time of another day is a warning in both directions`() throws {
        let now: UInt64 = 1_700_000_000
        #expect(try Self.warnings(time: now) { $0.time = now - 86_400 } == [])
        #expect(try Self.warnings(time: now) { $0.time = now - 86_401 } == [.old(86_401)])
        #expect(try Self.warnings(time: now) { $0.time = now + 86_400 } == [])
        #expect(try Self.warnings(time: now) { $0.time = now + 86_401 } == [.fromFuture(86_401)])
        #expect(try Self.warnings(time: 0) { $0.time = .max } == [.fromFuture(.max)])
    }
}
