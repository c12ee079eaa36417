import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `contact list`
struct ContactListCommand: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the contacts.",
        discussion: "With --passphrase-fd, and in an unlocked shell, private contacts have their names.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var table: WideOption

    func execute(_ context: CommandContext) throws {
        let (contacts, state) = try context.contacts(self)
        let facts = contacts.map {
            ContactFacts($0.record, label: $0.label, note: $0.note, in: state, isPrivate: $0.record.isPrivate)
        }
        if json { return JSONText.print(["contacts": facts], context.console) }
        if facts.isEmpty { context.console.note("no contacts") }
        context.console.print(facts.flatMap(\.rows), wide: table.wide)
    }
}

/// `contact show`
struct ContactShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a contact.",
        discussion:
            """
            With --passphrase-fd, and in an unlocked shell, a private contact has its name and is found by it.
            """
    )

    @Argument(help: "The contact's name or address.", completion: .named(.contact)) var contact: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let (contacts, state) = try context.contacts(self)
        let account = contacts.first { $0.record.isPrivate && $0.label.utf8Equals(contact) }?.record.account
        let record = try account.flatMap { state.contact(account: $0) } ?? state.contact(named: contact)
        let named = contacts.first { $0.record.account == record.account }
        let facts = ContactFacts(
            record, label: named?.label ?? record.label, note: named?.note ?? record.note, in: state,
            isPrivate: record.isPrivate)
        if json { return JSONText.print(facts, context.console) }
        facts.lines.forEach(context.console.print)
    }
}

extension CommandContext {
    /// The contacts as the store has them, with the names of private ones where the vault is open or a
    /// passphrase is given.
    fileprivate func contacts(_ command: some VaultCommand) throws -> ([NamedContact], TrustState) {
        if let session = try unlockUnasked(command) {
            return (try session.contacts(), try session.trust().state)
        }
        console.note(Wording.trustStoreNotVerified)
        let state = try device(command).trust().state
        return (state.contacts.map { NamedContact($0) }, state)
    }
}
