import ArgumentParser
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Presentation
import SubstratePrimitives
import TerminalIO

/// `group card`: the host card that introduces this machine to the others of a group.
struct GroupCard: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "Show this machine's card for groups, and the words to read aloud.",
        discussion:
            """
            Read the eight words to the other members face to face or by voice: a picture alone proves \
            nothing.
            """
    )

    @Argument(help: "The seed's name.", completion: .named(.seed)) var seed: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var message: GroupOutput

    @Option(help: ArgumentHelp("The machine's name for the others, 1 to 24 bytes.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Which host key of the seed, 0 to 15 (default: 0).", valueName: "n"))
    var index: UInt32 = 0

    func validate() throws {
        guard OwnHostKey.indices.contains(index) else {
            throw ValidationError("--index must be 0 to \(OwnHostKey.indices.upperBound)")
        }
    }

    private struct Document: Encodable {
        let name: String
        let host_key: String
        let words: String
        let seed: String
        let index: UInt32
        /// Message b0.
        let hex: String
        let out: Nullable<String>
    }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], outputs: message.out.map { [$0] } ?? [],
            replaces: message.replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try message.requireTerminal(console)
        let approval = try context.device(self).preview(MakeHostCard(seed: seed, index: index, name: name))
            .confirm()
        let card = try context.unlock(self).perform(approval).outcome
        let words = GroupWords.text(of: card.member.fingerprint)
        // Below a code that fills the window, where they are still read.
        let isDrawn = message.isDrawn(json: json, console)
        if !isDrawn { console.note(Wording.hostWords(name, words)) }
        try message.deliver(
            card.bytes,
            """
            Host card: read its eight words to the other members face to face or by voice. Next: whoever \
            proposes the group scans it.
            """, json: json, console)
        if isDrawn { console.note(Wording.hostWords(name, words)) }
        guard json else { return }
        JSONText.print(
            Document(
                name: name, host_key: Hex.encode(card.member.hostKey), words: words, seed: seed, index: index,
                hex: Hex.encode(card.bytes),
                out: Nullable(message.out)), console)
    }
}
