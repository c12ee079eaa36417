import Ceremony
import Review
import SubstratePrimitives
import TrustStore

/// A deliberate change of trust: it says what it will do, asks, and does exactly that.
protocol TrustChanging: VaultCommand {
    var approval: ApproveOption { get }
    var question: String { get }
    /// What is meant; names are looked up in what the store says, and the change itself is made under the seal.
    func change(_ trust: TrustState) throws -> ChangeTrust.Change
}

extension TrustChanging {
    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let preview = try device.preview(ChangeTrust(change(device.trust().state)))
        guard !preview.shown.changes.isEmpty else { return console.note(Wording.nothingToDo) }
        console.print(Wording.plan)
        for event in preview.shown.events { console.print(Wording.planned(event)) }
        let approved = try approval.confirm(preview, question, console)
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
    }
}
