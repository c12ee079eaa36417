import CSodium

/// Shamir's secret sharing of SLIP-0039, with groups of members, and its encryption under a passphrase.
///
/// The shares prove the encrypted master secret, by a digest, and not the passphrase: each passphrase gives a
/// secret of its own.
///
/// Source: SLIP-0039. The standard's names: the values at `secretIndex` and
/// `digestIndex` of the polynomials are the shared secret S and the digest D ‖ R.
public enum SLIP39 {
    /// Shares of a group, and groups of a set, at most.
    public static let maximumCount = 16
    /// What ``split(_:passphrase:total:required:)`` writes: 20,000 rounds, as Trezor's devices do.
    static let writtenExponent = 1

    private static let field = GF256.rijndael
    private static let secretIndex: UInt8 = 255
    private static let digestIndex: UInt8 = 254
    private static let digestLength = 4
    private static let rounds = 4

    // MARK: Sets

    /// How far the shares of a set are.
    public struct Progress: Sendable, Equatable {
        /// Groups with enough shares.
        public let completeGroups: Int
        /// Groups that are needed.
        public let neededGroups: Int
        /// Of the group of the last share, counted from 1: different shares, and how many it needs.
        public let group: Int
        public let members: Int
        public let neededMembers: Int

        public var isComplete: Bool { completeGroups >= neededGroups }
    }

    /// - Parameter shares: of one set, at least one.
    public static func progress(_ shares: [SLIP39Share]) throws(SLIP39Error) -> Progress {
        let groups = try groups(shares)
        guard let last = shares.last, let own = groups.first(where: { $0[0].groupIndex == last.groupIndex })
        else { throw .tooFewShares(missing: 1, group: 1) }
        return Progress(
            completeGroups: groups.count { $0.count >= $0[0].memberThreshold },
            neededGroups: last.set.groupThreshold, group: last.groupIndex + 1, members: own.count,
            neededMembers: last.memberThreshold)
    }

    /// The shares by their groups, each share once, in the order in which they came.
    private static func groups(_ shares: [SLIP39Share]) throws(SLIP39Error) -> [[SLIP39Share]] {
        guard let first = shares.first else { return [] }
        var groups: [[SLIP39Share]] = []
        for share in shares {
            if let part = difference(first, share) { throw .mixedSets(part) }
            guard let place = groups.firstIndex(where: { $0[0].groupIndex == share.groupIndex }) else {
                groups.append([share])
                continue
            }
            guard groups[place][0].memberThreshold == share.memberThreshold else {
                throw .mixedSets("number of needed shares in group \(share.groupIndex + 1)")
            }
            if let known = groups[place].first(where: { $0.memberIndex == share.memberIndex }) {
                guard known.isEqual(to: share) else {
                    throw .conflictingShares(share: share.memberIndex + 1, group: share.groupIndex + 1)
                }
            } else {
                groups[place].append(share)
            }
        }
        return groups
    }

    private static func difference(_ one: SLIP39Share, _ other: SLIP39Share) -> String? {
        if one.set.identifier != other.set.identifier { return "identifier" }
        if one.set.isExtendable != other.set.isExtendable { return "extendable flag" }
        if one.set.iterationExponent != other.set.iterationExponent { return "iteration exponent" }
        if one.set.groupThreshold != other.set.groupThreshold { return "number of needed groups" }
        if one.set.groupCount != other.set.groupCount { return "number of groups" }
        return one.value.count == other.value.count ? nil : "length"
    }

    // MARK: Joining

    /// The master secret of a set. Equal shares count once, and shares and groups beyond those that are
    /// needed must agree with the others.
    /// - Parameters:
    ///   - shares: of one set, in any order.
    ///   - passphrase: printable ASCII; empty for shares without one. A wrong one gives another secret.
    public static func join(_ shares: [SLIP39Share], passphrase: borrowing SecretBytes) throws(SLIP39Error)
        -> SecretBytes
    {
        guard takes(passphrase: passphrase) else { throw .passphrase }
        let complete = try completeGroups(shares)
        let set = complete[0][0].set
        var points: [Point] = []
        for group in complete {
            let members = group.map { Point(x: UInt8($0.memberIndex), value: $0.value) }
            points.append(
                Point(
                    x: UInt8(group[0].groupIndex),
                    value: HeldSecret(
                        try recover(
                            members, required: group[0].memberThreshold, group: group[0].groupIndex + 1))))
        }
        let encrypted = try recover(points, required: set.groupThreshold, group: nil)
        return crypt(encrypted, passphrase, set, rounds: (0..<Self.rounds).reversed())
    }

