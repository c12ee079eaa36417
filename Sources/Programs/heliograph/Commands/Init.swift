import AirGap
import ArgumentParser
import Ceremony
import Keys
import Review
import SubstratePrimitives
import TrustStore
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

    enum NetworkSet: String, ExpressibleByArgument, CaseIterable { case `default`, none }
    enum CostChoice: String, ExpressibleByArgument, CaseIterable { case measured, test }

    var place: CommandPlace { .alone }

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(writable: [directory])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let directory = try vault.directory()
        let key = try PublicKey(verifier: verifier)
        if kdfCost == .test, !allowOnline { throw CommandError.cheapCostNeedsDevelopmentVault }
        let shield = NetworkDetector().report()
        if shield.isOnline, !allowOnline { throw CeremonyError.onlineAtStart(shield.findings) }
        let passphrase = try newPassphrase(console)
        let cost = kdfCost == .test ? KDFCost.development : try KDFCost.measured()
        let made = try Vault.create(
            directory: directory, passphrase: passphrase, keyFile: vault.keyFile(), cost: cost, development: allowOnline)
        // The machine's past is taken as it is: a new vault holds nothing that could have leaked.
        let past = ShieldPolicy.accountFor(shield)
        let step = TrustSetup.initial(verifier: key, networks: networks == .default ? NetworkSpecs.defaults : [], allowOnline: allowOnline)
        _ = try TrustStore.create(
            directory: directory, key: made.derivedKey(context: OpenVault.sealContext), changes: step.changes + past.changes,
            events: step.events + past.events)
        console.note("made a vault in \(directory)")
        if allowOnline { console.note(Wording.developmentVault) }
    }

    /// Asked twice at a terminal, because nobody can tell a forgotten passphrase; a descriptor gives it once.
    private func newPassphrase(_ console: Console) throws -> SecretBytes {
        let first = try secret("new passphrase: ", descriptor: vault.passphraseFd, console)
        guard first.count > 0 else { throw CommandError.emptyPassphrase }
        if vault.passphraseFd == nil {
            let second = try secret("the same again: ", descriptor: nil, console)
            guard first.isEqual(to: second) else { throw CommandError.passphrasesDiffer }
        }
        return first
    }
}
