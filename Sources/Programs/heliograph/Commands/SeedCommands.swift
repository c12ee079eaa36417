import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import TerminalIO
import TrustStore

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Create, restore, check, split, derive and list seeds.",
        subcommands: [
            SeedNew.self, SeedRestore.self, SeedList.self, SeedShow.self, SeedCheck.self, SeedBackup.self,
            SeedRemove.self, SeedRotate.self, SeedSplit.self, SeedJoin.self, SeedChild.self,
            SeedSheetCommand.self,
        ])
}

/// `seed list`: names only.
struct SeedList: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let device = try context.device(self)
        let names = try device.vault().seedNames
        let state = try device.trust().state
        if json {
            JSONText.print(
                [
                    "seeds": names.map {
                        SeedFacts(
                            name: $0, keys: state.keys(seed: $0).count,
                            kind: Wording.kind(state.kind(ofSeed: $0)))
                    }
                ],
                context.console)
        } else {
            for name in names {
                let count = Wording.keyCount(state.keys(seed: name).count)
                let kind = state.kind(ofSeed: name) == .master ? "  \(Wording.masterSecret)" : ""
                context.console.print("\(Escape.terminal(name))  \(count)\(kind)")
            }
        }
    }

    private struct SeedFacts: Encodable {
        let name: String
        let keys: Int
        /// `phrase` or `master_secret`.
        let kind: String
    }
}

/// `seed show`: the phrase, for a person who copies it to paper. Every time stands in the log.
struct SeedShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the recovery phrase of a seed.",
        discussion: """
            The words stand on the terminal until a key is pressed; then the screen and its scrollback are \
            cleared. Where stdout is not a terminal, the phrase is printed as one line, in a development \
            vault only.
            """)

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        try CommandError.requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        let preview = try context.device(self).preview(RevealPhrase(seed: name))
        let approval = try preview.confirm {
            try !isShown
                || console.confirm(
                    "Whoever sees these words has all keys of seed \(Escape.terminal(name)). Show them?")
        }
        context.requirePerson()
        let session = try context.unlock(self)
        // The header of a vault is not proof.
        try CommandError.requireTerminal(isDevelopment: session.isDevelopment, isShown)
        let phrase = try session.perform(approval).outcome
        try phrase.withSecret { (phrase: borrowing SecretBytes) in
            guard isShown else { return console.print(secret: phrase) }
            try console.reveal(PhrasePage(phrase.copy(), of: name))
        }
    }
}

extension CommandError {
    /// Before words are shown: into a pipe they go from a development vault only.
    static func requireTerminal(isDevelopment: Bool, _ isShown: Bool) throws(CommandError) {
        guard isShown || isDevelopment else { throw .phraseIntoPipe }
    }
}

/// `seed remove`: the seed and all keys that were derived from it.
struct SeedRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a seed and its keys, after its name is typed.",
        discussion: """
            Only the words of the seed, or enough of its shares, restore it. The question says when a copy was \
            last checked, by heliograph seed check.
            """)

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @OptionGroup var confirmation: YesOption

    func execute(_ context: CommandContext) throws {
        // A seed that cannot be removed is refused before the passphrase is asked for.
        _ = try context.device(self).preview(RemoveSeed(name))
        context.requirePerson()
        // When the words were checked is read under the seal.
        let session = try context.unlock(self)
        let preview = try session.preview(RemoveSeed(name))
        let keys = preview.shown.keys.count
        let approval = try preview.confirm {
            try confirmation.skipsQuestion(vault)
                || context.console.confirm(
                    Wording.removeSeed(
                        name, keys: keys, session.trust().state.times(seed: name),
                        session.kind(ofSeed: name)),
                    word: Wording.removalWord(name))
        }
        _ = try session.perform(approval)
        context.console.note(Wording.removedSeed(name, keys: keys))
        let left = session.importedKeys.count
        if left > 0 { context.console.note(Wording.importedStay(left)) }
        if json { JSONText.print(["seed": name], context.console) }
    }
}
