import Accounts
import Glibc
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct SeedOperationTests {
    // MARK: Adding

    @Test(arguments: [true, false])
    func `a seed is added to the vault, its root to the store, a line to the log`(isDevelopment: Bool) throws
    {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        try fixture.act(AddSeed("second", entropy: .entropy(of: "second"), origin: .scanned))
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
        let root = try CeremonyFixture.key("second")
        #expect(try fixture.state.seedRoots.contains { $0.seed == "second" && $0.root == root })
        let last = try #require(try fixture.events.last)
        #expect(
            last == LogEvent(.seedAdded, [LogEvent.Fact("seed", "second"), LogEvent.Fact("how", "scanned")]))
        let isSame = try fixture.session().isEntropy(CeremonyFixture.entropy(of: "second"), of: "second")
        #expect(isSame)
    }

    @Test func `the words of a new seed and its name are shown`() throws {
        let fixture = try CeremonyFixture()
        let shown = try fixture.device.preview(
            AddSeed("second", entropy: .entropy(of: "second"), origin: .phrase)
        ).shown
        #expect(shown == Self.shown(words: 12))
    }

    @Test func `a phrase that the vault has is told with the names that it has`() throws {
        let fixture = try CeremonyFixture(seeds: ["main", "other"])
        let again = AddSeed("again", entropy: .entropy(of: "main"), origin: .phrase)
        #expect(try fixture.device.preview(again).shown.otherNames == ["main"])
        try fixture.act(again)
        #expect(
            try fixture.device.preview(AddSeed("third", entropy: .entropy(of: "main"), origin: .phrase)).shown
                .otherNames == [
                    "main", "again",
                ])
        // Who has confirmed that it is new has not confirmed that it is not.
        let session = try fixture.session()
        let approval = try session.preview(AddSeed("fresh", entropy: .entropy(of: "fresh"), origin: .new))
            .confirm()
        try fixture.act(AddSeed("before", entropy: .entropy(of: "fresh"), origin: .phrase), in: session)
        #expect(throws: CeremonyError.changedSinceShown) { try session.perform(approval) }
    }

    // MARK: Sources

    /// A part of sources that pass their tests; what they give is no matter here.
    private static func part(_ sources: [MachinePart.Source], leavingOut bad: [MachinePart.Source] = [])
        -> MachinePart
    {
        MachinePart(
            drawing: sources.map { source in
                (
                    source, 32,
                    { out in
                        guard !bad.contains(source) else { return .failed(.exhausted) }
                        out.copyBytes(from: [UInt8](repeating: 7, count: 32))
                        return .filled
                    }
                )
            })
    }

    private static func mixed(
        _ part: borrowing MachinePart, _ rolls: String = ""
    ) throws -> AddSeed {
        try AddSeed("second", machine: part, rolls: DiceRolls(SecretBytes(utf8: rolls)), words: 24)
    }

    @Test func `the log and the preview say what a new seed is made of`() throws {
        let fixture = try CeremonyFixture()
        let seed = try Self.mixed(Self.part([.kernel, .jitter, .processor]), Self.random)
        let text = "kernel 32 bytes, jitter 32 bytes, processor 32 bytes, dice 50 rolls (2^129)"
        #expect(try fixture.device.preview(seed).shown.sources?.text == text)
        try fixture.act(seed)
        let facts = [
            LogEvent.Fact("seed", "second"), LogEvent.Fact("how", "new"), LogEvent.Fact("sources", text),
        ]
        #expect(try fixture.events.last == LogEvent(.seedAdded, facts))
        let isSame = try fixture.session().isEntropy(
            SeedEntropy.mixed(
                words: 24, machine: Self.part([.kernel, .jitter, .processor]),
                dice: DiceRolls(SecretBytes(utf8: Self.random))), of: "second")
        #expect(isSame)
    }

    @Test func `rolls that do not look random are counted as nothing`() throws {
        let fixture = try CeremonyFixture()
        for rolls in [String(repeating: "6", count: 50), Self.ladder] {
            let seed = try Self.mixed(Self.part([.kernel, .jitter, .processor]), rolls)
            let text = try #require(try fixture.device.preview(seed).shown.sources?.text)
            #expect(text.utf8Ends(with: "rolls (not random: counted as nothing)"), "\(text)")
        }
    }

    @Test(arguments: [true, false]) func `rolls that count as nothing make no seed without the typed word`(
        isDevelopment: Bool
    ) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        func act(_ word: GivenWord?) throws {
            let seed = try Self.mixed(Self.part([.kernel, .jitter, .processor]), Self.ladder)
            try fixture.act(seed, asking: Answers(word: word))
        }
        for word in [GivenWord.typed("yes"), .typed(DiceRolls.word), nil] {
            #expect(throws: CeremonyError.uncountedRolls) { try act(word) }
        }
        #expect(try fixture.device.vault().seedNames == ["main"])
        try act(.typed(MachinePart.word))
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    @Test(arguments: [true, false]) func `too few sources make no seed without the typed word`(
        isDevelopment: Bool
    ) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        let few: [() throws -> AddSeed] = [
            { try Self.mixed(Self.part([.kernel, .jitter])) },
            { try Self.mixed(Self.part([.kernel]), Self.random) },
            {
                try Self.mixed(Self.part([.kernel, .jitter, .processor], leavingOut: [.kernel]), Self.random)
            },
            { try Self.mixed(Self.part([.kernel, .jitter, .processor], leavingOut: [.jitter])) },
            // Rolls that do not look random are no source.
            { try Self.mixed(Self.part([.kernel, .jitter]), Self.ladder) },
        ]
        for make in few {
            for word in [GivenWord.typed("yes"), .typed(DiceRolls.word), nil] {
                #expect(throws: CeremonyError.tooFewSources) {
                    try fixture.act(try make(), asking: Answers(word: word))
                }
            }
            #expect(throws: CeremonyError.tooFewSources) { try fixture.act(try make()) }
        }
        #expect(try fixture.device.vault().seedNames == ["main"])
        if !isDevelopment {
            #expect(throws: CeremonyError.wordNeedsDevelopmentVault) {
                try fixture.act(try few[0](), asking: Answers(word: .option(MachinePart.word)))
            }
        }
        try fixture.act(
            try few[0](),
            asking: Answers(word: isDevelopment ? .option(MachinePart.word) : .typed(MachinePart.word)))
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    @Test func `enough sources ask for nothing`() throws {
        let fixture = try CeremonyFixture()
        try fixture.act(try Self.mixed(Self.part([.kernel, .jitter]), Self.random))
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    // MARK: Rolls alone

    private static func rolls(_ text: String, words: Int = 12) throws -> AddSeed {
        try AddSeed("second", rolls: DiceRolls(SecretBytes(utf8: text)), words: words)
    }

    /// Fifty rolls of a real die's statistics, and of none.
    private static let random = "15366142352621463515244631562214365132245163426513"
    private static let ladder = String(repeating: "123456", count: 17)

    @Test(arguments: [true, false]) func `rolls that look random make a seed, and nobody is asked`(
        isDevelopment: Bool
    ) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        let person = Answers()
        try fixture.act(try Self.rolls(Self.random), asking: person)
        #expect(person.shownConcerns.isEmpty)
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
        #expect(
            try fixture.events.last
                == LogEvent(.seedAdded, [LogEvent.Fact("seed", "second"), LogEvent.Fact("how", "dice")]))
        let text = SecretBytes(utf8: Self.random)
        let entropy = try SeedEntropy.fromDiceOnly(words: 12, dice: DiceRolls(text))
        let isSame = try fixture.session().isEntropy(entropy, of: "second")
        #expect(isSame)
    }

    @Test(arguments: [true, false]) func `rolls that do not look random make no seed without the typed word`(
        isDevelopment: Bool
    ) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        let wrong = [
            "", "yes", "Use these rolls", "use these rolls ", "use these rolls\u{34f}", KeyReuse.word,
        ].map(GivenWord.typed)
        for given in wrong + (isDevelopment ? [.option("yes")] : []) + [nil] {
            let person = Answers(word: given)
            let seeds = try fixture.device.vault().seedNames
            #expect(throws: CeremonyError.predictableRolls) {
                try fixture.act(try Self.rolls(Self.ladder, words: 24), asking: person)
            }
            #expect(person.shownConcerns == [[.pattern(distance: 1)]])
            #expect(try fixture.device.vault().seedNames == seeds)
        }
        #expect(throws: CeremonyError.predictableRolls) {
            try fixture.act(try Self.rolls(Self.ladder, words: 24))
        }
        if !isDevelopment {
            #expect(throws: CeremonyError.wordNeedsDevelopmentVault) {
                try fixture.act(
                    try Self.rolls(Self.ladder, words: 24), asking: Answers(word: .option(DiceRolls.word)))
            }
        }
        try fixture.act(
            try Self.rolls(Self.ladder, words: 24),
            asking: Answers(word: isDevelopment ? .option(DiceRolls.word) : .typed(DiceRolls.word)))
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    @Test func `the reasons against rolls are part of what is shown`() throws {
        let fixture = try CeremonyFixture()
        #expect(
            try fixture.device.preview(try Self.rolls(Self.random)).shown
                == Self.shown(words: 12))
        let shown = try fixture.device.preview(try Self.rolls(Self.ladder, words: 24)).shown
        #expect(shown == Self.shown(words: 24, [.pattern(distance: 1)]))
        #expect(shown != Self.shown(words: 24))
    }

    private static func shown(words: Int, _ concerns: [DiceRolls.Concern] = []) -> AddSeed.Shown {
        AddSeed.Shown(
            name: "second", words: words, kind: .phrase, concerns: concerns, otherNames: [], sources: nil)
    }

    @Test func `a taken or invalid name and entropy of no phrase are refused before any consent`()
        throws
    {
        let fixture = try CeremonyFixture()
        func refusal(_ name: String, _ entropy: HeldSecret) -> VaultError? {
            #expect(throws: VaultError.self) {
                _ = try fixture.device.preview(AddSeed(name, entropy: entropy, origin: .new))
            }
        }
        #expect(refusal("main", .entropy(of: "x")) == .seedExists("main"))
        #expect(refusal("", .entropy(of: "x")) == .invalidSeedName)
        #expect(refusal("x\u{1b}", .entropy(of: "x")) == .invalidSeedName)
        #expect(refusal("x", held("short")) == .entropyLength(5))
    }

    @Test func `a name that is taken between the preview and the act is not overwritten`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(AddSeed("second", entropy: .entropy(of: "mine"), origin: .new))
            .confirm()
        try session.vault.apply(
            session.vault.adding(seed: "second", entropy: CeremonyFixture.entropy(of: "theirs")))
        let before = try fixture.snapshot
        #expect(throws: VaultError.seedExists("second")) { try session.perform(approval) }
        #expect(try fixture.snapshot == before)
        let isTheirs = try session.isEntropy(CeremonyFixture.entropy(of: "theirs"), of: "second")
        #expect(isTheirs)
    }

    @Test(arguments: Obstacle.allCases)
    func `no seed stays in the vault that the log does not know`(obstacle: Obstacle) throws {
        let fixture = try expectNothing(
            of: AddSeed("second", entropy: .entropy(of: "second"), origin: .new), after: obstacle,
            in: CeremonyFixture())
        #expect(try fixture.device.vault().seedNames == ["main"])
    }

    @Test func `while another program holds the store no seed is added`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(AddSeed("second", entropy: .entropy(of: "second"), origin: .new))
            .confirm()
        try whileHeld(fixture) { #expect(throws: StoreError.busy) { try session.perform(approval) } }
        #expect(try fixture.device.vault().seedNames == ["main"])
        // The same yes still means the same.
        _ = try session.perform(approval)
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    @Test func `a change of the vault file that cannot be announced adds no root and no line`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(AddSeed("second", entropy: .entropy(of: "second"), origin: .new))
            .confirm()
        let before = try fixture.snapshot
        fixture.block(CeremonyFixture.intent)
        #expect(throws: StoreError.inputOutput(code: EEXIST)) { try session.perform(approval) }
        fixture.unblock(CeremonyFixture.intent)
        #expect(try fixture.snapshot == before)
    }

    @Test func `what the log says stays true when only the vault file cannot be written`() throws {
        let fixture = try CeremonyFixture()
        do {
            let session = try fixture.session()
            let approval = try session.preview(
                AddSeed("second", entropy: .entropy(of: "second"), origin: .new)
            ).confirm()
            fixture.block(CeremonyFixture.vaultFile)
            #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { try session.perform(approval) }
            fixture.unblock(CeremonyFixture.vaultFile)
        }
        #expect(try fixture.names.last == .seedAdded)
        #expect(try fixture.session().seedNames == ["main", "second"])
    }

    // MARK: The phrase

    @Test(arguments: [true, false])
    func `the phrase is given, and the log knows`(isDevelopment: Bool) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        let shown = try fixture.act(RevealPhrase(seed: "main"))
        #expect(try shown.text == phrase(of: "main"))
        #expect(try fixture.events.last == LogEvent(.seedShown, [LogEvent.Fact("seed", "main")]))
    }

    @Test func `another seed of the same name is another one`() throws {
        let fixture = try CeremonyFixture()
        // Roots are in the store from the first unlocking on.
        _ = try fixture.session()
        try expectChanged(RevealPhrase(seed: "main"), in: fixture) { try fixture.replaceSeed("main", in: $0) }
        let other = try CeremonyFixture()
        try expectChanged(SplitSeed("main", passphrase: held("p"), total: 3, required: 2), in: other) {
            try other.replaceSeed("main", in: $0)
        }
    }

    @Test func `a root that the store does not hold yet keeps nobody from the seed`() throws {
        let fixture = try CeremonyFixture()
        try fixture.session().store.change([.removeSeedRoot("main")], events: [])
        #expect(try fixture.device.preview(RevealPhrase(seed: "main")).shown.root == nil)
        #expect(try fixture.act(RevealPhrase(seed: "main")).text == phrase(of: "main"))
        #expect(
            try fixture.device.preview(RevealPhrase(seed: "main")).shown.root == CeremonyFixture.key("main"))
    }

    @Test func `a seed that is not there is not shown, split or removed`() throws {
        let device = try CeremonyFixture().device
        #expect(throws: VaultError.noSuchSeed("x")) { _ = try device.preview(RevealPhrase(seed: "x")) }
        #expect(throws: VaultError.noSuchSeed("x")) { _ = try device.preview(RemoveSeed("x")) }
        #expect(throws: VaultError.noSuchSeed("x")) {
            _ = try device.preview(SplitSeed("x", passphrase: held("p"), total: 3, required: 2))
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `no phrase and no share leaves without its line in the log`(obstacle: Obstacle) throws {
        try expectNothing(of: RevealPhrase(seed: "main"), after: obstacle, in: CeremonyFixture())
        try expectNothing(
            of: SplitSeed("main", passphrase: held("p"), total: 3, required: 2), after: obstacle,
            in: CeremonyFixture())
    }

    @Test func `a device that is online shows no phrase, before and after the passphrase`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        let preview = try fixture.device.preview(RevealPhrase(seed: "main"))
        let approval = try preview.confirm()
        fixture.goOnline()
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) { _ = try preview.confirm() }
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) {
            _ = try fixture.session().perform(approval)
        }
        fixture.goOffline()
        #expect(throws: CeremonyError.unacknowledged) { _ = try fixture.session() }
    }

    @Test func `a phrase is compared without a line in the log`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let before = try fixture.snapshot
        let (own, other) = try (
            session.isEntropy(CeremonyFixture.entropy(of: "main"), of: "main"),
            session.isEntropy(CeremonyFixture.entropy(of: "other"), of: "main")
        )
        #expect(own && !other)
        #expect(throws: VaultError.noSuchSeed("x")) {
            try session.isEntropy(CeremonyFixture.entropy(of: "main"), of: "x")
        }
        #expect(throws: VaultError.noSuchSeed("x")) { try session.requireSeed("x") }
        #expect(try fixture.snapshot == before)
    }

    @Test func `the age of a seed and its last check are known until it is gone, whatever is cleared`() throws
    {
        let fixture = try CeremonyFixture(seeds: ["main", "second"])
        func times(_ seed: String) throws -> SeedTimes {
            try fixture.session().trust().state.times(seed: seed)
        }
        let added = try #require(try times("main").added)
        #expect(try times("main").checked == nil)
        fixture.wait(5)
        try fixture.session().recordChecked(seed: "main")
        #expect(try fixture.events.last == LogEvent(.seedChecked, [LogEvent.Fact("seed", "main")]))
        #expect(try times("main") == SeedTimes(added: added, checked: added + 5))
        #expect(try times("second").checked == nil)
        _ = try fixture.act(ClearLog())
        #expect(try times("main") == SeedTimes(added: added, checked: added + 5))
        _ = try fixture.act(RemoveSeed("main"))
        #expect(try times("main") == SeedTimes(added: nil, checked: nil))
        // A later seed of the name has none of the former one's times.
        fixture.wait(5)
        _ = try fixture.act(AddSeed("main", entropy: .entropy(of: "other"), origin: .phrase))
        #expect(try times("main") == SeedTimes(added: added + 10, checked: nil))
    }

    // MARK: Removing

    /// A vault with two keys of `main` and one of `second`.
    private func withKeys() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(seeds: ["main", "second"])
        let session = try fixture.session()
        let keys = try [("main", "//0"), ("main", "//1"), ("second", "//0")].map { seed, path in
            TrustChange.addKey(
                KeyRecord(
                    publicKey: try CeremonyFixture.key(seed, path), seed: seed, path: path, hasPassword: false
                ))
        }
        try session.store.change(keys, events: [])
        return fixture
    }

    @Test func `a seed goes with its keys and its root, and no other does`() throws {
        let fixture = try withKeys()
        #expect(try fixture.device.preview(RemoveSeed("main")).shown.keys.count == 2)
        let before = try fixture.log
        try fixture.act(RemoveSeed("main"))
        #expect(try fixture.device.vault().seedNames == ["second"])
        #expect(try fixture.state.keys.map(\.seed) == ["second"])
        #expect(try fixture.state.seedRoots.map(\.seed) == ["second"])
        let events = try fixture.events(since: before)
        #expect(events.map(\.kind) == [.seedRemoved, .keyRemoved, .keyRemoved])
        #expect(events[0].facts == [LogEvent.Fact("seed", "main")])
        #expect(
            events.dropFirst().map { $0["path"] } == ["//0", "//1"]
                && events.allSatisfy { $0["seed"] == "main" })
        #expect(events[1]["scheme"] == "sr25519" && events[1]["networks"] == nil)
    }

    @Test func `a network that is removed names the keys that can no longer sign`() throws {
        let fixture = try CeremonyFixture()
        for index in 0..<10 { try fixture.derive("//\(index)") }
        try fixture.derive("//other", network: "kusama")
        let before = try fixture.log
        try fixture.act(ChangeTrust(.removeNetwork(polkadot.genesisHash)))
        let event = try #require(try fixture.events(since: before).first { $0.kind == .networkRemoved })
        #expect(
            event["keys"] == (0..<8).map { "main//\($0)" }.joined(separator: ", ")
                && event["more_keys"] == "2")
    }

    @Test func `a key that was derived after the question keeps the seed`() throws {
        let fixture = try withKeys()
        try expectChanged(RemoveSeed("main"), in: fixture) { session in
            let key = try CeremonyFixture.key("main", "//2")
            try session.store.change(
                [.addKey(KeyRecord(publicKey: key, seed: "main", path: "//2", hasPassword: false))],
                events: [])
        }
        let other = try withKeys()
        try expectChanged(RemoveSeed("main"), in: other) { try other.replaceSeed("main", in: $0) }
    }

    @Test(arguments: Obstacle.allCases)
    func `a seed stays where its removal cannot be written down`(obstacle: Obstacle) throws {
        let fixture = try expectNothing(of: RemoveSeed("main"), after: obstacle, in: withKeys())
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
    }

    @Test func `a no removes nothing`() throws {
        let fixture = try withKeys()
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.declined) {
            _ = try fixture.device.preview(RemoveSeed("main")).confirm { false }
        }
        #expect(try fixture.snapshot == before)
    }

    // MARK: Shares

    @Test func `shares join to the seed that they were split from`() throws {
        let fixture = try CeremonyFixture()
        let shares = try fixture.act(
            SplitSeed("main", title: "Paper", passphrase: held("banana"), total: 3, required: 2))
        #expect(
            shares.map(\.id) == [1, 2, 3] && shares.allSatisfy { $0.title == "Paper" && $0.required == 2 })
        let facts = [("seed", "main"), ("shares", "3"), ("required", "2")].map { LogEvent.Fact($0.0, $0.1) }
        #expect(try fixture.events.last == LogEvent(.seedSplit, facts))

        let join = JoinShares(Array(shares.dropFirst()), passphrase: held("banana"))
        #expect(
            try fixture.device.preview(join).shown == JoinShares.Shown(name: "Paper", shares: 2, required: 2))
        try fixture.act(join)
        let isSame = try fixture.session().isEntropy(CeremonyFixture.entropy(of: "main"), of: "Paper")
        #expect(isSame)
        #expect(
            try fixture.events.last
                == LogEvent(.seedAdded, [LogEvent.Fact("seed", "Paper"), LogEvent.Fact("how", "shares")]))
    }

    @Test func `the log says of shares that were not written which files are left`() throws {
        let fixture = try CeremonyFixture()
        let split = SplitSeed("main", passphrase: held("p"), total: 2, required: 2)
        for (left, told) in [
            ([], "none"), (["out/share-1.png", "out/share-1.txt"], "out/share-1.png, out/share-1.txt"),
        ] {
            try fixture.act(split)
            try fixture.session().record(.shares(seed: "main", left: left))
            let facts = [LogEvent.Fact("seed", "main"), LogEvent.Fact("left", told)]
            #expect(try fixture.events.suffix(2).first?.kind == .seedSplit)
            #expect(try fixture.events.last == LogEvent(.seedSplitNotWritten, facts))
        }
    }

    @Test func `the seed's name is the title of shares without one`() throws {
        let fixture = try CeremonyFixture()
        #expect(
            try fixture.act(SplitSeed("main", passphrase: held("p"), total: 2, required: 2)).allSatisfy {
                $0.title == "main"
            })
    }

    @Test func `shares that do not join add nothing`() throws {
        let fixture = try CeremonyFixture()
        let split = SplitSeed("main", passphrase: held("p"), total: 3, required: 2)
        let (shares, others) = (try fixture.act(split), try fixture.act(split))
        let before = try fixture.snapshot
        #expect(throws: BananaSplitError.tooFewShares(have: 1, need: 2)) {
            _ = try fixture.device.preview(
                JoinShares([shares[0], shares[0]], passphrase: held("p"), name: "new"))
        }
        #expect(throws: BananaSplitError.mixedSets("nonce")) {
            _ = try fixture.device.preview(
                JoinShares([shares[0], others[1]], passphrase: held("p"), name: "new"))
        }
        #expect(throws: VaultError.seedExists("main")) {
            _ = try fixture.device.preview(JoinShares(shares, passphrase: held("p")))
        }
        #expect(throws: BananaSplitError.wrongPassphrase) {
            try fixture.act(JoinShares(shares, passphrase: held("wrong"), name: "new"))
        }
        #expect(try fixture.snapshot == before)
    }

    @Test(arguments: Obstacle.allCases)
    func `a joined seed does not stay where the log cannot say so`(obstacle: Obstacle) throws {
        let fixture = try CeremonyFixture()
        let shares = try fixture.act(SplitSeed("main", passphrase: held("p"), total: 2, required: 2))
        try expectNothing(
            of: JoinShares(shares, passphrase: held("p"), name: "new"), after: obstacle, in: fixture)
        #expect(try fixture.device.vault().seedNames == ["main"])
    }

    @Test func `only a development vault answers for a person`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            _ = try fixture.device.preview(RevealPhrase(seed: "main")).confirmUnattended()
        }
        let development = try CeremonyFixture()
        let approval = try development.device.preview(RevealPhrase(seed: "main")).confirmUnattended()
        #expect(try development.session().perform(approval).consent == .developmentVault)
        // What the header says is proven by the vault that acts.
        let real = try fixture.device.preview(RevealPhrase(seed: "main"))
        let claimed = Approval(real.operation, real.shown, of: real.vaultID, .developmentVault)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            _ = try fixture.session().perform(claimed)
        }
    }

    /// Whoever finds a shell open may answer every question that stands on its screen.
    @Test func `a vault that an earlier command opened gives no secret out and destroys none`() throws {
        let fixture = try CeremonyFixture(seeds: ["main", "alice"])
        let network = NetworkSpecs.defaults[0].name
        let imported = ImportKeys([try ImportKeysTests.secret(7)], origin: .secret, network: network)
        let secret = try #require(try fixture.act(imported).first).address(prefix: 42)
        try fixture.act(DeriveKeys(seed: "main", path: DerivationPath("//v"), network: network))
        let derived = try #require(try fixture.state.keys.first { $0.seed != nil })
            .publicKey.address(prefix: 42)
        let cards = try ["alice", "bob"].map { try GroupFixture.card(of: $0) }
        do {
            let session = try fixture.session()
            session.isKept = true
            let before = try fixture.snapshot
            func refuses(_ operation: some Operation) throws {
                #expect(throws: CeremonyError.passphraseNeeded) { try fixture.act(operation, in: session) }
                #expect(try fixture.snapshot == before)
            }
            try refuses(RevealPhrase(seed: "main"))
            try refuses(SplitSeed("main", passphrase: held("p"), total: 3, required: 2))
            try refuses(RevealKeySecret(key: secret))
            try refuses(RevealKeySecret(key: derived))
            try refuses(DealGroup(address: derived, threshold: 2, label: "", cards: cards))
            try refuses(RemoveSeed("alice"))
            try refuses(ChangeKey(secret, .remove))
            // What a seed gives again, and everything else, is as before.
            try fixture.act(ChangeKey(derived, .remove), in: session)
            try fixture.act(ChangeKey(secret, .label("cold")), in: session)
            session.isKept = false
            try fixture.act(ChangeKey(secret, .remove), in: session)
        }
        #expect(try fixture.session().vault.importedKeys.isEmpty)
    }
}
