import AirGap
import ArgumentParser
import Review
import Terminal
import TrustStore

struct ShieldGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shield", abstract: "Whether this device is connected to anything.",
        subcommands: [ShieldShow.self, ShieldAcknowledge.self], defaultSubcommand: ShieldShow.self)
}

/// `shield`
struct ShieldShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show what the network detector sees.")

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
        let facts = Facts(try vault.device().recordShield())
        if json { return JSONText.print(facts, console) }
        console.print(facts.status)
        for finding in facts.findings { console.print(Escape.terminal("  \(finding)")) }
        for traffic in facts.unacknowledged_traffic {
            console.print(Escape.terminal("  \(traffic.interface) carried \(traffic.received) bytes in and \(traffic.sent) out"))
        }
    }
}

/// `shield acknowledge`
struct ShieldAcknowledge: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge", abstract: "Go on although this device was online. The network must be gone.")

    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let store = try vault.device().store()
        // Refused before the passphrase is typed on a device that is connected.
        _ = try vault.device().recordShield().acknowledge(try store.uncheckedTrust().state)
        let open = try context.unlock(self, whileUnacknowledged: true)
        let policy = try vault.device().shield()
        try open.store.change { (trust: SealedTrust) throws in try policy.acknowledge(trust.state) }
        context.console.note(Wording.acknowledged)
    }
}
