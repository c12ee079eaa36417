import ArgumentParser
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `group request`: an ordinary payload becomes a request to a group, and this machine answers round one at
/// once.
struct GroupRequestCommand: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask members of a group to sign a payload, and give this machine's commitment.",
        discussion: """
            The payload is the QR code of any wallet, for an account of the group. What is written holds the \
            request and this machine's commitment: show it to the other signers. With two signers the other \
            one answers with its share, which heliograph scan makes the signature of.
            """)

    @OptionGroup(title: "Input options") var input: InputOptions
    @OptionGroup var calls: CallOptions

    @Option(
        help: ArgumentHelp(
            "The members who sign, by name or number, separated by commas; this machine is one of them.",
            valueName: "names"))
    var signers: String

    @Option(
        help: ArgumentHelp(
            "The path of the account (default: that of the payload's account).", valueName: "/path"))
    var path: String?

    @Option(help: ArgumentHelp("Record a note in the log.", valueName: "text"))
    var comment: String?

    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var message: GroupOutput
    @OptionGroup var word: WordOption
    @OptionGroup(title: "View options") var view: ViewOptions

    @Flag(help: "Skip the question (only in a development vault, or if the policy approves exactly this).")
    var approve = false

    @Flag(help: "Sign for a network known only from the transaction's metadata proof (recorded in the log).")
    var acceptProvedNetwork = false

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable + calls.readable, writable: [try vault.directory()],
            outputs: message.out.map { [$0] } ?? [], replaces: message.replacing.replace, scans: true,
            reviews: true, keepsNonces: true, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let session = ReviewSession(
            self, context, json: json, asks: true, approve: approve, onScreen: true, options: view,
            person: TerminalPerson(console: context.console, word: word))
        try session.run {
            try word.requireAllowed(vault)
            try message.requireTerminal(context.console)
            let device = try context.device(self)
            try session.read(input)
            guard let payload = session.payload else { throw GroupSigningRefusal.unknownGroup }
            let request = try GroupRequest(
                asking: payload, signers: signers, path: path, in: try device.trust().state)
            try carryOut(request, device, session)
        }
    }

    private func carryOut(_ request: GroupRequest, _ device: Device, _ session: ReviewSession) throws {
        var additions = try calls.additions()
        additions.acceptsProvedNetwork = acceptProvedNetwork
        guard let operation = SignForGroup(.request(request), additions: additions, comment: comment) else {
            return
        }
        let preview = try device.preview(operation)
        let shown = preview.shown
        guard case .commitment(let bytes) = try session.perform(preview).answer,
            case .group(.commitment(let own)) = try Payload(bytes).content
        else { return }
        let package = try GroupPackage(
            scheme: request.scheme, requestID: request.id, entries: [own.nonces], request: request)
        let others = shown.signers.filter { $0.index != shown.group.member }.map {
            Escape.quoted($0.shownName)
        }.joined(separator: ", ")
        session.document.answer = ReviewDocument.AnswerFacts(
            hex: Hex.encode(package.bytes), out: Nullable(message.out))
        try message.deliver(
            package.bytes,
            """
            Request with this machine's commitment: show it to \(others). With two signers the other one \
            answers with its share; scan that.
            """, json: json, session.console)
    }
}

/// `group requests`: requests for which this machine has shown a commitment and no share.
struct GroupRequests: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "List the open requests of groups.")

    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let request: String
        let words: String
        let group: String
        let time: UInt64
        /// Whether its nonces still wait in memory.
        let live: Bool
    }

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let state = try context.readTrust(self)
        let device = try context.device(self)
        let offers = try state.groupOffers.map { offer in
            (
                offer, group: state.group(offer.group)?.name ?? offer.group.hex,
                isLive: try device.isOpen(offer)
            )
        }
        if json {
            return JSONText.print(
                [
                    "requests": offers.map {
                        Document(
                            request: $0.0.request.hex, words: GroupWords.text(of: $0.0.request),
                            group: $0.group, time: $0.0.time,
                            live: $0.isLive)
                    }
                ], context.console)
        }
        if offers.isEmpty { context.console.note("no open requests") }
        for (offer, group, isLive) in offers {
            context.console.print(Wording.openRequest(offer, group: group, isLive: isLive))
        }
    }
}

/// `group drop`: an open request counts as spent, and its nonces are wiped.
struct GroupDrop: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop an open request of a group.",
        discussion:
            """
            Its nonces are wiped, and this machine never signs it. The same payload can be asked for again \
            with a new request.
            """
    )

    @Argument(help: "The request: its first word, its eight words in quotes, or its id in hex.") var request:
        String
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(DropOffer(request))
        let words = GroupWords.text(of: preview.shown.request)
        let approval = try preview.confirm {
            try yes
                || context.console.confirm(
                    "Drop the request \(words)? It can never be signed on this machine.")
        }
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.dropped(words))
        if json { JSONText.print(["request": preview.shown.request.hex], context.console) }
    }
}
