import ArgumentParser
import Cards
import Ceremony
import CommandKit
import Hashing
import Presentation
import QRCode
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `attest`: signs data that the vault holds, so that the hot side can make a signed update of it.
struct Attest: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "attest", abstract: "Sign network specs, metadata, types or an asset list of this vault."
    )

    @Argument(help: "What to sign.") var subject: AttestedSubject
    @Argument(help: "The network's name.", completion: .named(.network)) var network: String?
    @Argument(help: "The metadata version (default: newest).", completion: .named(.metadataVersion))
    var version: UInt32?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var replacing: ReplaceOption
    @OptionGroup var approval: ApproveOption
    @OptionGroup var view: ViewOptions

    @Option(
        help: ArgumentHelp("The address of the signing key.", valueName: "address"),
        completion: .named(.address))
    var key: String

    @Option(
        help: ArgumentHelp(
            "Write the answer QR code to this PNG file, or hex to a .hex file.", valueName: "file.png"),
        completion: .file())
    var out: String

    @Option(
        help: ArgumentHelp(
            "Read the ///password of the key as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    func access() throws -> Access {
        Access(writable: [try vault.directory()], outputs: [out], replaces: replacing.replace, reviews: true)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let preview = try device.preview(AttestContent(try content(), key: key))
        let chain = try device.chain()
        let signer = preview.shown.key
        var cards = try preview.shown.attestation.cards(chain)
        cards.author = [Card(attesting: signer)]
        let review = ReviewedAttestation(cards, subject)
        let session = ReviewSession(
            self, context, json: json, asks: true, approve: approval.approve, onScreen: true, options: view,
            person: TerminalPerson(console: console, passwordFd: passwordFd))
        try session.show(review)
        let answer = try session.perform(preview, asking: review.question).outcome
        try Files.deliver(
            { try QRCode(bytes: answer, errorCorrection: .medium).png() }, to: out,
            replacing: replacing.replace,
            text: [Hex.encode(answer)],
            on: json ? console.beside : console)
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

extension AttestedSubject: ExpressibleByArgument {}
