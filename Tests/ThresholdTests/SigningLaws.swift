import Hashing
import Keys
import SubstratePrimitives
import Testing

@testable import Threshold

private let suites: [any FrostSuite.Type] = [Ed25519Suite.self, Sr25519Suite.self, Ristretto255Suite.self]

/// What signing by a group promises, for each suite.
@Suite struct SigningLaws {
    /// Every subset of the members with `count` or more elements.
    static func subsets(of members: [Identifier], atLeast count: Int) -> [[Identifier]] {
        (0..<(1 << members.count)).filter { $0.nonzeroBitCount >= count }.map { bits in
            members.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
        }
    }

    @Test func `no signature verifies under bytes that are no key`() {
        let signature = [UInt8](repeating: 0, count: 64)
        for length in [0, 31, 33] {
            let key = [UInt8](repeating: 0, count: length)
            #expect(!Ed25519Suite.verify(signature, message: [], publicKey: key))
            #expect(!Sr25519Suite.verify(signature, message: [], publicKey: key))
        }
    }

    @Test func `any t to n of n sign, and an ordinary verifier accepts it`() throws {
        var random = SeededGenerator(1)
        for suite in suites {
            for (threshold, members) in [(2, 2), (2, 3), (3, 4), (4, 4)] {
                let group = KnownGroup(suite, threshold: threshold, members: members, &random)
                for signers in Self.subsets(of: group.members, atLeast: threshold) {
                    let message = random.bytes(signers.count * 40)
                    let (package, shares) = try group.sign(
                        message, by: signers.shuffled(using: &random), &random)
                    let signature = try package.aggregate(shares)
                    #expect(verifies(suite, signature, message, group.account.publicKey))
                    #expect(!verifies(suite, signature, message + [0], group.account.publicKey))
                }
            }
        }
    }

