import ArgumentParser
import CommandKit
import Glibc
import Presentation
import SubstratePrimitives
import TerminalIO
import Vault

/// `vault key-file`: a second factor, best on a medium of its own.
struct VaultKeyFile: Command {
    static let configuration = CommandConfiguration(
        commandName: "key-file", abstract: "Create a key file of 64 random bytes for vault passphrase --new-key-fd.")

    @Argument(help: "The new file; an existing file is never replaced.") var file: String
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [file]) }

    func execute(_ context: CommandContext) throws {
        // Its bytes are random, and whoever reads hex from it later would have another key.
        if file.utf8Ends(with: Files.hexEnding) { throw CommandError.outputRefused(path: file, .hexName) }
        // What is left of a vault has free names: a key file under one of them would be taken for its file.
        if Vault.forbids(output: file) { throw CommandError.outputRefused(path: file, .vaultFile) }
        do {
            try KeyFile.create(path: file)
        } catch VaultError.system(_, EEXIST) {
            throw CommandError.fileExists(path: file)
        }
        context.console.note(Wording.madeKeyFile(file))
        if json { JSONText.print(["file": file], context.console) }
    }
}
