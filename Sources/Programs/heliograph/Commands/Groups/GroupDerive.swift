import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import SubstratePrimitives
import TrustStore

/// `group derive`: an account of a group below a soft path.
struct GroupDerive: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Derive an account of a group.",
        discussion: """
            Everyone who knows the group's address and the path can compute the account, so it hides nothing: its use is one account for each network. \
            Only soft junctions such as /polkadot are possible, and none in an ed25519 group.
            """)

    @Argument(help: "The group's name.") var group: String
    @Argument(help: ArgumentHelp("Soft junctions, such as /polkadot.", valueName: "path")) var path: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("A network that the account may sign for.", valueName: "name"))
    var network: String?

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(DeriveGroupAccount(group, path: path, network: network))
        let approval = try preview.confirm()
        let key = try context.unlock(self).perform(approval).outcome
        let address = key.address(prefix: preview.shown.network?.base58Prefix ?? 42)
        if json {
            JSONText.print(["group": group, "path": path, "address": address], context.console)
        } else {
            context.console.print(address)
        }
    }
}
