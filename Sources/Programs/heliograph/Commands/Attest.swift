import ArgumentParser
import Ceremony
import Hashing
import QRCode
import SubstratePrimitives

/// `attest`: signs data that the vault holds, so that the hot side can make a signed update of it.
struct Attest: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "attest", abstract: "Sign network specs, metadata, types or an asset list of this vault.")

    enum Subject: String, ExpressibleByArgument, CaseIterable { case specs, metadata, types, assets }

    @Argument(help: "What to sign.") var subject: Subject
    @Argument(help: "The network's name.") var network: String?
    @Argument(help: "The metadata version (default: newest).") var version: UInt32?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The address of the signing key.", valueName: "address"))
    var key: String

    @Option(help: ArgumentHelp("Write the answer QR code to this PNG file.", valueName: "file.png"))
    var out: String

    @Option(help: ArgumentHelp("Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory(), out]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(AttestContent(try content(), key: key))
        let approval = try preview.confirm()
        let person = TerminalPerson(console: console, passwordFd: passwordFd)
        let answer = try context.unlock(self).perform(approval, asking: person).outcome
        try Files.write(try QRCode(bytes: answer, errorCorrection: .medium).png(), to: out)
        if json {
            JSONText.print(["sufficient": Hex.encode(answer), "out": out], console)
        } else {
            console.note(Wording.answerWritten(out))
            console.print(Hex.encode(answer))
        }
    }

    private func content() throws(CommandError) -> AttestContent.Content {
        if subject == .types { return .types }
        guard let network else { throw .networkNeeded }
        return switch subject {
        case .specs: .specs(network: network)
        case .metadata: .metadata(network: network, version: version)
        case .assets: .assets(network: network)
        case .types: .types
        }
    }
}
