import ArgumentParser
import Ceremony
import Review
import SubstratePrimitives
import Terminal
import TrustStore
import UOS

/// `contact import`: a signed list, from the same inputs as `scan`, which takes lists too.
struct ContactImport: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a signed contact list (scan takes it, too).",
        discussion:
            "The list must be signed by an own key or by a signer that was added before. A name that changes or moves needs a typed word.")

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var view: ViewOptions
    var json: Bool { output.json }
    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(readable: input.readable, writable: [try vault.directory()], scans: true, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        var session = ReviewSession(console: context.console, json: json, asks: true, options: view)
        try session.run { session in
            try approval.requireAllowed(vault)
            try session.read(input)
            guard let payload = session.payload, let operation = ImportContacts(payload) else { throw CommandError.notAContactList }
            try importContacts(operation, approve: approval.approve, &session, context)
        }
    }
}

extension VaultCommand {
    /// Shows what a list would do, asks, and does it.
    func importContacts(
        _ operation: ImportContacts, approve: Bool, _ session: inout ReviewSession, _ context: CommandContext
    ) throws {
        let console = context.console
        let device = try context.device(self)
        let preview = try device.preview(operation)
        let plan = preview.shown
        session.document.action = .importContacts
        session.document.contacts = ContactListDocument(plan, in: try device.trust().state)
        let page = json ? console.beside : console
        Wording.lines(of: plan, in: try device.trust().state).forEach(page.print)
        guard !plan.isEmpty || device.isNews(plan) else { return console.note(Wording.nothingToDo) }
        let question = ReviewQuestion(Wording.importQuestion(plan), word: plan.word)
        let approved =
            approve
            ? try preview.confirmUnattended()
            : try preview.confirm {
                let isYes = try console.confirm(question)
                if isYes { context.requirePerson(for: question) }
                return isYes
            }
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
    }
}

extension Device {
    /// Whether a list that changes no contact has a number that the vault has not seen: then the number alone is recorded.
    fileprivate func isNews(_ plan: ContactListPlan) -> Bool {
        guard let last = try? trust().state.lastList(of: plan.list.issuer) else { return true }
        return plan.list.number > last.number
    }
}
