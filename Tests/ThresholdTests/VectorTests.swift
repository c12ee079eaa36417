import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@testable import Threshold

/// One group of fixtures/threshold/groups.json; the names are those of the file.
struct GroupVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Contributed: Decodable, Sendable {
        let index: Int
        let randomness: String
        let coefficients: [String]
        let message: String
    }

    struct Participant: Decodable, Sendable {
        let nonce_suffix, hiding_randomness, binding_randomness, hiding_nonce, binding_nonce: String
        let hiding_commitment, binding_commitment, signing_share, binding_factor, lagrange,
            signature_share: String
        let commitment_message, share_message: String
    }

    struct Signing: Decodable, Sendable {
        let name, path, tweak, account, signing_bytes, request_id, package_hash, group_commitment, challenge,
            signature: String
        let signers: [Int]
        let last_signer_answers_at_once: Bool
        let participants: [String: Participant]
    }

    let scheme, kind, proposal, session_id, contributions_hash, transcript, group_key, record: String
    let t, n: Int
    let host_mini_secrets, host_secret_scalars, host_public_keys, commitments, confirmations: [String]?
    let contributions: [Contributed]
    let shares, public_shares: [String: String]
    let dealer_mini_secret, dealt_secret_scalar: String?
    let signing: [Signing]

    var testDescription: String { "\(scheme) \(t) of \(n), \(kind)" }
    var groupScheme: GroupScheme { GroupScheme(SignatureScheme(name: scheme)!)! }

    static let groups: [GroupVector] = try! Checkout.json("fixtures/threshold/groups.json")
    static let reshared: [GroupVector] = try! Checkout.json("fixtures/threshold/reshared.json")
    static let all = groups + reshared

    /// The group whose key this one has from a reshare; nil for every other.
    var old: GroupVector? {
        guard kind == "reshare" else { return nil }
        let transcript = Array(proposal.hex.suffix(34).prefix(32))
        return Self.groups.first { $0.transcript.hex == transcript }
    }

    func host(_ index: Int) throws -> HostKey {
        try HostKey(miniSecret: secretBytes(host_mini_secrets![index - 1].hex))
    }

    func generation() throws -> KeyGeneration {
        let keys = try host_public_keys!.map { try HostPublicKey($0.hex) }
        if let old {
            // Kind 2: behind the members stand the old transcript and the contributors.
            let bitmap = Array(proposal.hex.suffix(2))
            let bits = UInt16(bitmap[0]) | UInt16(bitmap[1]) << 8
            let reshare = try Reshare(
                transcript: old.transcript.hex, contributors: (1...16).filter { bits >> ($0 - 1) & 1 == 1 },
                old: OldGroup(GroupVectorTests.read(old)))
            return try KeyGeneration(
                proposal: proposal.hex, scheme: groupScheme, threshold: t, members: keys,
                origin: .reshared(reshare))
        }
        guard kind == "dealer" else {
            return try KeyGeneration(proposal: proposal.hex, scheme: groupScheme, threshold: t, members: keys)
        }
        // Kind 1: behind the members stand the dealer's host key and the account.
        let tail = Array(proposal.hex.suffix(64))
        return try KeyGeneration(
            proposal: proposal.hex, scheme: groupScheme, threshold: t, members: keys,
            origin: .dealt(dealer: HostPublicKey(Array(tail[..<32])), publicKey: Array(tail[32...])))
    }

    /// The fields of a message b2: behind prelude, version and session id stand index, E, C…, proof, shares
    /// and the signature.
    func received(_ one: Contributed) -> SignedContribution {
        var rest = one.message.hex[36...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let contribution = Contribution(
            index: Int(take(1)[0]), ephemeral: take(32), commitments: (0..<t).map { _ in take(32) },
            proof: take(64),
            encryptedShares: (0..<n).map { _ in take(32) })
        precondition(rest.count == 64)
        return SignedContribution(contribution, message: signed(one.message))
    }

    func signed(_ message: String) -> SignedMessage {
        SignedMessage(bytes: Array(message.hex.dropLast(64)), signature: Array(message.hex.suffix(64)))
    }
}

