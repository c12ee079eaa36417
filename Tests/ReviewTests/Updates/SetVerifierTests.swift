import Cards
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore

@testable import Review

@Suite struct SetVerifierLaws {
    static let a = Signer("a"), b = Signer("b")

    /// A network with specs, metadata and an asset list, beside another one that must not change.
    static func state(_ specs: NetworkSpecs, _ verifier: Verifier, general: PublicKey?) -> TrustState {
        var state = TrustState()
        state.generalVerifier = general
        for (specs, verifier) in [(specs, verifier), (network("other"), .general)] {
            state.networks.append(specs)
            state.verifiers[specs.genesisHash] = verifier
            state.metadata.append(MetadataRecord(genesis: specs.genesisHash, version: 7, hash: .blake2b(of: [7]), length: 1))
            state.assetLists[specs.genesisHash] = [0]
        }
        return state
    }

    /// Every verifier before × general verifier × verifier chosen, for a network that is built in and for one that is not.
    @Test func whatAnotherKeyVouchedForGoesAndNothingElse() throws {
        let keys: [PublicKey?] = [nil, try Self.a.key, try Self.b.key]
        var word = 0, kept = 0
        for specs in [network("alpha"), NetworkSpecs.defaults[0]] {
            for general in keys {
                for before in [Verifier.general] + keys.map({ .custom($0) }) {
                    for (chosen, verifier) in [(ChosenVerifier.general, Verifier.general)]
                        + keys.map({ key in (key.map { .key($0) } ?? .nobody, .custom(key)) })
                    {
                        let state = Self.state(specs, before, general: general), genesis = specs.genesisHash
                        let step = try TrustSetup.setVerifier(chosen, of: genesis, state: state)
                        var after = state
                        after.verifiers[genesis] = verifier
                        let was = state.verifierKey(genesis: genesis), key = after.verifierKey(genesis: genesis)
                        var expected: [TrustChange] = before == verifier ? [] : [.setVerifier(genesis, verifier)]
                        if was != key { expected += [.removeMetadata(genesis, version: 7), .removeAssetList(genesis)] }
                        if was != key, key != nil, specs.name.utf8Equals("alpha") { expected.append(.removeNetwork(genesis, .sr25519)) }
                        #expect(step.changes == expected, "\(specs.name) \(before) \(verifier)")
                        #expect(step.events.count == expected.count)
                        let typed = TrustSetup.word(for: chosen, of: genesis, state: state)
                        #expect((typed == nil) == (key != nil))
                        if let typed { #expect(typed.utf8Equals("unsigned " + specs.name)) }
                        word += typed == nil ? 0 : 1
                        kept += was == key && before != verifier ? 1 : 0
                    }
                }
            }
        }
        #expect(word > 0 && kept > 0)
    }

    /// The store takes the change, and the rules of updates follow the new verifier.
    @Test func updatesFollowTheNewVerifier() throws {
        let alpha = network("alpha")
        let fixture = try TrustFixture(verifier: Self.a.key, networks: [alpha])
        try fixture.accept(Self.a.sign(metadata(1, of: alpha)))
        func set(_ chosen: ChosenVerifier) throws {
            let store = try fixture.store
            let step = try TrustSetup.setVerifier(chosen, of: alpha.genesisHash, state: store.trust().state)
            try store.change(since: store.trust(), step.changes, events: step.events)
        }
        try set(.nobody)
        #expect(try fixture.state.metadata.isEmpty && fixture.state.networks == [alpha])
        #expect(try fixture.refusal(Self.a.sign(metadata(1, of: alpha))) == .specsFirst(Self.a.key))
        try fixture.accept(unsigned(metadata(1, of: alpha)))
        try set(.key(Self.b.key))
        #expect(try fixture.state.metadata.isEmpty && fixture.state.networks.isEmpty)
        #expect(try fixture.refusal(unsigned(.addSpecs(alpha))) == .mustBeSignedBy([Self.b.key]))
        try fixture.accept(Self.b.sign(.addSpecs(alpha)))
        try fixture.accept(Self.b.sign(metadata(1, of: alpha)))
        #expect(try fixture.state.voucher(genesis: alpha.genesisHash) == .verifier(Self.b.key))
        try set(.general)
        #expect(try fixture.state.voucher(genesis: alpha.genesisHash) == .verifier(Self.a.key) && fixture.state.metadata.isEmpty)
    }

    @Test func theLogNamesWhomItBelievedBeforeAndWhomItBelievesNow() throws {
        let specs = network("alpha"), key = try Self.a.key
        let step = try TrustSetup.setVerifier(.nobody, of: specs.genesisHash, state: Self.state(specs, .custom(key), general: nil))
        let event = step.events[0]
        #expect(event.kind == .networkVerifierSet && event.kind.isDangerous)
        #expect(event["name"].utf8Equals("alpha") && event["genesis_hash"].utf8Equals(specs.genesisHash.hex))
        #expect(event["believed"].utf8Equals("none") && event["believed_before"].utf8Equals("sr25519:" + Hex.encode(key.bytes)))
    }

    @Test func anUnknownNetworkAndARevokedOneAreRefused() throws {
        let specs = network("alpha"), hash = specs.genesisHash
        #expect(throws: TrustSetup.Failure.unknownNetwork(hash)) {
            try TrustSetup.setVerifier(.nobody, of: hash, state: TrustState())
        }
        #expect(throws: TrustSetup.Failure.blockedNetwork(hash)) {
            try TrustSetup.setVerifier(.nobody, of: hash, state: Self.state(specs, .revoked, general: nil))
        }
    }
}

@Suite struct UnsignedWordLaws {
    static func word(_ update: UnverifiedUpdate) -> String? { ReviewSummary(update, cards: CardSet(update)).word?.text }

    @Test func theWordNamesWhatIsBelieved() throws {
        let alpha = network("alpha")
        let units = try #require(AssetUnits(genesisHash: alpha.genesisHash, serial: 3, entries: []))
        for (content, text) in [
            (UnverifiedUpdate.Content.addSpecs(alpha), "unsigned alpha"), (try metadata(1000, of: alpha), "unsigned alpha 1000"),
            (.loadTypes([0]), "unsigned types"), (.loadAssets(units), "unsigned \(alpha.genesisHash.hex.prefix(8)) assets 3"),
        ] {
            #expect(Self.word(unsigned(content)).utf8Equals(text), "\(text)")
            #expect(try Self.word(Signer("a").sign(content)) == nil, "\(text)")
        }
    }

    /// The sender chooses the name, and a person must be able to type the word.
    @Test func aNameThatNobodyCanTypeIsReplacedByItsGenesisHash() {
        let genesis = network("alpha").genesisHash
        for name in ["", "—", "п", "\u{202e}", "a\u{0}", String(repeating: "x", count: 33)] {
            let text = TypedWord.unsigned(network: name, genesis: genesis).text
            let plain = name.utf8Equals("a\u{0}") ? "a" : String(genesis.hex.prefix(8))
            #expect(text.utf8Equals("unsigned " + plain), "\(name)")
        }
        #expect(TypedWord.unsigned(network: "Asset_Hub\n", genesis: genesis).text.utf8Equals("unsigned asset hub"))
        #expect(TypedWord.unsigned(network: String(repeating: "x", count: 32), genesis: genesis).text.utf8.count == 41)
    }
}
