import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Accounts

@Suite struct DerivationTests {
    /// Published by BIP-39; its root key by py-sr25519-bindings.
    static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    static let root = PublicKey(
        scheme: .sr25519,
        bytes: Hex.decode("625e25364c7b68e0a83065ccb40afed43f8fe933e669b24f3d69a57eddb3b715")!)!

    static func key(_ path: String, _ scheme: SignatureScheme) throws -> PublicKey {
        try KeyPair.derive(phrase: SecretBytes(utf8: phrase), path: DerivationPath(path), scheme: scheme)
            .publicKey
    }

    /// A vault with seed `main` and one network for each scheme.
    static var state: TrustState {
        var state = TrustState()
        state.settings[TrustState.seedRootPrefix + "main"] = root.bytes
        state.networks = SignatureScheme.allCases.map { scheme in
            NetworkSpecs(
                name: scheme.name, title: scheme.name, base58Prefix: 42, decimals: 12, unit: "UNIT",
                genesisHash: genesis(scheme),
                scheme: scheme)
        }
        return state
    }

    static func genesis(_ scheme: SignatureScheme) -> GenesisHash { .blake2b(of: Array(scheme.name.utf8)) }

    static func exported(_ path: String, _ scheme: SignatureScheme) throws -> SeedInfo.DerivedKey {
        let key = try key(path, scheme)
        let address = key.bytes.count == 32 ? key.address(prefix: 42) : "0x" + Hex.encode(key.bytes)
        return SeedInfo.DerivedKey(
            address: address, path: path.isEmpty ? nil : path, scheme: scheme, genesisHash: genesis(scheme))
    }

    static func review(
        _ keys: [SeedInfo.DerivedKey], root: PublicKey = root, seed: String? = nil, state: TrustState = state
    )
        -> DerivationReview
    {
        DerivationReview(
            importing: ExportAddrs(seeds: [SeedInfo(name: "theirs", root: root, keys: keys)]), seed: seed,
            state)
    }

    static func record(_ path: String, _ scheme: SignatureScheme) throws -> KeyRecord {
        let key = try key(path, scheme)
        return KeyRecord(
            publicKey: key, ethereumAddress: scheme == .ethereum ? key.accountID : nil, seed: "main",
            path: path, hasPassword: false,
            networks: [genesis(scheme)])
    }

    @Test(arguments: SignatureScheme.allCases)
    func whatWasImportedIsKnown(scheme: SignatureScheme) throws {
        let exported = try ["", "//a"].map { try Self.exported($0, scheme) }
        var state = Self.state
        state.keys = try ["", "//a"].map { try Self.record($0, scheme) }
        let again = Self.review(exported, state: state)
        #expect(again.targets.map(\.status) == [.alreadyKnown, .alreadyKnown])
        #expect(again.refusal == .allKnown)
    }

    @Test func everyChangedCharacterOfAnAddressIsRefused() throws {
        let good = try Self.exported("//a", .sr25519)
        for place in good.address.indices {
            var changed = good
            changed.address.replaceSubrange(place...place, with: good.address[place] == "2" ? "3" : "2")
            #expect(Self.review([changed]).targets[0].status == .badAddress)
        }
    }

    /// By seed, path, scheme and network: another spelling or another network is another key's place.
    @Test func aKeyThatStandsTwiceIsImportedOnce() throws {
        let (a, b) = (try Self.exported("//a", .sr25519), try Self.exported("//b", .sr25519))
        var elsewhere = a
        elsewhere.genesisHash = .blake2b(of: [1])
        var twoNetworks = Self.state
        twoNetworks.networks.append(
            NetworkSpecs(
                name: "second", title: "", base58Prefix: 42, decimals: 1, unit: "S",
                genesisHash: elsewhere.genesisHash))
        let review = Self.review(
            [a, b, a, elsewhere, try Self.exported("//a", .ed25519), a, b], state: twoNetworks)
        #expect(review.targets.map(\.status) == [.new, .new, .repeated, .new, .new, .repeated, .repeated])
        #expect(review.refusal == nil)
        // Two groups for one seed, and a key that the vault has.
        let groups = [
            SeedInfo(name: "one", root: Self.root, keys: [a]),
            SeedInfo(name: "two", root: Self.root, keys: [b, a]),
        ]
        let both = DerivationReview(importing: ExportAddrs(seeds: groups), seed: nil, Self.state)
        #expect(both.targets.map(\.status) == [.new, .new, .repeated])
        var state = Self.state
        state.keys = [try Self.record("//a", .sr25519)]
        let known = Self.review([a, a], state: state)
        #expect(known.targets.map(\.status) == [.alreadyKnown, .repeated] && known.refusal == .allKnown)
    }

