import ArgumentParser
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Lines
import Presentation
import TerminalIO
import TrustStore

/// `group contacts`: the machines whose words were compared.
struct GroupContacts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "List or remove the machines whose words were compared.",
        discussion:
            """
            heliograph scan CARD adds one. They are no contacts of heliograph contact: no account has their \
            names.
            """,
        subcommands: [GroupContactList.self, GroupContactRemove.self],
        defaultSubcommand: GroupContactList.self)
}

/// `group contacts list`
struct GroupContactList: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the machines whose words were compared.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Facts: Encodable {
        let name: String
        let host_key: String
        let words: String
    }

    func report(_ state: TrustState, _ console: Console) throws {
        let facts = state.hostContacts.map {
            Facts(name: $0.name, host_key: Hex.encode($0.hostKey), words: GroupWords.text(ofHost: $0.hostKey))
        }
        if json { return JSONText.print(["host_contacts": facts], console) }
        if facts.isEmpty { console.note("no host contacts: scan the host card of a member") }
        for contact in facts { console.print("\(Escape.line(contact.name))  \(contact.words)") }
    }
}

/// `group contacts remove`
struct GroupContactRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a machine; groups with it stay.")

    @Argument(help: "The machine's name in this vault.", completion: .named(.hostContact)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(RemoveHostContact(name))
        _ = try context.unlock(self).perform(preview.confirm())
        context.console.note("removed the host contact \(Escape.line(name))")
        if json {
            JSONText.print(["name": name, "host_key": Hex.encode(preview.shown.hostKey)], context.console)
        }
    }
}
