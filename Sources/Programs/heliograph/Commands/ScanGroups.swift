import Ceremony
import CommandKit
import GroupReview
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// Messages of threshold groups.
extension Scan {
    /// Acts on a message of a group. One exhaustive switch: a message that nothing here takes is refused,
    /// never passed over.
    func carryOut(_ message: GroupMessage, _ device: Device, _ session: ReviewSession) throws {
        switch message {
        case .host(let host):
            try addHost(try device.preview(AddHostContact(host, name: joining.name)), session)
        case .proposal(let proposal):
            let preview = try device.preview(JoinGroup(proposal))
            guard let contribution = try session.perform(preview) else {
                return session.console.note(Wording.noContribution(preview.shown))
            }
            try show(contribution, Wording.contributionCaption(preview.shown), session)
        case .contributions(let bundle):
            if try device.trust().state.leaves(bundle.session) {
                try session.perform(try device.preview(CheckReshare(bundle)))
                return session.console.note(Wording.reshareChecked)
            }
            let preview = try device.preview(ConfirmGroup(bundle))
            let confirmation = try session.perform(preview)
            try show(confirmation, Wording.confirmationCaption(preview.shown.proposal), session)
        case .record(let record):
            if try device.trust().state.openReshare(of: record) != nil {
                try session.perform(try device.preview(KeepOldRecord(record)))
                return session.console.note(Wording.oldRecordKept)
            }
            try activate(try device.preview(ActivateGroup(record, name: joining.name)), session)
        case .request, .package, .share: try sign(message, device, session)
        case .contribution, .confirmation, .commitment:
            throw CommandError.groupMessage(kind: message.code.kind)
        }
    }

    /// Keeps the host key of another machine, after its words were compared.
    private func addHost(_ preview: Preview<AddHostContact>, _ session: ReviewSession) throws {
        let name = Escape.line(preview.shown.name)
        try session.show(preview.shown)
        guard !preview.shown.isHeld else {
            return session.console.note("this is the host contact \(name) already: nothing to do")
        }
        _ = try session.perform(preview, asking: preview.shown.question)
        session.console.note("added the host contact \(name)")
    }

    /// Makes a group active, and then shows its address and asks whether it is the same on all screens.
    private func activate(_ preview: Preview<ActivateGroup>, _ session: ReviewSession) throws {
        let console = session.console
        if case .held = preview.shown.origin {
            try session.show(preview.shown)
            return console.note(Wording.groupIsActive(preview.shown.name))
        }
        // The secret of a key may go, also where nobody is asked.
        if preview.shown.own != nil { session.context.requirePerson() }
        try session.show(preview.shown)
        let (group, opened) = try session.perform(preview, asking: preview.shown.question)
        if case .handedOn = preview.shown.origin { return console.note(Wording.handedOn(group.name)) }
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

    /// Answers with this machine's commitment, its share, or the finished signature.
    private func sign(_ message: GroupMessage, _ device: Device, _ session: ReviewSession) throws {
        var additions = try calls.additions()
        additions.acceptsProvedNetwork = acceptProvedNetwork
        guard let operation = SignForGroup(message, additions: additions, comment: comment) else { return }
        let preview = try device.preview(operation)
        let result = try session.perform(preview)
        if let signed = result.signed { return try deliver([signed], session) }
        switch result.answer {
        case .commitment(let bytes): try show(bytes, Wording.commitmentCaption(preview.shown), session)
        case .share(let bytes): try show(bytes, Wording.shareCaption(preview.shown), session)
        }
    }

    /// Shows an answer that the store already holds.
    private func show(_ answer: [UInt8], _ caption: String, _ session: ReviewSession) throws {
        try deliver(answer, caption, session)
        if out == nil { session.console.note(caption) }
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
        if facts.reshared { page.print(StyledLine(Wording.compareResharedAddress, .warning)) }
        do {
            let approval =
                try approve
                ? preview.confirmUnattended()
                : preview.confirm { try console.confirm(facts.comparedQuestion) }
            _ = try opened.perform(approval)
        } catch {
            guard case .declined? = error as? CeremonyError else { throw error }
            return facts
        }
        console.note(Wording.groupCompared(group.name))
        return try opened.preview(CompareGroup(group.name)).reading { try GroupFacts($0, in: $1) }.text
    }
}
