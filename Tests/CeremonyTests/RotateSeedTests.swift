import Accounts
import Forge
import Keys
import Review
import StateProof
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// A move from the seed `main` to the seed `fresh`.
@Suite struct RotateSeedTests {
    private static func fixture() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(seeds: ["main", "fresh"])
        _ = try fixture.derive("//a", network: "polkadot")
        _ = try fixture.derive("//b", network: "westend")
        _ = try fixture.derive("//none", network: nil)
        return fixture
    }

    private static func accounts(_ fixture: CeremonyFixture) throws -> [SeedRotation.Account] {
        let state = try fixture.state
        return try #require(state.rotation(of: "main")).accounts(of: "main", in: state)
    }

    private static func address(_ path: String) throws -> String {
        try CeremonyFixture.key("main", path).address(prefix: 42)
    }

    @Test func `a move derives the same paths for the same networks, and says so in the log`() throws {
        let fixture = try Self.fixture()
        fixture.wait(9)
        let before = try fixture.log
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        let state = try fixture.state
        #expect(state.rotation(of: "main") == SeedRotation(new: "fresh", started: fixture.now))
        for path in ["//a", "//b", "//none"] {
            let old = try #require(state.key(CeremonyFixture.key("main", path)))
            let new = try #require(state.key(CeremonyFixture.key("fresh", path)))
            #expect(
                new.networks == old.networks && new.source == .seed("fresh", path: path, hasPassword: false))
            #expect(state.timeAdded(new.publicKey) == fixture.now)
        }
        #expect(state.keys.count == 6)
        let kinds = try fixture.events(since: before).map(\.kind)
        #expect(kinds == [.seedRotationBegun, .keyAdded, .keyAdded, .keyAdded])
        let found = try Self.accounts(fixture)
        #expect(found.map(\.record.path) == ["//a", "//b", "//none"])
        #expect(found.map(\.place.genesis) == found.map { $0.record.networks.first })
        #expect(try found.map { try #require($0.successor).path } == ["//a", "//b", "//none"])
        #expect(found.allSatisfy { $0.ground == nil && $0.note == nil })
    }

    @Test func `keys that the new seed has already are only allowed on what is missing`() throws {
        let fixture = try Self.fixture()
        try fixture.act(DeriveKeys(seed: "fresh", path: DerivationPath("//a"), scheme: .sr25519))
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        let state = try fixture.state
        let (old, new) = try (CeremonyFixture.key("main", "//a"), CeremonyFixture.key("fresh", "//a"))
        #expect(state.key(new)?.networks == state.key(old)?.networks && state.key(new)?.networks.count == 1)
        #expect(state.keys(seed: "fresh").count == 3)
    }

    @Test func `a key behind a password waits for its owner`() throws {
        let fixture = try Self.fixture()
        let person = Answers(passwords: ["p", "p"])
        try fixture.act(
            DeriveKeys(seed: "main", path: DerivationPath("//p"), scheme: .sr25519, hasPassword: true),
            asking: person)
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        func successor() throws -> KeyRecord? {
            try #require(Self.accounts(fixture).first { $0.record.hasPassword }).successor
        }
        #expect(try successor() == nil)
        // The key of the path without a password is another one, and no successor.
        try fixture.act(DeriveKeys(seed: "fresh", path: DerivationPath("//p"), scheme: .sr25519))
        #expect(try successor() == nil)
        _ = try fixture.act(
            DeriveKeys(seed: "fresh", path: DerivationPath("//p"), scheme: .sr25519, hasPassword: true),
            asking: person)
        let key = try CeremonyFixture.key("fresh", "//p", password: "p")
        #expect(try successor()?.publicKey == key)
    }

    @Test func `neither seed goes while an account is not said to be empty`() throws {
        let fixture = try Self.fixture()
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        #expect(throws: RotationRefusal.notEmpty("main", accounts: 3)) { try fixture.act(RemoveSeed("main")) }
        #expect(throws: RotationRefusal.isTarget("fresh", of: "main")) {
            try fixture.act(RemoveSeed("fresh"))
        }
        fixture.wait(3)
        try fixture.act(RotateSeed("main", .empty(address: Self.address("//a"), network: "polkadot")))
        #expect(try Self.accounts(fixture).map(\.ground) == [.person(fixture.now), nil, nil])
        #expect(throws: RotationRefusal.notEmpty("main", accounts: 2)) { try fixture.act(RemoveSeed("main")) }
        try fixture.act(RotateSeed("main", .empty(address: nil, network: nil)))
        // An account that is derived after everything was said to be empty is one more.
        _ = try fixture.derive("//late", network: "polkadot")
        #expect(throws: RotationRefusal.notEmpty("main", accounts: 1)) { try fixture.act(RemoveSeed("main")) }
        try fixture.act(RotateSeed("main", .empty(address: Self.address("//late"), network: nil)))
        try fixture.act(RemoveSeed("main"))
        let state = try fixture.state
        #expect(state.rotations.isEmpty && state.keys(seed: "main").isEmpty)
        #expect(try fixture.device.vault().seedNames == ["fresh"])
        // The next seed of the name is not being moved, and the new seed is free to go.
        try fixture.act(AddSeed("main", entropy: .entropy(of: "main"), origin: .phrase))
        #expect(try fixture.state.rotation(of: "main") == nil)
        try fixture.act(RemoveSeed("fresh"))
    }

    /// The list is made of the keys that are there: one that went would be an account that nobody emptied.
    @Test func `no key of a seed that moves goes before its account is said to be empty`() throws {
        let fixture = try Self.fixture()
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        let (a, none) = try (Self.address("//a"), Self.address("//none"))
        for change in [ChangeKey.Change.remove, .forbid(network: "polkadot")] {
            #expect(throws: RotationRefusal.notEmpty("main", accounts: 1)) {
                try fixture.act(ChangeKey(a, change))
            }
        }
        #expect(throws: RotationRefusal.notEmpty("main", accounts: 1)) {
            try fixture.act(ChangeKey(none, .remove))
        }
        try fixture.act(RotateSeed("main", .stop))
        try fixture.act(ChangeKey(a, .remove))
    }

    @Test func `a move that is given up leaves both seeds and their keys, and can begin again`() throws {
        let fixture = try Self.fixture()
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        try fixture.act(RotateSeed("main", .empty(address: nil, network: nil)))
        try fixture.act(RotateSeed("main", .stop))
        #expect(try fixture.state.rotations.isEmpty && fixture.state.keys.count == 6)
        #expect(throws: RotationRefusal.notMoved("main")) { try fixture.act(RotateSeed("main", .stop)) }
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        #expect(try Self.accounts(fixture).allSatisfy { $0.ground == nil })
    }

    @Test func `each step refuses what it cannot be about`() throws {
        let fixture = try Self.fixture()
        func refused(_ error: RotationRefusal, _ seed: String, _ step: RotateSeed.Step) {
            #expect(throws: error) { try fixture.device.preview(RotateSeed(seed, step)) }
        }
        refused(.notMoved("main"), "main", .empty(address: nil, network: nil))
        refused(.sameWords("main", "main"), "main", .begin(to: "main"))
        try fixture.act(AddSeed("again", entropy: .entropy(of: "main"), origin: .phrase))
        refused(.sameWords("main", "again"), "main", .begin(to: "again"))
        #expect(throws: VaultError.noSuchSeed("x")) {
            try fixture.device.preview(RotateSeed("main", .begin(to: "x")))
        }
        #expect(throws: VaultError.noSuchSeed("x")) { try fixture.device.preview(RotateSeed("x", .stop)) }
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        refused(.underWay("main", to: "fresh"), "main", .begin(to: "again"))
        refused(.underWay("main", to: "fresh"), "again", .begin(to: "main"))
        let fresh = try CeremonyFixture.key("fresh", "//a").address(prefix: 42)
        refused(.notAnAccount(fresh, of: "main"), "main", .empty(address: fresh, network: nil))
        let own = try Self.address("//a")
        refused(.notAnAccount(own, of: "main"), "main", .empty(address: own, network: "westend"))
        let long = String(repeating: "x", count: SeedRotation.longestNote + 1)
        refused(.longNote(201), "main", .note([(own, long)]))
        refused(.notAnAccount(fresh, of: "main"), "main", .note([(fresh, "x")]))
    }

    @Test func `notes are kept, whoever they come from, and make nothing empty`() throws {
        let fixture = try Self.fixture()
        try fixture.act(RotateSeed("main", .begin(to: "fresh")))
        let (first, second) = try (Self.address("//a"), Self.address("//b"))
        try fixture.act(RotateSeed("main", .note([(first, "12 DOT, staked"), (second, "empty")])))
        try fixture.act(RotateSeed("main", .note([(second, "empty, says the explorer")])))
        let found = try Self.accounts(fixture)
        #expect(found.map(\.note) == ["12 DOT, staked", "empty, says the explorer", nil])
        #expect(found.allSatisfy { $0.ground == nil })
    }

    // MARK: Proofs

    /// A state proof beside a transaction of `//Alice`, of an account that the seed `main` has here.
    private static func grounds(
        _ account: AccountID32, known: SeedRotation.Ground? = nil,
        genesis: GenesisHash? = StateTransaction.polkadot.genesisHash,
        _ change: (inout StateTransaction) -> Void
    ) throws -> [SeedRotation.Ground?] {
        var sent = StateTransaction()
        change(&sent)
        var state = TrustState()
        state.networks = [sent.network.specs]
        state.verifiers = [sent.network.genesisHash: .general]
        let key = PublicKey(scheme: .sr25519, bytes: account.bytes)!
        let alice = PublicKey(scheme: .sr25519, bytes: StateTransaction.alice.bytes)!
        state.keys = [
            KeyRecord(
                publicKey: alice, seed: account == StateTransaction.alice ? "main" : "other", path: "//Alice",
                hasPassword: false, networks: [sent.network.genesisHash])
        ]
        if key != alice {
            state.keys.append(
                KeyRecord(
                    publicKey: key, seed: "main", path: "//x", hasPassword: false,
                    networks: genesis.map { [$0] } ?? []))
        }
        var rotation = SeedRotation(new: "fresh", started: 1)
        if let known { rotation = rotation.emptied(.init(key: key, genesis: genesis), by: known) }
        func apply(_ changes: [TrustChange]) {
            for case .putSetting(let name, let value) in changes { state.settings[name] = value }
        }
        apply([.putRotation(rotation, of: "main")])
        let review = TransactionReview(ChainData(state: state) { _ in [] })
        let items = try review.review(sent.payload())
        #expect(items[0].state != nil)
        apply(state.rotationsProven(by: items))
        return try #require(state.rotation(of: "main")).accounts(of: "main", in: state).map(\.ground)
    }

    @Test func `a proof says of an account without anything in which block, and of no other`() throws {
        let (alice, bob) = (StateTransaction.alice, StateTransaction.bob)
        var number: UInt32 = 0
        let absent = try Self.grounds(bob) {
            $0.chain[.account(bob)] = nil
            number = $0.chain.header.number
        }
        #expect(absent == [.state(block: number)])
        #expect(try Self.grounds(bob) { $0.chain[.account(bob)] = SampleChain.account() } == absent)
        // Something free, something reserved, and an account that nothing is proven of.
        #expect(try Self.grounds(bob) { _ in } == [nil])
        #expect(try Self.grounds(bob) { $0.chain[.account(bob)] = SampleChain.account(reserved: 1) } == [nil])
        #expect(
            try Self.grounds(bob) {
                $0.chain[.account(bob)] = nil
                $0.items = [.account(alice)]
            } == [nil])
        #expect(try Self.grounds(alice) { _ in } == [nil])
        // The same key on another chain is another account.
        let other = Hash32([UInt8](repeating: 3, count: 32))!
        #expect(try Self.grounds(bob, genesis: other) { $0.chain[.account(bob)] = nil } == [nil])
    }

    @Test func `a person's word stays, and a later proof replaces an earlier one`() throws {
        let bob = StateTransaction.bob
        #expect(
            try Self.grounds(bob, known: .person(7)) { $0.chain[.account(bob)] = nil } == [.person(7)])
        var number: UInt32 = 0
        let found = try Self.grounds(bob, known: .state(block: 1)) {
            $0.chain[.account(bob)] = nil
            number = $0.chain.header.number
        }
        #expect(found == [.state(block: number)] && number != 1)
        // What was proven once is not taken back by a proof of something: a person looks, not a proof.
        #expect(try Self.grounds(bob, known: .person(7)) { _ in } == [.person(7)])
    }

    // MARK: The setting

    @Test func `a move is read as it was written, and bytes of anything else leave no account empty`() throws
    {
        let keys = try ["//a", "//b"].map { try CeremonyFixture.key("main", $0) }
        let ecdsa = try CeremonyFixture.key("main", "//c", scheme: .ecdsa)
        let genesis = StateTransaction.polkadot.genesisHash
        let rotation = SeedRotation(new: "fresh é", started: .max)
            .emptied(.init(key: keys[0], genesis: genesis), by: .person(5))
            .emptied(.init(key: keys[0], genesis: nil), by: .state(block: .max))
            .emptied(.init(key: ecdsa, genesis: genesis), by: .state(block: 0))
            .noting("a note", of: keys[1]).noting("", of: ecdsa)
        #expect(SeedRotation(rotation.encoded) == rotation)
        let unreadable = SeedRotation(new: "", started: 0)
        for count in rotation.encoded.indices {
            #expect(SeedRotation(Array(rotation.encoded[..<count])) == unreadable)
        }
        #expect(SeedRotation(rotation.encoded + [0]) == unreadable)
        // Even a seed without accounts stays then, until a person gives the move up.
        var state = TrustState()
        state.settings["seed_rotation/main"] = [1, 2, 3]
        #expect(throws: RotationRefusal.notEmpty("main", accounts: 0)) {
            try state.requireMoved(seed: "main")
        }
    }
}
