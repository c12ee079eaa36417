import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates

struct VerifierGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "Show and set the verifiers, whose updates the vault accepts.",
        subcommands: [VerifierShow.self, VerifierSet.self, VerifierReset.self])
}

/// `verifier show`
struct VerifierShow: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the general verifier and the networks' own verifiers.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let general: VerifierFacts
        let networks: [String: VerifierFacts]
    }

    func report(_ state: TrustState, _ console: Console) {
        let general = VerifierFacts(
            kind: state.generalVerifier == nil ? "none" : "key", key: state.generalVerifier)
        let chains = Dictionary(grouping: state.verifiers.keys) {
            state.networks(genesis: $0).first?.name ?? $0.hex
        }
        var networks: [String: VerifierFacts] = [:]
        for (genesis, verifier) in state.verifiers {
            let name = state.networks(genesis: genesis).first?.name ?? genesis.hex
            // Chains that share a name are told apart by their genesis hashes, as everywhere else.
            networks[chains[name]?.count == 1 ? name : genesis.hex] = VerifierFacts(
                verifier, general: state.generalVerifier)
        }
        if json { return JSONText.print(Document(general: general, networks: networks), console) }
        console.print("general\(Self.text(general))")
        for (name, facts) in networks.sorted(by: { $0.key < $1.key }) {
            // The general key stands once, above.
            let key = facts.kind.utf8Equals("general") ? "" : Self.text(facts)
            console.print("\(Escape.terminal(name))  \(facts.kind)\(key)")
        }
    }

    /// The key on a line of its own, where a window of 80 columns has room for all of it. Keys of two schemes
    /// have the same length, so the scheme belongs to the key.
    private static func text(_ facts: VerifierFacts) -> String {
        guard let key = facts.public_key.value, let scheme = facts.scheme.value else { return "  none" }
        return "\n  \(key)  \(scheme)"
    }
}

/// `verifier set`
struct VerifierSet: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set who signs the updates of one network.",
        discussion:
            """
            Metadata and asset lists that another key signed are removed, and so are network specs that are \
            not built in, unless the new verifier is nobody. Nobody needs a typed word, because anybody can \
            then make updates of the network.
            """
    )

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String

    @Option(
        help: ArgumentHelp("The network's verifier: general, none, default or SCHEME:HEX.", valueName: "key"),
        completion: .list(["default", "general", "none"]))
    var verifier: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { "Accept updates of this network from this verifier only?" }
    var wordQuestion: String { "Accept unsigned updates of this network? Anybody can make them." }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .setVerifier(try trust.chain(named: network), try ChosenVerifier(verifier))
    }
}

extension ChosenVerifier {
    /// What `--verifier` names: the general verifier, or what ``PublicKey/init(verifier:)`` takes.
    fileprivate init(_ text: String) throws(CommandError) {
        if text.utf8Equals("general") {
            self = .general
        } else {
            self = try PublicKey(verifier: text).map { .key($0) } ?? .nobody
        }
    }
}

/// `verifier reset`
struct VerifierReset: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Wipe all networks, metadata, types and verifiers; seeds and keys stay.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("The new general verifier: default, none or SCHEME:HEX.", valueName: "key"),
        completion: .list(["default", "none"]))
    var verifier = "default"

    @Option(help: ArgumentHelp("The new networks.", valueName: "set"))
    var networks: NetworkSet = .default

    /// It may make a new store, below one that a shell holds open.
    var place: CommandPlace { .afterLocking }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let operation = ResetVerifiers(
            verifier: try PublicKey(verifier: verifier),
            networks: networks == .default ? NetworkSpecs.defaults : [])
        let device = try context.device(self)
        let preview = try device.preview(operation)
        if let shown = preview.shown {
            let page = json ? console.beside : console
            page.print(Wording.plan)
            for event in shown.events { page.print(Wording.planned(event)) }
        }
        let approved = try approval.confirm(preview, "Wipe all trust data? Seeds and keys stay.", console)
        let options = try context.keeper.completed(vault)
        let keyFile = HeldSecret(try options.keyFile())
        let outcome = try console.withPassphrase(descriptor: options.passphraseFd) {
            try device.perform(
                approved, keyFile: keyFile, telling: { console.tell(unusual: $0) }, passphrase: $0
            ).outcome
        }
        switch outcome {
        case .reset: console.note(Wording.changed)
        case .replaced(let reason):
            console.alarm(
                """
                the old trust store was moved aside in the vault's directory and replaced by a new one \
                without keys, policy and require-metadata-hash: \(Wording.diagnostic(reason).message)
                """)
        }
        if json { JSONText.print(ChangeDocument(preview.shown?.events ?? []), console) }
    }
}