    @Test func `16 members sign`() throws {
        var random = SeededGenerator(2)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 11, members: 16, &random)
            let signers = Array(group.members.shuffled(using: &random).prefix(11))
            let (package, shares) = try group.sign([1, 2, 3], by: signers, &random)
            #expect(verifies(suite, try package.aggregate(shares), [1, 2, 3], group.account.publicKey))
        }
    }

    /// The mathematics does not care how large an identifier is.
    @Test func `large identifiers sign`() throws {
        var random = SeededGenerator(3)
        for suite in suites {
            let largest = Identifier(bytes: (Scalar.zero - Scalar.one).bytes)!
            let members = [
                largest, Identifier(bytes: random.scalar().bytes)!, Identifier(1),
                Identifier(bytes: random.scalar().bytes)!,
            ]
            let group = KnownGroup(suite, coefficients: [random.scalar(), random.scalar()], members: members)
            for signers in Self.subsets(of: members, atLeast: 2) {
                let (package, shares) = try group.sign([4], by: signers, &random)
                #expect(verifies(suite, try package.aggregate(shares), [4], group.account.publicKey))
            }
            #expect(members.sorted().first == Identifier(1) && members.sorted().last == largest)
        }
    }

    @Test func `fewer than t make no package, and their shares no signature`() throws {
        var random = SeededGenerator(4)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 3, members: 4, &random)
            for signers in Self.subsets(of: group.members, atLeast: 1) where signers.count < 3 {
                #expect(throws: ThresholdError.signers) { _ = try group.sign([1], by: signers, &random) }
            }
            // Two who pretend that the threshold is two: the package is made, and what comes out verifies
            // nowhere.
            let lowered = GroupAccount(
                suite: suite, threshold: 2, publicKey: group.account.publicKey,
                publicShares: Dictionary(
                    uniqueKeysWithValues: group.members.map { ($0, group.account.publicShare($0)!) }),
                tweak: .zero)
            let pairs = [random.bytes(64), random.bytes(64)]
            func nonces(_ index: Int) throws -> NoncePair {
                try draw(group.share(Identifier(index)), lowered, random: pairs[index - 1])
            }
            let package = try SigningPackage(
                lowered, message: [1], commitments: [nonces(1).commitment, nonces(2).commitment])
            let shares = try [
                Identifier(1): package.sign(group.share(Identifier(1)), nonces: nonces(1)),
                Identifier(2): package.sign(group.share(Identifier(2)), nonces: nonces(2)),
            ]
            #expect(throws: ThresholdError.selfCheck) { _ = try package.aggregate(shares) }
        }
    }

    @Test func `every t shares give the same key by interpolation, and fewer another`() throws {
        var random = SeededGenerator(5)
        let group = KnownGroup(Sr25519Suite.self, threshold: 3, members: 5, &random)
        for chosen in Self.subsets(of: group.members, atLeast: 2) {
            let secret = chosen.reduce(Scalar.zero) { sum, member in
                sum + Lagrange.coefficient(of: member, in: chosen)!
                    * KnownGroup.share(group.coefficients, member)
            }
            #expect((secret == group.coefficients[0]) == (chosen.count >= 3))
        }
        #expect(
            Lagrange.coefficient(of: Identifier(1), in: [Identifier(1), Identifier(2), Identifier(2)]) != nil)
    }

    @Test func `a wrong share names exactly its signer, at every position`() throws {
        var random = SeededGenerator(6)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 3, members: 5, &random)
            let other = KnownGroup(suite, threshold: 3, members: 5, &random)
            let signers = [1, 2, 4, 5].map { Identifier($0) }
            let (package, good) = try group.sign([9, 9], by: signers, &random)
            for member in signers {
                let order = Array("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex)
                let wrong = [
                    good[member]!.flipping(0), good[member]!.flipping(100), [UInt8](repeating: 0, count: 32),
                    order,
                    [UInt8](repeating: 0xff, count: 32), Array(good[member]!.dropLast()), good[member]! + [0],
                    [],
                    (Scalar(bytes: good[member]!)! + Scalar.one).bytes,
                    KnownGroup.share(other.coefficients, member).bytes,
                    try other.sign([9, 9], by: signers, &random).shares[member]!,
                ]
                for share in wrong {
                    var shares = good
                    shares[member] = share
                    #expect(throws: ThresholdError.signatureShares([member])) {
                        _ = try package.aggregate(shares)
                    }
                    #expect(!package.isValid(share, of: member))
                }
            }
            var two = good
            two[signers[0]] = good[signers[2]]
            two[signers[2]] = good[signers[1]]
            #expect(throws: ThresholdError.signatureShares([signers[0], signers[2]])) {
                _ = try package.aggregate(two)
            }
            // z and z plus the order are one share: only the first encoding is taken.
            #expect(
                package.isValid(good[signers[0]]!, of: signers[0])
                    && !package.isValid(good[signers[0]]!, of: Identifier(3)))
        }
    }

    @Test func `shares of other than the signers are no signature`() throws {
        var random = SeededGenerator(7)
        let group = KnownGroup(Sr25519Suite.self, threshold: 2, members: 4, &random)
        let (package, shares) = try group.sign([1], by: [Identifier(1), Identifier(3)], &random)
        var fewer = shares
        fewer[Identifier(3)] = nil
        var more = shares
        more[Identifier(4)] = shares[Identifier(1)]
        for wrong in [fewer, more, [:]] {
            #expect(throws: ThresholdError.signers) { _ = try package.aggregate(wrong) }
        }
    }

    @Test func `a package takes only valid commitments of members, each once`() throws {
        var random = SeededGenerator(8)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 2, members: 3, &random)
            let good = try [1, 2].map {
                try draw(group.share(Identifier($0)), group.account, random: random.bytes(64)).commitment
            }
            func make(_ commitments: [NonceCommitment]) throws(ThresholdError) {
                _ = try SigningPackage(group.account, message: [1], commitments: commitments)
            }
            try make(good)
            #expect(throws: ThresholdError.signers) { try make([good[0], good[0]]) }
            #expect(throws: ThresholdError.signers) { try make(good + [good[0]]) }
            #expect(throws: ThresholdError.signers) { try make([good[0]]) }
            #expect(throws: ThresholdError.signers) {
                try make([
                    good[0],
                    NonceCommitment(member: Identifier(4), hiding: good[1].hiding, binding: good[1].binding),
                ])
            }
            for bad in PointLaws.invalid(suite.group) {
                #expect(throws: ThresholdError.badCommitment(2)) {
                    try make([
                        good[0],
                        NonceCommitment(member: Identifier(2), hiding: bad, binding: good[1].binding),
                    ])
                }
                #expect(throws: ThresholdError.badCommitment(2)) {
                    try make([
                        good[0], NonceCommitment(member: Identifier(2), hiding: good[1].hiding, binding: bad),
                    ])
                }
            }
        }
    }

    @Test func `nonces sign only the package that has their commitment, for a share of their member`() throws
    {
        var random = SeededGenerator(9)
        let group = KnownGroup(Ed25519Suite.self, threshold: 2, members: 3, &random)
        let sources = (0..<4).map { _ in random.bytes(64) }
        func nonces(_ index: Int, _ source: Int) throws -> NoncePair {
            try draw(group.share(Identifier(index)), group.account, random: sources[source])
        }
        let package = try SigningPackage(
            group.account, message: [1], commitments: [nonces(1, 0).commitment, nonces(2, 1).commitment])
        #expect(throws: ThresholdError.otherNonces) {
            _ = try package.sign(group.share(Identifier(1)), nonces: nonces(1, 2))
        }
        #expect(throws: ThresholdError.otherNonces) {
            _ = try package.sign(group.share(Identifier(1)), nonces: nonces(2, 1))
        }
        #expect(throws: ThresholdError.signers) {
            _ = try package.sign(group.share(Identifier(3)), nonces: nonces(3, 3))
        }
        _ = try package.sign(group.share(Identifier(1)), nonces: nonces(1, 0))
    }

    /// A pair that waited is the same pair; other bytes are not a pair.
    @Test func `nonces come back from memory, and nothing else does`() throws {
        var random = SeededGenerator(10)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 2, members: 2, &random)
            let nonces = try draw(group.share(Identifier(1)), group.account, random: random.bytes(64))
            let again = try NoncePair(
                restoring: nonces.exportSecret(), member: Identifier(1), account: group.account)
            #expect(again.commitment == nonces.commitment)
            let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex
            let held = nonces.exportSecret().withUnsafeBytes { Array($0) }
            for bytes in [[], Array(held.dropLast()), held + [0], order + held[32...], held[..<32] + order] {
                #expect(throws: ThresholdError.otherNonces) {
                    _ = try NoncePair(
                        restoring: secretBytes(bytes), member: Identifier(1), account: group.account)
                }
            }
            #expect(throws: ThresholdError.selfCheck) {
                _ = try NoncePair(
                    restoring: SecretBytes(count: 64), member: Identifier(1), account: group.account)
            }
        }
    }

    /// The last signer knows the others' commitments: two packages of one request never meet the same nonces,
    /// even if the random source repeats itself after a rollback. The same package does, and gives the same
    /// share.
    @Test func `a random source that repeats itself gives the last signer other nonces for another package`()
        throws
    {
        var random = SeededGenerator(11)
        let group = KnownGroup(Sr25519Suite.self, threshold: 2, members: 3, &random)
        let requests = [random.bytes(32), random.bytes(32)]
        let others = try (0..<2).map { _ in
            try draw(group.share(Identifier(1)), group.account, random: random.bytes(64)).commitment
        }
        let third = try draw(group.share(Identifier(3)), group.account, random: random.bytes(64)).commitment
        func last(_ request: [UInt8], _ others: [NonceCommitment]) throws -> NonceCommitment {
            let suffix = NonceSuffix(requestID: request, others: others)
            return try draw(
                group.share(Identifier(2)), group.account, random: [UInt8](repeating: 7, count: 64),
                suffix: suffix
            ).commitment
        }
        let all = try [
            last(requests[0], [others[0]]), last(requests[0], [others[1]]), last(requests[1], [others[0]]),
            last(requests[0], []),
            last(requests[0], [others[0], third]),
        ]
        #expect(Set(all.flatMap { [$0.hiding, $0.binding] }).count == 2 * all.count)
        #expect(try last(requests[0], [others[0]]) == all[0])
        #expect(try last(requests[0], [third, others[0]]) == all[4])
    }

    /// The fresh bytes of both are the same here; what is left to tell them apart is the last byte of the
    /// suffix.
    @Test func `the two nonces of a pair differ even if the random source repeats itself within it`() throws {
        var random = SeededGenerator(15)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 2, members: 2, &random)
            let (fresh, suffix) = (random.bytes(32), NonceSuffix(requestID: random.bytes(32), others: []))
            let pair = try draw(
                group.share(Identifier(1)), group.account, random: fresh + fresh, suffix: suffix)
            #expect(pair.commitment.hiding != pair.commitment.binding)
            // H3 over fresh bytes, share and suffix, of each half alone.
            let scalars = pair.exportSecret().withUnsafeBytes { Array($0) }
            let share = KnownGroup.share(group.coefficients, Identifier(1)).bytes
            for half in 0..<2 {
                let context = Array(suite.context.description.utf8) + Array("nonce".utf8)
                let expected = Scalar(
                    reducing: SHA512.hash(context + fresh + share + suffix.bytes + [UInt8(half)]))
                #expect(Array(scalars[(32 * half)..<(32 * half + 32)]) == expected.bytes)
            }
        }
    }

    @Test func `nonces of a healthy source differ each time`() throws {
        var random = SeededGenerator(12)
        let group = KnownGroup(Ed25519Suite.self, threshold: 2, members: 2, &random)
        let suffix = NonceSuffix(requestID: random.bytes(32), others: [])
        let drawn = try (0..<8).map { _ in
            try NoncePair.draw(group.share(Identifier(1)), for: group.account, suffix: suffix).commitment
        }
        #expect(Set(drawn.flatMap { [$0.hiding, $0.binding] }).count == 16)
    }

    @Test func `a share that is not the member's is refused`() throws {
        var random = SeededGenerator(13)
        for suite in suites {
            let group = KnownGroup(suite, threshold: 2, members: 3, &random)
            let bytes = KnownGroup.share(group.coefficients, Identifier(1)).bytes
            for (member, bytes) in [
                (2, bytes), (4, bytes), (1, bytes.flipping(3)), (1, []),
                (1, [UInt8](repeating: 0, count: 32)),
            ] {
                #expect(throws: ThresholdError.wrongShare) {
                    _ = try SigningShare(Identifier(member), secretBytes(bytes), of: group.account)
                }
            }
        }
    }

    @Test func `the commitments of all decide each share`() throws {
        var random = SeededGenerator(14)
        let group = KnownGroup(Sr25519Suite.self, threshold: 2, members: 3, &random)
        let sources = (0..<3).map { _ in random.bytes(64) }
        func nonces(_ index: Int, _ source: Int) throws -> NoncePair {
            try draw(group.share(Identifier(index)), group.account, random: sources[source])
        }
        let one = try SigningPackage(
            group.account, message: [1], commitments: [nonces(1, 0).commitment, nonces(2, 1).commitment])
        let two = try SigningPackage(
            group.account, message: [1], commitments: [nonces(1, 0).commitment, nonces(2, 2).commitment])
        let three = try SigningPackage(
            group.account, message: [2], commitments: [nonces(1, 0).commitment, nonces(2, 1).commitment])
        let factors = [one, two, three].flatMap { package in
            [1, 2].map { package.signer(Identifier($0))!.bindingFactor }
        }
        #expect(Set(factors).count == 6)
        #expect(one.hash(requestID: sources[0]) != two.hash(requestID: sources[0]))
        #expect(one.hash(requestID: sources[0]) != one.hash(requestID: sources[1]))
    }
}

