import Diagnostics
import SubstratePrimitives
import UOS

/// Why this machine does not sign for a group, or not in this way. Members are named as this vault knows
/// them.
public enum GroupSigningRefusal: Error, Equatable, Sendable {
    /// The request is for a key that is not an active group of this vault.
    case unknownGroup
    /// The payload is for another account than the request's group and path give.
    case otherAccount(group: String)
    /// The account is the group's, and this vault has not derived it; its path.
    case accountNotDerived(group: String, path: String)
    /// The signers are too few, or are not members.
    case signers(group: String)
    /// This machine is not among the signers.
    case notASigner(group: String)
    /// Commitments or a share of a request that was not scanned here.
    case unknownRequest
    /// The host signature of these members is wrong, or what they sent is not a valid point.
    case entry([String])
    /// The message has another scheme than its request.
    case otherScheme
    /// The share of this member is not signed by its host key.
    case shareSignature(String)
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
    /// The nonces of the request are used up, and its share was not made, for this reason: the commit before
    /// it failed.
    case notMade(String)
    /// The request was just spent, and its share could not be stored, for this reason. So there is no share,
    /// and there will be none.
    case notStored(String)
    /// The request was just spent, and whether its share is stored is not known, for this reason: the disk
    /// did not confirm it.
    case maybeStored(String)
    /// The request was just spent, and its share is stored and in the log, but it is not given out: the
    /// vault's file could not be written, for this reason.
    case storedUnshown(String)
    /// A commitment was shown, and its nonces are gone: the machine or the shell was started again, or a
    /// backup restored.
    case noncesGone
    /// What waits in memory is not what belongs to the commitment.
    case noncesBroken
    /// The group has the largest allowed number of open requests.
    case tooManyOpen(group: String)
    /// No open request has this id or these words.
    case noSuchOffer(String)
    /// The share that was computed does not verify.
    case selfCheck

    public static func == (one: GroupSigningRefusal, other: GroupSigningRefusal) -> Bool {
        one.diagnostic == other.diagnostic
    }
}

