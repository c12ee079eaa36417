import Keys

/// The group whose key is shared out anew: what a contribution is checked with.
///
/// It comes from the old group's record. Whoever was a member takes his own; another machine takes any copy
/// whose ``GroupRecord/transcript`` is the one that the proposal names.
public struct OldGroup: Sendable, Hashable {
    /// The transcript that all its members signed, 32 bytes.
    public let transcript: [UInt8]
    /// The host key of member i is the element i - 1.
    public let members: [HostPublicKey]
    public let key: GroupKey
}

/// A reshare as its proposal states it. Contributor i of the set Q adds a polynomial whose constant term is
/// λ_i·x_i, so that the sum of the constant terms is the old key.
public struct Reshare: Sendable, Hashable {
    /// The transcript of the old group, 32 bytes.
    public let transcript: [UInt8]
    /// Q: their numbers in the old group, ascending.
    public let contributors: [Int]
    /// nil where a finished record is read: its shares need no old group, and its members checked the
    /// contributions with it before they signed. Nothing is contributed, combined or accepted without it.
    public let old: OldGroup?

    /// - Throws: ``ThresholdError/oldGroup`` for numbers that do not ascend from 1 to 16 or are fewer than two,
    ///   for another group than the transcript's, and for fewer contributors than the old group's threshold.
    public init(transcript: [UInt8], contributors: [Int], old: OldGroup?) throws(ThresholdError) {
        let isAscending = zip(contributors, contributors.dropFirst()).allSatisfy { $0 < $1 }
        guard transcript.count == 32, isAscending, contributors.count >= 2,
            contributors.allSatisfy((1...GroupSize.largest).contains)
        else { throw .oldGroup }
        if let old {
            guard old.transcript == transcript, contributors.count >= old.key.threshold,
                contributors.allSatisfy({ $0 <= old.members.count })
            else { throw .oldGroup }
        }
        self.transcript = transcript
        self.contributors = contributors
        self.old = old
    }

    /// Old public shares of one scheme fit no other. A host key that stays would keep the old share beside the
    /// new one: the old record is public, and with a host key it gives the share.
    func check(scheme: GroupScheme, members: [HostPublicKey]) throws(ThresholdError) {
        guard let old else { return }
        guard old.key.scheme == scheme else { throw .oldGroup }
        if let kept = members.firstIndex(where: { old.members.contains($0) }) { throw .oldHostKey(kept + 1) }
    }

    /// nil for who does not contribute.
    func contributorKey(_ index: Int) -> HostPublicKey? {
        guard let old, contributors.contains(index) else { return nil }
        return old.members[index - 1]
    }

    func lagrange(_ index: Int) -> Scalar? {
        guard contributors.contains(index) else { return nil }
        return Lagrange.coefficient(of: Identifier(index), in: contributors.map { Identifier($0) })
    }

    /// λ_i·Y_i, which the first commitment of contributor i must be; nil for who does not contribute.
    func expected(of index: Int) -> [UInt8]? {
        guard let old, let lagrange = lagrange(index) else { return nil }
        return old.key.scheme.suite.group.times(lagrange, old.key.publicShares[index - 1])
    }
}
