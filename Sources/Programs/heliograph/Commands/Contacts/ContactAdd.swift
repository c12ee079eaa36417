import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `contact add`
struct ContactAdd: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Name an account.",
        discussion:
            """
            The account is typed (--address), read from an address QR code, or taken from an entry of the \
            log (--from-log). Compare the address with what its owner gave you by another way: a QR code \
            proves nothing.
            """)

    @Argument(help: "The name.") var label: String
    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    @Option(help: ArgumentHelp("The account's address.", valueName: "address"), completion: .named(.address))
    var address: String?

    @Option(
        help: ArgumentHelp(
            "Take the account from this entry of the log (--address chooses one of several).", valueName: "n")
    )
    var fromLog: UInt64?

    @Option(help: ArgumentHelp("A note, up to \(ContactList.maximumNote) bytes.", valueName: "text"))
    var note = ""

    @Option(
        help: ArgumentHelp(
            "A network on which the account has this name (default: the QR code's, else all).",
            valueName: "name"), completion: .named(.network))
    var network: [String] = []

    @Flag(help: "Give the account this name on all networks.")
    var allNetworks = false

    @Flag(
        name: .customLong("private"),
        help:
            "Encrypt the name and the note on the disk; a review then says only that it is a private contact."
    )
    var isPrivate = false

    func validate() throws {
        if allNetworks, !network.isEmpty {
            throw ValidationError("--network and --all-networks cannot be combined")
        }
        if !input.isEmpty, address != nil || fromLog != nil {
            throw ValidationError("a picture cannot be combined with --address or --from-log")
        }
        if input.isEmpty, address == nil, fromLog == nil {
            if (try? SS58Address(label)) != nil {
                throw ValidationError("a name comes before the address: contact add NAME --address \(label)")
            }
            throw ValidationError("give --address, --from-log or a picture of an address QR code")
        }
    }

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable, writable: [try vault.directory()], scans: !input.isEmpty,
            cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        // The log is read under the seal: one passphrase opens it for both.
        let opened = try fromLog.map { _ in try context.unlock(self) }
        let (account, source) = try found(context, opened)
        let named = network.isEmpty && !allNetworks ? account.genesis.map { [$0.hex] } ?? [] : network
        let operation = ChangeContact(
            .add(
                label: label, account: account.account, note: note, networks: named, source: source,
                isPrivate: isPrivate))
        let page = json ? console.beside : console
        let (facts, preview) = try device.preview(operation).reading {
            [label, note] shown, trust in
            ContactFacts(
                shown.contact, label: label, note: note, in: trust, isPrivate: shown.isPrivate, isNew: true)
        }
        facts.lines.forEach(page.print)
        if preview.shown.isFirst {
            page.print(
                """
                Contacts and the history of what was signed are readable on the disk without the passphrase; \
                --private encrypts a contact's name and note.
                """)
        }
        if address == nil || fromLog != nil {
            page.print("Compare the whole address with what its owner gave you by another way.")
        }
        if let found = preview.shown.resemblance { page.print(Wording.warning(found)) }
        let question = ReviewQuestion(
            preview.shown.resemblance == nil
                ? "Add this contact?" : "Add this contact, which looks like another account?",
            word: preview.shown.word)
        let approved = try approval.confirm(preview, question, console) { context.requirePerson(for: $0) }
        _ = try (opened ?? context.unlock(self)).perform(approved)
        console.note("added the contact \(Escape.line(label))")
        if json { JSONText.print(facts, console) }
    }

    private func found(_ context: CommandContext, _ opened: Session?) throws -> (AccountText, ContactSource) {
        if let fromLog, let opened { return (try logged(fromLog, opened), .log) }
        if let address {
            let account = try AccountText(address)
            return (account, .typed(prefix: account.prefix))
        }
        var reading = PayloadInput()
        try reading.read(input, context.console)
        guard case .payload(let bytes) = try reading.result(context.console).content else {
            throw ContactRefusal.notAnAddress("the input")
        }
        guard let account = AccountText(code: bytes) else {
            // A seed in the picture is not repeated.
            if let code = ForeignCode(bytes), code != .text { throw PayloadError.foreign(code) }
            // Says of text what it is, and of other bytes no more than that.
            throw ContactRefusal.notAnAddress(
                String(validating: bytes.prefix(80), as: UTF8.self) ?? "the QR code's content")
        }
        return (account, .scanned(prefix: account.prefix))
    }

    /// The account of an entry of the log, proven under the seal: otherwise somebody who can write the file
    /// could put another address there.
    private func logged(_ number: UInt64, _ session: Session) throws -> AccountText {
        var payloads: [LogEntry] = []
        try session.readLog(from: number, limit: 1) { payloads.append($0) }
        guard let entry = payloads.first, entry.number == number else {
            throw CommandError.noSuchEntry(number)
        }
        let items = try entry.reviewed(session.chain()).map(ReviewSummary.init)
        let addresses = items.flatMap(\.recipients).filter {
            switch $0.relation {
            case .own, .imported: false
            case .group, .contact, .stranger, .unchecked: true
            }
        }.map(\.address.text)
        let accounts = try addresses.map { try AccountText($0) }
        guard let address else {
            guard let first = accounts.first, accounts.allSatisfy({ $0.account == first.account }) else {
                throw ContactRefusal.notInEntry(number)
            }
            return first
        }
        let chosen = try AccountText(address)
        guard accounts.contains(where: { $0.account == chosen.account }) else {
            throw ContactRefusal.notInEntry(number)
        }
        return chosen
    }
}
