import Ceremony
import Diagnostics
import Review

extension GroupRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .otherProposal, .contributions, .badGroupKey: .badInput
        case .notAMember, .severalOwn, .ownCard, .contactsFull, .nameTaken, .noSuchHostContact, .noSuchGroup, .unknownSession,
            .ownContributionDiffers, .otherBundle, .unknownRecord, .notConfirmed, .active, .accountHeld, .notOfSeed, .wrongShare,
            .cannotDeal, .seedOfGroups, .memberName:
            .refused
        }
    }

    var hint: String? {
        switch self {
        case .notAMember: "show your card to whoever makes the proposal: heliograph group card SEED --name NAME"
        case .severalOwn: "ask for a proposal with one card of each machine"
        case .ownCard: "scan the cards of the other members"
        case .contactsFull: "heliograph group contacts remove NAME"
        case .nameTaken: "choose another name with --name"
        case .noSuchHostContact: "heliograph group contacts"
        case .noSuchGroup, .active: "heliograph group list"
        case .unknownSession: "scan the proposal first"
        case .otherProposal: "ask for the message again"
        case .contributions: "ask that member for the contribution again"
        case .badGroupKey: "start again with a new proposal"
        case .ownContributionDiffers: "start again with a new proposal, and use only one copy of this vault"
        case .otherBundle: "compare with the other members what each of them was shown, and start again with a new proposal"
        case .unknownRecord, .notConfirmed: "if a seed of this vault was a member before: heliograph group restore SEED RECORD"
        case .accountHeld(let address): "heliograph key remove \(address)"
        case .notOfSeed: "heliograph seed list"
        case .wrongShare: "ask another member for the record"
        case .seedOfGroups(_, let groups): "heliograph group remove \(groups.first.map(Shell.quoted) ?? "")"
        case .memberName: "ask that member for a card with another name: heliograph group card SEED --name NAME"
        case .cannotDeal: "heliograph key list"
        }
    }
}

extension GroupSigningRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .otherAccount, .signers, .entry, .share: .badInput
        case .unknownGroup, .accountNotDerived, .notASigner, .unknownRequest, .otherPackage, .ownEntryDiffers, .commitmentsMissing,
            .sharesMissing, .spent, .dropped, .ended, .noncesGone, .noncesBroken, .tooManyOpen, .noSuchOffer:
            .refused
        case .notStored, .selfCheck: .inputOutput
        }
    }

    var hint: String? {
        switch self {
        case .unknownGroup, .noSuchOffer: "heliograph group list"
        case .otherAccount, .signers: "ask for a new request: heliograph group request"
        case .accountNotDerived(let group, let path): "heliograph group derive \(Shell.quoted(group)) \(Shell.quoted(path))"
        case .notASigner: "ask for a request that names this machine"
        case .unknownRequest: "scan the request first"
        case .entry: "ask for the commitment again"
        case .share: "keep the share as a proof, and start again with a new request that names other signers"
        case .otherPackage, .ownEntryDiffers:
            "compare with the other signers what each of them was shown, and start again with a new request"
        case .commitmentsMissing, .sharesMissing: "heliograph group collect puts them together"
        case .spent, .dropped, .ended, .notStored, .noncesGone, .noncesBroken: "start again with a new request: heliograph group request"
        case .tooManyOpen: "heliograph group drop REQUEST; heliograph group requests lists them"
        case .selfCheck: "heliograph self-test"
        }
    }
}

extension NonceError: ProgramError {
    var exit: Diagnostic.Exit { .inputOutput }

    var hint: String? {
        switch self {
        case .notInMemory, .notPrivate:
            "use heliograph shell, which keeps nonces in its own memory, or set XDG_RUNTIME_DIR to a folder of yours in memory"
        case .kept: "start again with a new request: heliograph group request"
        case .system: "use heliograph shell, which keeps nonces in its own memory"
        }
    }
}
