import Hashing
import Keys
import SubstratePrimitives
import Testing

@testable import Threshold

/// A key generation whose members are in this process.
struct Run {
    let generation: KeyGeneration
    let contributions: [Contribution]

    static func host(_ index: Int) throws -> HostKey {
        try HostKey(miniSecret: secretBytes([UInt8](repeating: UInt8(index + 1), count: 32)))
    }

    init(_ scheme: GroupScheme, _ threshold: Int, of members: Int, proposal: [UInt8] = [1, 2, 3]) throws {
        generation = try KeyGeneration(
            proposal: proposal, scheme: scheme, threshold: threshold,
            members: (1...members).map { try Self.host($0).publicKey })
        let generation = generation
        contributions = try (1...members).map { try generation.contribute(as: $0, host: Self.host($0)) }
    }

    /// The stand-in for message b2: what is signed holds every field.
    static func sign(_ contribution: Contribution, as index: Int? = nil) throws -> SignedContribution {
        let bytes =
            [UInt8(contribution.index)] + contribution.ephemeral + contribution.commitments.joined()
            + contribution.proof
            + contribution.encryptedShares.joined()
        return SignedContribution(
            contribution,
            message: SignedMessage(bytes: bytes, signature: try host(index ?? contribution.index).sign(bytes))
        )
    }

    func signed(replacing changed: Contribution? = nil) throws -> [SignedContribution] {
        try contributions.map { try Self.sign($0.index == changed?.index ? changed! : $0) }
    }

    func accept(_ received: [SignedContribution], as index: Int = 1) throws -> GroupRecord {
        try generation.accept(received, as: index, host: Self.host(index))
    }
}

extension Contribution {
    func with(
        index: Int? = nil, ephemeral: [UInt8]? = nil, commitments: [[UInt8]]? = nil, proof: [UInt8]? = nil,
        encryptedShares: [[UInt8]]? = nil
    ) -> Contribution {
        Contribution(
            index: index ?? self.index, ephemeral: ephemeral ?? self.ephemeral,
            commitments: commitments ?? self.commitments,
            proof: proof ?? self.proof, encryptedShares: encryptedShares ?? self.encryptedShares)
    }
}

private func fault(_ index: Int, _ reason: ContributionFault.Reason) -> ThresholdError {
    .contributions([ContributionFault(index: index, reason: reason)])
}

@Suite struct KeyGenerationLaws {
    @Test(arguments: GroupScheme.allCases)
    func `all members come to one group, whose shares sign`(scheme: GroupScheme) throws {
        for (threshold, members) in [(2, 2), (3, 4)] {
            let run = try Run(scheme, threshold, of: members)
            let received = try run.signed()
            let records = try (1...members).map { try run.accept(received.reversed(), as: $0) }
            #expect(Set(records.map(\.transcript)).count == 1 && Set(records.map(\.key)).count == 1)
            let account = records[0].key.account
            let signers = Array((1...members).reversed().prefix(threshold))
            let suffix = NonceSuffix(requestID: [UInt8](repeating: 1, count: 32), others: [])
            var pairs: [Int: SecretBytesBox] = [:]
            var commitments: [NonceCommitment] = []
            for index in signers {
                let nonces = try NoncePair.draw(
                    records[0].share(host: Run.host(index)), for: account, suffix: suffix)
                commitments.append(nonces.commitment)
                pairs[index] = SecretBytesBox(nonces.exportSecret())
            }
            let package = try SigningPackage(account, message: [7], commitments: commitments)
            var shares: [Identifier: [UInt8]] = [:]
            for index in signers {
                let nonces = try NoncePair(
                    restoring: pairs[index]!.bytes.copy(), member: Identifier(index), account: account)
                shares[Identifier(index)] = try package.sign(
                    records[0].share(host: Run.host(index)), nonces: nonces)
            }
            let signature = try package.aggregate(shares)
            #expect(Signature.verify(signature, message: [7], key: records[0].key.publicKey))
        }
    }