    @Test func aPathWithAPasswordIsLeftOut() throws {
        var secret = try Self.exported("//a", .sr25519)
        secret.path = "//a///word"
        let review = Self.review([secret, try Self.exported("//b", .sr25519)])
        #expect(review.targets.map(\.status) == [.passwordProtected, .new])
    }

    @Test func aSoftPathOfAHardSchemeIsLeftOut() throws {
        var soft = try Self.exported("//a", .ed25519)
        soft.path = "/a"
        #expect(Self.review([soft]).targets[0].status == .badPath)
        #expect(Self.review([soft]).refusal == .nothingToDo)
    }

    @Test func aKeyOfAnotherPathCollides() throws {
        var state = Self.state
        state.keys = [
            KeyRecord(publicKey: try Self.key("//0", .sr25519), seed: "main", path: "//0", hasPassword: false)
        ]
        var spelled = try Self.exported("//0", .sr25519)
        spelled.path = "//00"
        #expect(Self.review([spelled], state: state).refusal == .collision(path: "//00"))
    }

    @Test func aRootOfNoSeedNeedsAName() throws {
        let stranger = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
        let keys = [try Self.exported("//a", .sr25519)]
        #expect(Self.review(keys, root: stranger).refusal == .seedUnknown(root: stranger.bytes))
        #expect(Self.review(keys, root: stranger, seed: "main").refusal == nil)
    }

    // MARK: Lists of paths

    private static func listing(_ paths: [String], _ scheme: SignatureScheme = .sr25519, seed: String?)
        -> DerivationReview
    {
        DerivationReview(
            listing: PathList(scheme: scheme, genesisHash: genesis(scheme), paths: paths), seed: seed, state)
    }

    @Test func aListIsForTheSeedThatIsNamedAndForNoOther() {
        let named = Self.listing(["//a", "", "//b///word", "//a"], seed: "main")
        #expect(named.targets.map(\.status) == [.new, .new, .passwordProtected, .repeated])
        #expect(named.refusal == nil && !named.needsSeed && named.groups[0].root == Self.root)
        let nobody = Self.listing(["//a"], seed: nil)
        #expect(nobody.targets.map(\.status) == [.seedUnknown])
        #expect(nobody.refusal == .seedNotNamed && nobody.needsSeed && nobody.unknownRoots.isEmpty)
        #expect(named.gap == nil && nobody.gap == nil)
    }

    @Test func aListThatAddsNothingSaysWhy() throws {
        #expect(Self.listing([], seed: "main").refusal == .nothingToDo)
        #expect(Self.listing(["/soft"], .ed25519, seed: "main").refusal == .nothingToDo)
        var state = Self.state
        state.keys = [try Self.record("//a", .sr25519)]
        let list = PathList(scheme: .sr25519, genesisHash: Self.genesis(.sr25519), paths: ["//a"])
        let known = DerivationReview(listing: list, seed: "main", state)
        #expect(known.targets.map(\.status) == [.alreadyKnown] && known.refusal == .allKnown)
        #expect(known.targets[0].address == (try Self.key("//a", .sr25519)).address(prefix: 42))
    }

    /// The bytes that a list is checked against are those of its payload, not those of what was read from it.
    @Test func aListWhoseCardsSayOtherBytesIsRefused() {
        let list = PathList(scheme: .sr25519, genesisHash: Self.genesis(.sr25519), paths: ["//a"])
        var bytes = SCALEWriter.encode { list.encode(into: &$0) }
        bytes[0] = SignatureScheme.ed25519.rawValue
        let review = DerivationReview(listing: list, bytes: bytes, seed: "main", Self.state)
        guard case .notOnCards = review.refusal else {
            Issue.record("not refused: \(String(describing: review.refusal))")
            return
        }
    }

    /// A list has one scheme and one network: a line that says another would be derived for it.
    @Test func aLineOfAnotherSchemeIsNotOfTheList() {
        let list = PathList(scheme: .sr25519, genesisHash: Self.genesis(.sr25519), paths: ["//a"])
        var cards = Self.listing(["//a"], seed: "main").groups[0].cards
        let bytes = SCALEWriter.encode { list.encode(into: &$0) }
        #expect(DerivationReview.gap(.listing, [cards], bytes: bytes) == nil)
        let other = Self.listing(["//a"], .ed25519, seed: "main").groups[0].cards
        (cards.network, cards.derivations) = (other.network, other.derivations)
        #expect(DerivationReview.gap(.listing, [cards], bytes: bytes) != nil)
    }

