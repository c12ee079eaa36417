import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `seed backup`: one seed on paper or metal, and how the copy is checked.
struct SeedBackup: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Show a seed for copying by hand: as words or as a SeedQR.",
        discussion: """
            Nothing is written to a file: what is shown stands on the terminal until a key is pressed, and the screen and its scrollback are \
            cleared. heliograph seed check compares the copy with the seed. heliograph seed split makes shares on files, several of which \
            restore the seed; heliograph vault backup makes an encrypted copy of the whole vault.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("What is shown (default: ask).", valueName: "form"))
    var form: BackupForm?

    func access() throws -> Access { Access(writable: [try vault.directory()], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(RevealPhrase(seed: name))
        guard let form = try form ?? chosen(console) else { throw CeremonyError.declined }
        guard form != .shares else { return console.tell(Wording.checkBackup(form, of: name)) }
        let approval = try preview.confirm { try console.confirm(Wording.showBackup(name, form)) }
        let phrase = try context.unlock(self).perform(approval).outcome
        try phrase.withSecret { (phrase: borrowing SecretBytes) in
            guard let code = form.code else {
                let page = PhrasePage(phrase.copy())
                try console.reveal(page, of: name)
                console.tell(Wording.quizHeading(Console.askedWords))
                return try console.quiz(page, of: name)
            }
            try SeedQRPage.show(Mnemonic(phrase: phrase), as: code, of: name, console)
        }
        console.tell(Wording.checkBackup(form, of: name))
    }

    private func chosen(_ console: Console) throws -> BackupForm? {
        Wording.backupForms.forEach(console.tell)
        let numbers = (1...BackupForm.allCases.count).map(String.init)
        return try console.choose(Wording.backupQuestion, among: numbers).flatMap { Int($0) }.map { BackupForm.allCases[$0 - 1] }
    }
}

extension BackupForm: ExpressibleByArgument {}

extension BackupForm {
    /// How `SeedQR` calls it; nil for what is no code.
    fileprivate var code: SeedQR.Form? {
        switch self {
        case .seedQR: .standard
        case .compactSeedQR: .compact
        case .words, .shares: nil
        }
    }
}
