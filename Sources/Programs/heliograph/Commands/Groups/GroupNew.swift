import ArgumentParser
import CommandKit
import GroupCollect
import GroupReview
import Hashing
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import UOS

/// `group new`: the proposal of a group from its members' cards. It needs neither a key nor a vault.
struct GroupNew: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Propose a new group from the cards of its members.",
        discussion:
            """
            Every member scans the proposal, and compares the words of every other member before answering it.
            """
    )

    @OptionGroup var members: MemberCards

    @Option(help: ArgumentHelp("How many members sign.", valueName: "t"))
    var threshold: Int

    @Option(
        help: ArgumentHelp("The scheme of the group's key: sr25519 or ed25519.", valueName: "s"),
        completion: .schemes)
    var scheme = "sr25519"

    @Option(help: ArgumentHelp("A name for the group, at most 32 bytes.", valueName: "text"))
    var label = ""

    @OptionGroup var output: OutputOptions
    @OptionGroup var message: GroupOutput

    func validate() throws { try members.check() }

    var place: CommandPlace { members.series.place }

    func access() throws -> Access {
        Access(
            readable: members.readable, outputs: message.out.map { [$0] } ?? [],
            replaces: message.replacing.replace, scans: true, cameras: members.series.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try message.requireTerminal(console)
        guard let scheme = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
        let hosts = try members.read(console)
        for host in hosts { try GroupNames.check(member: host.member.name) }
        let proposal = try GroupProposal.make(
            cards: hosts, threshold: threshold, scheme: scheme, label: label)
        for (offset, host) in hosts.enumerated() {
            console.note(
                """
                member \(offset + 1): \(Escape.quoted(host.member.name)), \
                \(try host.checkedWords().joined(separator: " "))
                """
            )
        }
        if threshold == hosts.count { console.note(Wording.allSign(hosts.count)) }
        try message.deliver(
            proposal.bytes,
            "Proposal of a group: every member scans it and compares the words of every other member",
            json: json, console)
        if message.isDrawn(json: json, console) {
            console.note("next: heliograph group collect, with the proposal and every member's contribution")
        }
        if json { JSONText.print(ProposalDocument(proposal, out: message.out), console) }
    }
}

/// A proposal for programs.
struct ProposalDocument: Encodable {
    let session: String
    let threshold: Int
    let members: [String]
    /// Message b1.
    let hex: String
    let out: Nullable<String>

    init(_ proposal: GroupProposal, out: String?) {
        session = proposal.session.hex
        threshold = proposal.threshold
        members = proposal.members.map(\.name)
        hex = Hex.encode(proposal.bytes)
        self.out = Nullable(out)
    }
}
