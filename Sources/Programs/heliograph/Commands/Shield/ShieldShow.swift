import AirGap
import ArgumentParser
import Ceremony
import Review
import Terminal

/// `shield`
struct ShieldShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what the network detector finds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    struct Facts: Encodable {
        struct Traffic: Encodable {
            let interface: String
            let received: UInt64
            let sent: UInt64
        }
        let status: String
        let findings: [String]
        let unacknowledged_traffic: [Traffic]
        let allows_online: Bool

        init(_ policy: ShieldPolicy) {
            status =
                switch policy.status {
                case .offline: "offline"
                case .online: "online"
                case .unacknowledged: "unacknowledged"
                }
            findings = policy.report.findings.map(\.text)
            unacknowledged_traffic = policy.unexplained.map { Traffic(interface: $0.interface, received: $0.received, sent: $0.sent) }
            allows_online = policy.allowsOnline
        }
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let facts = Facts(try context.device(self).recordShield())
        if json { return JSONText.print(facts, console) }
        console.print(facts.status)
        for finding in facts.findings { console.print(Escape.terminal("  \(finding)")) }
        for traffic in facts.unacknowledged_traffic {
            console.print(Escape.terminal("  \(traffic.interface) received \(traffic.received) bytes and sent \(traffic.sent) bytes"))
        }
    }
}
