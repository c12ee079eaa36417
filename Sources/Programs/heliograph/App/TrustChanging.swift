import Ceremony
import Review
import SubstratePrimitives
import Terminal
import TrustStore

/// A deliberate change of trust: it says what it will do, asks, and does exactly that.
protocol TrustChanging: VaultCommand {
    var approval: ApproveOption { get }
    var output: OutputOptions { get }
    var question: String { get }
    /// What follows from the change, in sentences above the question.
    func effects(of step: ChangeTrust.Step, on trust: TrustState) throws -> [String]
    /// With a word instead of a yes for what a habit must not confirm; an open shell then asks for its passphrase, too.
    func question(about step: ChangeTrust.Step) -> ReviewQuestion
    /// What is meant; names are looked up in what the store says, and the change itself is made under the seal.
    func change(_ trust: TrustState) throws -> ChangeTrust.Change
}

extension TrustChanging {
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func effects(of step: ChangeTrust.Step, on trust: TrustState) throws -> [String] { [] }
    func question(about step: ChangeTrust.Step) -> ReviewQuestion { ReviewQuestion(question) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let trust = try device.trust().state
        let preview = try device.preview(ChangeTrust(change(trust)))
        guard !preview.shown.changes.isEmpty else {
            if json { JSONText.print(ChangeDocument([]), console) }
            return console.note(Wording.nothingToDo)
        }
        let page = json ? console.beside : console
        page.print(Wording.plan)
        for event in preview.shown.events { page.print(Wording.planned(event)) }
        try effects(of: preview.shown, on: trust).forEach { page.print($0) }
        let question = question(about: preview.shown)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: question) }
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
        if json { JSONText.print(ChangeDocument(preview.shown.events), console) }
    }
}

/// What a change of trust wrote into the log.
struct ChangeDocument: Encodable {
    struct Event: Encodable {
        let event: String
        let dangerous: Bool
        let facts: [String: String]
    }

    let changes: [Event]

    init(_ events: [LogEvent]) {
        changes = events.map { event in
            Event(
                event: event.kind.rawValue, dangerous: event.kind.isDangerous,
                facts: Dictionary(event.facts.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }
}
