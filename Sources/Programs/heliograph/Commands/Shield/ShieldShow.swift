import ArgumentParser
import Ceremony
import Terminal

/// `shield`
struct ShieldShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what the network detector finds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let facts = ShieldFacts(try context.device(self).recordShield())
        if json { return JSONText.print(facts, console) }
        console.print(facts.status)
        for finding in facts.findings { console.print(Escape.terminal("  \(finding)")) }
        for traffic in facts.unacknowledged_traffic {
            console.print(Escape.terminal("  " + Wording.traffic(traffic.interface, received: traffic.received, sent: traffic.sent)))
        }
    }
}
