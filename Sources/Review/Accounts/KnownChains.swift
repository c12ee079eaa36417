import SubstratePrimitives
import TrustStore

/// The chains whose genesis hashes this vault can name: the built-in list, its networks, and networks that
/// were removed from it.
public struct KnownChains: Sendable {
    /// A listed chain has its listed name, whatever specs in the store call it. Any other chain has the name
    /// of its specs, or its genesis hash in hex where no specs are left.
    public let names: [GenesisHash: String]

    public init(_ state: TrustState) {
        var names: [GenesisHash: String] = [:]
        for genesis in state.verifiers.keys { names[genesis] = genesis.hex }
        for (genesis, name) in state.removedNetworks { names[genesis] = name ?? genesis.hex }
        for specs in state.networks { names[specs.genesisHash] = specs.name }
        for chain in WellKnownChain.all { names[chain.genesisHash] = chain.name }
        self.names = names
    }

    /// A runtime version that a listed chain had when this program was made, for those of which its makers
    /// read the published metadata.
    package static func listedVersion(genesis: GenesisHash) -> UInt32? {
        listedVersions.first {
            $0.specName.utf8Equals(WellKnownChain.chain(genesis: genesis)?.specName ?? "")
        }?.version
    }

    static let listedVersions: [(specName: String, version: UInt32)] = [
        ("polkadot", 2_003_000), ("statemint", 2_000_000), ("westend", 1_015_000),
    ]

    /// The name of the chain with this genesis hash; nil if this vault does not know the chain.
    public func name(ofGenesis genesis: GenesisHash) -> String? { names[genesis] }
}

extension WellKnownChain {
    /// Whether the chain takes signatures of keys of this scheme. `MultiSignature` of sp_runtime has sr25519,
    /// ed25519 and ecdsa.
    public func takes(_ other: SignatureScheme) -> Bool {
        switch (scheme, other) {
        case (.ethereum, .ethereum), (.sr25519, .sr25519), (.sr25519, .ed25519), (.sr25519, .ecdsa),
            (.ed25519, .sr25519),
            (.ed25519, .ed25519), (.ed25519, .ecdsa), (.ecdsa, .sr25519), (.ecdsa, .ed25519),
            (.ecdsa, .ecdsa):
            true
        case (.ethereum, .sr25519), (.ethereum, .ed25519), (.ethereum, .ecdsa), (.sr25519, .ethereum),
            (.ed25519, .ethereum),
            (.ecdsa, .ethereum):
            false
        }
    }
}
