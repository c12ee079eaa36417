import Cards
import FixtureRuntime
import Glibc
import Hashing
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates
import UOS

@Suite struct UpdateLaws {
    static let north = Signer("north"), south = Signer("south")

    // MARK: Specs

    @Test func theFirstSignerBecomesTheGeneralVerifier() throws {
        let fixture = try TrustFixture()
        let alpha = network("alpha")
        let cards = try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        #expect(cards.codes == ["general-verifier-appears"])
        #expect(cards.verifier.map(\.value) == ["sr25519 \(Hex.encode(try Self.north.key.bytes))"])
        #expect(cards.newSpecs.count == 1)
        let state = try fixture.state
        #expect(state.generalVerifier == (try Self.north.key))
        #expect(state.networks == [alpha])
        #expect(state.verifiers == [alpha.genesisHash: .general])
        #expect(
            try fixture.store.store.log().map(\.event.kind) == [
                .databaseCreated, .generalVerifierSet, .networkVerifierSet, .networkAdded,
            ])
    }

    @Test func whatTheNewGeneralVerifierNeverSawIsShownAndPurged() throws {
        let fixture = try TrustFixture(networks: [network("old"), network("older")])
        try fixture.accept(unsigned(metadata(1, of: network("old"))))
        try fixture.accept(unsigned(metadata(2, of: network("old"))))
        try fixture.accept(unsigned(.loadTypes([0])))
        let alpha = network("alpha")
        let cards = try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        let purged = cards.warning.filter { $0.fields.contains(Card.Field("code", "purged")) }.map { card in
            card.fields.compactMap { field in
                if ["what", "name", "version"].contains(field.name) {
                    switch field.fact {
                    case .text(let text): text.text
                    case .number(let number): String(number)
                    default: nil
                    }
                } else {
                    nil
                }
            }.joined(separator: " ")
        }
        #expect(Set(purged) == ["types", "metadata old 1", "metadata old 2", "network old", "network older"])
        let state = try fixture.state
        #expect(state.networks == [alpha])
        #expect(state.metadata.isEmpty)
        #expect(state.types == nil)
        let log = try fixture.store.store.log()
        #expect(log.filter { $0.event["purged"] == "true" }.count == 5)
        #expect(
            try fixture.refusal(unsigned(metadata(3, of: network("old"))))
                == .unknownNetwork(network("old").genesisHash))
    }

    @Test func aStrangersNetworkGetsAVerifierOfItsOwn() throws {
        let fixture = try TrustFixture(verifier: Self.north.key)
        let alpha = network("alpha")
        #expect(try fixture.accept(Self.south.sign(.addSpecs(alpha))).codes == ["custom-verifier-appears"])
        #expect(try fixture.state.verifiers == [alpha.genesisHash: .custom(try Self.south.key)])
        try fixture.accept(Self.south.sign(metadata(5, of: alpha)))
        #expect(
            try fixture.refusal(Self.north.sign(metadata(6, of: alpha))) == .mustBeSignedBy([Self.south.key]))
        #expect(try fixture.refusal(unsigned(metadata(6, of: alpha))) == .mustBeSignedBy([Self.south.key]))
        // The general verifier takes over: what the other one sent goes.
        let cards = try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        #expect(cards.codes == ["only-verifier-changes", "verifier-becomes-general", "purged"])
        let state = try fixture.state
        #expect(state.verifiers == [alpha.genesisHash: .general])
        #expect(state.networks == [alpha])
        #expect(state.metadata.isEmpty)
    }

    @Test(arguments: [SignatureScheme.ed25519, .sr25519, .ecdsa])
    func everySchemeSignsUpdates(scheme: SignatureScheme) throws {
        let fixture = try TrustFixture()
        let signer = Signer("north", scheme)
        let alpha = network("alpha")
        try fixture.accept(signer.sign(.addSpecs(alpha)))
        try fixture.accept(signer.sign(metadata(1, of: alpha)))
        try fixture.accept(signer.sign(.loadTypes([0])))
        #expect(try fixture.state.generalVerifier == signer.key)
    }

    @Test func aWrongSignatureIsRefused() throws {
        let fixture = try TrustFixture()
        for scheme in [SignatureScheme.ed25519, .sr25519, .ecdsa] {
            let good = try Signer("north", scheme).sign(.addSpecs(network("alpha")))
            let signature = try #require(good.signature)
            for place in stride(from: 0, to: signature.signature.count, by: 3) {
                var flipped = signature.signature
                flipped[place] ^= 1
                let update = UnverifiedUpdate(
                    good.content, signature: UpdateSignature(key: signature.key, signature: flipped))
                #expect(try fixture.refusal(update) == .wrongSignature(signature.key))
            }
            let other = UnverifiedUpdate(.addSpecs(network("beta")), signature: signature)
            #expect(try fixture.refusal(other) == .wrongSignature(signature.key))
        }
    }

    @Test func anEthereumStyleKeySignsNoUpdate() throws {
        let update = try Signer("north", .ethereum).sign(.addSpecs(network("alpha")))
        #expect(try TrustFixture().refusal(update) == .wrongSignature(Signer("north", .ethereum).key))
    }

    @Test func nameAndPrefixNeverChangeForAChain() throws {
        let fixture = try TrustFixture()
        let alpha = network("alpha")
        try fixture.accept(unsigned(.addSpecs(alpha)))
        var changed = alpha
        changed.name = "beta"
        #expect(
            try fixture.refusal(unsigned(.addSpecs(changed))) == .nameChanges(known: "alpha", given: "beta"))
        changed = alpha
        changed.base58Prefix = 8
        #expect(try fixture.refusal(unsigned(.addSpecs(changed))) == .prefixChanges(known: 7, given: 8))
        changed.scheme = .ed25519
        #expect(try fixture.refusal(unsigned(.addSpecs(changed))) == .prefixChanges(known: 7, given: 8))
    }

    @Test func decimalsAndUnitNeverChangeForAChainAndScheme() throws {
        let fixture = try TrustFixture()
        let alpha = network("alpha")
        try fixture.accept(unsigned(.addSpecs(alpha)))
        var changed = alpha
        changed.decimals = 10
        #expect(try fixture.refusal(unsigned(.addSpecs(changed))) == .decimalsChange(known: 12, given: 10))
        #expect(
            try fixture.refusal(Self.north.sign(.addSpecs(changed))) == .decimalsChange(known: 12, given: 10))
        changed = alpha
        changed.unit = "X"
        #expect(try fixture.refusal(unsigned(.addSpecs(changed))) == .unitChanges(known: "UNT", given: "X"))
        changed.scheme = .ed25519
        try fixture.accept(unsigned(.addSpecs(changed)))
        #expect(try fixture.state.networks(genesis: alpha.genesisHash).count == 2)
    }

    @Test func titleColoursLogoAndPathMayChange() throws {
        let fixture = try TrustFixture()
        var alpha = network("alpha")
        try fixture.accept(unsigned(.addSpecs(alpha)))
        #expect(try fixture.refusal(unsigned(.addSpecs(alpha))) == .alreadyKnown)
        alpha.title = "Alpha the Second"
        alpha.color = "#000000"
        alpha.pathID = "//second"
        alpha.logo = "second"
        try fixture.accept(unsigned(.addSpecs(alpha)))
        #expect(try fixture.state.networks == [alpha])
        #expect(try fixture.store.store.log().last?.event.kind == .networkChanged)
    }

    @Test func specsThatCannotBeReadOrWrittenAreRefused() throws {
        let fixture = try TrustFixture()
        #expect(try fixture.refusal(unsigned(.addSpecs(network("")))) == .emptyField("name"))
        #expect(try fixture.refusal(unsigned(.addSpecs(network("a", unit: "")))) == .emptyField("unit"))
        #expect(
            try fixture.refusal(unsigned(.addSpecs(network("a", unit: "000")))) == .unitWithoutLetter("000"))
        #expect(
            try fixture.refusal(Self.north.sign(.addSpecs(network("a", unit: "1.5"))))
                == .unitWithoutLetter("1.5"))
        #expect(
            try fixture.refusal(unsigned(.addSpecs(network("a", prefix: 29972)))) == .prefixTooLarge(29972))
        #expect(try fixture.refusal(unsigned(.addSpecs(network("a", prefix: 46)))) == .prefixReserved(46))
        try fixture.accept(unsigned(.addSpecs(network("a", prefix: 29972, scheme: .ethereum))))
    }

    @Test func theNameOfAnotherChainIsPointedOut() throws {
        let fixture = try TrustFixture(verifier: Self.north.key, networks: NetworkSpecs.defaults)
        var other = NetworkSpecs.defaults[0]
        other = NetworkSpecs(
            name: "polkadot", title: "Polkadot", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: .blake2b(of: [1]),
            pathID: "//local")
        #expect(
            try fixture.accept(unsigned(.addSpecs(other))).codes == [
                "update-unsigned", "name-of-another-chain", "known-name-on-unknown-chain",
            ])
    }

    /// The key that holds a person's DOT is not the first key of another chain, however the path to it is
    /// written.
    @Test func thePathOfAListedChainIsForThatChain() throws {
        let fixture = try TrustFixture(verifier: Self.north.key, networks: NetworkSpecs.defaults)
        var other = network("other")
        // The chain code of a name of seven bytes is that of a number.
        for (path, chain) in [
            ("//polkadot", "Polkadot"), ("//kusama", "Kusama"), ("//27423338057263896", "Kusama"),
            ("//statemint", "Polkadot Asset Hub"),
        ] {
            other.pathID = path
            let refused = UpdateRefusal.pathOfListedChain(path: path, chain: chain)
            #expect(try fixture.refusal(unsigned(.addSpecs(other))) == refused)
            // A key that nobody believes yet is no better than none.
            #expect(try TrustFixture().refusal(Self.north.sign(.addSpecs(other))) == refused)
        }
        for path in [
            "/polkadot", "//polkadot//0", "//polkadot/0", "//Polkadot", "//other", "", "//a///b", "polkadot",
        ] {
            other.pathID = path
            try fixture.accept(unsigned(.addSpecs(other)))
        }
        other.pathID = "//polkadot"
        #expect(
            try fixture.refusal(unsigned(.addSpecs(other)))
                == .pathOfListedChain(path: "//polkadot", chain: "Polkadot"))
        // A believed verifier may say so, and the listed chain itself.
        var believed = network("believed")
        believed.pathID = "//polkadot"
        try fixture.accept(Self.north.sign(.addSpecs(believed)))
        try TrustFixture().accept(unsigned(.addSpecs(NetworkSpecs.defaults[0])))
    }

    // MARK: Metadata

    @Test func metadataIsHeldByVersion() throws {
        let alpha = network("alpha")
        let fixture = try TrustFixture()
        try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        #expect(try fixture.accept(Self.north.sign(metadata(5, of: alpha))).codes == [])
        #expect(
            try fixture.accept(Self.north.sign(metadata(7, of: alpha))).codes == [
                "metadata-newer-than-newest"
            ])
        #expect(
            try fixture.accept(Self.north.sign(metadata(6, of: alpha))).codes == [
                "metadata-older-than-newest"
            ])
        #expect(try fixture.state.metadata(genesis: alpha.genesisHash).map(\.version) == [7, 6, 5])
        #expect(try fixture.refusal(Self.north.sign(metadata(6, of: alpha))) == .alreadyKnown)
        let other = try metadata(6, of: alpha) {
            $0.renameCall("Balances", "transfer_keep_alive", to: "give")
        }
        guard case .sameVersionOtherBytes(6, _, _) = try fixture.refusal(Self.north.sign(other)) else {
            Issue.record("other bytes of the same version")
            return
        }
        try fixture.store.checkContents()
    }

    @Test func metadataFitsItsNetwork() throws {
        let alpha = network("alpha")
        let fixture = try TrustFixture()
        #expect(
            try fixture.refusal(Self.north.sign(metadata(1, of: alpha))) == .unknownNetwork(alpha.genesisHash)
        )
        try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        var other = network("beta")
        other = NetworkSpecs(
            name: "beta", title: "Beta", base58Prefix: 7, decimals: 12, unit: "UNT",
            genesisHash: alpha.genesisHash)
        #expect(
            try fixture.refusal(Self.north.sign(metadata(1, of: other)))
                == .metadataOfAnotherNetwork(specs: "alpha", metadata: "beta"))
        #expect(
            try fixture.refusal(Self.north.sign(metadata(1, of: alpha, prefix: 8)))
                == .metadataPrefixDiffers(specs: 7, metadata: 8))
        #expect(try fixture.refusal(unsigned(metadata(1, of: alpha))) == .mustBeSignedBy([Self.north.key]))
        #expect(
            try fixture.refusal(Self.south.sign(metadata(1, of: alpha))) == .mustBeSignedBy([Self.north.key]))
    }

    @Test func metadataNeverMakesAVerifier() throws {
        let alpha = network("alpha")
        let fixture = try TrustFixture()
        try fixture.accept(unsigned(.addSpecs(alpha)))
        #expect(try fixture.refusal(Self.north.sign(metadata(1, of: alpha))) == .specsFirst(Self.north.key))
        try fixture.accept(unsigned(metadata(1, of: alpha)))
        #expect(try fixture.state.generalVerifier == nil)
    }

    @Test func incompleteExtensionsArePointedOut() throws {
        let alpha = network("alpha")
        let fixture = try TrustFixture()
        try fixture.accept(unsigned(.addSpecs(alpha)))
        let content = try metadata(1, of: alpha) {
            $0.extensions.removeAll { $0.identifier == "CheckGenesis" }
        }
        #expect(
            try fixture.accept(unsigned(content)).codes == [
                "update-unsigned", "metadata-extensions-incomplete",
            ])
    }

    // MARK: Types

    @Test func typesServeEveryNetwork() throws {
        let fixture = try TrustFixture()
        #expect(
            try fixture.accept(unsigned(.loadTypes([0]))).codes == [
                "update-unsigned", "types-for-every-network",
            ])
        #expect(try fixture.refusal(unsigned(.loadTypes([0]))) == .alreadyKnown)
        #expect(
            try fixture.accept(Self.north.sign(.loadTypes([0]))).codes
                == ["only-verifier-changes", "types-for-every-network", "general-verifier-appears"])
        #expect(try fixture.refusal(unsigned(.loadTypes([4, 0]))) == .mustBeSignedBy([Self.north.key]))
        #expect(
            try fixture.accept(Self.north.sign(.loadTypes([4, 0]))).codes == [
                "types-replaced", "types-for-every-network",
            ])
        #expect(try fixture.state.types?.hash == .blake2b(of: [4, 0]))
    }

    // MARK: Between showing and accepting

    @Test func anotherStateGivesAnotherPlan() throws {
        let fixture = try TrustFixture()
        let update = try Self.north.sign(.addSpecs(network("alpha")))
        let first = try UpdateReviewer.review(update, state: fixture.state)
        #expect(try UpdateReviewer.review(update, state: fixture.state).hasPlan(of: first))
        // Somebody else becomes the general verifier while the cards are read.
        try fixture.accept(Self.south.sign(.addSpecs(network("beta"))))
        #expect(try !UpdateReviewer.review(update, state: fixture.state).hasPlan(of: first))
    }

    @Test func aRefusedUpdateWritesOnlyToTheLog() throws {
        let fixture = try TrustFixture(verifier: Self.north.key, networks: [network("alpha")])
        let content = try metadata(1, of: network("alpha"))
        guard case .loadMetadata(let blob, _, _) = content else {
            Issue.record("no metadata")
            return
        }
        let update = try Self.south.sign(content)
        let refusal = try #require(try fixture.refusal(update))
        let outgoing = OutgoingUpdate.loadMetadata(blob, genesisHash: network("alpha").genesisHash)
        let payload = try Payload(outgoing.bytes(signature: update.signature))
        try TrustStore(directory: fixture.directory).journal(
            LogEvent.refusal(of: payload, reason: refusal.code))
        let before = try fixture.state
        let entry = try #require(try fixture.store.store.log().last)
        #expect(entry.event.kind == .updateRefused)
        #expect(entry.event["reason"] == "must-be-signed-by" && entry.event["kind"] == "load_metadata")
        #expect(entry.event["name"] == "alpha" && entry.event["version"] == "1")
        #expect(entry.event["signed_by"] == Hex.encode(try Self.south.key.bytes))
        #expect(before.metadata.isEmpty)
    }
}
