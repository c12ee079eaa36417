import Extrinsics
import FixtureRuntime
import Forge
import SubstratePrimitives
import Testing
import UOS

@testable import Review

/// Law 45 of the state proofs: what a policy asks of the facts beside a transaction.
@Suite struct StatePolicyLaws {
    private static let (alice, bob) = (SampleChain.alice, SampleChain.bob)
    private static let unit = StateVault.runtime.specs.tokenUnit

    /// Of 60 to Bob, of 1,000.
    private static func refusal(
        _ member: String, _ change: (inout StateVault) -> Void = { _ in }
    ) throws -> ReviewError? {
        var vault = StateVault()
        vault.policy = "{\(member)}"
        change(&vault)
        return try vault.reviewed().refusal
    }

    private static func unproven(
        _ key: TransactionPolicy.Key, _ lack: StateEvidence.Lack
    ) -> ReviewError { .policy(.stateUnproven(key, lack)) }

    @Test func `45 Each key refuses a transaction without a proof, and one whose proof lacks the fact`()
        throws
    {
        let signer = #""require_state_proof": "signer""#
        let all = #""require_state_proof": "signer_and_destinations""#
        let remaining = #""minimum_remaining": "1""#
        let existing = #""existing_destinations": true"#
        for (member, key) in [
            (signer, .requireStateProof), (all, .requireStateProof), (remaining, .minimumRemaining),
            (existing, .existingDestinations),
        ] as [(String, TransactionPolicy.Key)] {
            var vault = StateVault()
            vault.policy = "{\(member)}"
            let alone = try TransactionReview(vault.data()).review(vault.transaction())
            #expect(alone[0].refusal == Self.unproven(key, .proof))
            #expect(try Self.refusal(member) == nil)
        }
        let (onlyAlice, onlyBob): ([StateItem], [StateItem]) = ([.account(Self.alice)], [.account(Self.bob)])
        for (member, items, refusal) in [
            (signer, onlyAlice, nil), (signer, onlyBob, Self.unproven(.requireStateProof, .signer)),
            (all, onlyAlice, Self.unproven(.requireStateProof, .destinations)),
            (all, onlyBob, Self.unproven(.requireStateProof, .signer)), (remaining, onlyAlice, nil),
            (remaining, onlyBob, Self.unproven(.minimumRemaining, .signer)), (existing, onlyBob, nil),
            (existing, onlyAlice, Self.unproven(.existingDestinations, .destinations)),
        ] as [(String, [StateItem], ReviewError?)] {
            #expect(try Self.refusal(member) { $0.items = items } == refusal, "\(member)")
        }
    }

    @Test func `45 What is left, and who exists, at the boundary`() throws {
        #expect(try Self.refusal(#""minimum_remaining": "940""#) == nil)
        #expect(
            try Self.refusal(#""minimum_remaining": "941""#)
                == .policy(.remainingTooSmall(Tokens(940, Self.unit))))
        #expect(
            try Self.refusal(#""minimum_remaining": "940""#) { $0.tip = 1 }
                == .policy(.remainingTooSmall(Tokens(939, Self.unit))))
        // More leaves than there is.
        #expect(
            try Self.refusal(#""minimum_remaining": "0""#) { $0.call = StateVault.transfer(1_001) }
                == .policy(.remainingUnknown))
        #expect(
            try Self.refusal(#""minimum_remaining": "0""#) { $0.call = StateVault.transfer(1_000) } == nil)
        let address = TransactionPolicy.Account.address(
            of: Self.bob.bytes, prefix: StateVault.runtime.specs.base58Prefix)
        #expect(
            try Self.refusal(#""existing_destinations": true"#) { $0.chain[.account(Self.bob)] = nil }
                == .policy(.destinationAbsent(address)))
        // It is proven that he does not exist, and that is all that this key asks.
        #expect(
            try Self.refusal(#""require_state_proof": "signer_and_destinations""#) {
                $0.chain[.account(Self.bob)] = nil
            } == nil)
    }

    @Test func `45 A runtime that is newer than the layouts proves nothing to a policy`() throws {
        var vault = StateVault(network: StateTransaction.listed("polkadot", 2_003_001))
        #expect(try vault.reviewed().refusal == nil)
        vault.policy = #"{"require_state_proof": "signer"}"#
        #expect(try vault.reviewed().refusal == Self.unproven(.requireStateProof, .layout))
    }

    @Test func `45 No proof allows what the policy forbids without one`() throws {
        for member in [
            #""networks": ["kusama"]"#, #""calls": []"#, #""destinations": []"#, #""maximum_amount": "59""#,
            #""mortality": {"maximum_period": 64}"#, #""signers": []"#,
        ] {
            var vault = StateVault()
            vault.policy = "{\(member)}"
            let alone = try TransactionReview(vault.data()).review(vault.transaction())[0].refusal
            #expect(try alone != nil && vault.reviewed().refusal == alone, "\(member)")
        }
    }

    @Test func `45 A rule that asks for facts approves only at its boundary`() throws {
        func needed(_ minimum: Int) throws -> PersonNeeded? {
            var vault = StateVault(nonce: 0)
            vault.nonce = 0
            let policy = """
                {"approve": [{"networks": ["polkadot"], "calls": ["Balances.transfer_keep_alive"], \
                "mortality": "any", \
                "destinations": ["0x\(Self.bob.hex)"], "maximum_amount": "100", "maximum_tip": "5", \
                "minimum_remaining": "\(minimum)"}]}
                """
            let reviewed = try vault.reviewed().vouched(by: .metadata)
            return try vault.data(policy: policy).personNeeded(for: [reviewed])
        }
        #expect(try needed(940) == nil)
        let violation = TransactionPolicy.Violation.remainingTooSmall(Tokens(940, Self.unit))
        #expect(
            try needed(941)?.cause
                == .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(violation))]))
    }
}