extension GroupSigningRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .unknownGroup:
            .refused(
                "group-request-unknown-group", "the request is for a group that is not active in this vault",
                hint: "heliograph group list")
        case .otherAccount(let group):
            .badInput(
                "group-request-other-account",
                "the payload in the request is not for the account of group \(group) that the request names",
                hint: "ask for a new request: heliograph group request")
        case .accountNotDerived(let group, let path):
            .refused(
                "group-account-not-derived", "the account \(path) of group \(group) is not in this vault",
                hint: "heliograph group derive \(Hints.quoted(group)) \(Hints.quoted(path))")
        case .signers(let group):
            .badInput(
                "group-request-signers", "group \(group) cannot sign with the signers that the request names",
                hint: "ask for a new request: heliograph group request")
        case .notASigner(let group):
            .refused(
                "group-not-a-signer", "the request names other signers of group \(group) than this machine",
                hint: "ask for a request that names this machine")
        case .unknownRequest:
            .refused(
                "group-request-unknown", "this machine has not seen the request that the message belongs to",
                hint: "scan the request first")
        case .entry(let names):
            .badInput(
                "group-bad-commitment",
                "the commitments of \(Self.list(names)) are wrong, or somebody changed them on their way",
                hint: "ask for the commitment again")
        case .otherScheme:
            .badInput(
                "group-request-scheme", "the message has another signature scheme than its request",
                hint: "ask for the message again")
        // Its member answers no other package, and shows the same share for ever.
        case .shareSignature(let name):
            .badInput(
                "group-bad-share",
                "the share of \(Self.shown(name)) is not signed by \(Self.shown(name)), "
                    + "or somebody changed it on its way",
                hint: "ask for the share again")
        case .share(let name):
            .badInput(
                "group-bad-share",
                "the share of \(Self.shown(name)) is wrong, and \(Self.shown(name)) "
                    + "signed it: anyone can check both",
                hint: "keep the share as a proof, and start again with "
                    + "a new request that names other signers")
        case .otherPackage(let name):
            .refused(
                "group-other-package",
                "\(Self.shown(name)) answered a package other than the one with this machine's commitment",
                hint: "compare with the other signers what each of them "
                    + "was shown, and start again with a new request")
        case .ownEntryDiffers:
            .refused(
                "group-own-commitment", "the package has a commitment of this machine that it did not show",
                hint: "compare with the other signers what each of them "
                    + "was shown, and start again with a new request")
        case .commitmentsMissing(let names):
            .refused(
                "group-request-incomplete", "the commitments of \(Self.list(names)) are missing",
                hint: "heliograph group collect puts them together")
        case .sharesMissing(let names):
            .refused(
                "group-request-incomplete", "the shares of \(Self.list(names)) are missing",
                hint: "heliograph group collect puts them together")
        case .spent:
            .refused(
                "group-nonces-spent",
                "this machine gave its share for this request already, and its nonces are spent",
                hint: "start again with a new request: heliograph group request")
        case .dropped:
            .refused(
                "group-nonces-spent", "this request was dropped on this machine, and its nonces are gone",
                hint: "start again with a new request: heliograph group request")
        case .ended:
            .refused(
                "group-nonces-spent",
                "this request has ended on this machine: its nonces are spent, and its share was not stored",
                hint: "start again with a new request: heliograph group request")
        case .notMade(let reason):
            .inputOutput(
                "group-share-not-stored",
                "this request has ended: its nonces are used up, and no share was made (\(reason))",
                hint: "start again with a new request: heliograph group request")
        case .notStored(let reason):
            .inputOutput(
                "group-share-not-stored",
                "this request has ended: its nonces are spent, "
                    + "and its share could not be stored (\(reason))",
                hint: "start again with a new request: heliograph group request")
        case .maybeStored(let reason):
            .inputOutput(
                "group-share-stored",
                "the share for this request is not given out, and the disk does not confirm "
                    + "that it is stored (\(reason))",
                hint: "read the same package again: it gives the same share, or says that the request ended")
        case .storedUnshown(let reason):
            .inputOutput(
                "group-share-stored",
                "the share for this request is stored and in the log, but not given out: "
                    + "the vault file cannot be written (\(reason))",
                hint: "free some space, and read the same package again: it gives the same share")
        case .noncesGone:
            .refused(
                "group-nonces-gone",
                "the nonces of this request are gone: they live in memory "
                    + "until they are taken for a share, or the machine or the shell ends",
                hint: "start again with a new request: heliograph group request")
        case .noncesBroken:
            .refused(
                "group-nonces-gone",
                "the nonces in memory for this request are not the ones that this machine put there",
                hint: "start again with a new request: heliograph group request")
        case .tooManyOpen(let group):
            .refused(
                "group-too-many-requests", "group \(group) has too many open requests",
                hint: "heliograph group drop REQUEST; heliograph group requests lists them")
        case .noSuchOffer(let name):
            .refused(
                "group-no-such-request", "no open request is named \(name)",
                hint: "heliograph group requests")
        case .selfCheck:
            .inputOutput(
                "group-self-check", "the share that was computed does not verify",
                hint: "heliograph self-test")
        }
    }

    private static func shown(_ name: String) -> String { GroupMember.quoted(unlessPlain: name) }

    private static func list(_ names: [String]) -> String { names.map(shown).joined(separator: ", ") }

    public static var examples: [GroupSigningRefusal] {
        [
            .unknownGroup, .otherAccount(group: "office"),
            .accountNotDerived(group: "office", path: "/kusama"), .signers(group: "office"),
            .notASigner(group: "office"), .unknownRequest, .entry(["bob"]), .otherScheme,
            .shareSignature("bob"), .share("bob"),
            .otherPackage("bob"), .ownEntryDiffers,
            .commitmentsMissing(["bob", "carol"]), .sharesMissing(["carol"]), .spent, .dropped, .ended,
            .notMade("no space is left on the disk"), .notStored("no space is left on the disk"),
            .maybeStored("no space is left on the disk"), .storedUnshown("no space is left on the disk"),
            .noncesGone, .noncesBroken, .tooManyOpen(group: "office"), .noSuchOffer("abandon"), .selfCheck,
        ]
    }
}
