import AirGap
import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import Vault

/// `heliograph` alone: where one stands, and the next step.
struct Overview: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "overview", abstract: "Show how far the vault is set up, and the next step.",
        shouldDisplay: false)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let directory: String
        let stage: SetupStage
        let shield: String
        let seeds: Int
        let keys: Int
        let networks: Int
        let next: String
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let directory = try vault.directory()
        guard Vault.exists(directory: directory) else {
            let next = Wording.next(.noVault, TrustState(), seeds: [], self.vault.vault)
            if json {
                return JSONText.print(
                    Document(
                        directory: directory, stage: .noVault, shield: "unknown", seeds: 0, keys: 0,
                        networks: 0, next: next), console)
            }
            console.print(Escape.terminal("vault     none in \(directory)"))
            return console.print(Escape.terminal("next      \(next)"))
        }
        let device = try context.device(self)
        let header = try device.vault()
        let chain = try device.chain()
        let state = chain.state
        let shield = try device.recordShield()
        let stage = Self.stage(state, seeds: header.seedNames.count, shield)
        let document = Document(
            directory: directory, stage: stage, shield: ShieldFacts(shield).status,
            seeds: header.seedNames.count, keys: state.keys.count,
            networks: state.networks.count,
            next: Wording.next(stage, state, seeds: header.seedNames, self.vault.vault))
        if json { return JSONText.print(document, console) }
        console.print(
            Escape.terminal("vault     \(directory)\(header.isDevelopment ? " (development)" : "")"))
        console.print("shield    \(document.shield)")
        console.print("seeds     \(document.seeds)")
        console.print("keys      \(document.keys)")
        for network in state.networks {
            let stored = state.metadata(genesis: network.genesisHash).map(\.version).max()
            let newest = try chain.newestRuntime(of: network)
            console.print(
                Escape.terminal("network   \(Wording.reading(of: network, stored: stored, newest: newest))"))
        }
        console.print(Escape.terminal("next      \(document.next)"))
    }

    private static func stage(_ state: TrustState, seeds: Int, _ shield: ShieldPolicy) -> SetupStage {
        if !shield.allowsSecrets { return shield.status == .online ? .online : .unacknowledged }
        return setUp(state, seeds: seeds)
    }

    /// How far a vault is set up, whatever its device is connected to.
    static func setUp(_ state: TrustState, seeds: Int) -> SetupStage {
        // An imported key signs without a seed.
        if seeds == 0, !state.keys.contains(where: \.isImported) { return .noSeed }
        if state.networks.isEmpty { return .noNetwork }
        if state.keys.isEmpty { return .noKey }
        let isReadable = state.keys.contains { key in
            key.networks.contains { !state.metadata(genesis: $0).isEmpty }
        }
        return isReadable ? .ready : .noMetadata
    }
}
