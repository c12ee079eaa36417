import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `contact label`
struct ContactLabelCommand: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "label", abstract: "Give a contact another name, after a typed word.")

    @Argument(help: "The contact's name, or the address of a private one.", completion: .named(.contact))
    var contact: String
    @Argument(help: "The new name.") var label: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let preview = try context.device(self).preview(ChangeContact(.label(contact, label)))
        let shown = preview.shown
        let page = json ? console.beside : console
        page.print(
            """
            \(shown.address) is \(shown.before.map(Escape.line) ?? Wording.privateName) until now, and \
            \(Escape.line(label)) from now on
            """)
        let question = ReviewQuestion("Give this account another name?", word: shown.word)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: $0) }
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
        if json { JSONText.print(["address": shown.address, "label": label], console) }
    }
}

/// `contact remove`
struct ContactRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a contact.")

    @Argument(help: "The contact's name, or the address of a private one.", completion: .named(.contact))
    var contact: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(ChangeContact(.remove(contact)))
        _ = try context.unlock(self).perform(preview.confirm())
        context.console.note(
            "removed the contact \(preview.shown.before.map(Escape.line) ?? preview.shown.address)")
        if json { JSONText.print(["address": preview.shown.address], context.console) }
    }
}

/// `contact signer list`
struct ContactSignerList: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List whose contact lists are accepted.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func report(_ state: TrustState, _ console: Console) throws {
        let facts = state.listSigners.map { ListSignerFacts($0, in: state) }
        if json { return JSONText.print(["signers": facts], console) }
        if facts.isEmpty { console.note("no signers: only lists of your own keys are accepted") }
        for signer in facts { console.print(signer.line) }
    }
}

/// `contact signer add`
struct ContactSignerAdd: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Accept the contact lists of a key, after its fingerprint is compared.",
        discussion:
            """
            Get the key and its fingerprint from the signer by another way than the lists come. A key that \
            verifies metadata is refused. Your own keys' lists are accepted without this.
            """)

    @Argument(help: "The key: SCHEME:HEX.") var key: String
    @Argument(help: "Your name for the signer.") var label: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let preview = try context.device(self).preview(
            ChangeListSigner(.add(try PublicKey(listSigner: key), label: label)))
        let page = json ? console.beside : console
        page.print(
            """
            \(Escape.line(preview.shown.signer.label)): \(preview.shown.signer.publicKey.scheme.name) \
            0x\(Hex.encode(preview.shown.signer.publicKey.bytes)), fingerprint \(preview.shown.fingerprint)
            """)
        page.print(
            """
            Compare the fingerprint with what the signer gave you by another way; the word to type is its \
            last two groups.
            """)
        let question = ReviewQuestion("Accept contact lists of this key?", word: preview.shown.word)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: $0) }
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.changed)
        if json { JSONText.print(["signer": label, "fingerprint": preview.shown.fingerprint], console) }
    }
}

/// `contact signer remove`
struct ContactSignerRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop accepting a signer's contact lists; its contacts stay.")

    @Argument(help: "Your name for the signer.", completion: .named(.listSigner)) var label: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(ChangeListSigner(.remove(label)))
        _ = try context.unlock(self).perform(preview.confirm())
        context.console.note(Wording.changed)
        if json { JSONText.print(["signer": label], context.console) }
    }
}
