import Diagnostics
import SubstratePrimitives
import UOS

/// Why this machine does not sign for a group, or not in this way. Members are named as this vault knows them.
public enum GroupSigningRefusal: Error, Equatable, Sendable {
    /// The request is for a key that is no active group of this vault.
    case unknownGroup
    /// The payload is for another account than the request's group and path give.
    case otherAccount(group: String)
    /// The account is the group's, and this vault has not derived it; its path.
    case accountNotDerived(group: String, path: String)
    /// The signers are too few, or are no members.
    case signers(group: String)
    /// This machine is not among the signers.
    case notASigner(group: String)
    /// Commitments or a share of a request that was not scanned here.
    case unknownRequest
    /// The host signature of these members is wrong, or what they sent is no valid point.
    case entry([String])
    /// The share of this member does not fit what everybody signs.
    case share(String)
    /// A member made its share for other commitments than this machine's.
    case otherPackage(String)
    /// The package has another commitment of this machine than the one that it showed.
    case ownEntryDiffers
    /// The request waits for the commitments of these members.
    case commitmentsMissing([String])
    /// The signature waits for the shares of these members.
    case sharesMissing([String])
    /// A share was given for this request, for another package.
    case spent
    /// The request was dropped here.
    case dropped
    /// The request was spent, and its share is not here: something failed between the two.
    case ended
    /// The request was just spent, and its share could not be stored, for this reason. So there is no share, and there will be none.
    case notStored(String)
    /// A commitment was shown, and its nonces are gone: the machine or the shell was started again, or a backup restored.
    case noncesGone
    /// What waits in memory is not what belongs to the commitment.
    case noncesBroken
    /// As many requests as a group may have are open.
    case tooManyOpen(group: String)
    /// No open request has this id or these words.
    case noSuchOffer(String)
    /// The share that was computed does not verify.
    case selfCheck

    public static func == (one: GroupSigningRefusal, other: GroupSigningRefusal) -> Bool {
        one.code == other.code && one.sentence.utf8Equals(other.sentence)
    }
}

extension GroupSigningRefusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// A request for a key that is no group here.
        case unknownGroup = "group-request-unknown-group"
        /// A payload for another account.
        case otherAccount = "group-request-other-account"
        /// An account that is not derived.
        case accountNotDerived = "group-account-not-derived"
        /// Signers that cannot be.
        case signers = "group-request-signers"
        /// This machine is no signer.
        case notASigner = "group-not-a-signer"
        /// A message of a request that was not scanned.
        case unknownRequest = "group-request-unknown"
        /// A member's commitment is wrong.
        case entry = "group-bad-commitment"
        /// A member's share is wrong.
        case share = "group-bad-share"
        /// A share for another package.
        case otherPackage = "group-other-package"
        /// This machine's commitment was replaced.
        case ownEntry = "group-own-commitment"
        /// Members have not answered.
        case incomplete = "group-request-incomplete"
        /// The nonces are spent.
        case spent = "group-nonces-spent"
        /// The share could not be stored.
        case notStored = "group-share-not-stored"
        /// The nonces are gone.
        case noncesGone = "group-nonces-gone"
        /// Too many open requests.
        case tooManyOpen = "group-too-many-requests"
        /// No such open request.
        case noSuchOffer = "group-no-such-request"
        /// A share that does not verify.
        case selfCheck = "group-self-check"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .unknownGroup: .unknownGroup
        case .otherAccount: .otherAccount
        case .accountNotDerived: .accountNotDerived
        case .signers: .signers
        case .notASigner: .notASigner
        case .unknownRequest: .unknownRequest
        case .entry: .entry
        case .share: .share
        case .otherPackage: .otherPackage
        case .ownEntryDiffers: .ownEntry
        case .commitmentsMissing, .sharesMissing: .incomplete
        case .spent, .dropped, .ended: .spent
        case .notStored: .notStored
        case .noncesGone, .noncesBroken: .noncesGone
        case .tooManyOpen: .tooManyOpen
        case .noSuchOffer: .noSuchOffer
        case .selfCheck: .selfCheck
        }
    }

    public var sentence: String {
        func shown(_ name: String) -> String { GroupMember.quoted(unlessPlain: name) }
        func list(_ names: [String]) -> String { names.map(shown).joined(separator: ", ") }
        return switch self {
        case .unknownGroup: "the request is for a group that is not active in this vault"
        case .otherAccount(let group): "the payload in the request is not for the account of group \(group) that the request names"
        case .accountNotDerived(let group, let path): "the account \(path) of group \(group) is not in this vault"
        case .signers(let group): "group \(group) cannot sign with the signers that the request names"
        case .notASigner(let group): "the request names other signers of group \(group) than this machine"
        case .unknownRequest: "this machine has not seen the request that the message belongs to"
        case .entry(let names): "the commitments of \(list(names)) are wrong, or somebody changed them on their way"
        case .share(let name): "the share of \(shown(name)) is wrong: \(shown(name)) signed it, which anyone can check"
        case .otherPackage(let name): "\(shown(name)) answered another package than this machine's commitment is part of"
        case .ownEntryDiffers: "the package has a commitment of this machine that it did not show"
        case .commitmentsMissing(let names): "the commitments of \(list(names)) are missing"
        case .sharesMissing(let names): "the shares of \(list(names)) are missing"
        case .spent: "this machine gave its share for this request already, and its nonces are spent"
        case .dropped: "this request was dropped on this machine, and its nonces are gone"
        case .ended: "this request has ended on this machine: its nonces are spent, and its share was not stored"
        case .notStored(let reason): "this request has ended: its nonces are spent, and its share could not be stored (\(reason))"
        case .noncesGone: "the nonces of this request are gone: they live in memory until they are used, or the machine or the shell ends"
        case .noncesBroken: "what waited in memory for this request is not what this machine put there"
        case .tooManyOpen(let group): "group \(group) has as many open requests as this machine keeps"
        case .noSuchOffer(let name): "no open request is named \(name)"
        case .selfCheck: "the share that was computed does not verify"
        }
    }

    public static var examples: [GroupSigningRefusal] {
        [
            .unknownGroup, .otherAccount(group: "office"), .accountNotDerived(group: "office", path: "/kusama"), .signers(group: "office"),
            .notASigner(group: "office"), .unknownRequest, .entry(["bob"]), .share("bob"), .otherPackage("bob"), .ownEntryDiffers,
            .commitmentsMissing(["bob", "carol"]), .sharesMissing(["carol"]), .spent, .dropped, .ended,
            .notStored("no space is left on the disk"), .noncesGone, .noncesBroken, .tooManyOpen(group: "office"), .noSuchOffer("abandon"),
            .selfCheck,
        ]
    }
}
