import ArgumentParser
import CommandKit
import Hashing
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO

/// `util keystore`: whether a file of another wallet opens, and with which accounts. Nothing is stored.
struct UtilKeystore: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "keystore", abstract: "Open a polkadot-js keystore and show its accounts.",
        discussion: """
            The file is the JSON that polkadot-js and wallets like it export: one account or several, of \
            versions 0 to 3. Its password is asked for where it has one. Each secret is compared with the \
            account that the file names; nothing is stored.
            """)

    @Argument(help: "The JSON file, or - for standard input.", completion: .file()) var file: String
    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("The network's address prefix.", valueName: "n")) var prefix: UInt16 = 42

    @Option(help: ArgumentHelp("Read the file's password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    private struct Document: Encodable {
        struct Account: Encodable {
            let address: String
            let scheme: String
            let public_key: String
            let name: Nullable<String>
        }
        let version: Int
        let encrypted: Bool
        let accounts: [Account]
    }

    func access() throws -> Access { Access(readable: file.utf8Equals("-") ? [] : [file]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let keystore = try Keystore(try Files.read(file, limit: Keystore.lengthLimit))
        let password =
            keystore.isEncrypted
            ? try secret("password of the file: ", for: .password, descriptor: passwordFd, console)
            : SecretBytes()
        let accounts = try keystore.open(password: password).map { key in
            guard let address = key.pair.publicKey.accountAddress(prefix: prefix) else {
                throw CommandError.badPrefix(prefix)
            }
            return Document.Account(
                address: address, scheme: key.pair.scheme.name,
                public_key: Hex.encode(key.pair.publicKey.bytes), name: Nullable(key.name))
        }
        if json {
            let document = Document(
                version: keystore.version, encrypted: keystore.isEncrypted, accounts: accounts)
            return JSONText.print(document, console)
        }
        for (account, key) in zip(accounts, keystore.accounts) {
            let name = key.name.map { "  " + Escape.quoted($0) } ?? ""
            console.print("\(account.address)  \(account.scheme)\(name)")
        }
        if !keystore.isEncrypted {
            console.note("heliograph: this file is not encrypted: whoever has it has its keys")
        }
    }
}
