import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import QRCode
import TerminalIO

/// `key secret`: the secret itself as a QR code in e6007a, after a question, in the log.
struct KeySecret: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Export a key's secret as a QR code; anyone who sees it controls the account.")

    @Argument(help: "The key's address or label.") var key: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"))
    var out: String?

    @Flag(help: "Show the QR code on the terminal until a key is pressed.")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    @Option(help: ArgumentHelp("The network named in the QR code (default: the key's first).", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func validate() throws {
        guard terminal || out != nil else { throw ValidationError("--out FILE.png or --terminal is needed") }
    }

    var json: Bool { output.json }

    func access() throws -> Access {
        Access(writable: [try vault.directory()], plainOutputs: out.map { [$0] } ?? [], forks: true)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let screen = terminal ? try CodeScreen(console, style: style.codeStyle) : nil
        let preview = try context.device(self).preview(RevealKeySecret(key: key, network: network))
        let address = preview.shown.key.publicKey.address(prefix: preview.shown.network.base58Prefix)
        let approval = try preview.confirm { try yes || console.confirm(Wording.exportSecret(address)) }
        let person = TerminalPerson(console: console, passwordFd: passwordFd)
        let secret = try context.unlock(self).perform(approval, asking: person).outcome
        // The code, its picture and its text on the terminal hold the secret: a child's memory ends with it.
        _ = try ChildProcess.secret(console) {
            let code = try secret.withSecret { secret in try secret.withUnsafeBytes { try QRCode.smallest($0) } }
            if let out { try Files.write(try code.png(foreground: .secret), to: out, mode: 0o600) }
            try screen?.drawUntilKey(code, Wording.secretCaption(preview.shown.key))
            return SecretBytes()
        }
        if let out { console.note(Wording.secretWritten(out)) }
        if json { JSONText.print(["address": address, "out": out ?? ""], console) }
    }
}