/// Derived accounts of a group.
@Suite struct GroupAccountLaws {
    private func key(_ scheme: GroupScheme) throws -> GroupKey {
        var random = SeededGenerator(20)
        return try GroupKey(
            scheme: scheme,
            commitments: [random.scalar(), random.scalar()].map { scheme.suite.group.base($0)! }, members: 3)
    }

    /// Keys derives the same child from the secret.
    @Test func `a soft path leads where a single key's does`() throws {
        for path in ["/polkadot", "/0/x", "/a-name-that-is-longer-than-thirty-two-bytes-in-all"] {
            let mini = [UInt8](repeating: 5, count: 32)
            let root = try KeyPair.derive(miniSecret: secretBytes(mini), scheme: .sr25519)
            let child = try KeyPair.derive(
                miniSecret: secretBytes(mini), path: DerivationPath(path), scheme: .sr25519)
            let group = try GroupKey(
                scheme: .sr25519, commitments: [root.publicKey.bytes, Ristretto255.base(Scalar(9))!],
                members: 2)
            #expect(try group.account(at: DerivationPath(path)).publicKey == child.publicKey.bytes)
        }
    }

    @Test func `hard junctions, and any of ed25519, are refused`() throws {
        for path in ["//hard", "/soft//hard"] {
            #expect(throws: ThresholdError.path) { _ = try key(.sr25519).account(at: DerivationPath(path)) }
        }
        #expect(throws: ThresholdError.path) { _ = try key(.ed25519).account(at: DerivationPath("/soft")) }
        #expect(try key(.ed25519).account(at: .root).publicKey == key(.ed25519).publicKey.bytes)
    }