    private final class SecretBytesBox {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    @Test(arguments: GroupScheme.allCases)
    func `16 members make a group`(scheme: GroupScheme) throws {
        let run = try Run(scheme, 11, of: 16)
        let received = try run.signed()
        #expect(try run.accept(received, as: 16).transcript == run.generation.combine(received).transcript)
    }

    @Test(arguments: GroupScheme.allCases)
    func `a wrong contribution names its sender and what is wrong, at every position`(scheme: GroupScheme)
        throws
    {
        let run = try Run(scheme, 2, of: 3)
        let group = scheme.suite.group
        let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex
        for good in run.contributions {
            let (c, s, other) = (good.commitments, good.encryptedShares, run.contributions[good.index % 3])
            let proofNonce = Array(good.proof[..<32])
            var cases: [(Contribution, ContributionFault.Reason)] = [
                (good.with(commitments: c + [c[1]]), .count), (good.with(commitments: [c[0]]), .count),
                (good.with(commitments: []), .count),
                (good.with(encryptedShares: Array(s.dropLast())), .count),
                (good.with(encryptedShares: s + [s[0]]), .count),
                (good.with(proof: Array(good.proof.dropLast())), .count),
                (good.with(proof: good.proof + [0]), .count),
                (good.with(encryptedShares: [order] + s.dropFirst()), .scalar),
                (good.with(proof: proofNonce + order), .scalar),
                (good.with(commitments: [c[1], c[0]]), .proof),
                (good.with(commitments: [c[0], other.commitments[1]]), .proof),
                // Rogue key: the others' keys taken away again.
                (good.with(commitments: [group.add(c[0], other.commitments[0])!, c[1]]), .proof),
                // Copied from another member, wholly or but for the proof.
                (other.with(index: good.index), .proof), (good.with(commitments: other.commitments), .proof),
                (
                    good.with(proof: proofNonce + (Scalar(bytes: Array(good.proof[32...]))! + .one).bytes),
                    .proof
                ),
            ]
            for bad in PointLaws.invalid(group) where bad.count == 32 {
                cases += [
                    (good.with(commitments: [bad, c[1]]), .point),
                    (good.with(commitments: [c[0], bad]), .point),
                ]
                cases.append((good.with(proof: bad + good.proof[32...]), .point))
            }
            for bad in PointLaws.invalid(Ristretto255.self) {
                cases.append((good.with(ephemeral: bad), .point))
            }
            for (changed, reason) in cases {
                #expect(throws: fault(good.index, reason)) {
                    _ = try run.generation.combine(run.signed(replacing: changed))
                }
            }
        }
    }

