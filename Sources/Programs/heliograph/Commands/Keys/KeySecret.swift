import ArgumentParser
import Ceremony
import Keys
import QRCode

/// `key secret`: the secret itself as a QR code in e6007a, after a question, in the log.
struct KeySecret: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Export a key's secret as a QR code; anyone who sees it controls the account.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String

    @Option(help: ArgumentHelp("The network named in the QR code (default: the key's first).", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory(), out], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(RevealKeySecret(address: address, network: network))
        let approval = try preview.confirm { try yes || console.confirm(Wording.exportSecret(address)) }
        let person = TerminalPerson(console: console, passwordFd: passwordFd)
        let secret = try context.unlock(self).perform(approval, asking: person).outcome
        _ = try ChildProcess.secret(console) {
            let picture = try secret.withSecret { secret in
                try secret.withUnsafeBytes { try QRCode(bytes: $0, errorCorrection: .medium).png(foreground: .secret) }
            }
            try Files.write(picture, to: out, mode: 0o600)
            return SecretBytes()
        }
        console.note(Wording.secretWritten(out))
    }
}
