import HotStore
import SubstratePrimitives
import Testing

/// What a name on the command line stands for.
@Suite struct NameLaws {
    private let scratch = Scratch()
    private let store: HotStore

    init() throws {
        store = try scratch.open()
        for network in try store.networks() { try store.removeNetwork(network.name) }
    }

    private func add(
        _ name: String, runtime: String = "alpha", chain: String = "a", _ scheme: SignatureScheme = .sr25519
    ) throws {
        let specs = NetworkSpecs(
            name: runtime, title: "t", base58Prefix: 42, decimals: 12, unit: "U",
            genesisHash: .blake2b(of: Array(chain.utf8)),
            scheme: scheme)
        try store.save(HotNetwork(name: name, specs: specs))
    }

    private func named(_ text: String) throws -> String { try store.network(named: text).name }

    private func shown() throws -> [String: String] {
        try Dictionary(uniqueKeysWithValues: store.networks().map { ($0.name, try store.shownName(of: $0)) })
    }

    @Test func aChainOfOneSchemeHasItsName() throws {
        try add("alpha")
        for text in ["alpha", "alpha/sr25519", GenesisHash.blake2b(of: Array("a".utf8)).hex] {
            #expect(try named(text) == "alpha")
        }
        for text in ["alpha/ed25519", "beta", "alpha/", "/sr25519", "sr25519", ""] {
            #expect(throws: HotStoreError.unknownNetwork(text)) { try named(text) }
        }
        #expect(try shown() == ["alpha": "alpha"])
    }

    @Test func aChainOfSeveralSchemesIsNamedWithThem() throws {
        try add("alpha")
        try add("alpha/ed25519", .ed25519)
        try add("mine", .ecdsa)
        let choices = ["alpha/ed25519", "alpha/sr25519", "mine"]
        let hash = GenesisHash.blake2b(of: Array("a".utf8)).hex
        for text in ["alpha", hash] {
            #expect(throws: HotStoreError.ambiguousNetwork(text, choices: choices)) { try named(text) }
            #expect(try store.networksOfOneChain(named: text).count == 3)
        }
        for (text, name) in [
            ("alpha/sr25519", "alpha"), ("alpha/ed25519", "alpha/ed25519"), ("alpha/ecdsa", "mine"),
            ("mine", "mine"),
            ("mine/ecdsa", "mine"), ("\(hash)/sr25519", "alpha"),
        ] { #expect(try named(text) == name, "\(text)") }
        #expect(try shown() == ["alpha": "alpha/sr25519", "alpha/ed25519": "alpha/ed25519", "mine": "mine"])
        #expect(throws: HotStoreError.unknownNetwork("mine/sr25519")) { try named("mine/sr25519") }
        // The one that stays needs no scheme.
        try store.removeNetwork("alpha")
        try store.removeNetwork("mine")
        #expect(try named("alpha") == "alpha/ed25519")
    }

    /// A fork runs a runtime of the same name; its name here is the user's.
    @Test func anotherChainOfTheSameRuntimeIsNotMeant() throws {
        try add("alpha")
        try add("fork", chain: "f", .ed25519)
        #expect(try named("alpha") == "alpha")
        #expect(throws: HotStoreError.unknownNetwork("alpha/ed25519")) { try named("alpha/ed25519") }
        #expect(try named("fork/ed25519") == "fork")
        #expect(try shown() == ["alpha": "alpha", "fork": "fork"])
        try store.removeNetwork("alpha")
        try add("alpha/sr25519")
        try add("alpha/ecdsa", chain: "e", .ecdsa)
        #expect(throws: HotStoreError.ambiguousNetwork("alpha", choices: ["alpha/ecdsa", "alpha/sr25519"])) {
            try named("alpha")
        }
    }

    @Test func aNewNetworkTakesAFreeName() throws {
        func newName(_ chain: String, _ scheme: SignatureScheme) throws -> String {
            try store.newName(
                for: NetworkSpecs(
                    name: "alpha", title: "t", base58Prefix: 42, decimals: 12, unit: "U",
                    genesisHash: .blake2b(of: Array(chain.utf8)),
                    scheme: scheme))
        }
        #expect(try newName("a", .ed25519) == "alpha")
        try add("alpha")
        #expect(try newName("a", .ed25519) == "alpha/ed25519")
        // Of another chain: the store refuses the name, and the user gives one.
        #expect(try newName("f", .ed25519) == "alpha")
    }
}
