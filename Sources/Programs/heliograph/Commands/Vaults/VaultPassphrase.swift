import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO
import Vault

/// `vault passphrase`: another passphrase for the same seeds.
struct VaultPassphrase: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "passphrase", abstract: "Change the passphrase.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Read the new passphrase as one line from this descriptor.", valueName: "n"))
    var newPassphraseFd: Int32?

    @Option(help: ArgumentHelp("Require the key file read from this descriptor.", valueName: "n"))
    var newKeyFd: Int32?

    @Flag(help: "Stop requiring a key file.")
    var withoutKeyFile = false

    func validate() throws {
        if withoutKeyFile, newKeyFd != nil { throw ValidationError("--without-key-file and --new-key-fd cannot be combined") }
    }

    /// Whoever finds a shell open may not lock its owner out.
    var place: CommandPlace { .afterLocking }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let keyFile: SecretBytes
        if let newKeyFd {
            keyFile = try KeyFile.read(descriptor: newKeyFd)
        } else {
            keyFile = withoutKeyFile ? SecretBytes() : try vault.keyFile()
        }
        let session = try context.unlock(self)
        let question = NewPassphrase(question: Wording.newPassphrase, needsStrength: !session.isDevelopment, console: console)
        let passphrase = try question.read(descriptor: newPassphraseFd)
        let change = ChangePassphrase(to: HeldSecret(passphrase), keyFile: HeldSecret(keyFile))
        _ = try session.perform(session.preview(change).confirm())
        console.note(Wording.passphraseChanged)
        if json { JSONText.print(["changed": true], console) }
    }
}
