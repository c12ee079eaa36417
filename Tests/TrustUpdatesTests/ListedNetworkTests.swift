import SubstratePrimitives
import Testing
import TrustStore

@testable import Review
@testable import TrustUpdates

/// `network add`: what the list says, and nothing that anybody else chose.
@Suite struct ListedNetworkLaws {
    private static let hub = WellKnownChain.chains(named: "statemint")[0]
    private static let key = TrustSetup.defaultVerifier

    @Test func `a listed chain is stored as a default network is, with the general verifier`() throws {
        let step = try TrustSetup.addListed(Self.hub.genesisHash, state: TrustState())
        #expect(step.changes == [.setVerifier(Self.hub.genesisHash, .general), .putNetwork(Self.hub.specs)])
        #expect(step.events.map(\.kind) == [.networkAdded])
        #expect(
            step.events[0]["built_in"] == "true" && step.events[0]["genesis_hash"] == Self.hub.genesisHash.hex
        )
        // No change of a key.
        #expect(
            Self.hub.specs.name == "statemint" && Self.hub.specs.title == "Polkadot Asset Hub"
                && Self.hub.specs.pathID == "//statemint")
    }

    @Test func `a verifier that was kept stays, so that removing and adding opens nothing`() throws {
        for verifier in [Verifier.general, .custom(nil), .custom(Self.key)] {
            var state = TrustState()
            state.verifiers[Self.hub.genesisHash] = verifier
            #expect(
                try TrustSetup.addListed(Self.hub.genesisHash, state: state).changes == [
                    .putNetwork(Self.hub.specs)
                ])
            // Whoever was kept may be whoever wants it added: a transaction does not bring about the
            // question.
            let data = ChainData(state: state) { _ in [] }
            #expect(
                data.isAddable(.listed(isConfirmed: true), Self.hub.genesisHash) == (verifier == .general))
            let word = TrustSetup.word(forListed: Self.hub.genesisHash, state: state)
            #expect(word == (verifier == .custom(nil) ? "unsigned statemint" : nil))
        }
        let data = ChainData(state: TrustState()) { _ in [] }
        #expect(data.isAddable(.listed(isConfirmed: true), Self.hub.genesisHash))
        #expect(!data.isAddable(.listed(isConfirmed: false), Self.hub.genesisHash))
    }

    @Test func `of a network that is stored for two schemes the specs are those of the asked one`() throws {
        var state = TrustState()
        state.networks = [("one", SignatureScheme.sr25519), ("two", .ed25519)].map { name, scheme in
            var specs = Self.hub.specs
            (specs.name, specs.scheme) = (name, scheme)
            return specs
        }
        let data = ChainData(state: state) { _ in [] }
        for specs in state.networks {
            #expect(try data.specs(genesis: Self.hub.genesisHash, scheme: specs.scheme) == specs)
        }
        // Any of them says what a key of a third scheme would be asked about.
        #expect(
            try state.networks.contains(data.specs(genesis: Self.hub.genesisHash, scheme: .ecdsa)))
    }

    @Test func `a revoked network stays revoked`() {
        var state = TrustState()
        state.verifiers[Self.hub.genesisHash] = .revoked
        #expect(throws: TrustSetup.Failure.blockedNetwork(Self.hub.genesisHash)) {
            try TrustSetup.addListed(Self.hub.genesisHash, state: state)
        }
    }

    @Test func `a stored network is not written over, whatever its scheme and name`() {
        var specs = Self.hub.specs
        (specs.name, specs.scheme) = ("mine", .ed25519)
        var state = TrustState()
        state.networks = [specs]
        #expect(throws: TrustSetup.Failure.knownNetwork("mine")) {
            try TrustSetup.addListed(Self.hub.genesisHash, state: state)
        }
    }

    /// Who stored a chain for ed25519 keys first gets it for its own keys by naming their scheme.
    @Test func `a chain is added for each scheme that is named, its own behind another, too`() throws {
        var own = Self.hub.specs
        var other = own
        other.scheme = .ed25519
        var state = TrustState()
        state.networks = [other]
        for verifier in [Verifier.general, .custom(TrustSetup.defaultVerifier)] {
            state.verifiers[own.genesisHash] = verifier
            #expect(
                try TrustSetup.addListed(own.genesisHash, scheme: own.scheme, state: state).changes == [
                    .putNetwork(own)
                ])
        }
        #expect(throws: TrustSetup.Failure.knownNetwork(own.name)) {
            try TrustSetup.addListed(own.genesisHash, scheme: .ed25519, state: state)
        }
        own.name = "mine"
        state.networks.append(own)
        #expect(throws: TrustSetup.Failure.knownNetwork("mine")) {
            try TrustSetup.addListed(own.genesisHash, scheme: own.scheme, state: state)
        }
    }

    @Test func `a chain that is not listed is not added`() {
        let genesis = GenesisHash.blake2b(of: [1])
        #expect(throws: TrustSetup.Failure.notListed("0x" + genesis.hex)) {
            try TrustSetup.addListed(genesis, state: TrustState())
        }
    }

    @Test(arguments: NetworkSpecs.defaults)
    func `a default network comes back as it was`(specs: NetworkSpecs) throws {
        #expect(
            try TrustSetup.addListed(specs.genesisHash, state: TrustState()).changes.contains(
                .putNetwork(specs)))
    }

    @Test func `a name of several chains is refused with all of them`() throws {
        #expect(try TrustSetup.listed(named: "Polkadex").specName == "node")
        for name in ["node", "robonomics"] {
            let chains = WellKnownChain.all.filter { $0.specName == name }.map(\.genesisHash)
            #expect(chains.count > 1)
            #expect(throws: TrustSetup.Failure.ambiguousListed(name, chains)) {
                try TrustSetup.listed(named: name)
            }
        }
        #expect(throws: TrustSetup.Failure.notListed("polkad0t")) { try TrustSetup.listed(named: "polkad0t") }
    }
}