    @Test func `only 2 to 16 members and a threshold between are a group`() throws {
        for (threshold, members) in [(0, 3), (1, 3), (4, 3), (2, 1), (2, 17), (17, 17), (-1, 2), (2, 0)] {
            #expect(throws: ThresholdError.size(threshold: threshold, members: members)) {
                _ = try GroupSize(threshold: threshold, members: members)
            }
        }
        for (threshold, members) in [(2, 2), (2, 16), (16, 16)] {
            _ = try GroupSize(threshold: threshold, members: members)
        }
    }

    @Test func `ecdsa and ethereum have no groups`() {
        #expect(SignatureScheme.allCases.compactMap(GroupScheme.init) == [.ed25519, .sr25519])
        for scheme in GroupScheme.allCases { #expect(scheme.rawValue == scheme.signatureScheme.rawValue) }
    }

    /// A top coefficient that is the identity lowers the threshold.
    @Test func `a group key of invalid points is refused`() throws {
        for scheme in GroupScheme.allCases {
            let group = scheme.suite.group
            let good = group.base(Scalar(3))!
            for bad in PointLaws.invalid(group) {
                for commitments in [[bad, good], [good, bad]] {
                    #expect(throws: ThresholdError.badGroupKey) {
                        _ = try GroupKey(scheme: scheme, commitments: commitments, members: 2)
                    }
                }
            }
            // f(2) = 0: the second public share is the identity.
            let two = [Scalar.zero - Scalar(2), Scalar.one].map { group.base($0)! }
            #expect(throws: ThresholdError.badGroupKey) {
                _ = try GroupKey(scheme: scheme, commitments: two, members: 2)
            }
        }
    }
}