    @Test(arguments: GroupScheme.allCases)
    func `a wrong share names its sender to the receiver alone`(scheme: GroupScheme) throws {
        let run = try Run(scheme, 2, of: 3)
        for good in run.contributions {
            for receiver in 1...3 {
                var shares = good.encryptedShares
                shares[receiver - 1] = (Scalar(bytes: shares[receiver - 1])! + .one).bytes
                let received = try run.signed(replacing: good.with(encryptedShares: shares))
                _ = try run.generation.combine(received)
                for index in 1...3 {
                    if index == receiver {
                        #expect(throws: fault(good.index, .share)) { _ = try run.accept(received, as: index) }
                    } else {
                        _ = try run.accept(received, as: index)
                    }
                }
            }
        }
        // Two faults that cancel each other in the sum are two faults.
        let (one, two) = (run.contributions[0], run.contributions[1])
        var (high, low) = (one.encryptedShares, two.encryptedShares)
        high[2] = (Scalar(bytes: high[2])! + .one).bytes
        low[2] = (Scalar(bytes: low[2])! - .one).bytes
        let received = try [
            Run.sign(one.with(encryptedShares: high)), Run.sign(two.with(encryptedShares: low)),
            Run.sign(run.contributions[2]),
        ]
        #expect(
            throws: ThresholdError.contributions([1, 2].map { ContributionFault(index: $0, reason: .share) })
        ) {
            _ = try run.accept(received, as: 3)
        }
        // Another ephemeral key gives everybody another pad.
        let moved = one.with(ephemeral: two.ephemeral)
        #expect(throws: fault(1, .share)) { _ = try run.accept(run.signed(replacing: moved), as: 2) }
    }

    /// Whoever carries the messages can change any of them: until all host signatures are right, nobody else
    /// is blamed.
    @Test func `a wrong host signature is named before anything else`() throws {
        let run = try Run(.sr25519, 2, of: 3)
        var received = try run.signed(replacing: run.contributions[0].with(commitments: []))
        let second = received[1]
        received[1] = SignedContribution(
            second.contribution,
            message: SignedMessage(
                bytes: second.message.bytes.flipping(5), signature: second.message.signature))
        #expect(throws: fault(2, .hostSignature)) { _ = try run.accept(received) }
        received[1] = try Run.sign(run.contributions[1], as: 3)
        #expect(throws: fault(2, .hostSignature)) { _ = try run.accept(received) }
        // A signature of an account is not a signature of a host key.
        let bytes = second.message.bytes
        let pair = try KeyPair.derive(
            miniSecret: secretBytes([UInt8](repeating: 3, count: 32)), scheme: .sr25519)
        #expect(pair.publicKey.bytes == run.generation.members[1].bytes)
        received[1] = SignedContribution(
            run.contributions[1], message: SignedMessage(bytes: bytes, signature: try pair.sign(bytes)))
        #expect(throws: fault(2, .hostSignature)) { _ = try run.accept(received) }
    }

    @Test func `each contributor is needed exactly once`() throws {
        let run = try Run(.ed25519, 2, of: 3)
        let all = try run.signed()
        let foreign = try Run.sign(run.contributions[0].with(index: 4), as: 4)
        let dealer = try Run.sign(run.contributions[0].with(index: 0), as: 0)
        for (received, indices) in [
            ([all[0], all[1]], [3]), ([], [1, 2, 3]), ([all[0], all[0], all[1], all[2]], [1]),
            ([all[0], all[1], all[1]], [2, 3]),
            (all + [foreign], [4]), (all + [dealer], [0]),
        ] {
            #expect(throws: ThresholdError.contributors(indices)) { _ = try run.accept(received) }
        }
    }

    @Test func `a contribution of another run or scheme is refused`() throws {
        let (one, two) = (try Run(.sr25519, 2, of: 2), try Run(.sr25519, 2, of: 2, proposal: [9]))
        #expect(throws: fault(2, .proof)) {
            _ = try one.accept([Run.sign(one.contributions[0]), Run.sign(two.contributions[1])])
        }
        let longer = try Run(.sr25519, 3, of: 3)
        #expect(throws: fault(1, .count)) {
            _ = try one.accept([Run.sign(longer.contributions[0]), Run.sign(one.contributions[1])])
        }
    }

    /// Other than the bundle of the others: another transcript, so no record that all members signed.
    @Test func `two bundles give two transcripts`() throws {
        let run = try Run(.sr25519, 2, of: 2)
        let again = try run.generation.contribute(as: 2, host: Run.host(2))
        let one = try run.accept(run.signed())
        let two = try run.accept(run.signed(replacing: again))
        #expect(one.transcript != two.transcript)
        // The same fields under another signature are other messages.
        #expect(try run.accept(run.signed()).transcript != one.transcript)
        let confirmations = try [1, 2].map { index in
            let bytes = [UInt8(index)] + (index == 1 ? one : two).transcript
            return SignedMessage(bytes: bytes, signature: try Run.host(index).sign(bytes))
        }
        func expected(_ record: GroupRecord) -> [SignedMessage] {
            confirmations.enumerated().map {
                SignedMessage(
                    bytes: [UInt8($0.offset + 1)] + record.transcript, signature: $0.element.signature)
            }
        }
        #expect(throws: ThresholdError.recordSignatures([2])) { try one.check(expected(one)) }
        #expect(throws: ThresholdError.recordSignatures([1])) { try two.check(expected(two)) }
        #expect(throws: ThresholdError.recordSignatures([2])) { try one.check([confirmations[0]]) }
        #expect(throws: ThresholdError.recordSignatures([1, 2])) { try one.check([]) }
        let second = [UInt8(2)] + one.transcript
        let both = [confirmations[0], SignedMessage(bytes: second, signature: try Run.host(2).sign(second))]
        try one.check(both)
        #expect(throws: ThresholdError.badRecord) { try one.check(both + [both[0]]) }
    }

    @Test func `only the member contributes and accepts with its host key`() throws {
        let run = try Run(.sr25519, 2, of: 2)
        for index in [0, 3, -1] {
            #expect(throws: ThresholdError.notTheMember(index)) {
                _ = try run.generation.contribute(as: index, host: Run.host(1))
            }
            #expect(throws: ThresholdError.notTheMember(index)) {
                _ = try run.generation.accept(run.signed(), as: index, host: Run.host(1))
            }
        }
        #expect(throws: ThresholdError.notTheMember(2)) {
            _ = try run.generation.contribute(as: 2, host: Run.host(1))
        }
        #expect(throws: ThresholdError.repeatedHostKey(1, 3)) {
            let keys = try [1, 2, 1].map { try Run.host($0).publicKey }
            _ = try KeyGeneration(proposal: [], scheme: .sr25519, threshold: 2, members: keys)
        }
    }

    /// The seed is hedged: with a source that always says the same, runs and members still have polynomials
    /// of their own.
    @Test func `a broken random source still gives every run and member its own secrets`() throws {
        let one = try Run(.sr25519, 2, of: 2).generation
        let two = try Run(.sr25519, 2, of: 2, proposal: [4]).generation
        let broken: RandomSource = { memory, count in memory.update(repeating: 0, count: count) }
        let made = try [
            one.contribute(as: 1, host: Run.host(1), random: broken),
            one.contribute(as: 2, host: Run.host(2), random: broken),
            two.contribute(as: 1, host: Run.host(1), random: broken),
        ]
        var seen: Set<[UInt8]> = []
        for one in made {
            seen.formUnion(one.commitments)
            seen.formUnion(one.encryptedShares)
            seen.formUnion([one.ephemeral, Array(one.proof[..<32])])
        }
        #expect(seen.count == 18)
        #expect(try one.contribute(as: 1, host: Run.host(1), random: broken) == made[0])
        #expect(try one.contribute(as: 1, host: Run.host(1)) != one.contribute(as: 1, host: Run.host(1)))
    }

    @Test func `a record with another value gives no share or another transcript`() throws {
        let run = try Run(.sr25519, 2, of: 2)
        let record = try run.accept(run.signed())
        func changed(
            hash: [UInt8]? = nil, commitments: [[UInt8]]? = nil, ephemerals: [[UInt8]]? = nil,
            sums: [[UInt8]]? = nil
        ) throws -> GroupRecord {
            try GroupRecord(
                run.generation, contributionsHash: hash ?? record.contributionsHash,
                commitments: commitments ?? record.key.commitments,
                ephemerals: ephemerals ?? record.ephemerals, encryptedSums: sums ?? record.encryptedSums)
        }
        #expect(try changed().transcript == record.transcript)
        #expect(try changed(hash: [UInt8](repeating: 1, count: 32)).transcript != record.transcript)
        let sums = [record.encryptedSums[1], record.encryptedSums[0]]
        let others = [
            try changed(commitments: record.key.commitments.reversed()),
            try changed(ephemerals: record.ephemerals.reversed()),
            try changed(sums: sums),
        ]
        for other in others {
            #expect(other.transcript != record.transcript)
            #expect(throws: ThresholdError.wrongShare) { _ = try other.share(host: Run.host(2)) }
        }
        #expect(throws: ThresholdError.wrongShare) { _ = try record.share(host: Run.host(3)) }
        let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex
        #expect(throws: ThresholdError.badRecord) { _ = try changed(hash: [1]) }
        #expect(throws: ThresholdError.badRecord) {
            _ = try changed(commitments: [record.key.commitments[0]])
        }
        #expect(throws: ThresholdError.badRecord) { _ = try changed(ephemerals: [record.ephemerals[0]]) }
        #expect(throws: ThresholdError.badRecord) {
            _ = try changed(ephemerals: [record.ephemerals[0], Ristretto255.identity])
        }
        #expect(throws: ThresholdError.badRecord) { _ = try changed(sums: [sums[0]]) }
        #expect(throws: ThresholdError.badRecord) { _ = try changed(sums: [sums[0], order]) }
    }
}

