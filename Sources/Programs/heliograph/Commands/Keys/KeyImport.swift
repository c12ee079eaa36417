import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `key import`: the keys of a plain list of derivation paths, for a seed and a network that the person names.
///
/// The list becomes the payload that carries such lists by picture, so that its cards, its question and its act are those of a scan.
struct KeyImport: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Derive the keys of a list of derivation paths.",
        discussion: "The file holds one path on each line, without passwords. A list that is a picture is for scan --seed NAME.")

    @Argument(help: "A text file with one derivation path on each line, or - for standard input.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var word: WordOption
    @OptionGroup var view: ViewOptions

    @Option(help: ArgumentHelp("The seed whose keys these are.", valueName: "name"))
    var seed: String

    @Option(help: ArgumentHelp("Allow the keys to sign for this network.", valueName: "name"))
    var network: String

    var json: Bool { output.json }

    func access() throws -> Access {
        Access(readable: file.utf8Equals("-") ? [] : [file], writable: [try vault.directory()], reviews: true)
    }

    func execute(_ context: CommandContext) throws {
        var session = ReviewSession(console: context.console, json: json, asks: true, onScreen: !approval.approve, options: view)
        try session.run { session in
            try word.requireAllowed(vault)
            let device = try context.device(self)
            let specs = try device.trust().state.network(named: network)
            let paths = try PathListText.paths(in: try Files.read(file))
            let list = PathList(scheme: specs.scheme, genesisHash: specs.genesisHash, paths: paths)
            guard let operation = ImportDerivations(try Payload(Payload.Content.importPaths(list).encoded()), seed: seed) else {
                preconditionFailure("a list of paths is an import")
            }
            let preview = try device.preview(operation)
            try session.show(preview.shown)
            let approved =
                approval.approve
                ? try preview.confirmUnattended()
                : try preview.confirm {
                    try session.ask(Wording.question(session.document.action, count: session.document.items.count), device) {
                        context.requirePerson(for: $0)
                    }
                }
            let person = TerminalPerson(console: context.console, word: word)
            let added = try context.unlock(self).perform(approved, asking: person).outcome
            context.console.note(Wording.importedKeys(added))
        }
    }
}
