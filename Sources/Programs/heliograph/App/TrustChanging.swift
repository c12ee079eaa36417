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
    /// What is typed instead of yes, with the lines that say why; nil for an ordinary question.
    func word(_ trust: TrustState) throws -> (text: String, reasons: [String])?
    /// What is meant; names are looked up in what the store says, and the change itself is made under the seal.
    func change(_ trust: TrustState) throws -> ChangeTrust.Change
}

extension TrustChanging {
    var json: Bool { output.json }

    func word(_ trust: TrustState) throws -> (text: String, reasons: [String])? { nil }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let state = try device.trust().state
        let preview = try device.preview(ChangeTrust(change(state)))
        guard !preview.shown.changes.isEmpty else {
            if json { JSONText.print(ChangeDocument([]), console) }
            return console.note(Wording.nothingToDo)
        }
        let page = json ? console.beside : console
        page.print(Wording.plan)
        for event in preview.shown.events { page.print(Wording.planned(event)) }
        let word = try word(state)
        word?.reasons.forEach(console.note)
        let question = ReviewQuestion(question, word: word?.text)
        let approved = try approval.confirm(preview, question, console)
        if !approval.approve { context.requirePerson(for: question) }
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