    /// Refuses shares that do not join to a secret, as far as their numbers tell.
    public static func requireComplete(_ shares: [SLIP39Share]) throws(SLIP39Error) {
        _ = try completeGroups(shares)
    }

    private static func completeGroups(_ shares: [SLIP39Share]) throws(SLIP39Error) -> [[SLIP39Share]] {
        let groups = try groups(shares)
        guard let set = shares.first?.set else { throw .tooFewShares(missing: 1, group: 1) }
        let complete = groups.filter { $0.count >= $0[0].memberThreshold }
        guard complete.count < set.groupThreshold else { return complete }
        // The group that needs fewest more.
        let next = groups.filter { $0.count < $0[0].memberThreshold }
            .min { $0[0].memberThreshold - $0.count < $1[0].memberThreshold - $1.count }
        guard let next else { throw .tooFewGroups(have: complete.count, need: set.groupThreshold) }
        throw .tooFewShares(missing: next[0].memberThreshold - next.count, group: next[0].groupIndex + 1)
    }

    /// Rounds of hashing that take longer than a person expects; nil for shares that join at once.
    public static func slowRounds(_ shares: [SLIP39Share]) -> Int? {
        guard let exponent = shares.first?.set.iterationExponent, exponent > 5 else { return nil }
        return 10_000 << exponent
    }

    /// Whether a passphrase is printable ASCII, as the standard wants.
    public static func takes(passphrase: borrowing SecretBytes) -> Bool {
        passphrase.withUnsafeBytes { $0.allSatisfy { (0x20...0x7e).contains($0) } }
    }

    /// The value of some polynomials at one place.
    private struct Point {
        let x: UInt8
        let value: HeldSecret
    }

    /// - Parameter group: counted from 1; nil for the groups of a set.
    private static func recover(_ points: [Point], required: Int, group: Int?) throws(SLIP39Error)
        -> SecretBytes
    {
        let base = Array(points.prefix(required))
        for extra in points.dropFirst(required) {
            let expected =
                required == 1
                ? base[0].value.withSecret { (value: borrowing SecretBytes) in value.copy() }
                : interpolate(base, at: extra.x)
            let isOn = extra.value.withSecret { (value: borrowing SecretBytes) in
                value.isEqual(to: expected)
            }
            guard isOn else { throw .inconsistent(group: group) }
        }
        // With a threshold of 1 each share is the secret, and there is no digest.
        if required == 1 {
            return base[0].value.withSecret { (value: borrowing SecretBytes) in value.copy() }
        }
        let secret = interpolate(base, at: secretIndex)
        let digest = interpolate(base, at: digestIndex)
        let random = digest.slice(digestLength..<digest.count)
        guard digest.slice(0..<digestLength).isEqual(to: Self.digest(of: secret, random)) else {
            throw .inconsistent(group: group)
        }
        return secret
    }

    private static func interpolate(_ points: [Point], at x: UInt8) -> SecretBytes {
        let out = SecretBytes(count: points[0].value.count)
        out.withUnsafeMutableBytes { out in
            field.interpolate(points.map(\.x), at: x, into: out) { index, body in
                points[index].value.withSecret { (value: borrowing SecretBytes) in
                    value.withUnsafeBytes(body)
                }
            }
        }
        return out
    }

    /// The first bytes of HMAC-SHA256(R, S).
    private static func digest(of secret: borrowing SecretBytes, _ random: borrowing SecretBytes)
        -> SecretBytes
    {
        withSecretScratch(32) { digest in
            random.withUnsafeBytes { random in
                secret.withUnsafeBytes { HMAC.sha256($0, key: random, into: digest) }
            }
            return SecretBytes(copying: UnsafeRawBufferPointer(start: digest, count: digestLength))
        }
    }

    // MARK: Splitting

