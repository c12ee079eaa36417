import Cards
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// The messages that make a group: host cards, proposals, bundles and records.
extension Scan {
    /// Keeps the host key of another machine, after its words were compared.
    func addHost(_ host: GroupHost, _ session: inout ReviewSession, _ context: CommandContext) throws {
        let preview = try context.device(self).preview(AddHostContact(host, name: joining.name))
        let shown = preview.shown
        session.show(ReviewDocument.Item(.host(host), ReviewSummary(shown), shown.warnings), .addHostContact)
        guard !shown.isHeld else {
            return context.console.note(
                "this is the host contact \(Escape.line(shown.name)) already: nothing to do")
        }
        _ = try perform(
            preview, session, context,
            asking:
                """
                Have you compared these eight words with the person whose machine this is, face to face or \
                by voice?
                """
        )
        context.console.note("added the host contact \(Escape.line(shown.name))")
    }

    /// Takes part in the making of a group, and shows this machine's contribution.
    func join(_ proposal: GroupProposal, _ session: inout ReviewSession, _ context: CommandContext) throws {
        let preview = try context.device(self).preview(JoinGroup(proposal))
        let shown = preview.shown
        session.show(
            ReviewDocument.Item(.proposal(proposal), ReviewSummary(shown), shown.warnings), .joinGroup)
        let question = shown.word == nil ? Wording.joinQuestion : Wording.comparedMembersQuestion
        let contribution = try perform(preview, session, context, asking: question).outcome
        guard let contribution else {
            return context.console.note(
                "this vault takes part; next: scan the contribution of the dealer, when it is collected")
        }
        try show(contribution, Wording.contributionCaption(shown), &session, context.console)
    }

    /// Checks the contributions of all, and shows this machine's confirmation.
    func confirm(_ bundle: GroupContributions, _ session: inout ReviewSession, _ context: CommandContext)
        throws
    {
        let preview = try context.device(self).preview(ConfirmGroup(bundle))
        let shown = preview.shown
        let warnings = MakingWarning.ofSize(shown.proposal.proposal)
        session.show(
            ReviewDocument.Item(.contributions(bundle), ReviewSummary(shown), warnings), .confirmGroup)
        let confirmation = try perform(preview, session, context).outcome
        try show(confirmation, Wording.confirmationCaption(shown.proposal), &session, context.console)
    }

    /// Makes a group active, and then shows its address and asks whether it is the same on all screens.
    func activate(_ record: GroupRecord, _ session: inout ReviewSession, _ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(ActivateGroup(record, name: joining.name))
        let shown = preview.shown
        session.show(
            ReviewDocument.Item(.record(record), ReviewSummary(shown), shown.warnings), .activateGroup)
        let approval = try approve(
            preview, session, context, asking: "Activate the group \(Escape.line(shown.name))?")
        let opened = try context.unlock(self)
        let group = try opened.perform(approval).outcome
        let facts = try GroupFacts.comparing(
            group, opened, approve: approve, json ? console.beside : console, console)
        session.document.group = facts
        console.note(
            facts.compared
                ? """
                group \(Escape.line(facts.name)) is active; next: heliograph key allow \
                \(facts.address.value ?? "") NETWORK, and heliograph group record for a copy beside each seed
                """ : Wording.groupWaits(facts.name))
    }

    /// Shows an answer that the store already holds.
    func show(_ answer: [UInt8], _ caption: String, _ session: inout ReviewSession, _ console: Console) throws
    {
        try deliver(AnswerPicture(framed: answer), caption, text: [Hex.encode(answer)], console) { out in
            session.document.answer = ReviewDocument.AnswerFacts(hex: Hex.encode(answer), out: Nullable(out))
        }
        if out == nil { console.note(caption) }
    }
}

extension GroupFacts {
    /// Shows a group that has become active, and asks whether the screens of all members show its address.
    /// After a no the group is active all the same, and is asked about again wherever its address is shown.
    /// - Parameter page: where the group is shown.
    static func comparing(
        _ group: HeldGroup, _ opened: Session, approve: Bool, _ page: Console, _ console: Console
    ) throws -> GroupFacts {
        let (facts, preview) = try opened.preview(CompareGroup(group.name)).reading {
            try GroupFacts($0, in: $1)
        }
        facts.lines.forEach(page.print)
        guard !facts.compared else { return facts }
        page.print(StyledLine(Wording.compareGroupAddress, .warning))
        do {
            let approval =
                try approve
                ? preview.confirmUnattended()
                : preview.confirm { try console.confirm(Wording.comparedQuestion) }
            _ = try opened.perform(approval)
        } catch CeremonyError.declined { return facts }
        console.note(Wording.groupCompared(group.name))
        return try opened.preview(CompareGroup(group.name)).reading { try GroupFacts($0, in: $1) }.text
    }
}
