import SCALE
import SubstratePrimitives

/// A message of a threshold group, codes b0 to b9: the fields alone. No point, scalar or signature is checked
/// here.
public enum GroupMessage: Sendable, Equatable {
    /// Code b0.
    case host(GroupHost)
    /// Code b1.
    case proposal(GroupProposal)
    /// Code b2.
    case contribution(GroupContribution)
    /// Code b3.
    case contributions(GroupContributions)
    /// Code b4.
    case confirmation(GroupConfirmation)
    /// Code b5.
    case record(GroupRecord)
    /// Code b6.
    case request(GroupRequest)
    /// Code b7.
    case commitment(GroupCommitment)
    /// Code b8.
    case package(GroupPackage)
    /// Code b9.
    case share(GroupShare)

    /// The code of the payload that carries the message.
    public var code: PayloadCode {
        switch self {
        case .host: .groupHost
        case .proposal: .groupProposal
        case .contribution: .groupContribution
        case .contributions: .groupContributions
        case .confirmation: .groupConfirmation
        case .record: .groupRecord
        case .request: .groupRequest
        case .commitment: .groupCommitment
        case .package: .groupPackage
        case .share: .groupShare
        }
    }

    /// The scheme of the group; nil for a host key, which has no group.
    public var scheme: SignatureScheme? {
        switch self {
        case .host: nil
        case .proposal(let message): message.scheme
        case .contribution(let message): message.scheme
        case .contributions(let message): message.scheme
        case .confirmation(let message): message.scheme
        case .record(let message): message.scheme
        case .request(let message): message.scheme
        case .commitment(let message): message.scheme
        case .package(let message): message.scheme
        case .share(let message): message.scheme
        }
    }

    /// The message as it is sent, prelude included.
    public var bytes: [UInt8] {
        switch self {
        case .host(let message): message.bytes
        case .proposal(let message): message.bytes
        case .contribution(let message): message.bytes
        case .contributions(let message): message.bytes
        case .confirmation(let message): message.bytes
        case .record(let message): message.bytes
        case .request(let message): message.bytes
        case .commitment(let message): message.bytes
        case .package(let message): message.bytes
        case .share(let message): message.bytes
        }
    }
}

/// Code b0: a machine's host key and its name, signed by the key itself. People compare the key's
/// fingerprint: the signature proves no name.
public struct GroupHost: Sendable, Equatable {
    /// 3 bytes of prelude, version, key, length of the name, signature.
    static let maximumLength = 101 + GroupFormat.maximumName

    /// The name that the machine gives itself, and its key.
    public let member: GroupMember
    /// 64 bytes by the host key over ``signedBytes``. Not verified here.
    public let signature: [UInt8]

    /// The signature has 64 bytes over ``signedBytes(_:)``.
    public init(_ member: GroupMember, signature: [UInt8]) {
        self.member = member
        self.signature = signature
    }

    init(_ prelude: Prelude, _ body: SCALEReader) throws(PayloadError) {
        // A host key belongs to no scheme of a chain.
        guard prelude.scheme == nil else { throw .group(prelude.code, .scheme(prelude.scheme)) }
        (member, signature) = try GroupFormat.reading(prelude, body, maximum: Self.maximumLength) { reader in
            let hostKey = try reader.word()
            return (GroupMember(name: try reader.groupName(), hostKey: hostKey), try reader.memberSignature())
        }
    }

    /// Everything before the signature.
    public static func signedBytes(_ member: GroupMember) -> [UInt8] {
        GroupFormat.bytes(nil, .groupHost) { writer in
            writer.raw(member.hostKey)
            writer.u8(UInt8(member.name.utf8.count))
            writer.raw(member.name.utf8)
        }
    }

    /// Everything before the signature.
    public var signedBytes: [UInt8] { Self.signedBytes(member) }
    /// The message as it is sent.
    public var bytes: [UInt8] { signedBytes + signature }
}
