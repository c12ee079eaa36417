import Cards
import Diagnostics
import GroupReview
import Lines
import TerminalIO
import TrustStore

/// Words of groups in the making: who has done what, and what is shown to whom next.
extension Wording {
    package static func cardTaken(_ name: String, _ number: Int, of count: Int) -> String {
        "card \(number) of \(count): \(Escape.quoted(name))\(number < count ? "; show the next one" : "")"
    }

    package static func hostWords(_ name: String, _ words: String) -> String {
        "\(Escape.quoted(name)): \(words)"
    }
    package static func allSign(_ members: Int) -> String { GroupWarning.allSign(members).line }

    package static let comparedMembersQuestion =
        """
        Have you compared the words of each member that is not one of your host contacts, face to face or by \
        voice?
        """

    private static func others(_ review: ProposalReview) -> String {
        let own = review.members.filter { if case .own = $0.standing { true } else { false } }
        let others = review.members.filter { member in !own.contains { $0.index == member.index } }
        return others.map { Escape.quoted($0.shownName) }.joined(separator: ", ")
    }

    package static func dealQuestion(_ key: KeyRecord) -> String {
        """
        A whole key existed, and its \(key.isImported ? "secret" : "seed") goes on signing alone. Type the \
        address of the key to deal it, or no:\u{20}
        """
    }

    /// The members of a dealt group answer nothing, so nobody waits for them.
    package static func contributionCaption(_ review: ProposalReview) -> String {
        guard !review.proposal.isDealt else {
            return
                "Contribution of the dealer: show it to whoever collects. The other members answer nothing. "
                + "Next: scan the bundle that is made of it."
        }
        return
            "Contribution: show it to whoever collects. Missing until all have answered: \(others(review)). "
            + "Next: scan the bundle of all contributions."
    }

    package static func confirmationCaption(_ review: ProposalReview) -> String {
        """
        Confirmation: show it to whoever collects. Missing until all have confirmed: \(others(review)). \
        Next: scan the record of the group.
        """
    }

    package static let compareGroupAddress =
        """
        Compare this address with the screen of every member before anything is sent to it: all must show \
        the same.
        """
    package static let comparedQuestion = "Do the screens of all members show this address?"
    package static func groupCompared(_ name: String) -> String {
        "the address of group \(Escape.line(name)) is compared"
    }
    /// After no: somebody has not scanned the record yet, or the screens differ.
    package static func groupWaits(_ name: String) -> String {
        """
        group \(Escape.line(name)) is active, but send nothing to its address: once all screens show the \
        same, heliograph group show 
        """
            + Hints.quoted(name)
    }
    /// The record may lie nowhere else: the machine that collected it may be the attacker's.
    package static func removeGroup(_ group: HeldGroup, accounts: Int) -> String {
        """
        Remove the group \(Escape.line(group.name)) with \(Sentence.count(accounts, "account"))? Only its \
        record restores it, with the seed \(Escape.line(group.seed)): heliograph group record writes a copy.
        """
    }
    static func waitsForBundle(dealt: Bool) -> String {
        dealt
            ? "takes part; next: scan the bundle of the dealer's contribution"
            : "answered; next: scan the bundle of all contributions"
    }
}