/// A group that is dealt from a key that exists.
@Suite struct DealerLaws {
    private struct Dealt {
        let generation: KeyGeneration
        let key: [UInt8]
        let scheme: GroupScheme

        init(_ scheme: GroupScheme) throws {
            self.scheme = scheme
            key = [UInt8](repeating: 77, count: 32)
            generation = try KeyGeneration(
                proposal: [8], scheme: scheme, threshold: 2,
                members: (1...3).map { try Run.host($0).publicKey },
                origin: .dealt(
                    dealer: Run.host(1).publicKey,
                    publicKey: KeyPair.derive(miniSecret: secretBytes(key), scheme: scheme.signatureScheme)
                        .publicKey.bytes))
        }

        func pair(_ scheme: SignatureScheme? = nil, path: String = "") throws -> KeyPair {
            try KeyPair.derive(
                miniSecret: secretBytes(key), path: DerivationPath(path),
                scheme: scheme ?? self.scheme.signatureScheme)
        }
    }

    @Test(arguments: GroupScheme.allCases)
    func `the group key is the key that was dealt, and t shares give its secret`(scheme: GroupScheme) throws {
        let dealt = try Dealt(scheme)
        let contribution = try dealt.generation.deal(dealt.pair(), host: Run.host(1))
        let received = [try Run.sign(contribution, as: 1)]
        let records = try (1...3).map { try dealt.generation.accept(received, as: $0, host: Run.host($0)) }
        #expect(try records[0].key.publicKey == dealt.pair().publicKey)
        #expect(Set(records.map(\.transcript)).count == 1)
        let signers = [Identifier(1), Identifier(3)]
        var secret = Scalar.zero
        for member in signers {
            let share = try records[0].share(host: Run.host(member.index!)).withScalar(
                of: records[0].key.account
            ) {
                Scalar(bytes: Array(UnsafeBufferPointer(start: $0, count: 32)))!
            }
            secret = secret + Lagrange.coefficient(of: member, in: signers)! * share
        }
        #expect(try base(secret, scheme.suite.group) == dealt.pair().publicKey.bytes)
    }

