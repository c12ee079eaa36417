import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

/// `contact import`: a signed list, from the same inputs as `scan`, which takes lists too.
struct ContactImport: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a signed contact list (scan takes it, too).",
        discussion:
            """
            The list must be signed by an own key or by a signer that was added before. A name that changes \
            or moves needs a typed word.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var view: ViewOptions
    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable, writable: [try vault.directory()], scans: true, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let session = ReviewSession(
            self, context, json: json, asks: true, approve: approval.approve, options: view)
        try session.run {
            try approval.requireAllowed(vault)
            try session.read(input)
            guard let payload = session.payload, let operation = ImportContacts(payload) else {
                throw CommandError.notAContactList
            }
            try importContacts(operation, session)
        }
    }
}

extension VaultCommand {
    /// Shows what a list would do, asks, and does it.
    func importContacts(_ operation: ImportContacts, _ session: ReviewSession) throws {
        let console = session.console
        let (read, preview) = try session.device().preview(operation).reading { ListPage($0, in: $1) }
        let plan = preview.shown
        session.document.action = .importContacts
        session.document.contacts = read.document
        let page = json ? console.beside : console
        read.lines.forEach(page.print)
        guard !plan.isEmpty || read.isNews else { return console.note(Wording.nothingToDo) }
        let question = ReviewQuestion(Wording.importQuestion(plan), word: plan.word)
        _ = try session.perform(preview) {
            let isYes = try console.confirm(question)
            if isYes { session.context.requirePerson(for: question) }
            return isYes
        }
        console.note(Wording.changed)
    }
}

/// What a person and a program read of a list before it is imported.
private struct ListPage: Legible {
    let lines: [StyledLine]
    let document: ContactListDocument
    /// Whether the list changes no contact but has a new number, so that only the number is recorded.
    let isNews: Bool

    init(_ plan: ContactListPlan, in trust: TrustState) {
        lines = Wording.lines(of: plan, in: trust)
        document = ContactListDocument(plan, in: trust)
        isNews = trust.lastList(of: plan.list.issuer).map { plan.list.number > $0.number } ?? true
    }

    var legible: String { lines.legible }
}
