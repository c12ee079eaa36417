import ArgumentParser
import CommandKit
import Keys
import Presentation

/// `seed join`: the seed of a set of shares.
struct SeedJoin: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "join", abstract: "Restore a seed from Banana Split shares.")

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var joining: JoinOptions

    var place: CommandPlace { input.place }

    var json: Bool { output.json }

    func access() throws -> Access {
        Access(readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        var payloadInput = PayloadInput()
        try payloadInput.read(input, console)
        let texts = try payloadInput.result(console).shares
        let shares = try BananaSplit.checkSet(try texts.map { try BananaShare($0) })
        let name = try joining.restore(shares, in: try context.unlock(self), console)
        if json { JSONText.print(["seed": name], console) }
    }
}
