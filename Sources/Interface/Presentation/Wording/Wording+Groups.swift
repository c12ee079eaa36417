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
        if let old = review.old {
            let others = old.contributors.filter { $0.index != old.held?.member }
                .map { Escape.quoted($0.shownName) }.joined(separator: ", ")
            return
                "Contribution: show it to whoever collects. Missing until all have answered: \(others). "
                + "Next: scan the bundle of all contributions."
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
    package static let comparedResharedQuestion =
        "Is it the address that the OLD group had, and do the screens of all members show it?"
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
    /// Of a record that is scanned again.
    package static func groupIsActive(_ name: String) -> String {
        """
        the group \(Escape.line(name)) is active already: nothing to do; its address: heliograph group show 
        """
            + Hints.quoted(name)
    }
    /// The record may lie nowhere else: the machine that collected it may be the attacker's.
    package static func removeGroup(_ group: HeldGroup, accounts: Int, isSuperseded: Bool) -> String {
        guard !isSuperseded else {
            return """
                Remove the superseded group \(Escape.line(group.name))? Do so only when the record of the \
                new group is on all its machines, and its address was compared. Its share ends only with the \
                seed \(Escape.line(group.seed)) and every copy of its phrase.
                """
        }
        return """
            Remove the group \(Escape.line(group.name)) with \(Sentence.count(accounts, "account"))? Only \
            its record restores it, with the seed \(Escape.line(group.seed)): heliograph group record writes \
            a copy.
            """
    }
    /// Whoever is named in the proposal may sign afterwards, and the old shares do not end.
    package static func reshareQuestion(_ old: OldGroupReview, isCompared: Bool) -> String {
        """
        Give this machine's share of the group \(Escape.line(old.name ?? "")) on to these machines? From \
        this answer on the new members together can have the key, also if the reshare never ends, and the \
        old shares still sign until they are destroyed.
        """
            + (isCompared ? "" : " " + comparedMembersQuestion)
    }

    package static let reshareProposed =
        """
        next: every old contributor and every new member scans the proposal, and compares the words of every \
        new member; a machine that was no member of the old group scans its record after that
        """

    /// Without a contribution: what the machine waits for.
    package static func noContribution(_ review: ProposalReview) -> String {
        guard let old = review.old else {
            return "this vault takes part; next: scan the contribution of the dealer, when it is collected"
        }
        return "this vault takes part; next: "
            + (old.record == nil
                ? "scan the record of the old group, which an old member shows"
                : "scan the bundle of all contributions")
    }

    package static let oldRecordKept =
        "kept the record of the old group; next: scan the bundle of all contributions"

    /// The machine leaves, so it has nothing to confirm.
    package static let reshareChecked =
        """
        checked the contributions of the old members; this vault gets no share, so it confirms nothing. \
        Next: scan the record of the new group
        """

    package static func superseded(by transcript: String) -> String {
        """
        superseded: its key was shared out anew, and enough old shares still sign. Once the new record is on \
        all machines and compared, and the new group has signed, remove this group, and destroy its seed \
        once nothing else uses it (new group: \(transcript.prefix(16))...)
        """
    }

    /// The order that is safe: nothing is destroyed before the new shares are known to sign.
    package static func handedOn(_ name: String) -> String {
        """
        the group \(Escape.line(name)) is superseded: its new members have confirmed the contributions that \
        this machine checked. Whether they can sign is not shown here: ask them whether the record is on all \
        their machines, shows the same address and has signed once; only then heliograph group remove 
        """
            + Hints.quoted(name) + ", and destroy the old seed once nothing else uses it"
    }

    package static let compareResharedAddress =
        """
        It must be the address of the old group: a new member compares it with an old one, whose machine \
        showed it before. Keep the old shares until all new machines show it.
        """

    static let waitsForOldRecord = "takes part; next: scan the record of the old group"
    static let waitsForNewRecord = "answered; next: scan the record of the new group"
    static func waitsForBundle(dealt: Bool) -> String {
        dealt
            ? "takes part; next: scan the bundle of the dealer's contribution"
            : "answered; next: scan the bundle of all contributions"
    }
}
