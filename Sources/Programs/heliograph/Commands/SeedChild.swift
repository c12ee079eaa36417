import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import TerminalIO

/// `seed child`: a phrase that BIP-85 derives from a seed.
struct SeedChild: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "child", abstract: "Derive the recovery phrase of a child seed (BIP-85).",
        discussion: """
            The child is a seed of its own, for a wallet that should not have the parent, for instance on a \
            phone. Its parent, the number of words and the index give it again, so it needs no backup. The words \
            are shown as heliograph seed show does it; with --add the child becomes a seed of this vault \
            instead, and its words are not shown.
            """)

    @Argument(help: "The parent's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The number of the child, from 0.", valueName: "n")) var index: UInt32
    @Option(
        help: ArgumentHelp("The number of words: 12, 18 or 24 (default: 24).", valueName: "n"),
        completion: .list(["12", "18", "24"]))
    var words = 24
    @Option(help: ArgumentHelp("Add the child to this vault under this name.", valueName: "name"))
    var add: String?

    func validate() throws {
        guard ChildPhrase.wordCounts.contains(words) else {
            throw ValidationError("--words must be 12, 18 or 24")
        }
        guard index <= ChildPhrase.maximumIndex else {
            throw ValidationError("--index must be 0 to \(ChildPhrase.maximumIndex)")
        }
        guard add != nil || !json else { throw ValidationError("--json needs --add") }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        if add == nil { try CommandError.requireTerminal(isDevelopment: vault.isDevelopment(), isShown) }
        let derive = DeriveChild(of: name, words: words, index: index)
        let preview = try context.device(self).preview(derive)
        let isAttended = try add == nil ? isShown : context.isAttended(self)
        for line in Wording.child(of: name, index: index, words: words, path: preview.shown.path, adding: add)
        {
            if isAttended { console.tell(line) } else { console.note(line) }
        }
        let approval = try preview.confirm {
            try !isAttended
                || console.confirm(
                    add == nil ? Wording.showChild(name, index: index) : "Add this child as a seed?")
        }
        context.requirePerson()
        let session = try context.unlock(self)
        if let add {
            try session.requireFree(seed: add)
        } else {
            // The header of a vault is not proof.
            try CommandError.requireTerminal(isDevelopment: session.isDevelopment, isShown)
        }
        let entropy = try session.perform(approval).outcome
        if let add {
            let seed = AddSeed(add, entropy: entropy, origin: .child)
            _ = try session.add(seed, asks: isAttended, asking: TerminalPerson(console: console), console)
            console.note(Wording.addedChild(add, of: name, index: index))
            if json {
                JSONText.print(
                    Document(seed: add, parent: name, index: index, words: words), console)
            }
            return
        }
        let phrase = try entropy.withSecret { (entropy: borrowing SecretBytes) in
            try Mnemonic(entropy: entropy.copy()).phrase()
        }
        guard isShown else { return console.print(secret: phrase) }
        try console.reveal(PhrasePage(phrase) { Wording.childHeading(name, index: index, words: $0) })
    }

    private struct Document: Encodable {
        let seed: String
        let parent: String
        let index: UInt32
        let words: Int
    }
}
