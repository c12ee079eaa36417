import ArgumentParser
import Ceremony
import CommandKit
import GroupReview
import Hashing
import Presentation
import TerminalIO
import TrustStore

/// `group record`: the record b5 of a group, for a member who lost a machine.
struct GroupRecordCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Show or write a group's record, which with a seed restores a member.",
        discussion:
            "Keep a copy beside each copy of a seed: the seed alone gives no share. It is no secret by itself, but do not publish it.")

    @Argument(help: "The group's name.") var group: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var message: GroupOutput
    var json: Bool { output.json }

    private struct Document: Encodable {
        let name: String
        let transcript: String
        /// Message b5.
        let hex: String
        let out: Explicit<String>
    }

    func access() throws -> Access { Access(writable: [try vault.directory()], outputs: message.out.map { [$0] } ?? []) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try message.requireTerminal(console)
        let held = try context.readTrust(self).heldGroup(named: group)
        try message.deliver(held.record, Wording.recordCaption(held.name), json: json, console)
        guard json else { return }
        JSONText.print(
            Document(name: held.name, transcript: held.transcript.hex, hex: Hex.encode(held.record), out: Explicit(message.out)), console)
    }
}