    /// Nova Spektr writes ecdsa for every derived key that is not sr25519.
    @Test(arguments: [SignatureScheme.ed25519, .ecdsa, .ethereum])
    func ecdsaInAPayloadMeansTheSchemeOfTheNetwork(scheme: SignatureScheme) throws {
        var state = Self.state
        let signer = SignerReference.derived(root: Self.root, path: "//a", scheme: .ecdsa)
        let specs = try #require(state.network(genesis: Self.genesis(scheme), scheme: scheme))
        #expect(state.underivedKey(of: signer, network: specs)?.scheme == scheme)
        #expect(state.key(for: signer, network: specs) == nil)
        state.keys = [try Self.record("//a", scheme)]
        #expect(state.key(for: signer, network: specs)?.publicKey == (try Self.key("//a", scheme)))
        let sr25519 = SignerReference.derived(root: Self.root, path: "//a", scheme: .sr25519)
        #expect(state.key(for: sr25519, network: specs) == nil)
    }

    /// A payload for ecdsa may mean other schemes too, so two keys of a path may be allowed on a network.
    @Test func ofTwoAllowedKeysThatOfTheNamedSchemeSigns() throws {
        var state = Self.state
        let signer = SignerReference.derived(root: Self.root, path: "//a", scheme: .ecdsa)
        let specs = try #require(state.network(genesis: Self.genesis(.ecdsa), scheme: .ecdsa))
        let named = try Self.record("//a", .ecdsa)
        let others = try [SignatureScheme.ed25519, .ethereum].map { scheme in
            var record = try Self.record("//a", scheme)
            record.networks = [specs.genesisHash]
            return record
        }
        for keys in [others + [named], [named] + others] {
            state.keys = keys
            #expect(state.key(for: signer, network: specs) == named)
        }
        state.keys = others
        #expect(state.key(for: signer, network: specs) == others[0])
    }

    /// A root and a path name one key: the one without a password, of the seed with this root.
    @Test(arguments: SignatureScheme.allCases)
    func aRootAndAPathNameNoKeyWithAPasswordNorOneOfAnotherSeed(scheme: SignatureScheme) throws {
        var state = Self.state
        let signer = SignerReference.derived(root: Self.root, path: "//a", scheme: scheme)
        let specs = try #require(state.network(genesis: Self.genesis(scheme), scheme: scheme))
        let named = try Self.record("//a", scheme)
        // Another key of the same path: a password, another seed, another path.
        func other(_ seed: String, _ path: String, hasPassword: Bool) throws -> KeyRecord {
            let key = try Self.key("//other", scheme)
            return KeyRecord(
                publicKey: key, ethereumAddress: scheme == .ethereum ? key.accountID : nil, seed: seed,
                path: path,
                hasPassword: hasPassword, networks: [Self.genesis(scheme)])
        }
        for stranger in [
            try other("main", "//a", hasPassword: true), try other("second", "//a", hasPassword: false),
            try other("main", "//A", hasPassword: false),
        ] {
            for network in [specs, nil] {
                state.keys = [stranger]
                #expect(
                    state.key(for: signer, network: network) == nil, "\(stranger.seed ?? "")\(stranger.path)")
                #expect(state.underivedKey(of: signer, network: network)?.path == "//a")
                for keys in [[stranger, named], [named, stranger]] {
                    state.keys = keys
                    #expect(state.key(for: signer, network: network) == named)
                }
            }
        }
    }

    @Test func aKeyIsDerivedOnlyBelowTheRootThatWasNamed() throws {
        let signer = SignerReference.derived(root: Self.root, path: "//a", scheme: .sr25519)
        let underived = try #require(Self.state.underivedKey(of: signer, network: nil))
        let own = try Mnemonic(phrase: SecretBytes(utf8: Self.phrase))
        #expect(try underived.keyPair(entropy: own.entropy).publicKey == Self.key("//a", .sr25519))
        let other = try Mnemonic(
            phrase: SecretBytes(utf8: "bottom drive obey lake curtain smoke basket hold race lonely fit walk")
        )
        #expect(throws: DerivationRefusal.rootDiffers(seed: "main")) {
            _ = try underived.keyPair(entropy: other.entropy)
        }
    }
}