    /// Makes the shares of one group, joins the first and the last `required` of them, and returns them only
    /// if both give the secret.
    /// - Parameters:
    ///   - secret: 16 to 32 bytes, an even number.
    ///   - passphrase: printable ASCII; empty for none.
    ///   - total: 1…16.
    ///   - required: 1…`total`; 1 only of 1, because several equal shares only look like a set.
    public static func split(
        _ secret: borrowing SecretBytes, passphrase: borrowing SecretBytes, total: Int, required: Int
    ) throws(SLIP39Error) -> [SLIP39Share] {
        guard (1...maximumCount).contains(total), (1...total).contains(required), required > 1 || total == 1
        else { throw .shareCount(total: total, required: required) }
        guard (16...32).contains(secret.count), secret.count.isMultiple(of: 2) else {
            throw .secretLength(secret.count)
        }
        guard takes(passphrase: passphrase) else { throw .passphrase }
        let random = SecretBytes(randomCount: 2)
        let identifier = random.withUnsafeBytes { Int($0[0]) << 8 | Int($0[1]) } & 0x7fff
        let set = SLIP39Share.Set(
            identifier: identifier, isExtendable: true, iterationExponent: writtenExponent,
            groupThreshold: 1, groupCount: 1)
        let encrypted = crypt(secret, passphrase, set, rounds: Array(0..<Self.rounds))
        var shares: [SLIP39Share] = []
        for (index, value) in values(encrypted, total: total, required: required).enumerated() {
            let value = value.withSecret { (value: borrowing SecretBytes) in value.copy() }
            shares.append(
                SLIP39Share(
                    set, groupIndex: 0, memberIndex: index, memberThreshold: required, value: value))
        }
        for part in [shares.prefix(required), shares.suffix(required)] {
            let read = try part.map { share throws(SLIP39Error) in try SLIP39Share(share.phrase()) }
            guard try join(read, passphrase: passphrase).isEqual(to: secret) else { throw .checkFailed }
        }
        return shares
    }

    /// The values of the members 0, 1, ….
    private static func values(_ secret: borrowing SecretBytes, total: Int, required: Int) -> [HeldSecret] {
        guard required > 1 else { return (0..<total).map { _ in HeldSecret(secret.copy()) } }
        var points = (0..<(required - 2)).map {
            Point(x: UInt8($0), value: HeldSecret(SecretBytes(randomCount: secret.count)))
        }
        let digest = SecretBytes(randomCount: secret.count)
        let start = Self.digest(of: secret, digest.slice(digestLength..<digest.count))
        digest.withUnsafeMutableBytes { digest in start.withUnsafeBytes { digest.copyMemory(from: $0) } }
        let made = points.map(\.value)
        points.append(Point(x: digestIndex, value: HeldSecret(digest)))
        points.append(Point(x: secretIndex, value: HeldSecret(secret.copy())))
        return made + (made.count..<total).map { HeldSecret(interpolate(points, at: UInt8($0))) }
    }

    // MARK: Encryption

    /// Four rounds of a Feistel cipher, the same in both directions but for their order.
    private static func crypt(
        _ secret: borrowing SecretBytes, _ passphrase: borrowing SecretBytes, _ set: SLIP39Share.Set,
        rounds order: [Int]
    ) -> SecretBytes {
        let half = secret.count / 2
        var left = secret.slice(0..<half)
        var right = secret.slice(half..<secret.count)
        let prefix =
            set.isExtendable
            ? [] : Array("shamir".utf8) + [UInt8(set.identifier >> 8), UInt8(set.identifier & 0xff)]
        let password = SecretBytes(count: 1 + passphrase.count)
        password.withUnsafeMutableBytes { password in
            passphrase.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: password[1...]).copyMemory(from: $0)
            }
        }
        for round in order {
            password.withUnsafeMutableBytes { $0[0] = UInt8(round) }
            let salt = SecretBytes(count: prefix.count + half)
            salt.withUnsafeMutableBytes { salt in
                salt.copyBytes(from: prefix)
                right.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: salt[prefix.count...]).copyMemory(from: $0)
                }
            }
            let next = left.copy()
            withSecretScratch(32) { block in
                password.withUnsafeBytes { password in
                    salt.withUnsafeBytes {
                        PBKDF2.firstBlockSHA256(
                            password: password, salt: $0, rounds: 2500 << set.iterationExponent, into: block)
                    }
                }
                next.withUnsafeMutableBytes { next in
                    for place in 0..<half { next[place] ^= block[place] }
                }
            }
            left = right.copy()
            right = next
        }
        let out = SecretBytes(count: secret.count)
        out.withUnsafeMutableBytes { out in
            right.withUnsafeBytes { out.copyMemory(from: $0) }
            left.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: out[half...]).copyMemory(from: $0)
            }
        }
        return out
    }
}