    @Test(arguments: GroupScheme.allCases)
    func `another key, scheme or dealer is refused`(scheme: GroupScheme) throws {
        let dealt = try Dealt(scheme)
        #expect(throws: ThresholdError.notTheDealtKey) {
            _ = try dealt.generation.deal(dealt.pair(path: "//1"), host: Run.host(1))
        }
        #expect(throws: ThresholdError.notTheDealtKey) {
            _ = try dealt.generation.deal(dealt.pair(.ecdsa), host: Run.host(1))
        }
        #expect(throws: ThresholdError.notTheMember(0)) {
            _ = try dealt.generation.deal(dealt.pair(), host: Run.host(2))
        }
        #expect(throws: ThresholdError.notTheMember(1)) {
            _ = try dealt.generation.contribute(as: 1, host: Run.host(1))
        }
        #expect(throws: ThresholdError.notTheMember(0)) {
            _ = try Run(scheme, 2, of: 2).generation.deal(dealt.pair(), host: Run.host(1))
        }
        let random: RandomSource = { memory, count in memory.update(repeating: 1, count: count) }
        let other = try dealt.generation.contribution(
            index: 0, host: Run.host(1), key: Scalar(5).bytes, random: random)
        #expect(throws: fault(0, .dealtKey)) { _ = try dealt.generation.combine([Run.sign(other, as: 1)]) }
        // Among them another encoding of a point: no chain takes a signature of such an account.
        for bad in PointLaws.invalid(scheme.suite.group) {
            #expect(throws: ThresholdError.notTheDealtKey) {
                _ = try KeyGeneration(
                    proposal: [], scheme: scheme, threshold: 2, members: dealt.generation.members,
                    origin: .dealt(dealer: dealt.generation.members[0], publicKey: bad))
            }
        }
    }

    /// Members compare the key in the proposal with the account that they know. A record that says another
    /// key is of another group.
    @Test(arguments: GroupScheme.allCases)
    func `a record of a dealt group is for the key that the proposal names`(scheme: GroupScheme) throws {
        let dealt = try Dealt(scheme)
        let made = try dealt.generation.combine([
            Run.sign(dealt.generation.deal(dealt.pair(), host: Run.host(1)), as: 1)
        ])
        func record(_ commitments: [[UInt8]]) throws -> GroupRecord {
            try GroupRecord(
                dealt.generation, contributionsHash: made.contributionsHash, commitments: commitments,
                ephemerals: made.ephemerals,
                encryptedSums: made.encryptedSums)
        }
        let (key, top) = (made.key.commitments[0], made.key.commitments[1])
        #expect(try record([key, top]).transcript == made.transcript)
        #expect(throws: ThresholdError.badRecord) { _ = try record([top, key]) }
        #expect(throws: ThresholdError.badRecord) {
            _ = try record([scheme.suite.group.add(key, top)!, top])
        }
        // The other commitments are the dealer's choice.
        #expect(try record([key, key]).key.publicKey.bytes == key)
    }
}

