import Testing

@testable import SubstratePrimitives

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

    /// The hash of a chain's first header follows from the root of its genesis state, which its chain
    /// specification gives.
    @Test func theGenesisHashOfPaseosBridgeHubIsThatOfItsGenesisState() throws {
        let root = try #require(
            Hash32(hex: "779cb1a37592231ecbce66fc97136f6d5894fb3debb73975a0c6a74eec4758b4"))
        let noTransactions = try #require(
            Hash32(hex: "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314"))
        let header = [UInt8](repeating: 0, count: 33) + root.bytes + noTransactions.bytes + [0]
        let chain = try #require(WellKnownChain.chain(genesis: .blake2b(of: header)))
        #expect(chain.name == "Paseo Bridge Hub" && chain.specName == "bridge-hub-paseo")
        // One repository gives all of its values and another list only the hash; its runtime's name has one
        // source.
        #expect(chain.unconfirmed == [.specName, .base58Prefix, .decimals, .unit])
        let hyperbridge = try #require(WellKnownChain.chains(named: "nexus").first)
        #expect(hyperbridge.unconfirmed == [.base58Prefix, .unit])
    }

    @Test func aChainIsFoundByItsGenesisHashAlone() {
        for chain in WellKnownChain.all {
            #expect(WellKnownChain.chain(genesis: chain.genesisHash)?.name == chain.name)
        }
        #expect(WellKnownChain.chain(genesis: .blake2b(of: [])) == nil)
    }

    @Test func theRelayAndSystemChainsAreListed() {
        let names = Set(WellKnownChain.all.map(\.specName))
        for relay in ["polkadot", "kusama", "westend", "paseo"] {
            #expect(
                names.isSuperset(of: [relay, "bridge-hub-\(relay)", "coretime-\(relay)", "people-\(relay)"]),
                "\(relay)")
        }
        #expect(
            names.isSuperset(of: [
                "statemint", "statemine", "westmint", "asset-hub-paseo", "collectives", "encointer-parachain",
            ]))
    }

    @Test func accountsOfTwentyBytesAreEthereumStyle() {
        let names = Set(WellKnownChain.all.filter { $0.scheme == .ethereum }.map(\.name))
        #expect(
            names == [
                "Moonbeam", "Moonriver", "Moonbase Alpha", "Mythos", "Darwinia", "Darwinia Crab", "LAOS",
            ])
    }

    // MARK: Sources

    /// The networks that a vault has from the start are those whose values nobody doubts.
    @Test func everyDefaultNetworkIsConfirmed() {
        for specs in NetworkSpecs.defaults {
            #expect(WellKnownChain.chain(genesis: specs.genesisHash)?.isConfirmed == true)
        }
    }

    @Test(
        arguments: [
            ("AC AC CS ACS AC", []), ("A AC CS AC AC", [.genesisHash]), ("AC A CS AC AC", [.specName]),
            ("AC AC S AC AC", [.base58Prefix]),
            ("AC AC CS - AC", [.decimals]), ("AC AC CS AC S", [.unit]),
            ("AF CDE CS AC AC", [.genesisHash, .specName]),
            ("AB AR CM EA GF", []),
        ] as [(String, [WellKnownChain.Field])])
    func aValueIsConfirmedByTwoPublishersNotByTwoLetters(sources: String, unconfirmed: [WellKnownChain.Field])
    {
        let polkadot = WellKnownChain.chains(named: "polkadot")[0]
        let chain = WellKnownChain(
            name: "x", specName: "x", genesisHash: polkadot.genesisHash, base58Prefix: 0, decimals: 0,
            unit: "x", scheme: .sr25519,
            letters: sources)
        #expect(chain.unconfirmed == unconfirmed && chain.isConfirmed == unconfirmed.isEmpty)
    }

    @Test(arguments: [
        "", "AC AC AC AC", "AC AC AC AC AC AC", "AC AC AC AC X", "AA AC AC AC AC", "AC AC AC  AC",
        "AC AC AC AC a", "A- A A A A",
    ])
    func lettersThatAreNoRowAreRefused(text: String) { #expect(WellKnownChain.sources(text) == nil) }

    @Test(arguments: WellKnownChain.all)
    func everyRowStatesItsSources(chain: WellKnownChain) {
        #expect(WellKnownChain.sources(chain.letters) != nil, "\(chain.name): \(chain.letters)")
    }

    /// What a source without the field cannot say is not among its letters.
    @Test(arguments: WellKnownChain.all)
    func noSourceGivesAFieldThatItLacks(chain: WellKnownChain) {
        for (field, sources) in chain.sources {
            #expect(
                field == .genesisHash || sources.isDisjoint(with: [.polkadotJS]), "\(chain.name) \(field)")
            #expect(field != .base58Prefix || !sources.contains(.chaindataCache), "\(chain.name)")
            #expect(
                field != .specName || sources.isDisjoint(with: [.novaDetails, .ss58Registry]), "\(chain.name)"
            )
            #expect(
                field != .genesisHash
                    || sources.isDisjoint(with: [.ss58Registry, .ownMetadata, .runtimeSource]),
                "\(chain.name)")
            #expect(
                sources.isDisjoint(with: [.ownMetadata, .runtimeSource])
                    || [.specName, .base58Prefix].contains(field), "\(chain.name)")
        }
        #expect(chain.sources[.genesisHash]?.isEmpty == false, "\(chain.name)")
        // The portal writes names in lower case.
        if chain.specName != chain.specName.lowercased() {
            #expect(chain.sources[.specName]?.contains(.metadataPortal) == false)
        }
    }

    // MARK: Names

    @Test func aChainIsNamedByItsHashItsRuntimeOrItsName() {
        let hub = WellKnownChain.chain(genesis: WellKnownChain.chains(named: "statemint")[0].genesisHash)!
        for text in [
            "statemint", "Polkadot Asset Hub", "polkadot asset hub", hub.genesisHash.hex,
            "0x" + hub.genesisHash.hex,
        ] {
            #expect(WellKnownChain.chains(named: text).map(\.genesisHash) == [hub.genesisHash], "\(text)")
        }
        for text in ["", "Statemint", "statemint ", "stаtemint", "0x", String(repeating: "0", count: 64)] {
            #expect(WellKnownChain.chains(named: text).isEmpty, "\(text)")
        }
        #expect(WellKnownChain.chains(named: "node").map(\.name) == ["Cere", "Polkadex", "StaFi"])
    }

    @Test(arguments: WellKnownChain.all)
    func everyNameOfTheListIsOne(chain: WellKnownChain) {
        #expect(WellKnownChain.isNameOfOne(chain.specName) && WellKnownChain.isNameOfOne(chain.name))
    }

    @Test(arguments: [
        "Polkadot", "POLKADOT", "polkad0t", "po1kadot", "polkadot ", " polkadot", "polka-dot", "polka_dot",
        "pоlkаdоt", "polkadot\u{200b}",
        "\u{202e}polkadot", "polkadót", "p\u{0301}olkadot", "poIkadot", "kusarna", "vvestend", "statemіnt",
        "Polkadot Asset Hub", "polkadot.asset.hub",
    ])
    func aNameThatLooksLikeAListedOneIsFound(name: String) {
        #expect(WellKnownChain.isNameOfOne(name), "\(name)")
    }

    @Test(arguments: ["", "heliotest", "mychain", "polkadot2", "notpolkadot", "kusam"])
    func anyOtherNameIsNone(name: String) { #expect(!WellKnownChain.isNameOfOne(name), "\(name)") }
}
