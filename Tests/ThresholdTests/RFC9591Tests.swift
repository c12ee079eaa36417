import TestSupport
import Testing

@testable import Threshold

/// The vectors of RFC 9591 (E.1 and E.3): the whole protocol without a suffix behind the nonces' input.
@Suite struct RFC9591Tests {
    struct Vector: Decodable {
        struct Inputs: Decodable {
            struct Share: Decodable {
                let identifier: Int
                let participant_share: String
            }
            let participant_list: [Int]
            let group_secret_key, verifying_key_key, message: String
            let share_polynomial_coefficients: [String]
            let participant_shares: [Share]
        }
        struct Outputs<Output: Decodable>: Decodable {
            let outputs: [Output]
        }
        struct RoundOne: Decodable {
            let identifier: Int
            let hiding_nonce_randomness, binding_nonce_randomness, hiding_nonce, binding_nonce: String
            let hiding_nonce_commitment, binding_nonce_commitment, binding_factor: String
        }
        struct RoundTwo: Decodable {
            let identifier: Int
            let sig_share: String
        }
        struct Final: Decodable {
            let sig: String
        }
        let inputs: Inputs
        let round_one_outputs: Outputs<RoundOne>
        let round_two_outputs: Outputs<RoundTwo>
        let final_output: Final
    }

    private static func check(_ vector: Vector, _ suite: any FrostSuite.Type) throws {
        let inputs = vector.inputs
        let coefficients = ([inputs.group_secret_key] + inputs.share_polynomial_coefficients).map {
            Scalar(bytes: $0.hex)!
        }
        let group = KnownGroup(
            suite, coefficients: coefficients,
            members: inputs.participant_shares.map { Identifier($0.identifier) })
        #expect(group.account.publicKey == inputs.verifying_key_key.hex)
        for share in inputs.participant_shares {
            #expect(
                KnownGroup.share(coefficients, Identifier(share.identifier)).bytes
                    == share.participant_share.hex)
        }
        func pair(_ one: Vector.RoundOne) throws -> NoncePair {
            try draw(
                group.share(Identifier(one.identifier)), group.account,
                random: one.hiding_nonce_randomness.hex + one.binding_nonce_randomness.hex)
        }
        let commitments = try vector.round_one_outputs.outputs.map { one in
            let nonces = try pair(one)
            #expect(
                nonces.exportSecret().withUnsafeBytes { Array($0) } == one.hiding_nonce.hex
                    + one.binding_nonce.hex)
            #expect(nonces.commitment.hiding == one.hiding_nonce_commitment.hex)
            #expect(nonces.commitment.binding == one.binding_nonce_commitment.hex)
            return nonces.commitment
        }
        let package = try SigningPackage(group.account, message: inputs.message.hex, commitments: commitments)
        var shares: [Identifier: [UInt8]] = [:]
        for (one, two) in zip(vector.round_one_outputs.outputs, vector.round_two_outputs.outputs) {
            let member = Identifier(one.identifier)
            #expect(package.signer(member)?.bindingFactor.bytes == one.binding_factor.hex)
            let share = try package.sign(group.share(member), nonces: pair(one))
            #expect(share == two.sig_share.hex)
            shares[member] = share
        }
        #expect(try package.aggregate(shares) == vector.final_output.sig.hex)
    }

    @Test func `the vectors of both suites are met`() throws {
        let vectors: [String: Vector] = try Checkout.json("fixtures/threshold/rfc9591.json")
        #expect(vectors.count == 2)
        try Self.check(#require(vectors["ed25519"]), Ed25519Suite.self)
        try Self.check(#require(vectors["ristretto255"]), Ristretto255Suite.self)
    }

    struct Arithmetic: Decodable {
        struct Participant: Decodable {
            let identifier: Int
            let signing_key, coefficient, verifying_share, signing_share: String
            let vss_commitments: [String]
            let signing_shares: [String: String]
        }
        let verifying_key: String
        let one, two, three: Participant

        enum CodingKeys: String, CodingKey {
            case verifying_key
            case one = "1"
            case two = "2"
            case three = "3"
        }
        var all: [Participant] { [one, two, three] }
    }

    struct WithArithmetic: Decodable {
        let dkg_arithmetic: Arithmetic
    }

    private static func check(_ vector: Arithmetic, _ group: any PrimeOrderGroup.Type, scheme: GroupScheme?)
        throws
    {
        var sums: [Int: Scalar] = [:]
        for one in vector.all {
            let coefficients = [one.signing_key, one.coefficient].map { Scalar(bytes: $0.hex)! }
            #expect(coefficients.map { base($0, group) } == one.vss_commitments.map(\.hex))
            for other in vector.all {
                let share = KnownGroup.share(coefficients, Identifier(other.identifier))
                let value = group.evaluate(
                    one.vss_commitments.map(\.hex), at: Scalar(UInt8(other.identifier)))
                #expect(base(share, group) == value)
                sums[other.identifier, default: .zero] = sums[other.identifier, default: .zero] + share
                if other.identifier != one.identifier {
                    // In the vectors, shares stand with their receiver.
                    #expect(other.signing_shares["\(one.identifier)"]?.hex == share.bytes)
                }
            }
        }
        let commitments = (0..<2).map { k in group.sum(vector.all.map { $0.vss_commitments[k].hex })! }
        #expect(commitments[0] == vector.verifying_key.hex)
        for one in vector.all {
            #expect(sums[one.identifier]?.bytes == one.signing_share.hex)
            let value = group.evaluate(commitments, at: Scalar(UInt8(one.identifier)))
            #expect(value == one.verifying_share.hex)
        }
        if let scheme {
            let key = try GroupKey(scheme: scheme, commitments: commitments, members: 3)
            #expect(key.publicShares == vector.all.map(\.verifying_share.hex))
        }
    }

    @Test func `the arithmetic of key generation is that of other programs`() throws {
        let vectors: [String: WithArithmetic] = try Checkout.json("fixtures/threshold/rfc9591.json")
        try Self.check(#require(vectors["ed25519"]).dkg_arithmetic, Edwards25519.self, scheme: .ed25519)
        try Self.check(#require(vectors["ristretto255"]).dkg_arithmetic, Ristretto255.self, scheme: .sr25519)
    }
}
