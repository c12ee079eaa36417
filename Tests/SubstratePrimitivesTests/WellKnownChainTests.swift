import SubstratePrimitives
import Testing

@Suite struct WellKnownChainLaws {
    @Test func noGenesisHashStandsTwice() {
        #expect(Set(WellKnownChain.all.map(\.genesisHash)).count == WellKnownChain.all.count)
    }

    @Test func noNameStandsTwice() {
        #expect(Set(WellKnownChain.all.map(\.name)).count == WellKnownChain.all.count)
    }

    @Test(arguments: WellKnownChain.all)
    func everyRowIsWellFormed(chain: WellKnownChain) {
        for text in [chain.name, chain.specName, chain.unit] {
            #expect(!text.isEmpty && text.unicodeScalars.allSatisfy { (" "..."~").contains($0) }, "\(chain)")
            #expect(text.unicodeScalars.first != " " && text.unicodeScalars.last != " ", "\(chain)")
        }
        #expect(!chain.specName.unicodeScalars.contains(" "), "\(chain)")
        #expect(!chain.unit.unicodeScalars.contains(" "), "\(chain)")
        // A hash with long runs of one byte is a placeholder.
        #expect(Set(chain.genesisHash.bytes).count > 16, "\(chain)")
        #expect(chain.decimals <= 18, "\(chain)")
        #expect(chain.scheme == .sr25519 || chain.scheme == .ethereum, "\(chain)")
        #expect(chain.scheme == .ethereum || chain.base58Prefix < 16384, "\(chain)")
        #expect(chain.base58Prefix != 46 && chain.base58Prefix != 47, "\(chain)")
    }

    @Test(arguments: NetworkSpecs.defaults)
    func theDefaultNetworksAreListedAsTheyAre(specs: NetworkSpecs) throws {
        let chain = try #require(WellKnownChain.chain(genesis: specs.genesisHash))
        #expect(chain.specName == specs.name)
        #expect(chain.name == specs.title)
        #expect(chain.base58Prefix == specs.base58Prefix)
        #expect(chain.decimals == specs.decimals)
        #expect(chain.unit == specs.unit)
        #expect(chain.scheme == specs.scheme)
    }

    @Test func aChainIsFoundByItsGenesisHashAlone() {
        for chain in WellKnownChain.all { #expect(WellKnownChain.chain(genesis: chain.genesisHash)?.name == chain.name) }
        #expect(WellKnownChain.chain(genesis: .blake2b(of: [])) == nil)
    }

    @Test func theRelayAndSystemChainsAreListed() {
        let names = Set(WellKnownChain.all.map(\.specName))
        for relay in ["polkadot", "kusama", "westend", "paseo"] {
            #expect(names.isSuperset(of: [relay, "bridge-hub-\(relay)", "coretime-\(relay)", "people-\(relay)"]), "\(relay)")
        }
        #expect(names.isSuperset(of: ["statemint", "statemine", "westmint", "asset-hub-paseo", "collectives", "encointer-parachain"]))
    }

    @Test func accountsOfTwentyBytesAreEthereumStyle() {
        let names = Set(WellKnownChain.all.filter { $0.scheme == .ethereum }.map(\.name))
        #expect(names == ["Moonbeam", "Moonriver", "Moonbase Alpha", "Mythos", "Darwinia", "Darwinia Crab", "LAOS"])
    }
}
