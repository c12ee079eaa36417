import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Hashing
import Keys
import Lines
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `key export`: the derivations of a seed for another signer or a watching wallet (payload de, V2).
struct KeyExport: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the derivations of a seed (public keys only).")

    @Argument(help: "The seed's name.", completion: .named(.seed)) var seed: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"), completion: .file())
    var out: String?

    @OptionGroup var replacing: ReplaceOption

    @Flag(help: "Show the QR code on the terminal (default: if it is printed there, and --out is not given).")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    private struct Document: Encodable {
        /// Hex.
        let payload: String
        let keys: Int
        let out: Nullable<String>
    }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], outputs: out.map { [$0] } ?? [], replaces: replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if terminal, !json { _ = try CodeScreen(console, style: style.codeStyle) }
        let preview = try context.device(self).preview(ExportKeys(seed: seed))
        let approval = try preview.confirm()
        let payload = try context.unlock(self).perform(approval).outcome
        if preview.shown.withPassword > 0 {
            console.note("skipped \(Sentence.count(preview.shown.withPassword, "key")) with a ///password")
        }
        if preview.shown.withNumbers > 0 {
            console.note(
                """
                skipped \(Sentence.count(preview.shown.withNumbers, "key")) with a path of numbers: other \
                signers do not derive it from this payload
                """)
        }
        let picture = AnswerPicture(framed: payload)
        let count = preview.shown.derivations.count
        if let out {
            try Files.deliver(
                { try picture.png() }, to: out, replacing: replacing.replace, text: [Hex.encode(payload)],
                on: json ? console.beside : console)
            console.note("wrote \(Sentence.count(count, "derivation")) to \(Escape.terminal(out))")
        }
        if json {
            return JSONText.print(
                Document(payload: Hex.encode(payload), keys: count, out: Nullable(out)), console)
        }
        guard terminal || out == nil else { return }
        guard terminal || CodeScreen.isShown(by: console) else { return console.print(Hex.encode(payload)) }
        try picture.draw(
            on: CodeScreen(console, style: style.codeStyle),
            """
            \(Sentence.count(count, "public key")) of seed \(Escape.terminal(seed)): scan \
            \(count == 1 ? "it" : "them") with a wallet that watches \(count == 1 ? "it" : "them"), or with \
            another signer
            """)
    }
}

/// `key secret`: the secret itself as a QR code in e6007a, after a question, in the log.
struct KeySecret: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Export a key's secret as a QR code; anyone who sees it controls the account.")

    @Argument(help: "The key's address or label.") var key: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file.png"), completion: .file())
    var out: String?

    @OptionGroup var replacing: ReplaceOption

    @Flag(help: "Show the QR code on the terminal until a key is pressed.")
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    @Option(
        help: ArgumentHelp("The network named in the QR code (default: the key's first).", valueName: "name"),
        completion: .named(.network))
    var network: String?

    @Option(
        help: ArgumentHelp(
            "Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @OptionGroup var confirmation: YesOption

    func validate() throws {
        guard terminal || out != nil else { throw ValidationError("--out FILE.png or --terminal is needed") }
    }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], pictures: out.map { [$0] } ?? [],
            replaces: replacing.replace, forks: true)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let screen = terminal ? try CodeScreen(console, style: style.codeStyle) : nil
        let preview = try context.device(self).preview(RevealKeySecret(key: key, network: network))
        let address = preview.shown.key.publicKey.address(prefix: preview.shown.network.base58Prefix)
        let approval = try preview.confirm {
            try confirmation.skipsQuestion(vault)
                || console.confirm(
                    """
                    Anyone who sees this QR code controls \(Escape.terminal(address)). Export the secret key?
                    """
                )
        }
        let person = TerminalPerson(console: console, passwordFd: passwordFd)
        context.requirePerson()
        let session = try context.unlock(self)
        let secret = try session.perform(approval, asking: person).outcome
        // The code, its picture and its text on the terminal hold the secret: a child's memory ends with it.
        func inChild(_ show: (QRCode) throws -> Void) throws {
            _ = try ChildProcess.secret(console) {
                try show(
                    try secret.withSecret { secret in
                        try secret.withUnsafeBytes { try QRCode.smallest($0) }
                    })
                return SecretBytes()
            }
        }
        if let out {
            try session.writing(.secret(of: preview.shown.key)) {
                try inChild {
                    try Files.write(
                        try $0.png(foreground: .secret), to: out, mode: 0o600, replacing: replacing.replace)
                }
            }
        }
        if let screen {
            try inChild { try screen.drawUntilKey($0, Wording.secretCaption(preview.shown.key)) }
        }
        if let out { console.note("wrote the secret key to \(Escape.terminal(out))") }
        if json { JSONText.print(["address": address, "out": out ?? ""], console) }
    }
}
