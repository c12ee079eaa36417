import Keys
import SubstratePrimitives

/// The public side of a group: the commitments to its polynomial, and what follows from them.
public struct GroupKey: Sendable, Hashable {
    public let scheme: GroupScheme
    /// C_0…C_{t-1}; C_0 is the group key A. 32 bytes each.
    public let commitments: [[UInt8]]
    /// Y_1…Y_n, 32 bytes each.
    public let publicShares: [[UInt8]]

    /// - Throws: ``ThresholdError/size(threshold:members:)``; ``ThresholdError/badGroupKey`` where a
    ///   commitment or a public share is not a point of prime order. A top commitment that is the identity
    ///   would be a lower threshold.
    public init(scheme: GroupScheme, commitments: [[UInt8]], members: Int) throws(ThresholdError) {
        _ = try GroupSize(threshold: commitments.count, members: members)
        let group = scheme.suite.group
        guard commitments.allSatisfy({ group.isValid($0) }) else { throw .badGroupKey }
        var shares: [[UInt8]] = []
        for index in 1...members {
            guard let share = group.evaluate(commitments, at: Scalar(UInt8(index))), share != group.identity
            else { throw .badGroupKey }
            shares.append(share)
        }
        self.scheme = scheme
        self.commitments = commitments
        publicShares = shares
    }

    public var threshold: Int { commitments.count }

    public var publicKey: PublicKey { PublicKey(scheme: scheme.signatureScheme, bytes: commitments[0])! }

    /// The account of the group key itself.
    public var account: GroupAccount {
        var shares: [Identifier: [UInt8]] = [:]
        for (position, share) in publicShares.enumerated() { shares[Identifier(position + 1)] = share }
        return GroupAccount(
            suite: scheme.suite, threshold: threshold, publicKey: commitments[0], publicShares: shares,
            tweak: .zero)
    }

    /// The account below a path of soft junctions, as schnorrkel derives its public key. Everyone who knows A
    /// and the path can compute it: it hides nothing, and a share of it that leaks is the share itself.
    /// - Throws: ``ThresholdError/path`` for a hard junction, and for any junction in an ed25519 group.
    public func account(at path: DerivationPath) throws(ThresholdError) -> GroupAccount {
        var account = account
        guard !path.junctions.isEmpty else { return account }
        guard scheme == .sr25519, path.junctions.allSatisfy({ !$0.isHard }) else { throw .path }
        for junction in path.junctions {
            let tweak = Sr25519.softTweak(publicKey: account.publicKey, chainCode: junction.chainCode)
            guard let tweak = Scalar(bytes: tweak) else { throw .selfCheck }
            account = try account.shifted(by: tweak)
        }
        return account
    }
}

/// A key that a group signs for, with the public shares of its members: P = A + τ·B, Y_i' = Y_i + τ·B.
public struct GroupAccount: Sendable {
    let suite: any FrostSuite.Type
    /// How many members sign at least.
    public let threshold: Int
    /// P, 32 bytes.
    public let publicKey: [UInt8]
    let publicShares: [Identifier: [UInt8]]
    let tweak: Scalar

    /// τ, 32 bytes; zero for the group key itself. No secret.
    public var tweakBytes: [UInt8] { tweak.bytes }

    /// Y_i', 32 bytes; nil for who is not a member.
    public func publicShare(_ member: Identifier) -> [UInt8]? { publicShares[member] }

    fileprivate func shifted(by more: Scalar) throws(ThresholdError) -> GroupAccount {
        let group = suite.group
        guard let point = group.base(more), let key = group.add(publicKey, point), group.isValid(key) else {
            throw .badGroupKey
        }
        var shares: [Identifier: [UInt8]] = [:]
        for (member, share) in publicShares {
            guard let sum = group.add(share, point), group.isValid(sum) else { throw .badGroupKey }
            shares[member] = sum
        }
        return GroupAccount(
            suite: suite, threshold: threshold, publicKey: key, publicShares: shares, tweak: tweak + more)
    }
}
