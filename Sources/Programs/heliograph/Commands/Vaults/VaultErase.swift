import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import TerminalIO
import Vault

/// `vault erase`
struct VaultErase: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Overwrite and remove a vault, its key slots first, after a typed word.",
        discussion:
            "Needs no passphrase. Backups, exported pictures, copies, and what a flash drive keeps of overwritten blocks are not reached: destroy those "
            + "by themselves.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    var place: CommandPlace { .alone }
    var json: Bool { output.json }

    private struct Document: Encodable {
        let directory: String
        let removed: [String]
        let left: [String]
        let not_reached: [String]
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        let preview = try device.preview(EraseVault())
        let page = json ? console.beside : console
        page.print(Wording.erases(preview.shown.directory, seeds: preview.shown.seedNames))
        page.print(Wording.notReached)
        for line in Wording.unreached + preview.shown.left.map(Wording.leftInDirectory) { page.print("  " + line) }
        let question = ReviewQuestion(Wording.eraseQuestion, word: EraseVault.word)
        let approved =
            approval.approve
            ? try preview.confirmUnattended() : try preview.confirm { try console.confirm(question) }
        let erasure = try device.perform(approved) { SecretBytes() }.outcome
        console.note(Wording.erased(erasure.removed.count, from: preview.shown.directory))
        if json {
            JSONText.print(
                Document(
                    directory: preview.shown.directory, removed: erasure.removed, left: erasure.left, not_reached: Wording.unreached),
                console)
        }
    }
}
