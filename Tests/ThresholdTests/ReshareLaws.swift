import Hashing
import Keys
import SubstratePrimitives
import Testing

@testable import Threshold

/// A group whose key was reshared, old and new members in this process. New members have hosts from 21 on.
private struct Reshared {
    let old: Run
    let oldRecord: GroupRecord
    let generation: KeyGeneration
    let contributions: [Contribution]

    static func newHost(_ index: Int) throws -> HostKey { try Run.host(20 + index) }

    init(
        _ scheme: GroupScheme, _ threshold: Int, of members: Int, from oldSize: (Int, Int) = (2, 3),
        by contributors: [Int] = [1, 3], proposal: [UInt8] = [4, 5, 6], again earlier: Reshared? = nil
    ) throws {
        old = try earlier?.old ?? Run(scheme, oldSize.0, of: oldSize.1)
        oldRecord = try earlier?.oldRecord ?? old.generation.combine(old.signed())
        generation = try KeyGeneration(
            proposal: proposal, scheme: scheme, threshold: threshold,
            members: (1...members).map { try Self.newHost($0).publicKey },
            origin: .reshared(
                Reshare(
                    transcript: oldRecord.transcript, contributors: contributors, old: OldGroup(oldRecord))))
        let (generation, record) = (generation, oldRecord)
        contributions = try contributors.map {
            let host = try Run.host($0)
            return try generation.reshare(record.share(host: host), host: host)
        }
    }

    func signed(replacing changed: Contribution? = nil) throws -> [SignedContribution] {
        try contributions.map { try Run.sign($0.index == changed?.index ? changed! : $0) }
    }

    func accept(_ received: [SignedContribution], as index: Int = 1) throws -> GroupRecord {
        try generation.accept(received, as: index, host: Self.newHost(index))
    }

    static func scalar(_ share: borrowing SigningShare, _ account: GroupAccount) -> Scalar {
        share.withScalar(of: account) { Scalar(bytes: Array(UnsafeBufferPointer(start: $0, count: 32)))! }
    }

    /// Σ λ·x, times B: the key that these shares make together.
    static func key(_ shares: [(Int, Scalar)], _ group: any PrimeOrderGroup.Type) -> [UInt8]? {
        let set = shares.map { Identifier($0.0) }
        let secret = shares.reduce(Scalar.zero) {
            $0 + Lagrange.coefficient(of: Identifier($1.0), in: set)! * $1.1
        }
        return base(secret, group)
    }
}

private func fault(_ index: Int, _ reason: ContributionFault.Reason) -> ThresholdError {
    .contributions([ContributionFault(index: index, reason: reason)])
}

/// All subsets of so many elements.
private func subsets(_ all: [Int], _ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return all.indices.flatMap { position in
        subsets(Array(all[(position + 1)...]), count - 1).map { [all[position]] + $0 }
    }
}

@Suite struct ReshareLaws {
    /// Refresh, more members, a higher and a lower threshold, and all old members as contributors.
    private static let shapes: [(old: (Int, Int), by: [Int], new: (Int, Int))] = [
        ((2, 3), [1, 3], (2, 3)), ((2, 3), [2, 3], (3, 4)), ((3, 4), [1, 2, 4], (2, 2)),
        ((2, 2), [1, 2], (2, 3)), ((2, 3), [1, 2, 3], (2, 2)),
    ]

    @Test(arguments: GroupScheme.allCases)
    func `the account stays, any t of the new shares sign for it, and fewer do not`(scheme: GroupScheme)
        throws
    {
        for shape in Self.shapes {
            let run = try Reshared(
                scheme, shape.new.0, of: shape.new.1, from: shape.old, by: shape.by)
            let received = try run.signed()
            let all = Array(1...shape.new.1)
            let records = try all.map { try run.accept(received.reversed(), as: $0) }
            #expect(Set(records.map(\.transcript)).count == 1)
            #expect(try run.generation.combine(received).transcript == records[0].transcript)
            #expect(records[0].key.publicKey == run.oldRecord.key.publicKey)
            #expect(records[0].key.publicShares != run.oldRecord.key.publicShares)
            for signers in subsets(all, shape.new.0) {
                let signature = try sign(records[0], signers)
                #expect(Signature.verify(signature, message: [7], key: run.oldRecord.key.publicKey))
            }
            for signers in subsets(all, shape.new.0 - 1) {
                #expect(throws: ThresholdError.signers) { _ = try sign(records[0], signers) }
                let shares = try signers.map { ($0, try share($0, records[0])) }
                #expect(Reshared.key(shares, scheme.suite.group) != run.oldRecord.key.publicKey.bytes)
            }
        }
    }

