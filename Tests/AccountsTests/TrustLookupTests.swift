import Accounts
import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore

@Suite struct TrustLookupTests {
    private static let polkadot = NetworkSpecs.defaults[0]
    private static let key = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xd4, count: 32))!
    private static let ethereum = try! KeyPair.derive(
        miniSecret: SecretBytes(randomCount: 32), scheme: .ethereum
    ).publicKey

    private static var state: TrustState {
        var state = TrustState()
        state.networks = NetworkSpecs.defaults
        for specs in NetworkSpecs.defaults { state.verifiers[specs.genesisHash] = .general }
        state.keys = [
            KeyRecord(
                publicKey: key, seed: "main", path: "//0", hasPassword: false,
                networks: [polkadot.genesisHash]),
            KeyRecord(
                publicKey: ethereum, ethereumAddress: ethereum.accountID, seed: "main", path: "//1",
                hasPassword: false,
                networks: [polkadot.genesisHash]),
        ]
        return state
    }

    private static func specs(_ name: String, _ genesis: String, _ scheme: SignatureScheme = .sr25519)
        -> NetworkSpecs
    {
        NetworkSpecs(
            name: name, title: name, base58Prefix: 42, decimals: 12, unit: "UNIT",
            genesisHash: .blake2b(of: Array(genesis.utf8)),
            scheme: scheme)
    }

    @Test func `an address of any prefix, a public key and an Ethereum-style address name a key`() throws {
        for prefix in [0, 2, 42, 1284] as [UInt16] {
            #expect(try Self.state.key(address: Self.key.address(prefix: prefix)).publicKey == Self.key)
        }
        #expect(try Self.state.key(address: "0x" + Hex.encode(Self.key.bytes)).publicKey == Self.key)
        #expect(
            try Self.state.key(address: "0x" + Hex.encode(Self.ethereum.accountID!)).publicKey
                == Self.ethereum)
        #expect(
            try Self.state.key(address: "0x" + Hex.encode(Self.ethereum.bytes)).publicKey == Self.ethereum)
    }

    @Test func `nothing else names a key`() throws {
        let other = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!.address(prefix: 0)
        #expect(throws: LookupError.noSuchKey(address: other)) { try Self.state.key(address: other) }
        #expect(throws: SS58Address.Failure.self) { try Self.state.key(address: Hex.encode(Self.key.bytes)) }
        let combined = "0x\u{34f}" + Hex.encode(Self.key.bytes)
        #expect(throws: SS58Address.Failure.self) { try Self.state.key(address: combined) }
    }

    @Test func `a name, a genesis hash and a revoked chain's hash name a chain`() throws {
        var state = Self.state
        #expect(try state.chain(named: "polkadot") == Self.polkadot.genesisHash)
        #expect(try state.chain(named: Self.polkadot.genesisHash.hex) == Self.polkadot.genesisHash)
        let revoked = GenesisHash.blake2b(of: [1])
        #expect(throws: LookupError.noSuchNetwork(revoked.hex)) { try state.chain(named: revoked.hex) }
        state.verifiers[revoked] = .revoked
        #expect(try state.chain(named: revoked.hex) == revoked)
        #expect(throws: LookupError.noSuchNetwork(revoked.hex)) { try state.network(named: revoked.hex) }
    }

    @Test func `chains of one name are named by their hashes`() throws {
        var state = Self.state
        state.networks += [Self.specs("twin", "one"), Self.specs("twin", "two")]
        #expect(throws: LookupError.ambiguousNetwork("twin")) { try state.network(named: "twin") }
        let two = GenesisHash.blake2b(of: Array("two".utf8))
        #expect(try state.network(named: two.hex).genesisHash == two)
    }

    @Test func `a chain of several schemes has a network for each, and a name without a scheme chooses none`()
        throws
    {
        var state = Self.state
        state.networks += [Self.specs("both", "b", .ecdsa), Self.specs("both", "b", .sr25519)]
        let names = ["both/ecdsa", "both/sr25519"]
        #expect(throws: LookupError.ambiguousScheme("both", choices: names)) {
            try state.network(named: "both")
        }
        let hash = GenesisHash.blake2b(of: Array("b".utf8))
        #expect(throws: LookupError.ambiguousScheme(hash.hex, choices: names)) {
            try state.network(named: hash.hex)
        }
        for scheme in [SignatureScheme.ecdsa, .sr25519] {
            for name in ["both/\(scheme.name)", "\(hash.hex)/\(scheme.name)"] {
                #expect(try state.network(named: name).scheme == scheme)
                #expect(try state.network(named: name, scheme: scheme).scheme == scheme)
            }
            #expect(try state.network(named: "both", scheme: scheme).scheme == scheme)
        }
        #expect(throws: LookupError.networkOfOtherScheme("both", has: [.ecdsa, .sr25519], asked: .ed25519)) {
            try state.network(named: "both", scheme: .ed25519)
        }
        #expect(throws: LookupError.networkOfOtherScheme("both/ecdsa", has: [.ecdsa], asked: .sr25519)) {
            try state.network(named: "both/ecdsa", scheme: .sr25519)
        }
        #expect(throws: LookupError.noSuchNetwork("both/ed25519")) {
            try state.network(named: "both/ed25519")
        }
        #expect(state.networks.map(state.shownName) == ["polkadot", "kusama", "westend"] + names)
        #expect(try state.network(named: "polkadot/sr25519") == Self.polkadot)
    }

    @Test func `what concerns a chain is not done in the name of one of its schemes`() throws {
        var state = Self.state
        state.networks += [Self.specs("both", "b", .ecdsa), Self.specs("both", "b", .sr25519)]
        let hash = GenesisHash.blake2b(of: Array("b".utf8))
        #expect(try state.chain(named: "both") == hash)
        #expect(
            throws: LookupError.partOfChain("both/ecdsa", chain: "both", has: ["both/ecdsa", "both/sr25519"])
        ) {
            try state.chain(named: "both/ecdsa")
        }
        #expect(try state.chain(named: "polkadot/sr25519") == Self.polkadot.genesisHash)
        // Where the name is not the chain's alone, its hash stands for it.
        state.networks.append(Self.specs("both", "other"))
        let other = GenesisHash.blake2b(of: Array("other".utf8))
        #expect(
            throws: LookupError.partOfChain(
                "both/ecdsa", chain: hash.hex, has: ["\(hash.hex)/ecdsa", "\(hash.hex)/sr25519"])
        ) {
            try state.chain(named: "both/ecdsa")
        }
        #expect(state.shownName(of: state.networks.last!) == other.hex)
        #expect(throws: LookupError.ambiguousNetwork("both/sr25519")) {
            try state.network(named: "both/sr25519")
        }
    }

    @Test func `a chain that calls itself by the name and scheme of another names neither`() throws {
        var state = Self.state
        state.networks.append(Self.specs("polkadot/sr25519", "evil", .ed25519))
        #expect(throws: LookupError.ambiguousNetwork("polkadot/sr25519")) {
            try state.network(named: "polkadot/sr25519")
        }
        #expect(try state.network(named: "polkadot") == Self.polkadot)
        #expect(state.shownName(of: Self.polkadot) == "polkadot")
        #expect(state.shownName(of: state.networks.last!) == GenesisHash.blake2b(of: Array("evil".utf8)).hex)
    }

    @Test func `a name is its bytes`() {
        var state = Self.state
        state.networks.append(Self.specs("é", "e"))
        #expect(throws: LookupError.noSuchNetwork("e\u{301}")) { try state.network(named: "e\u{301}") }
    }

    @Test func `a key names its own networks only`() throws {
        var record = Self.state.keys[0]
        #expect(try record.network(named: nil, in: Self.state).name == "polkadot")
        #expect(try record.network(named: "polkadot", in: Self.state).name == "polkadot")
        #expect(throws: LookupError.keyNotOfNetwork("kusama")) {
            try record.network(named: "kusama", in: Self.state)
        }
        record.networks = [GenesisHash.blake2b(of: [9])]
        #expect(throws: LookupError.keyHasNoNetwork) { try record.network(named: nil, in: Self.state) }
        #expect(throws: LookupError.keyHasNoNetwork) {
            try Self.state.keys[1].network(named: nil, in: Self.state)
        }
    }
}
