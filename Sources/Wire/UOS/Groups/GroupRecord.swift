import SCALE
import SubstratePrimitives

/// Code b4: a member's signature on the whole of the key generation.
public struct GroupConfirmation: Sendable, Equatable {
    static let length = 165

    /// The scheme of the group.
    public let scheme: SignatureScheme
    /// The session of the proposal.
    public let session: Hash32
    /// The member, 1…16.
    public let index: Int
    /// The hash of everything that the members agreed on: ``GroupRecord/transcript``.
    public let transcript: Hash32
    /// The group's public key, 32 bytes.
    public let groupKey: [UInt8]
    /// 64 bytes by the member's host key over ``signedBytes``. Not verified here.
    public let signature: [UInt8]

    /// The signature has 64 bytes by the member's host key over ``signedBytes``.
    public init(
        scheme: SignatureScheme, session: Hash32, index: Int, transcript: Hash32, groupKey: [UInt8],
        signature: [UInt8]
    ) {
        self.scheme = scheme
        self.session = session
        self.index = index
        self.transcript = transcript
        self.groupKey = groupKey
        self.signature = signature
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.length) { reader in
            GroupConfirmation(
                scheme: scheme, session: try reader.hash32(), index: try reader.memberIndex(),
                transcript: try reader.hash32(),
                groupKey: try reader.word(), signature: try reader.memberSignature())
        }
    }

    /// Everything before the signature.
    public var signedBytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupConfirmation) { writer in
            writer.raw(session.bytes)
            writer.u8(UInt8(index))
            writer.raw(transcript.bytes)
            writer.raw(groupKey)
        }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] { signedBytes + signature }
}

/// Code b5: everything that a member needs beside its seed, with the signatures of all members.
public struct GroupRecord: Sendable, Equatable {
    /// A record of 16 members with the longest names and label, reshared by 16.
    static let maximumLength = 3600

    /// Whole, as its session id was computed.
    public let proposal: GroupProposal
    /// ``GroupContributions/hash``.
    public let contributionsHash: Hash32
    /// The commitments of the sum of all polynomials, t points of 32 bytes. The first is the group's public
    /// key.
    public let commitments: [[UInt8]]
    /// The ephemeral keys of the contributors, in ascending order of number; points of ristretto255.
    public let ephemerals: [[UInt8]]
    /// For member j at j - 1: the sum of the encrypted shares, a scalar of 32 bytes.
    public let shares: [[UInt8]]
    /// For member i at i - 1: its signature over its ``GroupConfirmation``. Not verified here.
    public let signatures: [[UInt8]]

    /// - Throws: ``GroupFailure/count(_:)`` when a list has another length than the proposal asks for
    public init(
        proposal: GroupProposal, contributionsHash: Hash32, commitments: [[UInt8]], ephemerals: [[UInt8]],
        shares: [[UInt8]],
        signatures: [[UInt8]]
    ) throws(GroupFailure) {
        let members = proposal.members.count
        for (list, count) in [
            (commitments, proposal.threshold), (ephemerals, proposal.contributors.count), (shares, members),
            (signatures, members),
        ] {
            guard list.count == count else { throw .count(list.count) }
        }
        self.proposal = proposal
        self.contributionsHash = contributionsHash
        self.commitments = commitments
        self.ephemerals = ephemerals
        self.shares = shares
        self.signatures = signatures
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.maximumLength) { reader in
            let inner = try reader.bytes(count: Int(try reader.integer(UInt16.self)))
            let innerPrelude = try Prelude(inner)
            guard innerPrelude.code == .groupProposal else { throw GroupFailure.content(innerPrelude.code) }
            let proposal = try GroupProposal(
                innerPrelude, SCALEReader(inner, range: Prelude.length..<inner.count))
            guard proposal.scheme == scheme else { throw GroupFailure.contentScheme(proposal.scheme) }
            let members = proposal.members.count
            let contributionsHash = try reader.hash32()
            let commitments = try reader.words(proposal.threshold)
            let ephemerals = try reader.words(proposal.contributors.count)
            let shares = try reader.words(members)
            var signatures: [[UInt8]] = []
            for _ in 0..<members { signatures.append(try reader.memberSignature()) }
            return try GroupRecord(
                proposal: proposal, contributionsHash: contributionsHash, commitments: commitments,
                ephemerals: ephemerals,
                shares: shares, signatures: signatures)
        }
    }

    /// The scheme of the group.
    public var scheme: SignatureScheme { proposal.scheme }
    /// A, 32 bytes.
    public var groupKey: [UInt8] { commitments[0] }

    /// The hash that every member signed.
    public var transcript: Hash32 {
        Self.transcript(
            proposal: proposal, contributionsHash: contributionsHash, commitments: commitments,
            ephemerals: ephemerals, shares: shares)
    }

    /// The hash that every member signs in its confirmation.
    public static func transcript(
        proposal: GroupProposal, contributionsHash: Hash32, commitments: [[UInt8]], ephemerals: [[UInt8]],
        shares: [[UInt8]]
    ) -> Hash32 {
        GroupFormat.hash(
            "transcript",
            proposal.bytes + contributionsHash.bytes + (commitments + ephemerals + shares).flatMap { $0 })
    }

    /// The confirmations that follow from the record, in the order of the members: what the signatures cover.
    public var confirmations: [GroupConfirmation] {
        let (session, transcript) = (proposal.session, transcript)
        return signatures.enumerated().map { offset, signature in
            GroupConfirmation(
                scheme: scheme, session: session, index: offset + 1, transcript: transcript,
                groupKey: groupKey, signature: signature)
        }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        let inner = proposal.bytes
        return GroupFormat.bytes(scheme, .groupRecord) { writer in
            writer.integer(UInt16(inner.count))
            writer.raw(inner)
            writer.raw(contributionsHash.bytes)
            for word in commitments + ephemerals + shares + signatures { writer.raw(word) }
        }
    }
}
