import Cards
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore

@testable import Review
@testable import TrustUpdates

@Suite struct SetVerifierLaws {
    static let a = Signer("a"), b = Signer("b")

    /// A network with specs, metadata and an asset list, beside another one that must not change.
    static func state(_ specs: NetworkSpecs, _ verifier: Verifier, general: PublicKey?) -> TrustState {
        var state = TrustState()
        state.generalVerifier = general
        for (specs, verifier) in [(specs, verifier), (network("other"), .general)] {
            state.networks.append(specs)
            state.verifiers[specs.genesisHash] = verifier
            state.metadata.append(
                MetadataRecord(genesis: specs.genesisHash, version: 7, hash: .blake2b(of: [7]), length: 1))
            state.assetLists[specs.genesisHash] = [0]
        }
        return state
    }

    /// Every verifier before × general verifier × verifier chosen, for a network that is built in and for one
    /// that is not.
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
                        let was = state.verifierKey(genesis: genesis),
                            key = after.verifierKey(genesis: genesis)
                        var expected: [TrustChange] =
                            before == verifier ? [] : [.setVerifier(genesis, verifier)]
                        if was != key {
                            expected += [.removeMetadata(genesis, version: 7), .removeAssetList(genesis)]
                        }
                        if was != key, key != nil, specs.name.utf8Equals("alpha") {
                            expected.append(.removeNetwork(genesis, .sr25519))
                        }
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
        #expect(try fixture.state.voucher(genesis: alpha.genesisHash, format: 15) == .verifier(Self.b.key))
        try set(.general)
        #expect(
            try fixture.state.voucher(genesis: alpha.genesisHash, format: 15) == .verifier(Self.a.key)
                && fixture.state.metadata.isEmpty)
    }

    @Test func theLogNamesWhomItBelievedBeforeAndWhomItBelievesNow() throws {
        let specs = network("alpha"), key = try Self.a.key
        let step = try TrustSetup.setVerifier(
            .nobody, of: specs.genesisHash, state: Self.state(specs, .custom(key), general: nil))
        let event = step.events[0]
        #expect(event.kind == .networkVerifierSet && event.kind.isDangerous)
        #expect(event["name"].utf8Equals("alpha") && event["genesis_hash"].utf8Equals(specs.genesisHash.hex))
        #expect(
            event["believed"].utf8Equals("none")
                && event["believed_before"].utf8Equals("sr25519:" + Hex.encode(key.bytes)))
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
    static func word(_ update: UnverifiedUpdate) -> String? {
        ReviewSummary(update, cards: CardSet(update)).word?.text
    }

    @Test func theWordNamesWhatIsBelieved() throws {
        let alpha = network("alpha")
        let units = try #require(AssetUnits(genesisHash: alpha.genesisHash, serial: 3, entries: []))
        for (content, text) in [
            (UnverifiedUpdate.Content.addSpecs(alpha), "unsigned alpha"),
            (try metadata(1000, of: alpha), "unsigned alpha 1000"),
            (.loadTypes([0]), "unsigned types"),
            (.loadAssets(units), "unsigned \(alpha.genesisHash.hex.prefix(8)) assets 3"),
        ] {
            #expect(Self.word(unsigned(content)).utf8Equals(text), "\(text)")
            #expect(try Self.word(Signer("a").sign(content)) == nil, "\(text)")
        }
    }

    private static func word(_ update: UnverifiedUpdate, _ state: TrustState) throws -> String? {
        let verified = try UpdateReviewer.review(update, state: state)
        return ReviewSummary(update, cards: verified.cards).word?.text
    }

    /// A key made for the purpose must not be a way around the word of an unsigned update.
    @Test func aKeyThatWasNotBelievedBeforeNeedsAWord() throws {
        let alpha = network("alpha"), signer = Signer("a")
        let key = try signer.key, specs = try signer.sign(.addSpecs(alpha))
        var state = TrustState()
        // The first verifier of all, one of the network's own, and the one that is believed already.
        #expect(
            try Self.word(specs, state) == "new verifier"
                && Self.word(signer.sign(.loadTypes([0])), state) == "new verifier")
        state.generalVerifier = try Signer("b").key
        #expect(try Self.word(specs, state) == "new verifier")
        (state.networks, state.verifiers[alpha.genesisHash]) = ([alpha], .custom(nil))
        #expect(try Self.word(specs, state) == "new verifier")
        state.generalVerifier = key
        #expect(try Self.word(specs, state) == nil)
        (state.networks, state.verifiers) = ([], [:])
        #expect(try Self.word(specs, state) == nil)
        // Metadata brings no verifier.
        (state.networks, state.verifiers[alpha.genesisHash]) = ([alpha], .custom(key))
        #expect(try Self.word(signer.sign(metadata(7, of: alpha)), state) == nil)
    }

    /// A chain that the list does not have, under a name of one that it has.
    @Test func aKnownNameOnAnUnknownChainNeedsAWord() throws {
        let genesis = network("alpha").genesisHash
        var state = TrustState()
        state.generalVerifier = try Signer("a").key
        for (name, title, isKnown) in [
            ("polkadot", "Mine", true), ("p\u{43e}lkadot", "Mine", true),
            ("mine", "Polkadot Asset Hub", true), ("mine", "Mine", false),
        ] {
            let chain = NetworkSpecs(
                name: name, title: title, base58Prefix: 7, decimals: 12, unit: "UNT", genesisHash: genesis,
                scheme: .sr25519)
            #expect(
                try Self.word(Signer("a").sign(.addSpecs(chain)), state) == (isKnown ? "unknown chain" : nil),
                "\(name) \(title)")
        }
        // The chain itself has its name by right.
        let polkadot = NetworkSpecs.defaults[0]
        #expect(try Self.word(Signer("a").sign(.addSpecs(polkadot)), state) == nil)
    }

    /// Specs of a listed chain with another value are believed only from a key that is believed for it
    /// already.
    @Test func aListedChainKeepsItsValues() throws {
        let listed = WellKnownChain.chains(named: "statemint")[0].specs
        var wrong = listed
        wrong.decimals = 12
        let stranger = Signer("b")
        for general in [nil, try Signer("a").key] {
            var state = TrustState()
            state.generalVerifier = general
            for update in [unsigned(.addSpecs(wrong)), try stranger.sign(.addSpecs(wrong))] {
                #expect {
                    try UpdateReviewer.review(update, state: state)
                } throws: { error in
                    guard case UpdateRefusal.listedChainDiffers(let difference) = error else { return false }
                    return difference.field == .decimals
                }
            }
            #expect(throws: Never.self) {
                try UpdateReviewer.review(stranger.sign(.addSpecs(listed)), state: state)
            }
        }
        var state = TrustState()
        state.generalVerifier = try stranger.key
        #expect(throws: Never.self) {
            try UpdateReviewer.review(stranger.sign(.addSpecs(wrong)), state: state)
        }
        (state.generalVerifier, state.verifiers[listed.genesisHash]) = (
            try Signer("a").key, .custom(try stranger.key)
        )
        #expect(throws: Never.self) {
            try UpdateReviewer.review(stranger.sign(.addSpecs(wrong)), state: state)
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
        #expect(
            TypedWord.unsigned(network: "Asset_Hub\n", genesis: genesis).text.utf8Equals("unsigned asset hub")
        )
        #expect(
            TypedWord.unsigned(network: String(repeating: "x", count: 32), genesis: genesis).text.utf8.count
                == 41)
    }
}
