import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `contact export`: the contacts as a list signed by an own key (payload a3).
struct ContactExport: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Sign the contacts as a list for another vault.",
        discussion:
            """
            Private contacts are left out. Whoever imports the list needs this key's fingerprint from you, \
            by another way.
            """
    )

    @Option(
        help: ArgumentHelp("The address of the signing key.", valueName: "address"),
        completion: .named(.address))
    var key: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var replacing: ReplaceOption
    @OptionGroup var approval: ApproveOption

    @Option(
        help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"), completion: .file())
    var out: String?

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    @Option(
        help: ArgumentHelp(
            "Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    private struct Document: Encodable {
        /// Hex.
        let payload: String
        let number: UInt32
        let contacts: Int
        let fingerprint: String
        let out: Nullable<String>
    }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], outputs: out.map { [$0] } ?? [], replaces: replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        if terminal, !json { _ = try CodeScreen(console, style: style.codeStyle) }
        let device = try context.device(self)
        let (contacts, preview) = try device.preview(ExportContacts(key: key)).reading { _, trust in
            trust.contacts.filter { !$0.isPrivate }.flatMap {
                ContactFacts($0, label: $0.label, note: $0.note, in: trust, isPrivate: false).rows.map(\.text)
            }
        }
        let list = preview.shown.list
        let page = json ? console.beside : console
        let signer =
            preview.shown.key.seed.map { $0 + preview.shown.key.path } ?? Wording.importedKey
        page.print(Wording.exportsList(list, by: signer))
        contacts.forEach { page.print($0) }
        if preview.shown.leftOut > 0 { page.print(Wording.privateLeftOut(preview.shown.leftOut)) }
        let approved = try approval.confirm(preview, "Sign this list?", console)
        let payload = try context.unlock(self).perform(
            approved, asking: TerminalPerson(console: console, passwordFd: passwordFd)
        ).outcome
        let picture = AnswerPicture(framed: payload)
        if let out {
            try Files.deliver(
                { try picture.png() }, to: out, replacing: replacing.replace, text: [Hex.encode(payload)],
                on: json ? console.beside : console)
            console.note(Wording.answerWritten(out))
        }
        if json {
            let document = Document(
                payload: Hex.encode(payload), number: list.number, contacts: list.entries.count,
                fingerprint: list.issuer.fingerprint,
                out: Nullable(out))
            return JSONText.print(document, console)
        }
        guard terminal || out == nil else { return }
        guard terminal || CodeScreen.isShown(by: console) else { return console.print(Hex.encode(payload)) }
        try picture.draw(
            on: CodeScreen(console, style: style.codeStyle), Wording.exportsList(list, by: signer))
    }
}
