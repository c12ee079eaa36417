import Extrinsics
import FixtureRuntime
import SubstratePrimitives
import Testing

/// Law 45 of the state proofs, as far as a policy alone decides it.
@Suite struct StateKeyLaws {
    /// Nothing proven, then one thing after the other.
    static let evidences: [StateEvidence?] =
        [
            nil, evidence(isReadingChecked: false), evidence(isLayoutOlder: true), evidence(hasSigner: false),
            evidence(destinations: [:], hasDestinations: false), evidence(destinations: [Account.bob: false]),
        ] + [nil, 0, 1, 2, 3, 4].map { evidence(remaining: $0) }

    static func evidence(
        isReadingChecked: Bool = true, isLayoutOlder: Bool = false, hasSigner: Bool = true,
        destinations: [[UInt8]: Bool] = [Account.bob: true], hasDestinations: Bool = true,
        remaining: UInt128? = 9
    ) -> StateEvidence {
        StateEvidence(
            isReadingChecked: isReadingChecked, isLayoutOlder: isLayoutOlder, hasSigner: hasSigner,
            destinations: destinations, hasDestinations: hasDestinations, remaining: remaining)
    }

    private static func found(
        _ policy: TransactionPolicy, _ evidence: StateEvidence?, call: [UInt8]? = nil
    ) throws -> TransactionPolicy.Violation? {
        let runtime = FixtureRuntime.standard
        let body = runtime.transactionBody(call: call ?? runtime.transfer(5), FixtureExtensionValues())
        return policy.stateViolation(
            of: try runtime.decode(body).summary, on: runtime.specs, beside: evidence)
    }

    @Test func `each key refuses what is not proven, or is not proven by the chain`() throws {
        typealias Lack = StateEvidence.Lack
        let signer = TransactionPolicy(requireStateProof: .signer)
        let all = TransactionPolicy(requireStateProof: .signerAndDestinations)
        let remaining = TransactionPolicy(minimumRemaining: .hlo(9))
        let existing = TransactionPolicy(existingDestinations: true)
        // What each of the four says: nil where it is content.
        let rows: [(StateEvidence?, Lack?, Lack?, Lack?, Lack?)] = [
            (nil, .proof, .proof, .proof, .proof),
            (Self.evidence(), nil, nil, nil, nil),
            (Self.evidence(isReadingChecked: false), .reading, .reading, .reading, .reading),
            (Self.evidence(isLayoutOlder: true), .layout, .layout, .layout, .layout),
            (Self.evidence(hasSigner: false), .signer, .signer, .signer, nil),
            (Self.evidence(hasDestinations: false), nil, .destinations, nil, .destinations),
        ]
        for row in rows {
            for (policy, key, lack) in [
                (signer, .requireStateProof, row.1), (all, .requireStateProof, row.2),
                (remaining, .minimumRemaining, row.3), (existing, .existingDestinations, row.4),
            ] as [(TransactionPolicy, TransactionPolicy.Key, Lack?)] {
                #expect(try Self.found(policy, row.0) == lack.map { .stateUnproven(key, $0) })
            }
            #expect(try Self.found(TransactionPolicy(), row.0) == nil)
        }
    }

    @Test func `what is left is compared at its boundary, in the unit of the network`() throws {
        let unit = FixtureRuntime.standard.specs.tokenUnit
        let policy = TransactionPolicy(minimumRemaining: .hlo(9))
        for (remaining, violation) in [
            (9, nil), (10, nil), (.max, nil), (8, .remainingTooSmall(Tokens(8, unit))),
            (0, .remainingTooSmall(Tokens(0, unit))), (nil, .remainingUnknown),
        ] as [(UInt128?, TransactionPolicy.Violation?)] {
            #expect(try Self.found(policy, Self.evidence(remaining: remaining)) == violation)
        }
        // Nothing is enough where the limit has another unit.
        let other = TransactionPolicy(minimumRemaining: .init(TransactionPolicy.Amount(text: "0 DOT")!))
        #expect(
            try Self.found(other, Self.evidence(remaining: .max))
                == .amountUnit(.minimumRemaining, unit: "HLO"))
        let everything = FixtureRuntime.standard.call(
            "Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(false)])
        #expect(try Self.found(policy, Self.evidence(), call: everything) == .remainingUnknown)
    }

    @Test func `a destination that does not exist is refused where it must exist, and only there`() throws {
        let absent = Self.evidence(destinations: [Account.alice: true, Account.bob: false])
        let prefix = FixtureRuntime.standard.specs.base58Prefix
        #expect(
            try Self.found(TransactionPolicy(existingDestinations: true), absent)
                == .destinationAbsent(TransactionPolicy.Account.address(of: Account.bob, prefix: prefix)))
        #expect(
            try Self.found(TransactionPolicy(requireStateProof: .signerAndDestinations), absent) == nil)
    }

    @Test func `the three keys are read, and anything else in their place is refused`() throws {
        func read(_ member: String) throws -> TransactionPolicy {
            try TransactionPolicy(json: Array("{\(member)}".utf8))
        }
        for (word, demand) in [
            ("\"signer\"", .signer), ("\"signer_and_destinations\"", .signerAndDestinations), ("null", nil),
        ] as [(String, StateDemand?)] {
            #expect(try read("\"require_state_proof\": \(word)").requireStateProof == demand)
        }
        #expect(try read("\"minimum_remaining\": \"0.000000000009 HLO\"").minimumRemaining == .hlo(9))
        #expect(try read("\"existing_destinations\": true").existingDestinations)
        #expect(try !read("\"existing_destinations\": null").existingDestinations)
        for (key, texts) in [
            ("require_state_proof", ["true", "\"destinations\"", "\"Signer\"", "[\"signer\"]"]),
            ("existing_destinations", ["false", "1", "\"true\""]),
        ] {
            for text in texts {
                let error = #expect(throws: TransactionPolicy.Fault.self) { try read("\"\(key)\": \(text)") }
                guard case .form? = error?.reason, error?.place == key else {
                    Issue.record("\(key) \(text): \(String(describing: error))")
                    continue
                }
            }
        }
        #expect(
            throws: TransactionPolicy.Fault(place: "minimum_remaining", reason: .unitMissing(number: "9"))
        ) { try read("\"minimum_remaining\": 9") }
        // A policy that limits anything refuses messages that it does not mention.
        for policy in [
            TransactionPolicy(requireStateProof: .signer), TransactionPolicy(minimumRemaining: .hlo(1)),
            TransactionPolicy(existingDestinations: true),
        ] {
            #expect(policy.violation(ofMessage: [1], on: nil, signer: nil) == .messageNotMentioned)
        }
    }

    @Test func `demanding less allows more`() {
        let ladders: [[TransactionPolicy]] = [
            [nil, .signer, .signerAndDestinations].map { TransactionPolicy(requireStateProof: $0) },
            ([nil, 1, 2] as [UInt128?]).map { raw in
                TransactionPolicy(minimumRemaining: raw.map { TransactionPolicy.Limit.hlo($0) })
            },
            [false, true].map { TransactionPolicy(existingDestinations: $0) },
        ]
        let keys: [TransactionPolicy.Key] = [.requireStateProof, .minimumRemaining, .existingDestinations]
        for (ladder, key) in zip(ladders, keys) {
            for (new, policy) in ladder.enumerated() {
                for (old, former) in ladder.enumerated() {
                    #expect(policy.keysAllowingMore(than: former).contains(key) == (new < old))
                }
            }
        }
    }
}
