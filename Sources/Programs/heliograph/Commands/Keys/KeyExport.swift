import ArgumentParser
import Ceremony

/// `key export`: the derivations of a seed for another signer or a watching wallet (payload de, V2).
struct KeyExport: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "export", abstract: "Export the derivations of a seed (public keys only).")

    @Argument(help: "The seed's name.") var seed: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    func access() throws -> Access { Access(writable: [try vault.directory()] + (out.map { [$0] } ?? [])) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(ExportKeys(seed: seed))
        let approval = try preview.confirm()
        let payload = try context.unlock(self).perform(approval).outcome
        if preview.shown.leftOut > 0 { console.note(Wording.leftOutWithPassword(preview.shown.leftOut)) }
        let picture = try AnswerPicture(framed: payload)
        if let out {
            try Files.write(try picture.png(), to: out)
            console.note(Wording.exported(preview.shown.derivations.count, to: out))
        } else {
            console.print(picture.terminal(coloured: console.colour))
        }
    }
}
