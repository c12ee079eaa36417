import ArgumentParser
import Ceremony
import CommandKit
import GroupCollect
import GroupReview
import Hashing
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `group reshare`: the proposal that shares out a group's key anew, with the record of the old group.
struct GroupReshare: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "reshare", abstract: "Propose new shares of a group's key for other members.",
        discussion: """
            The account stays; members, threshold and shares are new: to replace a lost or a leaving member, \
            to change t and n, or to refresh all shares. Each new share needs a card of a new seed. Everybody \
            scans the proposal: the named old members contribute, and the members of the cards receive; a \
            machine that was no member scans the record of the old group, too. Old shares sign on until they \
            are destroyed, so destroy them last: first the new record on all machines, then compare its \
            address, then heliograph group remove and the old seeds.
            """)

    @Argument(help: "The group's name.", completion: .named(.group)) var group: String
    @OptionGroup var members: MemberCards
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var replacing: ReplaceOption

    @Option(help: ArgumentHelp("How many members of the new group sign.", valueName: "t"))
    var threshold: Int

    @Option(
        help: ArgumentHelp(
            "Old members who contribute, by name or number, separated by commas.", valueName: "names"))
    var contributors: String

    @Option(
        help: ArgumentHelp(
            "A name for the new group, at most 32 bytes (default: none).", valueName: "text"))
    var label = ""

    @Option(
        help: ArgumentHelp(
            "Write the proposal to this PNG or .hex file (default: print hex).", valueName: "file.png"),
        completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Write the record of the old group to this PNG or .hex file, for new members.",
            valueName: "file.png"), completion: .file())
    var record: String?

    private struct Document: Encodable {
        let proposal: ProposalDocument
        /// Message b5 of the old group.
        let record: String
        let record_out: Nullable<String>
    }

    func validate() throws { try members.check() }

    var place: CommandPlace { members.series.place }

    func access() throws -> Access {
        Access(
            readable: members.readable, writable: [try vault.directory()],
            outputs: [out, record].compactMap { $0 }, replaces: replacing.replace, scans: true,
            cameras: members.series.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let page = json ? console.beside : console
        let preview = try context.device(self).preview(CopyGroupRecord(group))
        // The key is the new group's to share out: its members make the next proposal.
        guard try context.device(self).trust().state.superseded(preview.shown.transcript) == nil else {
            throw GroupRefusal.superseded(preview.shown.name)
        }
        let hosts = try members.read(console)
        for host in hosts { try GroupNames.check(member: host.member.name) }
        // The record goes out, too: it is checked as a restore checks it.
        let opened = try context.unlock(self)
        let bytes = try opened.perform(try opened.preview(CopyGroupRecord(group)).confirm()).outcome
        let proposal = try GroupProposal.make(
            resharing: preview.shown.recordMessage(), contributors: contributors,
            cards: hosts, threshold: threshold, label: label)
        for (offset, host) in hosts.enumerated() {
            console.note(
                """
                member \(offset + 1): \(Escape.quoted(host.member.name)), \
                \(try host.checkedWords().joined(separator: " "))
                """
            )
        }
        if threshold == hosts.count { console.note(Wording.allSign(hosts.count)) }
        if let record {
            try GroupOutput.write(bytes, to: record, replacing: replacing.replace, orOn: page)
            console.note(Wording.answerWritten(record))
        }
        if let out {
            try GroupOutput.write(proposal.bytes, to: out, replacing: replacing.replace, orOn: page)
            console.note(Wording.answerWritten(out))
        } else if !json {
            console.print(Hex.encode(proposal.bytes))
        }
        console.note(Wording.reshareProposed)
        if json {
            JSONText.print(
                Document(
                    proposal: ProposalDocument(proposal, out: out), record: Hex.encode(bytes),
                    record_out: Nullable(record)), console)
        }
    }
}
