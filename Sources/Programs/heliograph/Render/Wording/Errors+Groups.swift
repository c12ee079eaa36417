import Diagnostics
import Review

extension GroupRefusal: ProgramError {
    var exit: Diagnostic.Exit {
        switch self {
        case .otherProposal, .contributions, .badGroupKey: .badInput
        case .notAMember, .severalOwn, .ownCard, .contactsFull, .nameTaken, .noSuchHostContact, .noSuchGroup, .unknownSession,
            .ownContributionDiffers, .otherBundle, .unknownRecord, .notConfirmed, .active, .accountHeld, .notOfSeed, .wrongShare,
            .cannotDeal, .seedOfGroups:
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
        case .cannotDeal: "heliograph key list"
        }
    }
}
