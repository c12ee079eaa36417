import ArgumentParser
import ColdSigner
import ColdStore
import Hashing
import Keys
import SubstratePrimitives
import Terminal

extension TrustState {
    /// The networks that a name or a genesis hash stands for: one chain, whatever number of schemes.
    func oneChain(_ name: String) throws(CommandError) -> [NetworkSpecs] {
        let found = networks(genesis: try theChain(named: name))
        guard !found.isEmpty else { throw .noSuchNetwork(name) }
        return found
    }

    /// The one network of this name.
    func theNetwork(named name: String) throws(CommandError) -> NetworkSpecs { try oneChain(name)[0] }
}

/// `key list`: addresses by seed and network.
struct KeyList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let state = try vault.lockedStore().uncheckedState()
        let counts = KeyReuse.Counts(state)
        let keys = state.keys.map { KeyFacts($0, state: state, counts) }
        if json { return JSONText.print(["keys": keys], surroundings.console) }
        for line in Self.lines(state, counts) { surroundings.console.print(line) }
    }

    /// A heading for each seed, under it one for each network, under it the keys.
    private static func lines(_ state: TrustState, _ counts: KeyReuse.Counts) -> [String] {
        var lines: [String] = []
        for seed in Set(state.keys.map(\.seed)).sorted() {
            lines.append(Escape.terminal(seed))
            let keys = state.keys(seed: seed)
            let networks = state.networks.filter { specs in keys.contains { $0.networks.contains(specs.genesisHash) } }
            for specs in networks {
                lines.append("  " + Escape.terminal(specs.name))
                let group = keys.filter { $0.networks.contains(specs.genesisHash) }
                lines += group.map {
                    "    " + Escape.terminal(Wording.key($0, prefix: specs.base58Prefix)) + mark(counts.networks(of: $0.publicKey))
                }
            }
            let homeless = keys.filter { $0.networks.isEmpty }
            if !homeless.isEmpty { lines.append("  " + Wording.noNetwork) }
            lines += homeless.map { "    " + Escape.terminal(Wording.key($0, prefix: 42)) }
        }
        return lines
    }

    /// Beside a key that stands under the heading of one of its networks.
    private static func mark(_ networks: Int) -> String { networks > 1 ? "  " + Wording.alsoOn(networks - 1) : "" }

    struct KeyFacts: Encodable {
        let address: String
        let public_key: String
        let scheme: String
        let seed: String
        let path: String
        let has_password: Bool
        let label: Explicit<String>
        let networks: [String]
        let on_several_networks: Bool
        let last_used: Explicit<UInt64>

        init(_ record: KeyRecord, state: TrustState, _ counts: KeyReuse.Counts) {
            let networks = state.networks.filter { record.networks.contains($0.genesisHash) }
            address = record.publicKey.address(prefix: networks.first?.base58Prefix ?? 42)
            public_key = Hex.encode(record.publicKey.bytes)
            scheme = record.publicKey.scheme.name
            seed = record.seed
            path = record.path
            has_password = record.hasPassword
            label = Explicit(record.label)
            self.networks = Array(Set(networks.map(\.name))).sorted()
            on_several_networks = counts.networks(of: record.publicKey) > 1
            last_used = Explicit(record.lastUsed)
        }
    }
}
