import SCALE
import SubstratePrimitives

/// Code b2: one member's contribution to the key. It states neither t nor n; ``parts(in:)`` takes them from
/// the proposal.
public struct GroupContribution: Sendable, Equatable {
    /// The values in their places.
    public struct Parts: Sendable, Equatable {
        /// The commitments to the coefficients, t points of 32 bytes.
        public let commitments: [[UInt8]]
        /// 64 bytes: point, scalar.
        public let proof: [UInt8]
        /// For member j at j - 1: a scalar of 32 bytes, encrypted.
        public let shares: [[UInt8]]

        /// - Parameters:
        ///   - commitments: t points
        ///   - proof: 64 bytes
        ///   - shares: n scalars
        public init(commitments: [[UInt8]], proof: [UInt8], shares: [[UInt8]]) {
            self.commitments = commitments
            self.proof = proof
            self.shares = shares
        }
    }

    /// Prelude, version, session, number, E, signature.
    static let fixedLength = 3 + 1 + 32 + 1 + 32 + 64
    /// Words of t commitments, a proof and n shares.
    static let wordCounts = (2 + 2 + 2)...(16 + 2 + 16)
    static let maximumLength = fixedLength + GroupFormat.wordLength * wordCounts.upperBound

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The session of the proposal.
    public let session: Hash32
    /// The member, 1…16; 0 for a dealer.
    public let index: Int
    /// A point of ristretto255, 32 bytes.
    public let ephemeral: [UInt8]
    /// t commitments, the proof, n shares: whole words.
    let values: [UInt8]
    /// 64 bytes by the member's host key over ``signedBytes``. Not verified here.
    public let signature: [UInt8]

    /// The signature has 64 bytes by the member's host key over ``signedBytes``; 64 others while it is still
    /// to be computed.
    public init(to proposal: GroupProposal, index: Int, ephemeral: [UInt8], parts: Parts, signature: [UInt8])
    {
        scheme = proposal.scheme
        session = proposal.session
        self.index = index
        self.ephemeral = ephemeral
        values = parts.commitments.flatMap { $0 } + parts.proof + parts.shares.flatMap { $0 }
        self.signature = signature
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.maximumLength) { reader in
            try Self(from: &reader, scheme: scheme, session: try reader.hash32(), length: reader.remaining)
        }
    }

    /// Reads from the number on.
    /// - Parameter length: bytes of the rest of the message.
    init(from reader: inout SCALEReader, scheme: SignatureScheme, session: Hash32, length: Int) throws {
        self.scheme = scheme
        self.session = session
        index = try reader.memberIndex(from: 0)
        ephemeral = try reader.word()
        let rest = length - 1 - GroupFormat.wordLength - GroupFormat.signatureLength
        guard rest.isMultiple(of: GroupFormat.wordLength),
            Self.wordCounts.contains(rest / GroupFormat.wordLength)
        else {
            throw GroupFailure.entryLength(bytes: max(0, rest))
        }
        values = try reader.bytes(count: rest)
        signature = try reader.memberSignature()
    }

    /// From the number to the signature, as the bundle repeats it.
    var entry: [UInt8] { [UInt8(index)] + ephemeral + values + signature }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupContribution) { writer in
            writer.raw(session.bytes)
            writer.raw(entry)
        }
    }

    /// Everything before the signature.
    public var signedBytes: [UInt8] { bytes.dropLast(GroupFormat.signatureLength) }

    /// Splits the values into their parts. Neither the signature nor a point or a scalar is checked.
    /// - Throws: ``GroupFailure/otherProposal``, ``GroupFailure/index(_:)``,
    ///   ``GroupFailure/entryLength(bytes:)``
    public func parts(in proposal: GroupProposal) throws(GroupFailure) -> Parts {
        guard scheme == proposal.scheme, session == proposal.session else { throw .otherProposal }
        guard proposal.contributors.contains(index) else { throw .index(index) }
        let word = GroupFormat.wordLength
        let (threshold, members) = (proposal.threshold, proposal.members.count)
        guard values.count == (threshold + 2 + members) * word else {
            throw .entryLength(bytes: values.count)
        }
        func words(_ first: Int, _ count: Int) -> [[UInt8]] {
            (first..<first + count).map { Array(values[$0 * word..<($0 + 1) * word]) }
        }
        return Parts(
            commitments: words(0, threshold), proof: words(threshold, 2).flatMap { $0 },
            shares: words(threshold + 2, members))
    }
}

/// Code b3: the contributions of all who contribute.
public struct GroupContributions: Sendable, Equatable {
    static let maximumLength = 37 + GroupFormat.maximumMembers * (GroupContribution.maximumLength - 36)

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The session of the proposal.
    public let session: Hash32
    /// Ascending by number, all of one session and one length. A single one is a dealer's.
    public let contributions: [GroupContribution]

    /// All contributions to one proposal, in any order.
    /// - Throws: ``GroupFailure`` for one that is missing, repeated or of another proposal
    public init(_ contributions: [GroupContribution], to proposal: GroupProposal) throws(GroupFailure) {
        scheme = proposal.scheme
        session = proposal.session
        self.contributions = contributions.sorted { $0.index < $1.index }
        try check(against: proposal)
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        (session, contributions) = try GroupFormat.reading(prelude, body, maximum: Self.maximumLength) {
            reader in
            let session = try reader.hash32()
            let count = Int(try reader.u8())
            guard (1...GroupFormat.maximumMembers).contains(count) else { throw GroupFailure.count(count) }
            guard reader.remaining.isMultiple(of: count) else {
                throw GroupFailure.entryLength(bytes: reader.remaining)
            }
            let length = reader.remaining / count
            var contributions: [GroupContribution] = []
            for _ in 0..<count {
                let next = try GroupContribution(
                    from: &reader, scheme: scheme, session: session, length: length)
                guard next.index > contributions.last?.index ?? -1 else { throw GroupFailure.order }
                // Number 0 is a dealer's, who contributes alone.
                guard (next.index == 0) == (count == 1) else { throw GroupFailure.index(next.index) }
                contributions.append(next)
            }
            return (session, contributions)
        }
        self.scheme = scheme
    }

    /// Refuses contributions that are not all that the proposal asks for, each once.
    public func check(against proposal: GroupProposal) throws(GroupFailure) {
        guard scheme == proposal.scheme, session == proposal.session,
            contributions.allSatisfy({ $0.scheme == scheme && $0.session == session })
        else { throw .otherProposal }
        guard contributions.map(\.index) == proposal.contributors else { throw .count(contributions.count) }
        for contribution in contributions { _ = try contribution.parts(in: proposal) }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupContributions) { writer in
            writer.raw(session.bytes)
            writer.u8(UInt8(contributions.count))
            for contribution in contributions { writer.raw(contribution.entry) }
        }
    }

    /// The contributions hash, over every contribution whole.
    public var hash: Hash32 { GroupFormat.hash("contributions", contributions.flatMap(\.bytes)) }
}