/// Points and scalars from outside.
@Suite struct PointLaws {
    /// The identity, what is no point, and what is another encoding or of another order.
    static func invalid(_ group: any PrimeOrderGroup.Type) -> [[UInt8]] {
        let shared = [
            [UInt8](), [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0xff, count: 32), group.identity,
        ]
        let one = [1] + [UInt8](repeating: 0, count: 31)
        if group.identity.allSatisfy({ $0 == 0 }) {
            // A negative field element, the prime itself for zero, and a bit that no field element has: on
            // the identity, and on a point.
            let two = group.base(Scalar(2))!
            return shared + [
                one, [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f], two + [0],
                [UInt8](repeating: 0, count: 31) + [0x80], two.dropLast() + [two[31] | 0x80],
            ]
        }
        // Points of order 2, 4 and 8, and a sum of one with the base point.
        let two = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
        let eight = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05".hex
        let mixed = group.add(group.base(Scalar(2))!, eight)!
        return shared + [
            two, [UInt8](repeating: 0, count: 32), eight, mixed,
            [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        ]
    }

    @Test func `only canonical points of prime order are valid`() {
        for group in [Edwards25519.self, Ristretto255.self] as [any PrimeOrderGroup.Type] {
            for bad in Self.invalid(group) { #expect(!isValid(bad, in: group), "\(bad)") }
            for scalar in [Scalar.one, Scalar(2), Scalar.zero - Scalar.one] {
                #expect(isValid(group.base(scalar)!, in: group))
            }
        }
    }

    @Test func `zero and the identity have their products, and give no share`() {
        for group in [Edwards25519.self, Ristretto255.self] as [any PrimeOrderGroup.Type] {
            let point = group.base(Scalar(7))!
            let opposite = group.base(Scalar.zero - Scalar(7))!
            let products = [
                group.times(.zero, point), group.times(Scalar(3), group.identity), group.base(.zero),
            ]
            #expect(products == [group.identity, group.identity, group.identity])
            let none = group.multiplyBase(Scalar.zero.bytes)
            #expect(none == nil)
            let product = group.times(Scalar(3), point)
            #expect(product == base(Scalar(21), group))
            let sum = group.sum([point, opposite, point])
            #expect(sum == point)
            let value = group.evaluate([point, opposite, group.base(Scalar(2))!], at: .one)
            #expect(value == base(Scalar(2), group))
        }
    }

    @Test func `scalars are below the order`() {
        let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hex
        #expect(Scalar(bytes: order) == nil && Scalar(bytes: [UInt8](repeating: 0xff, count: 32)) == nil)
        var below = order
        below[0] -= 1
        #expect(Scalar(bytes: below) == Scalar.zero - Scalar.one)
        #expect(
            Scalar(bytes: Array(order.dropLast())) == nil && Scalar(bytes: below + [0]) == nil
                && Scalar(bytes: []) == nil)
        #expect(Identifier(bytes: Scalar.zero.bytes) == nil && Identifier(bytes: order) == nil)
        #expect(Scalar.zero.inverse == nil && Scalar(2).inverse! * Scalar(2) == .one)
    }

    @Test func `host keys are valid points`() {
        for bad in Self.invalid(Ristretto255.self) {
            #expect(throws: ThresholdError.badHostKey) { _ = try HostPublicKey(bad) }
        }
    }
}
