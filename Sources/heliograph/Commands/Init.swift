import ArgumentParser
import ColdSigner
import ColdStore
import Hashing
import Keys
import SubstratePrimitives
import Vault

/// `init`: a vault with its passphrase, its networks and its verifier.
struct Init: Command {
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

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(writable: [directory])
    }

    func execute(_ surroundings: Surroundings) throws {
        let console = surroundings.console
        let directory = try vault.directory()
        let key = try verifierKey()
        if kdfCost == .test, !allowOnline { throw CommandError.cheapCostNeedsDevelopmentVault }
        let passphrase = try newPassphrase(console)
        let cost = kdfCost == .test ? KDFCost.development : try KDFCost.measured()
        let made = try Vault.create(directory: directory, passphrase: passphrase, cost: cost, development: allowOnline)
        let step = TrustSetup.initial(verifier: key, networks: networks == .default ? NetworkSpecs.defaults : [], allowOnline: allowOnline)
        _ = try ColdStore.create(
            directory: directory, key: made.derivedKey(context: OpenVault.sealContext), changes: step.changes, events: step.events)
        console.note("made a vault in \(directory)")
        if allowOnline { console.note(Wording.developmentVault) }
    }

    private func verifierKey() throws(CommandError) -> PublicKey? {
        switch verifier {
        case "default": return TrustSetup.defaultVerifier
        case "none": return nil
        default:
            let parts = verifier.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scheme = SignatureScheme(name: parts[0]), let bytes = Hex.decode(parts[1]),
                let key = PublicKey(scheme: scheme, bytes: bytes)
            else { throw .badVerifier(verifier) }
            return key
        }
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
