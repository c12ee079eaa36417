import SCALE
import SubstratePrimitives

/// Code b1: the members of a new group, and how many of them must sign. The proposal is not signed. Instead
/// every member checks the names and the keys, and every later message contains the proposal's hash,
/// ``session``.
public struct GroupProposal: Sendable, Equatable {
    /// Where the key of the group comes from.
    public enum Origin: Sendable, Equatable {
        /// Kind 0: the members make a new key that no machine ever holds.
        case new
        /// Kind 1: one machine holds the key already and deals it out.
        /// - Parameters:
        ///   - dealer: host key of that machine, 32 bytes; it may also be a member.
        ///   - publicKey: of the existing key, 32 bytes.
        case dealt(dealer: [UInt8], publicKey: [UInt8])
        /// Kind 2: members of an existing group share its key out anew. The proposal names that group by the
        /// hash that all its members signed, and holds nothing else of it.
        /// - Parameters:
        ///   - transcript: of the old group: ``GroupRecord/transcript``.
        ///   - contributors: by their numbers in the old group, two or more.
        case reshared(transcript: Hash32, contributors: GroupMembers)

        /// The byte of the wire.
        public var kind: UInt8 {
            switch self {
            case .new: 0
            case .dealt: 1
            case .reshared: 2
            }
        }
    }

    static let saltLength = 16
    static let maximumLength =
        24 + GroupFormat.maximumLabel + GroupFormat.maximumMembers * (33 + GroupFormat.maximumName) + 64

    /// ed25519 or sr25519.
    public let scheme: SignatureScheme
    /// Where the key comes from.
    public let origin: Origin
    /// t: how many members sign, 2…n.
    public let threshold: Int
    /// 16 random bytes, so that the same members may form several groups.
    public let salt: [UInt8]
    /// At most ``GroupFormat/maximumLabel`` bytes of printable UTF-8; the proposer's word.
    public let label: String
    /// Member i is at i - 1; 2…16, no name and no key twice.
    public let members: [GroupMember]

    /// A proposal whose salt is 16 random bytes.
    /// - Throws: ``GroupFailure`` for a threshold, names or keys that no group can have
    public init(
        scheme: SignatureScheme, origin: Origin = .new, threshold: Int, salt: [UInt8], label: String,
        members: [GroupMember]
    ) throws(GroupFailure) {
        guard scheme == .ed25519 || scheme == .sr25519 else { throw .scheme(scheme) }
        precondition(salt.count == Self.saltLength, "a salt has 16 bytes")
        guard (GroupFormat.minimumThreshold...GroupFormat.maximumMembers).contains(members.count),
            (GroupFormat.minimumThreshold...members.count).contains(threshold)
        else { throw .threshold(threshold, members: members.count) }
        guard label.utf8.count <= GroupFormat.maximumLabel else { throw .labelLength(label.utf8.count) }
        guard label.utf8.isEmpty || String.printableLine(Array(label.utf8)) != nil else {
            throw .unprintable("label")
        }
        for (index, member) in members.enumerated() {
            try GroupMember.check(name: member.name)
            for (earlier, other) in members[..<index].enumerated() {
                guard !other.name.utf8Equals(member.name) else { throw .sameName(earlier + 1, index + 1) }
                guard other.hostKey != member.hostKey else { throw .sameKey(earlier + 1, index + 1) }
            }
        }
        if case .reshared(_, let contributors) = origin,
            contributors.count < GroupFormat.minimumThreshold
        {
            throw .contributors(contributors.count)
        }
        self.scheme = scheme
        self.origin = origin
        self.threshold = threshold
        self.salt = salt
        self.label = label
        self.members = members
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        let scheme = try GroupFormat.scheme(of: prelude)
        self = try GroupFormat.reading(prelude, body, maximum: Self.maximumLength) { reader in
            let kind = try reader.u8()
            guard kind <= 2 else { throw GroupFailure.kind(kind) }
            let threshold = Int(try reader.u8())
            let count = Int(try reader.u8())
            guard (GroupFormat.minimumThreshold...GroupFormat.maximumMembers).contains(count) else {
                throw GroupFailure.threshold(threshold, members: count)
            }
            let salt = try reader.bytes(count: Self.saltLength)
            let label = try reader.groupLabel()
            var members: [GroupMember] = []
            for _ in 0..<count { members.append(try GroupMember(from: &reader)) }
            let origin: Origin =
                switch kind {
                case 0: .new
                case 1: .dealt(dealer: try reader.word(), publicKey: try reader.word())
                // Other kinds were refused above.
                default:
                    .reshared(
                        transcript: try reader.hash32(),
                        contributors: GroupMembers(bitmap: try reader.integer()))
                }
            return try GroupProposal(
                scheme: scheme, origin: origin, threshold: threshold, salt: salt, label: label,
                members: members)
        }
    }

    public static func == (one: GroupProposal, other: GroupProposal) -> Bool { one.bytes == other.bytes }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        GroupFormat.bytes(scheme, .groupProposal) { writer in
            writer.raw([origin.kind, UInt8(threshold), UInt8(members.count)])
            writer.raw(salt)
            writer.u8(UInt8(label.utf8.count))
            writer.raw(label.utf8)
            for member in members { member.encode(into: &writer) }
            switch origin {
            case .new: break
            case .dealt(let dealer, let publicKey): writer.raw(dealer + publicKey)
            case .reshared(let transcript, let contributors):
                writer.raw(transcript.bytes)
                writer.integer(contributors.bitmap)
            }
        }
    }

    /// The session id: what every later message names instead of the proposal.
    public var session: Hash32 { GroupFormat.hash("session", bytes) }

    /// The numbers of those who contribute to the key, ascending: all members, 0 for a dealer, or members of
    /// the old group by their numbers there.
    public var contributors: [Int] {
        switch origin {
        case .new: Array(1...members.count)
        case .dealt: [0]
        case .reshared(_, let contributors): contributors.indices
        }
    }

    /// The transcript of the group whose key is reshared; nil for any other proposal.
    public var oldTranscript: Hash32? {
        switch origin {
        case .new, .dealt: nil
        case .reshared(let transcript, _): transcript
        }
    }

    /// The name of a member of this group, or `dealer` for number 0 of a dealt group; the number itself if no
    /// member has it, so that nobody else is blamed. Contributors to a reshare have their names in the old
    /// group's proposal.
    public func name(of index: Int) -> String {
        if members.indices.contains(index - 1) { return members[index - 1].name }
        switch origin {
        case .dealt where index == 0: return "dealer"
        case .dealt, .new, .reshared: return "member \(index)"
        }
    }
}
