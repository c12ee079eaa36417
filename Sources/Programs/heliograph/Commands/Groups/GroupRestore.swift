import ArgumentParser
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

/// `group restore`: groups from a seed and their records, on a machine that lost them.
struct GroupRestore: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore groups from a seed and their records.",
        discussion:
            """
            Any member's heliograph group record gives the record. The machine finds its own host key in it, \
            and checks every signature.
            """
    )

    @Argument(help: "The seed's name.", completion: .named(.seed)) var seed: String
    @Argument(help: "The records of groups: pictures or .hex files.", completion: .file()) var records:
        [String] = []
    @OptionGroup var series: SeriesOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    @Option(help: ArgumentHelp("Your name for the group (default: its label).", valueName: "name"))
    var name: String?

    func validate() throws {
        if name != nil, records.count > 1 { throw ValidationError("--name is for one record") }
        if records.isEmpty, !series.isUsed {
            throw ValidationError("name the record of a group, or take it with --camera or --watch")
        }
    }

    var place: CommandPlace { series.place }

    func access() throws -> Access {
        Access(
            readable: records + series.readable, writable: [try vault.directory()], scans: true,
            cameras: series.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        let page = json ? console.beside : console
        var messages = try records.map { try GroupInput.record($0, console) }
        if series.isUsed {
            // One more record.
            let count = messages.count
            try series.read(console) { bytes in
                messages.append(try GroupInput.record(of: bytes))
                return true
            }
            guard messages.count > count else { throw CommandError.interrupted }
        }
        func restoring(_ record: GroupRecord) -> RestoreGroup { RestoreGroup(record, seed: seed, name: name) }
        // What no passphrase helps is said before it is asked for.
        for record in messages {
            // A key of this vault may become the group's: whoever finds a shell open takes none away.
            let takes = try device.preview(restoring(record)).shown.own != nil
            if takes { context.requirePerson() }
        }
        // Only the open seed says which member this machine is, and the review names it.
        let opened = try context.unlock(self)
        var restored: [GroupFacts] = []
        for record in messages {
            _ = try opened.perform(try opened.preview(FindHostKey(record, seed: seed)).confirm())
            let preview = try opened.preview(restoring(record))
            let question = ReviewQuestion(preview.shown.question, word: preview.shown.word)
            let review = ReviewPage(preview.shown.items(of: nil), isNumbered: false, question: question)
            PlainReview(console: page).print(review)
            // The words to compare stand at the question, not above the cards that scrolled by.
            if !approval.approve { PlainReview(console: page).repeatSummary(review) }
            let approved = try approval.confirm(preview, question, console)
            let group = try opened.perform(approved).outcome
            console.note("restored the group \(Escape.line(group.name))")
            let facts = try GroupFacts.comparing(group, opened, approve: approval.approve, page, console)
            if !facts.compared { console.note(Wording.groupWaits(facts.name)) }
            restored.append(facts)
        }
        if json { JSONText.print(["groups": restored], console) }
    }
}
