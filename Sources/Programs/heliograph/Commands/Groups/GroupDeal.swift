import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `group deal`: divides an existing key among the members of a group.
struct GroupDeal: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "deal", abstract: "Deal an existing key of this vault to the members of a group.",
        discussion: """
            The account keeps its address. A whole key existed: whoever has its seed or secret goes on \
            signing alone, and this machine sees every share. A new group to which the funds are moved is \
            safer. The members scan the proposal and answer nothing; a dealer who is a member keeps the key \
            until his machine has the group's record.
            """)

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @OptionGroup var members: MemberCards
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var replacing: ReplaceOption
    @OptionGroup var approval: ApproveOption

    @Option(help: ArgumentHelp("How many members sign.", valueName: "t"))
    var threshold: Int

    @Option(help: ArgumentHelp("A name for the group, at most 32 bytes.", valueName: "text"))
    var label = ""

    @Option(
        help: ArgumentHelp(
            "Write the proposal to this PNG or .hex file (default: print hex).", valueName: "file.png"),
        completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Write the dealer's contribution to this PNG or .hex file (default: print hex).",
            valueName: "file.png"), completion: .file())
    var contribution: String?

    @Option(
        help: ArgumentHelp(
            "Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    private struct Document: Encodable {
        let proposal: ProposalDocument
        /// Message b2.
        let contribution: String
        let contribution_out: Nullable<String>
    }

    func validate() throws { try members.check() }

    var place: CommandPlace { members.series.place }

    func access() throws -> Access {
        Access(
            readable: members.readable, writable: [try vault.directory()],
            outputs: [out, contribution].compactMap { $0 }, replaces: replacing.replace, scans: true,
            cameras: members.series.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let hosts = try members.read(console)
        let preview = try context.device(self).preview(
            DealGroup(address: address, threshold: threshold, label: label, cards: hosts))
        let page = json ? console.beside : console
        let summary = ReviewPage(
            summary: SummaryLines(summary: ReviewSummary(preview.shown)).lines, question: ReviewQuestion("")
        ) { _ in []
        }
        PlainReview(console: page).print(summary)
        let approved: Approval<DealGroup>
        if approval.approve {
            approved = try preview.confirmUnattended()
        } else {
            approved = try preview.confirm {
                if let word = preview.shown.word,
                    try !console.confirm(Wording.comparedMembersQuestion, word: word)
                {
                    return false
                }
                return try console.confirm(prompt: Wording.dealQuestion(preview.shown.key), word: address)
            }
        }
        context.requirePerson()
        let dealt = try context.unlock(self).perform(
            approved, asking: TerminalPerson(console: console, passwordFd: passwordFd)
        ).outcome
        // Where one is not written, the other one is not lost with it.
        var failure: (any Error)?
        for (message, path) in [(dealt.proposal, out), (dealt.contribution, contribution)] {
            if let path {
                do {
                    try GroupOutput.write(message, to: path, replacing: replacing.replace, orOn: page)
                    console.note(Wording.answerWritten(path))
                } catch {
                    failure = failure ?? error
                }
            } else if !json {
                console.print(Hex.encode(message))
            }
        }
        if let failure { throw failure }
        console.note(
            """
            next: every member scans the proposal; heliograph group collect makes the bundle of the proposal \
            and the contribution, which they scan then
            """)
        if json {
            guard case .group(.proposal(let proposal)) = try Payload(dealt.proposal).content else { return }
            JSONText.print(
                Document(
                    proposal: ProposalDocument(proposal, out: out),
                    contribution: Hex.encode(dealt.contribution),
                    contribution_out: Nullable(contribution)), console)
        }
    }
}
