import SCALE
import SubstratePrimitives

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
