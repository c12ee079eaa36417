import AirGap
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO
import Vault

/// `shield`
struct ShieldShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what the network detector finds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    /// Before a vault is made, the detector alone answers, so that a person sees an alarm before the first secret is on this device.
    private func facts(_ context: CommandContext) throws -> ShieldFacts {
        do {
            return ShieldFacts(try context.device(self).recordShield())
        } catch VaultError.missing {
            context.console.note(Wording.shieldWithoutVault(try vault.directory()))
            return ShieldFacts(NetworkDetector().report())
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let facts = try facts(context)
        if json { return JSONText.print(facts, console) }
        console.print(facts.status)
        for finding in facts.findings { console.print(Escape.terminal("  \(finding)")) }
        for traffic in facts.unacknowledged_traffic {
            console.print(Escape.terminal("  " + Wording.traffic(traffic.interface, received: traffic.received, sent: traffic.sent)))
        }
    }
}
