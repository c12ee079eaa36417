import ArgumentParser
import Vault

/// `vault key-file`: a second factor, best on a medium of its own.
struct VaultKeyFile: Command {
    static let configuration = CommandConfiguration(
        commandName: "key-file", abstract: "Make a key file of 64 random bytes; vault passphrase --new-key-fd puts it to use.")

    @Argument(help: "The new file; an existing one is never replaced.") var file: String

    func access() throws -> Access { Access(writable: [file]) }

    func execute(_ context: CommandContext) throws {
        try KeyFile.create(path: file)
        context.console.note(Wording.madeKeyFile(file))
    }
}
