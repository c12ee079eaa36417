import SubstratePrimitives
import TrustStore

/// The chains whose genesis hashes this vault can name: the built-in list, its networks, and networks that were removed from it.
public struct KnownChains: Sendable {
    /// A listed chain has its listed name, whatever specs in the store call it. Any other chain has the name of its specs, or its genesis
    /// hash in hex where no specs are left.
    public let names: [GenesisHash: String]

    public init(_ state: TrustState) {
        var names: [GenesisHash: String] = [:]
        for genesis in state.verifiers.keys { names[genesis] = genesis.hex }
        for (genesis, name) in state.removedNetworks { names[genesis] = name ?? genesis.hex }
        for specs in state.networks { names[specs.genesisHash] = specs.name }
        for chain in WellKnownChain.all { names[chain.genesisHash] = chain.name }
        self.names = names
    }

    /// The name of the chain with this genesis hash; nil if this vault does not know the chain.
    public func name(ofGenesis genesis: GenesisHash) -> String? { names[genesis] }
}
