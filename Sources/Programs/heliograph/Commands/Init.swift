import ArgumentParser
import Ceremony
import Keys
import SubstratePrimitives
import Vault

/// `init`: a vault with its passphrase, its networks and its verifier.
struct Init: VaultCommand {
    static let configuration = CommandConfiguration(abstract: "Make a vault.")

    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("The general verifier: default, none or SCHEME:HEX.", valueName: "key"))
    var verifier = "default"

    @Option(help: ArgumentHelp("Networks to start with: default or none.", valueName: "set"))
    var networks: NetworkSet = .default

    @Flag(help: "Make a development vault: the network detector warns and does not block. It cannot be changed later.")
    var allowOnline = false

    @Option(
        help: ArgumentHelp("What deriving the key costs: measured (about a second), or test in a development vault.", valueName: "cost"))
    var kdfCost: CostChoice = .measured

    enum CostChoice: String, ExpressibleByArgument, CaseIterable { case measured, test }

    var place: CommandPlace { .alone }

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(writable: [directory])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let key = try PublicKey(verifier: verifier)
        if kdfCost == .test, !allowOnline { throw CommandError.cheapCostNeedsDevelopmentVault }
        let device = try context.device(self)
        let operation = CreateVault(
            verifier: key, networks: networks == .default ? NetworkSpecs.defaults : [], isDevelopment: allowOnline,
            cost: kdfCost == .test ? .development : nil)
        let approval = try device.preview(operation).confirm()
        _ = try device.perform(approval, keyFile: HeldSecret(vault.keyFile())) {
            try newPassphrase("new passphrase: ", descriptor: vault.passphraseFd, again: "the same again: ", console)
        }
        console.note("made a vault in \(device.directory)")
        if allowOnline { console.note(Wording.developmentVault) }
    }
}
