import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates

/// The verifier table of the update protocol, row by row, in its order. `a` signed the update unless it is
/// unsigned.
@Suite struct VerifierPolicyLaws {
    static let a = key(0xa), b = key(0xb), c = key(0xc)

    static func key(_ byte: UInt8) -> PublicKey {
        PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: byte, count: 32))!
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signer: PublicKey?
        let network: Verifier?
        let general: PublicKey?
        let result: Result<VerifierPolicy.Outcome, VerifierPolicy.Refusal>
    }

    static func accept(_ general: PublicKey?, _ network: Verifier, purged: Set<VerifierPolicy.Hold> = [])
        -> Result<
            VerifierPolicy.Outcome, VerifierPolicy.Refusal
        >
    { .success(VerifierPolicy.Outcome(general: general, network: network, purged: purged)) }

    static let table: [Row] = [
        Row("unsigned, unknown, none", nil, nil, nil, accept(nil, .custom(nil))),
        Row("unsigned, unknown, a", nil, nil, a, accept(a, .custom(nil))),
        Row("signed a, unknown, none", a, nil, nil, accept(a, .general, purged: [.general])),
        Row("signed a, unknown, b", a, nil, b, accept(b, .custom(a))),
        Row("signed a, unknown, a", a, nil, a, accept(a, .general)),
        Row("unsigned, custom none, none", nil, .custom(nil), nil, accept(nil, .custom(nil))),
        Row("unsigned, custom none, a", nil, .custom(nil), a, accept(a, .custom(nil))),
        Row("unsigned, general, none", nil, .general, nil, accept(nil, .general)),
        Row("unsigned, general, a", nil, .general, a, .failure(.mustBeSignedBy([a]))),
        Row("unsigned, custom a, none", nil, .custom(a), nil, .failure(.mustBeSignedBy([a]))),
        Row("unsigned, custom a, b", nil, .custom(a), b, .failure(.mustBeSignedBy([a]))),
        Row("signed a, general, none", a, .general, nil, accept(a, .general, purged: [.general])),
        Row("signed a, general, a", a, .general, a, accept(a, .general)),
        Row("signed a, general, b", a, .general, b, .failure(.mustBeSignedBy([b]))),
        Row(
            "signed a, custom none, none", a, .custom(nil), nil,
            accept(a, .general, purged: [.general, .network])),
        Row("signed a, custom none, a", a, .custom(nil), a, accept(a, .general, purged: [.network])),
        Row("signed a, custom none, b", a, .custom(nil), b, accept(b, .custom(a), purged: [.network])),
        Row("signed a, custom a, b", a, .custom(a), b, accept(b, .custom(a))),
        Row("signed a, custom b, a", a, .custom(b), a, accept(a, .general, purged: [.network])),
        Row("signed a, custom b, c", a, .custom(b), c, .failure(.mustBeSignedBy([b, c]))),
        // Not in the table: a key that becomes the general verifier while a network has it as its own, and
        // custom keys without a general one.
        Row("signed a, custom a, a", a, .custom(a), a, accept(a, .general)),
        Row("signed a, custom a, none", a, .custom(a), nil, accept(nil, .custom(a))),
        Row("signed a, custom b, none", a, .custom(b), nil, .failure(.mustBeSignedBy([b]))),
        // A revoked network is blocked until a reset.
        Row("unsigned, revoked, none", nil, .revoked, nil, .failure(.revoked)),
        Row("signed a, revoked, a", a, .revoked, a, .failure(.revoked)),
    ]

    @Test(arguments: table)
    func addSpecsFollowsTheTable(row: Row) {
        let result = Result { () throws(VerifierPolicy.Refusal) in
            try VerifierPolicy.addSpecs(signer: row.signer, network: row.network, general: row.general)
        }
        #expect(result == row.result)
    }

    @Test func everyCombinationHasAnAnswerAndNoneTrustsAStranger() {
        let keys: [PublicKey?] = [nil, Self.a, Self.b, Self.c]
        let verifiers: [Verifier?] = [nil, .general, .revoked] + keys.map { .custom($0) }
        for signer in keys {
            for network in verifiers {
                for general in keys {
                    guard
                        let outcome = try? VerifierPolicy.addSpecs(
                            signer: signer, network: network, general: general)
                    else { continue }
                    // A general verifier never changes once it is set, and only a signer becomes one.
                    #expect(outcome.general == general || (general == nil && outcome.general == signer))
                    // A keyed verifier gives way to nobody but itself and the general one.
                    if case .custom(let own?) = network {
                        #expect(signer == own || (signer == general && signer != nil))
                    }
                    if network == .general, let general { #expect(signer == general) }
                    // Whoever vouches afterwards vouched for this update.
                    switch outcome.network {
                    case .general: #expect(outcome.general == signer)
                    case .custom(let key): #expect(key == signer)
                    case .revoked: Issue.record("an update revokes nothing")
                    }
                }
            }
        }
    }

    @Test func metadataComesFromExactlyTheNetworksVerifier() {
        let keys: [PublicKey?] = [nil, Self.a, Self.b]
        for signer in keys {
            for general in keys {
                #expect(throws: VerifierPolicy.Refusal.unknownNetwork) {
                    try VerifierPolicy.networkData(signer: signer, network: nil, general: general)
                }
                #expect(throws: VerifierPolicy.Refusal.revoked) {
                    try VerifierPolicy.networkData(signer: signer, network: .revoked, general: general)
                }
                for own in keys {
                    for (network, required) in [(Verifier.general, general), (.custom(own), own)] {
                        let result = Result { () throws(VerifierPolicy.Refusal) in
                            try VerifierPolicy.networkData(signer: signer, network: network, general: general)
                        }
                        if signer == required {
                            #expect(throws: Never.self) { try result.get() }
                        } else if let required {
                            #expect(throws: VerifierPolicy.Refusal.mustBeSignedBy([required])) {
                                try result.get()
                            }
                        } else {
                            #expect(throws: VerifierPolicy.Refusal.specsFirst) { try result.get() }
                        }
                    }
                }
            }
        }
    }

    @Test func typesComeFromTheGeneralVerifierOrMakeOne() throws {
        #expect(try VerifierPolicy.types(signer: nil, general: nil) == (nil, []))
        #expect(try VerifierPolicy.types(signer: Self.a, general: nil) == (Self.a, [.general]))
        #expect(try VerifierPolicy.types(signer: Self.a, general: Self.a) == (Self.a, []))
        #expect(throws: VerifierPolicy.Refusal.mustBeSignedBy([Self.b])) {
            try VerifierPolicy.types(signer: Self.a, general: Self.b)
        }
        #expect(throws: VerifierPolicy.Refusal.mustBeSignedBy([Self.b])) {
            try VerifierPolicy.types(signer: nil, general: Self.b)
        }
    }
}

extension VerifierPolicyLaws.Row {
    init(
        _ name: String, _ signer: PublicKey?, _ network: Verifier?, _ general: PublicKey?,
        _ result: Result<VerifierPolicy.Outcome, VerifierPolicy.Refusal>
    ) {
        self.init(testDescription: name, signer: signer, network: network, general: general, result: result)
    }
}
