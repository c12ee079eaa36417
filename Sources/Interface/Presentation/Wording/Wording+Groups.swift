import Diagnostics
import GroupReview
import Lines
import TerminalIO

/// Words of groups in the making: who has done what, and what is shown to whom next.
extension Wording {
    package static let noHostContacts = "no host contacts: scan the host card of a member"
    package static let noGroups = "no groups: heliograph group card SEED --name NAME makes the first step"

    package static func hostWords(_ name: String, _ words: String) -> String {
        "\(Escape.quoted(name)): \(words)"
    }
    package static let cardCaption =
        """
        Host card: read its eight words to the other members face to face or by voice. Next: whoever \
        proposes the group scans it.
        """
    package static func proposedMember(_ index: Int, _ name: String, _ words: String) -> String {
        "member \(index): \(Escape.quoted(name)), \(words)"
    }
    package static func allSign(_ members: Int) -> String { MakingWarning.allSign(members).sentence }
    package static let proposalCaption =
        "Proposal of a group: every member scans it and compares the words of every other member."

    package static let compareWordsQuestion =
        "Have you compared these eight words with the person whose machine this is, face to face or by voice?"
    package static func hostContactAdded(_ name: String) -> String {
        "added the host contact \(Escape.line(name))"
    }
    package static func hostContactHeld(_ name: String) -> String {
        "this is the host contact \(Escape.line(name)) already: nothing to do"
    }
    package static func hostContactRemoved(_ name: String) -> String {
        "removed the host contact \(Escape.line(name))"
    }

    package static let joinQuestion = "Take part in this group?"
    package static let comparedMembersQuestion =
        """
        Have you compared the words of each member that is not one of your host contacts, face to face \
        or by voice?
        """
    package static let waitForDealer =
        "this vault takes part; next: scan the contribution of the dealer, when it is collected"

    private static func others(_ review: ProposalReview) -> String {
        let own = review.members.filter { if case .own = $0.standing { true } else { false } }
        let others = review.members.filter { member in !own.contains { $0.index == member.index } }
        return others.map { Escape.quoted($0.shownName) }.joined(separator: ", ")
    }

    package static func contributionCaption(_ review: ProposalReview) -> String {
        "Contribution: show it to whoever collects. Missing until all have answered: \(others(review)). "
            + "Next: scan the bundle of all contributions."
    }

    static let confirmQuestion = "Confirm these contributions?"
    package static func confirmationCaption(_ review: ProposalReview) -> String {
        """
        Confirmation: show it to whoever collects. Missing until all have confirmed: \(others(review)). \
        Next: scan the record of the group.
        """
    }

    package static func activateQuestion(_ name: String) -> String {
        "Activate the group \(Escape.line(name))?"
    }
    package static let compareGroupAddress =
        """
        Compare this address with the screen of every member before anything is sent to it: all must \
        show the same.
        """
    package static let comparedQuestion = "Do the screens of all members show this address?"
    package static func groupCompared(_ name: String) -> String {
        "the address of group \(Escape.line(name)) is compared"
    }
    package static let notComparedYet = "the address is not compared yet: heliograph group show asks again"
    /// After no: somebody has not scanned the record yet, or the screens differ.
    package static func groupWaits(_ name: String) -> String {
        """
        group \(Escape.line(name)) is active, but send nothing to its address: once all screens show the \
        same, heliograph group show 
        """
            + Hints.quoted(name)
    }
    package static func groupActive(_ name: String, _ address: String) -> String {
        """
        group \(Escape.line(name)) is active; next: heliograph key allow \(address) NETWORK, and \
        heliograph group record for a copy beside each seed
        """
    }
    static let neverWhole = "new: no machine ever held a whole key"
    static let waitsForBundle = "answered; next: scan the bundle of all contributions"
    static let waitsForRecord = "confirmed; next: scan the record"

    package static func recordCaption(_ name: String) -> String {
        """
        Record of group \(Escape.line(name)): with a member's seed it restores that member. It is no \
        secret by itself, but do not publish it.
        """
    }
    package static func restoreGroupQuestion(_ name: String) -> String {
        "Restore the group \(Escape.line(name))?"
    }
    package static func groupRestored(_ name: String) -> String { "restored the group \(Escape.line(name))" }

    package static func nothingWritten(_ out: String) -> String {
        "nothing was written to \(Escape.line(out)): messages are missing"
    }

    package static let dealPrompt =
        """
        A whole key existed, and its seed goes on signing alone. Type the address of the key to deal it, \
        or no: 
        """
    package static let dealtNext =
        """
        next: every member scans the proposal; heliograph group collect makes the bundle of the proposal \
        and the contribution, which they scan then
        """

    package static func removeGroup(_ name: String, accounts: Int) -> String {
        "Remove the group \(Escape.line(name)) with \(accounts == 1 ? "1 account" : "\(accounts) accounts")?"
    }
    package static func removeMaking(_ name: String) -> String { "Leave the making of \(Escape.line(name))?" }
    package static func groupRemoved(_ name: String) -> String {
        "removed \(Escape.line(name)); its seed and its record restore it"
    }
}