@Suite struct GroupVectorTests {
    @Test(arguments: GroupVector.all)
    func `host keys are those of the vectors`(vector: GroupVector) throws {
        for index in 1...vector.n {
            let host = try vector.host(index)
            #expect(host.publicKey.bytes == vector.host_public_keys![index - 1].hex)
            let scalar = host.withScalar { Array(UnsafeBufferPointer(start: $0, count: 32)) }
            #expect(scalar == vector.host_secret_scalars![index - 1].hex)
        }
    }

    @Test(arguments: GroupVector.all)
    func `the same randomness gives the same contributions`(vector: GroupVector) throws {
        let generation = try vector.generation()
        #expect(generation.sessionID == vector.session_id.hex)
        for one in vector.contributions {
            let expected = vector.received(one).contribution
            let random: RandomSource = { memory, count in
                memory.update(from: one.randomness.hex, count: count)
            }
            if one.index == 0 {
                let host = try HostKey(miniSecret: secretBytes(vector.dealer_mini_secret!.hex))
                #expect(generation.contributorKey(0) == host.publicKey)
                let scalar = vector.dealt_secret_scalar!.hex
                #expect(
                    try generation.contribution(index: 0, host: host, key: scalar, random: random) == expected
                )
            } else if let old = vector.old {
                let host = try old.host(one.index)
                let share = try GroupVectorTests.read(old).share(host: host)
                #expect(try generation.reshare(share, host: host, random: random) == expected)
            } else {
                #expect(
                    try generation.contribute(as: one.index, host: vector.host(one.index), random: random)
                        == expected)
            }
            for (commitment, coefficient) in zip(expected.commitments, one.coefficients) {
                #expect(base(Scalar(bytes: coefficient.hex)!, generation.group) == commitment)
            }
        }
    }

    @Test(arguments: GroupVector.all)
    func `every member accepts the bundle and comes to the same record`(vector: GroupVector) throws {
        let generation = try vector.generation()
        let received = vector.contributions.map { vector.received($0) }
        for index in 1...vector.n {
            let host = try vector.host(index)
            let record = try generation.accept(received.reversed(), as: index, host: host)
            #expect(record.contributionsHash == vector.contributions_hash.hex)
            #expect(record.transcript == vector.transcript.hex)
            #expect(record.key.commitments == vector.commitments!.map(\.hex))
            #expect(record.key.publicKey.bytes == vector.group_key.hex)
            #expect(vector.old.map { $0.group_key == vector.group_key } ?? true)
            #expect(record.key.publicShares == (1...vector.n).map { vector.public_shares["\($0)"]!.hex })
            try record.check(vector.confirmations!.map { vector.signed($0) })
            let share = try record.share(host: host).withScalar(of: record.key.account) {
                Array(UnsafeBufferPointer(start: $0, count: 32))
            }
            #expect(share == vector.shares["\(index)"]!.hex)
        }
    }

    /// The record of the wire holds what the share needs.
    @Test(arguments: GroupVector.all)
    func `the share follows from the fields of the record`(vector: GroupVector) throws {
        let record = try Self.read(vector)
        #expect(record.transcript == vector.transcript.hex)
        for index in 1...vector.n {
            let share = try record.share(host: vector.host(index)).withScalar(of: record.key.account) {
                Array(UnsafeBufferPointer(start: $0, count: 32))
            }
            #expect(share == vector.shares["\(index)"]!.hex)
        }
    }

    static func read(_ vector: GroupVector) throws -> GroupRecord {
        let generation = try vector.generation()
        var rest = vector.record.hex[(6 + vector.proposal.hex.count)...]
        func take() -> [UInt8] {
            defer { rest = rest.dropFirst(32) }
            return Array(rest.prefix(32))
        }
        return try GroupRecord(
            generation, contributionsHash: take(), commitments: (0..<vector.t).map { _ in take() },
            ephemerals: generation.contributors.map { _ in take() },
            encryptedSums: (0..<vector.n).map { _ in take() })
    }

    @Test(arguments: GroupVector.all)
    func `signing gives every value of the vectors`(vector: GroupVector) throws {
        let record = try Self.read(vector)
        for signing in vector.signing {
            let account = try record.key.account(at: DerivationPath(signing.path))
            #expect(account.publicKey == signing.account.hex)
            #expect(account.tweakBytes == signing.tweak.hex)
            let commitments = signing.signers.map { index in
                let one = signing.participants["\(index)"]!
                return NonceCommitment(
                    member: Identifier(index), hiding: one.hiding_commitment.hex,
                    binding: one.binding_commitment.hex)
            }
            let package = try SigningPackage(
                account, message: signing.signing_bytes.hex, commitments: commitments.reversed())
            #expect(package.groupCommitment == signing.group_commitment.hex)
            #expect(package.challenge.bytes == signing.challenge.hex)
            #expect(package.hash(requestID: signing.request_id.hex) == signing.package_hash.hex)
            var shares: [Identifier: [UInt8]] = [:]
            for index in signing.signers {
                let (one, member) = (signing.participants["\(index)"]!, Identifier(index))
                let isLast = signing.last_signer_answers_at_once && index == signing.signers.last
                let suffix = NonceSuffix(
                    requestID: signing.request_id.hex,
                    others: isLast ? commitments.filter { $0.member != member } : [])
                #expect(suffix.bytes == one.nonce_suffix.hex, "\(signing.name), \(index)")
                let share = try record.share(host: vector.host(index))
                #expect(
                    share.withScalar(of: account) { Array(UnsafeBufferPointer(start: $0, count: 32)) }
                        == one.signing_share.hex)
                let nonces = try draw(
                    share, account, random: one.hiding_randomness.hex + one.binding_randomness.hex,
                    suffix: suffix)
                let held = nonces.exportSecret().withUnsafeBytes { Array($0) }
                #expect(held == one.hiding_nonce.hex + one.binding_nonce.hex)
                #expect(nonces.commitment == commitments.first { $0.member == member })
                #expect(package.signer(member)?.bindingFactor.bytes == one.binding_factor.hex)
                #expect(package.signer(member)?.lagrange.bytes == one.lagrange.hex)
                let restored = try NoncePair(
                    restoring: nonces.exportSecret(), member: member, account: account)
                shares[member] = try package.sign(share, nonces: restored)
                #expect(shares[member] == one.signature_share.hex, "\(signing.name), \(index)")
                let key = record.generation.members[index - 1]
                for message in [one.commitment_message, one.share_message] {
                    let signed = vector.signed(message)
                    #expect(key.verify(signed.signature, message: signed.bytes))
                    #expect(!key.verify(signed.signature, message: signed.bytes.flipping(9)))
                }
            }
            #expect(try package.aggregate(shares) == signing.signature.hex)
        }
    }

    @Test func `fingerprints are eight words of the first 88 bits`() throws {
        struct Case: Decodable {
            let key, words: String
        }
        let cases: [Case] = try Checkout.json("fixtures/threshold/fingerprints.json")
        try #require(cases.count > 5)
        for one in cases {
            #expect(
                try HostPublicKey(one.key.hex).fingerprint == one.words.split(separator: " ").map(String.init)
            )
        }
    }

    /// What the rules about nonces prevent: three shares of one pair give the secret share.
    @Test func `three shares made with one pair of nonces give the secret away`() throws {
        struct Reuse: Decodable {
            struct Row: Decodable {
                let binding_factor, lagrange_times_challenge, signature_share: String
            }
            let rows: [Row]
            let recovered_share: String
        }
        let reuse: Reuse = try Checkout.json("fixtures/threshold/nonce-reuse.json")
        let rows = reuse.rows.map { row in
            [row.binding_factor, row.lagrange_times_challenge, row.signature_share].map {
                Scalar(bytes: $0.hex)!
            }
        }
        // Differences of the rows remove d; what is left are two equations in e and x.
        let one = zip(rows[1], rows[0]).map { $0 - $1 }
        let two = zip(rows[2], rows[0]).map { $0 - $1 }
        let share = (two[2] * one[0] - one[2] * two[0]) * (two[1] * one[0] - one[1] * two[0]).inverse!
        #expect(share.bytes == reuse.recovered_share.hex)
        #expect(share.bytes == GroupVector.all[0].shares["1"]!.hex)
    }
}