/// Host keys, and the path where they lie.
@Suite struct HostKeyLaws {
    private func entropy() -> SecretBytes { secretBytes([UInt8](repeating: 9, count: 16)) }

    @Test func `each index has its host key, which no account can have`() throws {
        let keys = try (0..<4).map { try HostKey.derive(entropy: entropy(), index: $0).publicKey }
        #expect(Set(keys).count == 4)
        #expect(try HostKey.derive(entropy: entropy()).publicKey == keys[0])
        for scheme in SignatureScheme.allCases {
            for path in ["//heliograph", "//heliograph//host//0", "//heliograph/soft", "//heliograph//other"]
            {
                #expect(throws: KeyError.reservedPath) {
                    _ = try KeyPair.derive(entropy: entropy(), path: DerivationPath(path), scheme: scheme)
                }
                #expect(throws: KeyError.reservedPath) {
                    _ = try KeyPair.derive(
                        entropy: entropy(), path: DerivationPath(path), password: SecretBytes(utf8: "x"),
                        scheme: scheme)
                }
            }
        }
        for path in ["/heliograph", "//heliograph2", "//Heliograph", "//a//heliograph"] {
            _ = try KeyPair.derive(entropy: entropy(), path: DerivationPath(path), scheme: .sr25519)
        }
        #expect(throws: KeyError.mnemonic(.entropyLength(3))) {
            _ = try HostKey.derive(entropy: secretBytes([1, 2, 3]))
        }
    }

    /// The path is spelled out here: the same key as the standard derivation gives, or no other program could
    /// recover it.
    @Test func `the path is //heliograph//host//INDEX`() throws {
        let path = try DerivationPath("//host//7")
        let top = DerivationPath.host(index: 7)
        #expect(top.description == "//heliograph//host//7" && top.isReserved && !path.isReserved)
    }

    @Test func `host signatures hold for their message, key and context only`() throws {
        let host = try HostKey.derive(entropy: entropy())
        let signature = try host.sign([1, 2, 3])
        #expect(host.publicKey.verify(signature, message: [1, 2, 3]))
        #expect(!host.publicKey.verify(signature, message: [1, 2]))
        #expect(
            try !HostKey.derive(entropy: entropy(), index: 1).publicKey.verify(signature, message: [1, 2, 3]))
        let account = PublicKey(scheme: .sr25519, bytes: host.publicKey.bytes)!
        for domain in SigningDomain.allCases {
            #expect(!Signature.verify(signature, message: [1, 2, 3], key: account, domain: domain))
        }
        #expect(try host.sign([1, 2, 3]) != signature)
    }
}
