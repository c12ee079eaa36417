import AirGap
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO
import Vault

struct ShieldGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shield", abstract: "Check the air gap.",
        subcommands: [ShieldShow.self, ShieldAcknowledge.self], defaultSubcommand: ShieldShow.self)
}

/// `shield`
struct ShieldShow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what the network detector finds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    /// Before a vault is made, the detector alone answers, so that a person sees an alarm before the first
    /// secret is on this device.
    private func facts(_ context: CommandContext) throws -> ShieldFacts {
        do {
            return ShieldFacts(try context.device(self).recordShield())
        } catch {
            guard case .missing? = error as? VaultError else { throw error }
            context.console.note(
                """
                there is no vault in \(Escape.terminal(try vault.directory())): this is the network as it is \
                now, without what was seen before
                """)
            return ShieldFacts(Shield().report())
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let facts = try facts(context)
        if json { return JSONText.print(facts, console) }
        console.print(facts.status)
        for finding in facts.findings { console.print(Escape.terminal("  \(finding)")) }
        for traffic in facts.unacknowledged_traffic {
            console.print(
                Escape.terminal(
                    "  " + Wording.traffic(traffic.interface, received: traffic.received, sent: traffic.sent))
            )
        }
    }
}

/// `shield acknowledge`
struct ShieldAcknowledge: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge",
        abstract: "Acknowledge that this device was online; it must be offline now.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        let preview = try device.preview(AcknowledgeOnline())
        // Refused before the passphrase is typed on a device that is connected.
        let approval = try preview.confirm()
        let facts = ShieldFacts(preview.shown)
        let page = json ? console.beside : console
        page.print("you acknowledge that this device was online:")
        for event in try device.waiting() where event.event.kind == .deviceOnline {
            page.print(
                Escape.terminal(
                    """
                      \(LogDate.text(event.time)): \
                    \(event.event["found"] ?? event.event["traffic"] ?? "online")
                    """
                ))
        }
        for traffic in facts.unacknowledged_traffic {
            page.print(
                Escape.terminal(
                    "  " + Wording.traffic(traffic.interface, received: traffic.received, sent: traffic.sent))
            )
        }
        _ = try context.unlock(self, whileUnacknowledged: true).perform(approval)
        console.note(Wording.acknowledged)
        if json { JSONText.print(["acknowledged": facts], console) }
    }
}
