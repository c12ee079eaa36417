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

/// `group …`
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Sign together with the members of a threshold group.",
        shouldDisplay: true,
        subcommands: [
            GroupCard.self, GroupNew.self, GroupReshare.self, GroupCollectCommand.self, GroupListCommand.self,
            GroupShow.self,
            GroupContacts.self,
            GroupRecordCommand.self, GroupRestore.self, GroupDeal.self, GroupDerive.self,
            GroupRequestCommand.self, GroupRequests.self,
            GroupDrop.self, GroupRemove.self,
        ])
}

/// `group derive`: an account of a group below a soft path.
struct GroupDerive: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Derive an account of a group.",
        discussion: """
            Everyone who knows the group's address and the path can compute the account, so it hides \
            nothing: its use is one account for each network. Only soft junctions such as /polkadot are \
            possible, and none in an ed25519 group.
            """)

    @Argument(help: "The group's name.", completion: .named(.group)) var group: String
    @Argument(help: ArgumentHelp("Soft junctions, such as /polkadot.", valueName: "path")) var path: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("A network that the account may sign for.", valueName: "name"),
        completion: .named(.network))
    var network: String?

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(
            DeriveGroupAccount(group, path: path, network: network))
        let approval = try preview.confirm()
        let key = try context.unlock(self).perform(approval).outcome
        let address = key.address(prefix: preview.shown.network?.base58Prefix ?? 42)
        if json {
            JSONText.print(["group": group, "path": path, "address": address], context.console)
        } else {
            context.console.print(address)
        }
    }
}

/// `group remove`: a group with its accounts, or a making that did not come to its end.
struct GroupRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a group and its accounts, or a group that is being made.",
        discussion:
            """
            Only the record, with the seed, restores a group: keep a copy by heliograph group record first. \
            The name of the group is typed. What the group signed stays in the log and in the history. The \
            proposal of a group that was left is not answered again. Remove a superseded group only when the \
            new record is complete on all machines and compared.
            """)

    @Argument(
        help: "The group's name; of one that is being made its label or session.", completion: .named(.group))
    var group: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @OptionGroup var confirmation: YesOption

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(RemoveGroup(group))
        let (question, note): (ReviewQuestion, String)
        switch preview.shown {
        case .group(let held, let accounts, let isSuperseded):
            question = ReviewQuestion(
                Wording.removeGroup(held, accounts: accounts.count, isSuperseded: isSuperseded),
                word: Wording.removalWord(held.name, of: "group"))
            note = "removed \(Escape.line(group)); its record, with its seed, restores it"
        case .making:
            question = ReviewQuestion(
                "Leave the making of \(Escape.line(group))? This vault answers its proposal only once.")
            note = "left the making of \(Escape.line(group)); the members start again with a new proposal"
        }
        let approval = try preview.confirm {
            try confirmation.skipsQuestion(vault) || context.console.confirm(question)
        }
        // The record may lie nowhere else, and without it the seed gives no share.
        if question.word != nil { context.requirePerson() }
        _ = try context.unlock(self).perform(approval)
        context.console.note(note)
        if json { JSONText.print(["group": group], context.console) }
    }
}

/// `group record`: the record b5 of a group, for a member who lost a machine.
struct GroupRecordCommand: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Show or write a group's record, which with a seed restores a member.",
        discussion:
            """
            Keep a copy beside each copy of a seed: the seed alone gives no share. It is no secret by \
            itself, but do not publish it. It is checked as a restore checks it, so the passphrase is needed.
            """
    )

    @Argument(help: "The group's name.", completion: .named(.group)) var group: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var message: GroupOutput

    private struct Document: Encodable {
        let name: String
        let transcript: String
        /// Message b5.
        let hex: String
        let out: Nullable<String>
    }

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], outputs: message.out.map { [$0] } ?? [],
            replaces: message.replacing.replace)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try message.requireTerminal(console)
        let preview = try context.device(self).preview(CopyGroupRecord(group))
        let held = preview.shown
        let record = try context.unlock(self).perform(preview.confirm()).outcome
        try message.deliver(
            record,
            """
            Record of group \(Escape.line(held.name)): with a member's seed it restores that member. It is \
            no secret by itself, but do not publish it.
            """, json: json, console)
        guard json else { return }
        JSONText.print(
            Document(
                name: held.name, transcript: held.transcript.hex, hex: Hex.encode(record),
                out: Nullable(message.out)), console)
    }
}
