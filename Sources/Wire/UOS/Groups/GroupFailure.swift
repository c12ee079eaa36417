import SubstratePrimitives

/// A rule of a group's messages that is broken.
public enum GroupFailure: Error, Equatable, Sendable {
    /// The byte after the prelude is not 1.
    case version(UInt8)
    /// The prelude names another scheme than ed25519 or sr25519; for a host key, any scheme.
    case scheme(SignatureScheme?)
    /// More bytes than any message of this code has.
    case tooLong(bytes: Int, maximum: Int)
    /// The kind byte of a proposal.
    case kind(UInt8)
    /// A proposal to reshare a key to which fewer than two members of the old group contribute.
    case contributors(Int)
    /// Not 2 ≤ t ≤ n ≤ 16.
    case threshold(Int, members: Int)
    /// A name of 0 bytes or of more than 24.
    case nameLength(Int)
    /// A label of more than 32 bytes.
    case labelLength(Int)
    /// A name or a label with a character that is not printable, or with a blank at an end.
    case unprintable(String)
    /// Two members with one name; members count from 1.
    case sameName(Int, Int)
    /// Two members with one host key; members count from 1.
    case sameKey(Int, Int)
    /// A member's number out of range.
    case index(Int)
    /// Members' numbers that do not ascend.
    case order
    /// Fewer entries than one, or more than members.
    case count(Int)
    /// Values that do not fill whole entries of one length.
    case entryLength(bytes: Int)
    /// A path that is too long, has a hard junction, a password, an empty junction or an unprintable
    /// character.
    case path
    /// A path where keys are ed25519, which has hard junctions only.
    case pathOfScheme
    /// Fewer than two signers.
    case signers(Int)
    /// The request holds a payload of another kind than a transaction or a message.
    case content(PayloadCode)
    /// The payload in the request has another scheme than the group.
    case contentScheme(SignatureScheme?)
    /// The payload in the request is for another account than the group's.
    case contentAccount
    /// The request in a package is not the one that the package names.
    case requestDiffers
    /// An entry of a member whom the request does not name.
    case notASigner(Int)
    /// A message of another session, scheme or size than the proposal's.
    case otherProposal

    var words: String {
        switch self {
        case .version(let version): "version \(version) is unknown"
        case .scheme(let scheme?): "signature scheme \(scheme.name) is not possible here"
        case .scheme(nil): "it names no signature scheme"
        case .tooLong(let bytes, let maximum): "it has \(bytes) bytes, at most \(maximum) are possible"
        case .kind(let kind): "group kind \(kind) is unknown"
        case .contributors(let count):
            """
            it names \(count == 1 ? "1 contributor" : "\(count) contributors"), at least \
            \(GroupFormat.minimumThreshold) are needed
            """
        case .threshold(let threshold, let members): "a group of \(threshold) of \(members) is not possible"
        case .nameLength(let bytes): "a name has \(bytes) bytes instead of 1 to \(GroupFormat.maximumName)"
        case .labelLength(let bytes):
            "the label has \(bytes) bytes, at most \(GroupFormat.maximumLabel) are possible"
        case .unprintable(let what): "the \(what) is not printable text"
        case .sameName(let one, let other): "members \(one) and \(other) have the same name"
        case .sameKey(let one, let other): "members \(one) and \(other) have the same host key"
        case .index(let index): "member number \(index) is out of range"
        case .order: "the members are not in ascending order"
        case .count(let count): "it cannot have \(count) entries"
        case .entryLength(let bytes): "\(bytes) bytes do not fill whole entries"
        case .path: "the path is not made of soft junctions, at most \(GroupFormat.maximumPath) bytes long"
        case .pathOfScheme: "ed25519 keys have no soft junctions, so the path must be empty"
        case .signers(let count):
            """
            it names \(count == 1 ? "1 signer" : "\(count) signers"), at least \
            \(GroupFormat.minimumThreshold) are needed
            """
        case .content(let code):
            "it holds a payload of kind \(code.kind) instead of a transaction or a message"
        case .contentScheme: "the payload in it has another signature scheme"
        case .contentAccount: "the payload in it is for another account"
        case .requestDiffers: "the request in it is not the one that it names"
        case .notASigner(let index): "it has an entry of member \(index), whom the request does not name"
        case .otherProposal: "it belongs to another proposal"
        }
    }
}
