import ArgumentParser
import Cards
import Hashing
import Review
import SubstratePrimitives
import Terminal
import TrustStore

struct NetworkGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "List, show and remove networks.",
        subcommands: [
            NetworkList.self, NetworkShow.self, NetworkRemove.self, NetworkRevoke.self, NetworkRestoreDefaults.self,
        ])
}

struct MetadataGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "List and remove metadata.",
        subcommands: [MetadataList.self, MetadataRemove.self])
}

struct TypesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Show and remove the types for metadata of version 13 and older.",
        subcommands: [TypesShow.self, TypesRemove.self])
}

struct VerifierGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "Show and reset the verifiers, whose updates the vault accepts.",
        subcommands: [VerifierShow.self, VerifierReset.self])
}

/// A command that prints a part of the trust store, which is read without its key and says so.
protocol TrustReport: VaultCommand {
    var vault: VaultOptions { get }
    func report(_ state: TrustState, _ console: Console) throws
}

extension TrustReport {
    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let state = try vault.device().store().uncheckedTrust().state
        context.console.note(Wording.trustStoreNotChecked)
        try report(state, context.console)
    }
}

/// `network list`
struct NetworkList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the networks.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) {
        let networks = state.networks.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        for network in networks {
            let versions = network.metadata.map(String.init).joined(separator: ", ")
            console.print(Escape.terminal("\(network.specs.name)  \(network.specs.title)  verifier \(network.verifier.kind)"))
            console.print("  genesis \(network.specs.genesisHash)")
            console.print("  metadata \(versions.isEmpty ? "none" : versions)")
        }
    }
}

/// `network show`
struct NetworkShow: TrustReport {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show everything this vault holds about a network.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) throws {
        let chain = try state.chain(named: network)
        let networks = state.networks(genesis: chain).map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        let verifier = VerifierFacts(state.verifiers[chain] ?? .custom(nil), general: state.generalVerifier)
        console.print("genesis \(chain)")
        console.print("verifier \(verifier.kind), \(verifier.public_key.value ?? "none")")
        let printer = CardPrinter(console: console)
        for network in networks { printer.print([Card(newSpecs: network.specs)]) }
        for record in state.metadata(genesis: chain) {
            let name = networks.first?.specs.name ?? ""
            printer.print([
                Card(metadata: RuntimeVersion(specName: name, specVersion: record.version), hash: record.hash, length: record.length)
            ])
        }
    }
}

struct NetworkFacts: Encodable {
    let specs: NetworkSpecs
    let verifier: VerifierFacts
    let metadata: [UInt32]

    init(_ specs: NetworkSpecs, state: TrustState) {
        self.specs = specs
        verifier = VerifierFacts(state.verifiers[specs.genesisHash] ?? .custom(nil), general: state.generalVerifier)
        metadata = state.metadata(genesis: specs.genesisHash).map(\.version).sorted(by: >)
    }
}

struct VerifierFacts: Encodable {
    let kind: String
    let public_key: Explicit<String>
    let scheme: Explicit<String>

    init(_ verifier: Verifier, general: PublicKey?) {
        let key: PublicKey? =
            switch verifier {
            case .general: general
            case .custom(let key): key
            case .revoked: nil
            }
        self.init(kind: verifier.word, key: key)
    }

    init(kind: String, key: PublicKey?) {
        self.kind = kind
        public_key = Explicit(key.map { Hex.encode($0.bytes) })
        scheme = Explicit(key?.scheme.name)
    }
}

/// `metadata list`
struct MetadataList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the metadata.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Facts: Encodable {
        let name: String
        let genesis_hash: String
        let version: UInt32
        let hash: String
        let bytes: Int
    }

    func report(_ state: TrustState, _ console: Console) {
        let list = state.metadata.map { record in
            Facts(
                name: state.networks(genesis: record.genesis).first?.name ?? "", genesis_hash: record.genesis.hex, version: record.version,
                hash: record.hash.hex, bytes: record.length)
        }
        if json { return JSONText.print(["metadata": list], console) }
        for entry in list { console.print(Escape.terminal("\(entry.name)  \(entry.version)  \(entry.hash)")) }
    }
}

/// `types show`
struct TypesShow: TrustReport {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the hash and the size of the types.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) {
        let facts = TypesFacts(state)
        if json { return JSONText.print(["types": Explicit(facts)], console) }
        console.print(facts.map(Wording.types) ?? Wording.noTypes)
    }
}

/// Types that serve every network, in one piece.
struct TypesFacts: Encodable {
    let hash: String
    let bytes: Int

    /// nil where none are loaded.
    init?(_ state: TrustState) {
        guard let types = state.types else { return nil }
        hash = types.hash.hex
        bytes = types.length
    }
}

/// `verifier show`
struct VerifierShow: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the general verifier and the networks' own verifiers.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let general: VerifierFacts
        let networks: [String: VerifierFacts]
    }

    func report(_ state: TrustState, _ console: Console) {
        let general = VerifierFacts(kind: state.generalVerifier == nil ? "none" : "key", key: state.generalVerifier)
        let chains = Dictionary(grouping: state.verifiers.keys) { state.networks(genesis: $0).first?.name ?? $0.hex }
        var networks: [String: VerifierFacts] = [:]
        for (genesis, verifier) in state.verifiers {
            let name = state.networks(genesis: genesis).first?.name ?? genesis.hex
            // Chains that share a name are told apart by their genesis hashes, as everywhere else.
            networks[chains[name]?.count == 1 ? name : genesis.hex] = VerifierFacts(verifier, general: state.generalVerifier)
        }
        if json { return JSONText.print(Document(general: general, networks: networks), console) }
        console.print("general  \(general.public_key.value ?? "none")")
        for (name, facts) in networks.sorted(by: { $0.key < $1.key }) {
            console.print(Escape.terminal("\(name)  \(facts.kind)  \(facts.public_key.value ?? "none")"))
        }
    }
}
