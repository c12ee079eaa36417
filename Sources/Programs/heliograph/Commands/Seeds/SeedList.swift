import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO
import TrustStore

/// `seed list`: names only.
struct SeedList: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let device = try context.device(self)
        let names = try device.vault().seedNames
        let state = try device.trust().state
        if json {
            JSONText.print(
                ["seeds": names.map { SeedFacts(name: $0, keys: state.keys(seed: $0).count) }], context.console)
        } else {
            for name in names { context.console.print("\(Escape.terminal(name))  \(Wording.keyCount(state.keys(seed: name).count))") }
        }
    }

    private struct SeedFacts: Encodable {
        let name: String
        let keys: Int
    }
}
