import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO

/// `shield acknowledge`
struct ShieldAcknowledge: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge", abstract: "Acknowledge that this device was online; it must be offline now.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let preview = try device.preview(AcknowledgeOnline())
        // Refused before the passphrase is typed on a device that is connected.
        let approval = try preview.confirm()
        let facts = ShieldFacts(preview.shown)
        let page = json ? console.beside : console
        page.print(Wording.acknowledging)
        for event in try device.waiting() where event.event.kind == .deviceOnline {
            page.print(Escape.terminal("  \(LogDate.text(event.time)): \(event.event["found"] ?? event.event["traffic"] ?? "online")"))
        }
        for traffic in facts.unacknowledged_traffic {
            page.print(Escape.terminal("  " + Wording.traffic(traffic.interface, received: traffic.received, sent: traffic.sent)))
        }
        _ = try context.unlock(self, whileUnacknowledged: true).perform(approval)
        console.note(Wording.acknowledged)
        if json { JSONText.print(["acknowledged": facts], console) }
    }
}
