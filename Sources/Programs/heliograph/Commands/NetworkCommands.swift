import Accounts
import ArgumentParser
import Cards
import Ceremony
import CommandKit
import Extrinsics
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates

struct NetworkGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "List, show, add, set up and remove networks.",
        subcommands: [
            NetworkList.self, NetworkShow.self, NetworkAdd.self, NetworkSetCommand.self, NetworkRemove.self,
            NetworkRevoke.self,
            NetworkRestoreDefaults.self,
        ])
}

/// `network list`
struct NetworkList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the networks.")

    @Flag(help: "List the chains of the built-in list, which network add takes.") var known = false

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    private struct ListedFacts: Encodable {
        let specs: NetworkSpecs
        /// Values that fewer than two sources give.
        let unconfirmed: [String]
        let stored: Bool
    }

    func report(_ state: TrustState, _ console: Console) {
        if known { return reportListed(state, console) }
        let networks = state.networks.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        if networks.isEmpty { console.note("this vault has no networks; scan network specs to add one") }
        for network in networks {
            let versions = network.metadata.map(String.init).joined(separator: ", ")
            console.print(
                Escape.terminal(
                    """
                    \(state.shownName(of: network.specs))  \(network.specs.title)  verifier \
                    \(network.verifier.kind)
                    """
                ))
            console.print("  genesis \(network.specs.genesisHash)")
            console.print("  metadata \(versions.isEmpty ? "none" : versions)")
            let demand = state.metadataHashDemand(genesis: network.specs.genesisHash)
            if demand != .never { console.print("  \(Wording.demand(demand))") }
        }
    }

    private func reportListed(_ state: TrustState, _ console: Console) {
        if json {
            let chains = WellKnownChain.all.map { chain in
                ListedFacts(
                    specs: chain.specs, unconfirmed: chain.unconfirmed.map(\.rawValue),
                    stored: !state.networks(genesis: chain.genesisHash).isEmpty)
            }
            return JSONText.print(["known": chains], console)
        }
        for chain in WellKnownChain.all {
            console.print(
                """
                \(chain.specName)  \
                \(chain.name)\(state.networks(genesis: chain.genesisHash).isEmpty ? "" : "  in this vault")
                """
            )
            console.print("  genesis \(chain.genesisHash)")
            console.print(
                """
                  unit \(chain.unit), \(chain.decimals) decimals, address prefix \(chain.base58Prefix), \
                \(chain.scheme.name)
                """
            )
            if !chain.isConfirmed {
                console.print(
                    "  fewer than two sources: \(chain.unconfirmed.map(\.rawValue).joined(separator: ", "))")
            }
        }
    }
}

/// `network show`
struct NetworkShow: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything this vault holds about a network.")

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func report(_ state: TrustState, _ console: Console) throws {
        let (chain, named) = try found(state)
        let networks = named.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        let demand = state.metadataHashDemand(genesis: chain)
        let verifier = VerifierFacts(state.verifiers[chain] ?? .custom(nil), general: state.generalVerifier)
        console.print("genesis \(chain)")
        console.print("verifier \(verifier.kind), \(verifier.public_key.value ?? "none")")
        console.print(Wording.demand(demand))
        let cards = CardLines(view: CardView())
        for network in networks { cards.lines([Card(.newSpecs(network.specs))]).forEach(console.print) }
        for record in state.metadata(genesis: chain) {
            let name = networks.first?.specs.name ?? ""
            let version = RuntimeVersion(specName: name, specVersion: record.version)
            cards.lines([Card(.metadata(version, hash: record.hash, length: record.length))]).forEach(
                console.print)
        }
    }

    /// The chain with this name, and its specs. A revoked chain has no specs.
    private func found(_ state: TrustState) throws(LookupError) -> (GenesisHash, [NetworkSpecs]) {
        if state.networks(named: network).isEmpty { return (try state.knownChain(named: network), []) }
        let named = try state.networksOfOneChain(named: network)
        return (named[0].genesisHash, named)
    }
}

/// `network add`: a chain of the built-in list, without a picture.
struct NetworkAdd: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Store a network of the built-in list.",
        discussion:
            """
            heliograph network list --known prints the list. Its updates come from the general verifier, \
            unless the vault kept another one.
            """
    )

    @Argument(help: "The chain's name, its runtime's name or its genesis hash.", completion: .named(.network))
    var network: String
    @Option(
        help: ArgumentHelp(
            "The scheme of its keys: sr25519, ed25519, ecdsa or ethereum (default: the chain's own).",
            valueName: "s"), completion: .schemes)
    var scheme: String?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { "Store this network?" }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        let chain = try TrustSetup.listed(named: network)
        let scheme = try scheme.map { name in
            guard let scheme = SignatureScheme(name: name) else { throw CommandError.unknownScheme(name) }
            return scheme
        }
        return .addListedNetwork(chain.genesisHash, scheme: scheme)
    }
}

/// `network set`: what the owner demands for a network.
///
/// A stricter demand needs a yes; at worst it refuses something that can be allowed again. A weaker one needs
/// a typed word, and in an open shell the passphrase. Whoever owns the online machine cannot send it, but can
/// make everything fail until somebody at this device is tired of refusals and repeats a command from a web
/// page. So if a runtime could have checked, no refusal names this command, and the question says who is
/// believed from then on.
struct NetworkSetCommand: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Require that the chain checks what was shown, before anything is signed for a network.",
        discussion: """
            A transaction that commits to the hash of its metadata is void on the chain if anything was read \
            differently. always signs only such transactions. where-possible also signs for runtimes that \
            cannot check the hash, by metadata that a verifier signed. never demands nothing and is the \
            default. The setting belongs to the genesis hash: removing the network or resetting the \
            verifiers leaves it. Lowering it needs a typed word.
            """)

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String
    @Option(
        help: ArgumentHelp(
            "What must be checked by the chain: always, where-possible or never.", valueName: "when"))
    var requireMetadataHash: MetadataHashDemand
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    var question: String { "Require this from now on?" }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .requireMetadataHash(try trust.knownChain(named: network), requireMetadataHash)
    }

    var wordQuestion: String { "Require less from now on?" }
}

extension MetadataHashDemand: ExpressibleByArgument {
    /// With the hyphen of options; the policy and JSON have an underscore.
    public init?(argument: String) {
        guard let demand = Self.allCases.first(where: { argument.utf8Equals($0.spelled) }) else { return nil }
        self = demand
    }

    public static var allValueStrings: [String] { allCases.map(\.spelled) }

    private var spelled: String {
        switch self {
        case .always: "always"
        case .wherePossible: "where-possible"
        case .never: "never"
        }
    }
}

/// `network remove`
struct NetworkRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a network's specs and metadata; its verifier is kept.")

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .removeNetwork(try trust.chain(named: network))
    }
}

/// `network restore-defaults`
struct NetworkRestoreDefaults: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "restore-defaults", abstract: "Restore missing default networks.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { "Restore these networks?" }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change { .restoreDefaults }
}

/// `network revoke`
struct NetworkRevoke: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Remove a network and block it until the verifiers are reset.")

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { "Revoke this network? It stays blocked until the verifiers are reset." }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .revokeNetwork(try trust.chain(named: network))
    }
}
