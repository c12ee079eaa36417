import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Presentation
import TerminalIO

/// `key export`: the derivations of a seed for another signer or a watching wallet (payload de, V2).
struct KeyExport: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "export", abstract: "Export the derivations of a seed (public keys only).")

    @Argument(help: "The seed's name.") var seed: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    private struct Document: Encodable {
        /// Hex.
        let payload: String
        let keys: Int
        let out: Explicit<String>
    }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()], outputs: out.map { [$0] } ?? []) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if terminal, !json { _ = try CodeScreen(console, style: style.codeStyle) }
        let preview = try context.device(self).preview(ExportKeys(seed: seed))
        let approval = try preview.confirm()
        let payload = try context.unlock(self).perform(approval).outcome
        if preview.shown.leftOut > 0 { console.note(Wording.leftOutWithPassword(preview.shown.leftOut)) }
        let picture = AnswerPicture(framed: payload)
        let count = preview.shown.derivations.count
        if let out {
            try Files.deliver({ try picture.png() }, to: out, text: [Hex.encode(payload)], on: json ? console.beside : console)
            console.note(Wording.exported(count, to: out))
        }
        if json { return JSONText.print(Document(payload: Hex.encode(payload), keys: count, out: Explicit(out)), console) }
        guard terminal || out == nil else { return }
        guard terminal || CodeScreen.isShown(by: console) else { return console.print(Hex.encode(payload)) }
        try picture.draw(on: CodeScreen(console, style: style.codeStyle), Wording.exportCaption(count, seed: seed))
    }
}