    private func share(_ index: Int, _ record: GroupRecord) throws -> Scalar {
        Reshared.scalar(try record.share(host: Reshared.newHost(index)), record.key.account)
    }

    private func sign(_ record: GroupRecord, _ signers: [Int]) throws -> [UInt8] {
        let account = record.key.account
        func pair(_ index: Int) throws -> NoncePair {
            try draw(
                record.share(host: Reshared.newHost(index)), account,
                random: [UInt8](repeating: UInt8(index), count: 64))
        }
        let package = try SigningPackage(
            account, message: [7], commitments: signers.map { try pair($0).commitment })
        var shares: [Identifier: [UInt8]] = [:]
        for index in signers {
            shares[Identifier(index)] = try package.sign(
                record.share(host: Reshared.newHost(index)), nonces: pair(index))
        }
        return try package.aggregate(shares)
    }

    /// What makes the safe order necessary: t old shares sign until they are destroyed. One of them beside
    /// new ones is worth nothing.
    @Test(arguments: GroupScheme.allCases)
    func `old shares still make the key, and old and new shares do not mix`(scheme: GroupScheme) throws {
        let run = try Reshared(scheme, 2, of: 3)
        let record = try run.accept(run.signed())
        let (key, group) = (run.oldRecord.key.publicKey.bytes, scheme.suite.group)
        func old(_ index: Int) throws -> (Int, Scalar) {
            let share = try run.oldRecord.share(host: Run.host(index))
            return (index, Reshared.scalar(share, run.oldRecord.key.account))
        }
        for pair in subsets([1, 2, 3], 2) {
            #expect(try Reshared.key([old(pair[0]), old(pair[1])], group) == key)
            #expect(try Reshared.key([old(pair[0]), (pair[1], share(pair[1], record))], group) != key)
            #expect(try Reshared.key([(pair[0], share(pair[0], record)), old(pair[1])], group) != key)
        }
        // Neither does a host key of one group find its share in the other record.
        #expect(throws: ThresholdError.wrongShare) { _ = try record.share(host: Run.host(1)) }
        #expect(throws: ThresholdError.wrongShare) { _ = try run.oldRecord.share(host: Reshared.newHost(1)) }
        // A share of the old account is refused where the new one signs.
        let share = try run.oldRecord.share(host: Run.host(1))
        #expect(throws: ThresholdError.wrongShare) {
            _ = try SigningShare(
                Identifier(1), secretBytes(Reshared.scalar(share, run.oldRecord.key.account).bytes),
                of: record.key.account)
        }
    }

    /// Each of them proves possession of what it committed to: only the old public shares tell.
    @Test(arguments: GroupScheme.allCases)
    func `a contributor whose constant term is not its old share is named`(scheme: GroupScheme) throws {
        // With contributors 1, 2 and 3 the third coefficient is one.
        let run = try Reshared(scheme, 2, of: 3, from: (2, 4), by: [1, 2, 4])
        let set = [1, 2, 4].map { Identifier($0) }
        let next = [1: 2, 2: 4, 4: 1]
        let random: RandomSource = { memory, count in memory.update(repeating: 1, count: count) }
        for good in run.contributions {
            let host = try Run.host(good.index)
            let own = Reshared.scalar(try run.oldRecord.share(host: host), run.oldRecord.key.account)
            let other = try Run.host(next[good.index]!)
            let others = Reshared.scalar(try run.oldRecord.share(host: other), run.oldRecord.key.account)
            let lagrange = Lagrange.coefficient(of: Identifier(good.index), in: set)!
            let pair = [Identifier(good.index), Identifier(next[good.index]!)]
            let ofPair = Lagrange.coefficient(of: Identifier(good.index), in: pair)!
            // A key of its own, one more, the share without λ, with the λ of fewer contributors, and another
            // member's.
            let wrong = [Scalar(9), lagrange * own + .one, own, ofPair * own, lagrange * others]
            for constant in wrong {
                let changed = try run.generation.contribution(
                    index: good.index, host: host, key: constant.bytes, random: random)
                #expect(throws: fault(good.index, .oldShare)) {
                    _ = try run.generation.combine(run.signed(replacing: changed))
                }
                #expect(throws: fault(good.index, .oldShare)) {
                    _ = try run.accept(run.signed(replacing: changed), as: 2)
                }
            }
            // Two wrong constants whose sum is right: both are named.
            let second = run.contributions.first { $0.index == next[good.index] }!
            let secondHost = try Run.host(second.index)
            let secondLagrange = Lagrange.coefficient(of: Identifier(second.index), in: set)!
            let pairOfWrong = try [
                run.generation.contribution(
                    index: good.index, host: host, key: (lagrange * own + .one).bytes, random: random),
                run.generation.contribution(
                    index: second.index, host: secondHost, key: (secondLagrange * others - .one).bytes,
                    random: random),
            ]
            let third = run.contributions.first { $0.index != good.index && $0.index != second.index }!
            let named = [good.index, second.index].sorted()
            #expect(
                throws: ThresholdError.contributions(
                    named.map { ContributionFault(index: $0, reason: .oldShare) })
            ) {
                _ = try run.generation.combine((pairOfWrong + [third]).map { try Run.sign($0) })
            }
            // The right constant without knowing it.
            let c = good.commitments
            #expect(throws: fault(good.index, .proof)) {
                _ = try run.generation.combine(
                    run.signed(replacing: good.with(commitments: [c[0], second.commitments[1]])))
            }
            #expect(throws: fault(good.index, .count)) {
                _ = try run.generation.combine(
                    run.signed(replacing: good.with(commitments: c + [c[1]])))
            }
            var shares = good.encryptedShares
            shares[1] = (Scalar(bytes: shares[1])! + .one).bytes
            let moved = try run.signed(replacing: good.with(encryptedShares: shares))
            #expect(throws: fault(good.index, .share)) { _ = try run.accept(moved, as: 2) }
            _ = try run.accept(moved, as: 1)
        }
    }

    @Test func `exactly the named members of the old group contribute, with their old host keys`() throws {
        let run = try Reshared(.sr25519, 2, of: 3)
        let all = try run.signed()
        for (received, indices) in [([all[0]], [3]), ([all[0], all[0], all[1]], [1]), ([], [1, 3])] {
            #expect(throws: ThresholdError.contributors(indices)) { _ = try run.accept(received) }
        }
        // Signed by a new member's key, or by another old one.
        for signer in [21, 3] {
            let forged = [try Run.sign(run.contributions[0], as: signer), all[1]]
            #expect(throws: fault(1, .hostSignature)) { _ = try run.accept(forged) }
        }
        // Member 2 of the old group was not asked.
        let second = try Run.host(2)
        #expect(throws: ThresholdError.notTheMember(2)) {
            _ = try run.generation.reshare(run.oldRecord.share(host: second), host: second)
        }
        #expect(throws: ThresholdError.notTheMember(1)) {
            _ = try run.generation.reshare(run.oldRecord.share(host: Run.host(1)), host: second)
        }
        // Nobody contributes a fresh key, or deals one.
        #expect(throws: ThresholdError.notTheMember(1)) {
            _ = try run.generation.contribute(as: 1, host: Run.host(1))
        }
        #expect(throws: ThresholdError.oldGroup) {
            _ = try run.old.generation.reshare(
                run.oldRecord.share(host: Run.host(1)), host: Run.host(1))
        }
        // The share of another group under the same host key.
        let other = try Run(.sr25519, 2, of: 3, proposal: [77])
        let record = try other.generation.combine(other.signed())
        #expect(throws: ThresholdError.wrongShare) {
            _ = try run.generation.reshare(record.share(host: Run.host(1)), host: Run.host(1))
        }
    }

    @Test func `contributions to another reshare of the same group are refused`() throws {
        let one = try Reshared(.sr25519, 2, of: 3)
        let two = try Reshared(.sr25519, 2, of: 3, proposal: [8], again: one)
        #expect(throws: fault(3, .proof)) {
            _ = try one.accept([Run.sign(one.contributions[0]), Run.sign(two.contributions[1])])
        }
    }

    @Test func `an old group that does not fit is refused`() throws {
        let run = try Reshared(.sr25519, 2, of: 3)
        let old = OldGroup(run.oldRecord)
        for (transcript, contributors) in [
            ([UInt8](repeating: 0, count: 32), [1, 3]), (old.transcript, [1]), (old.transcript, [3, 1]),
            (old.transcript, [1, 1]), (old.transcript, [0, 1]), (old.transcript, [1, 4]),
            (Array(old.transcript.dropLast()), [1, 3]), (old.transcript, [1, 17]),
        ] {
            #expect(throws: ThresholdError.oldGroup) {
                _ = try Reshare(transcript: transcript, contributors: contributors, old: old)
            }
        }
        let larger = try Run(.sr25519, 3, of: 4)
        let record = try larger.generation.combine(larger.signed())
        #expect(throws: ThresholdError.oldGroup) {
            _ = try Reshare(transcript: record.transcript, contributors: [1, 2], old: OldGroup(record))
        }
        let reshare = try Reshare(transcript: old.transcript, contributors: [1, 3], old: old)
        let keys = try (1...2).map { try Reshared.newHost($0).publicKey }
        #expect(throws: ThresholdError.oldGroup) {
            _ = try KeyGeneration(
                proposal: [1], scheme: .ed25519, threshold: 2, members: keys, origin: .reshared(reshare))
        }
    }

    /// The old record is public: a host key that stays is an old share that stays.
    @Test func `a member with a host key of the old group is refused`() throws {
        let run = try Reshared(.sr25519, 2, of: 3)
        let reshare = try Reshare(
            transcript: run.oldRecord.transcript, contributors: [1, 3], old: OldGroup(run.oldRecord))
        // Also one who does not contribute.
        for kept in 1...3 {
            let keys = try [Reshared.newHost(1).publicKey, Run.host(kept).publicKey]
            #expect(throws: ThresholdError.oldHostKey(2)) {
                _ = try KeyGeneration(
                    proposal: [1], scheme: .sr25519, threshold: 2, members: keys, origin: .reshared(reshare))
            }
        }
    }

    @Test func `without the old group a finished record is read, and nothing is made`() throws {
        let run = try Reshared(.sr25519, 2, of: 3)
        let made = try run.accept(run.signed())
        let blind = try KeyGeneration(
            proposal: run.generation.proposal, scheme: .sr25519, threshold: 2,
            members: run.generation.members,
            origin: .reshared(Reshare(transcript: run.oldRecord.transcript, contributors: [1, 3], old: nil)))
        func read(_ generation: KeyGeneration, key: [UInt8]? = nil) throws -> GroupRecord {
            try GroupRecord(
                generation, contributionsHash: made.contributionsHash,
                commitments: [key ?? made.key.commitments[0], made.key.commitments[1]],
                ephemerals: made.ephemerals, encryptedSums: made.encryptedSums)
        }
        let record = try read(blind)
        #expect(record.transcript == made.transcript)
        #expect(try share(2, record) == share(2, made))
        #expect(throws: ThresholdError.oldGroup) { _ = try blind.combine(run.signed()) }
        #expect(throws: ThresholdError.oldGroup) {
            _ = try blind.reshare(run.oldRecord.share(host: Run.host(1)), host: Run.host(1))
        }
        // Who knows the old group takes no record around another account.
        _ = try read(run.generation)
        #expect(throws: ThresholdError.badRecord) {
            _ = try read(run.generation, key: made.key.commitments[1])
        }
    }
}
