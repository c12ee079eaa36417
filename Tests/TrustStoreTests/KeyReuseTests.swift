import CSQLite
import SQLite
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore

private func chain(_ byte: UInt8) -> GenesisHash { GenesisHash([UInt8](repeating: byte, count: 32))! }
private let (north, south, west) = (chain(1), chain(2), chain(3))

private func key(_ byte: UInt8, _ scheme: SignatureScheme = .sr25519) -> PublicKey {
    PublicKey(scheme: scheme, bytes: [UInt8](repeating: byte, count: scheme.publicKeyLength))!
}

private func record(_ key: PublicKey, _ networks: Set<GenesisHash>, path: String = "//a") -> KeyRecord {
    KeyRecord(publicKey: key, seed: "main", path: path, hasPassword: false, networks: networks)
}

private func state(_ keys: [KeyRecord]) -> TrustState {
    var state = TrustState()
    state.keys = keys
    state.networks = [
        NetworkSpecs(
            name: "north", title: "North", base58Prefix: 1, decimals: 1, unit: "N", genesisHash: north),
        NetworkSpecs(
            name: "south", title: "South", base58Prefix: 2, decimals: 1, unit: "S", genesisHash: south),
        NetworkSpecs(
            name: "south", title: "South", base58Prefix: 2, decimals: 1, unit: "S", genesisHash: south,
            scheme: .ecdsa),
    ]
    return state
}

private func caused(_ changes: [TrustChange], _ keys: [KeyRecord]) -> [KeyReuse] {
    KeyReuse.caused(by: changes, in: state(keys))
}

@Suite struct KeyReuseLaws {
    @Test func aKeyOnOneNetworkNeedsNoWord() {
        #expect(caused([.addKey(record(key(1), []))], []).isEmpty)
        #expect(caused([.addKey(record(key(1), [north]))], []).isEmpty)
        #expect(caused([.allowKey(key(1), north)], [record(key(1), [])]).isEmpty)
        #expect(
            caused(
                [.addKey(record(key(1), [north])), .addKey(record(key(2), [south]))], [record(key(3), [west])]
            ).isEmpty)
    }

    @Test func aSecondNetworkIsToldWithTheFirst() throws {
        let reuse = try #require(caused([.allowKey(key(1), south)], [record(key(1), [north])]).first)
        #expect(reuse.key == key(1) && reuse.holder == "seed main" && reuse.path == "//a")
        #expect(reuse.held == [KeyReuse.Network(genesis: north, name: "north")])
        #expect(reuse.added == [KeyReuse.Network(genesis: south, name: "south")])
    }

    /// The store refuses to add a key again; the rule does not rely on that.
    @Test func aRecordThatIsAddedAgainKeepsItsNetworks() {
        #expect(
            caused([.addKey(record(key(1), [south]))], [record(key(1), [north])]).first?.held.map(\.genesis)
                == [north])
    }

    @Test func aThirdNetworkIsToldAgain() throws {
        let reuse = try #require(caused([.allowKey(key(1), west)], [record(key(1), [north, south])]).first)
        #expect(reuse.held.map(\.genesis) == [north, south] && reuse.added.map(\.genesis) == [west])
    }

    @Test func aNewKeyOnTwoNetworksIsToldHoweverItIsWritten() {
        let together = caused([.addKey(record(key(1), [north, south]))], [])
        let apart = caused([.addKey(record(key(1), [north])), .allowKey(key(1), south)], [])
        #expect(together == apart && together.count == 1)
        #expect(together.first?.held == [] && together.first?.added.map(\.genesis) == [north, south])
    }

    @Test func ecdsaAndEthereumRecordsOfTheSameBytesAreOneKey() throws {
        let held = record(key(7, .ethereum), [north])
        let reuse = try #require(caused([.addKey(record(key(7, .ecdsa), [south]))], [held]).first)
        #expect(
            reuse.key == key(7, .ecdsa) && reuse.held.map(\.genesis) == [north]
                && reuse.added.map(\.genesis) == [south])
        #expect(caused([.addKey(record(key(7, .ecdsa), [north]))], [held]).isEmpty)
        #expect(caused([.addKey(record(key(8, .ecdsa), [south]))], [held]).isEmpty)
        let counts = KeyReuse.Counts(state([held, record(key(7, .ecdsa), [south])]))
        #expect(counts.networks(of: key(7, .ecdsa)) == 2 && counts.networks(of: key(7, .ethereum)) == 2)
    }

    @Test func anotherCurveIsAnotherKey() {
        #expect(
            caused([.addKey(record(key(7, .ed25519), [south]))], [record(key(7, .sr25519), [north])]).isEmpty)
        #expect(
            KeyReuse.Counts(state([record(key(7, .ed25519), [south]), record(key(7), [north])])).networks(
                of: key(7)) == 1)
    }

    @Test func anotherSchemeOfOneChainIsNoOtherNetwork() {
        // `south` has specs of two schemes.
        #expect(caused([.allowKey(key(1), south)], [record(key(1), [south])]).isEmpty)
        #expect(state([record(key(1), [south])]).otherNetworks(of: key(1), beside: south).isEmpty)
    }

    @Test func aNetworkWithoutSpecsCounts() throws {
        let reuse = try #require(caused([.allowKey(key(1), north)], [record(key(1), [west])]).first)
        #expect(reuse.held == [KeyReuse.Network(genesis: west, name: nil)])
    }

    @Test func whatIsTakenAwayInTheSameChangeDoesNotCount() {
        let held = [record(key(1), [north])]
        #expect(caused([.forbidKey(key(1), north), .allowKey(key(1), south)], held).isEmpty)
        #expect(caused([.allowKey(key(1), south), .forbidKey(key(1), north)], held).isEmpty)
        #expect(caused([.removeKey(key(1)), .addKey(record(key(1), [south]))], held).isEmpty)
        #expect(caused([.allowKey(key(1), south), .removeKey(key(1))], held).isEmpty)
    }

    @Test func aKeyThatHasTwoNetworksAlreadyNeedsNoWordForOtherChanges() {
        let held = [record(key(1), [north, south])]
        #expect(
            caused([.labelKey(key(1), "x"), .markUsed(key(1), time: 1), .forbidKey(key(1), north)], held)
                .isEmpty)
        #expect(caused([.allowKey(key(1), south)], held).isEmpty)
        #expect(caused([.addKey(record(key(2), [north]))], held).isEmpty)
    }

    @Test func everyKeyIsToldOnceInTheOrderOfTheChanges() {
        let held = [record(key(1), [north]), record(key(2), [north], path: "//b")]
        let changes: [TrustChange] = [
            .allowKey(key(2), south), .allowKey(key(1), south), .allowKey(key(2), west),
        ]
        let reuse = caused(changes, held)
        #expect(reuse.map(\.key) == [key(2), key(1)])
        #expect(reuse.map { $0.added.count } == [2, 1])
    }

    @Test func allKeysOfAStateAreToldAsIfTheyWereAddedNow() {
        let reuse = KeyReuse.all(
            in: state([record(key(1), [north]), record(key(2), [south, north]), record(key(3), [])]))
        #expect(reuse.map(\.key) == [key(2)])
        #expect(reuse.first?.held == [] && reuse.first?.added.map(\.name) == ["north", "south"])
    }

    @Test func theMarkNamesEveryNetworkButTheOneShown() {
        let state = state([record(key(1), [north, south, west])])
        #expect(state.otherNetworks(of: key(1), beside: south).map(\.genesis) == [north, west])
        #expect(state.otherNetworks(of: key(1), beside: nil).count == 3)
        #expect(
            KeyReuse.Counts(state).networks(of: key(1)) == 3
                && KeyReuse.Counts(state).networks(of: key(2)) == 0)
    }

    @Test func aKeyThatIsNotDerivedYetIsFoundByItsSeedItsPathAndItsCurve() {
        var password = record(key(9, .ecdsa), [west])
        password = KeyRecord(
            publicKey: password.publicKey, seed: "main", path: "//a", hasPassword: true, networks: [west])
        let state = state([
            record(key(7, .ethereum), [north]), record(key(8, .ethereum), [south], path: "//b"),
            record(key(6), [south]), password,
        ])
        func others(_ seed: String, _ path: String, _ scheme: SignatureScheme) -> [GenesisHash] {
            state.otherNetworks(seed: seed, path: path, scheme: scheme, beside: nil).map(\.genesis)
        }
        #expect(others("main", "//a", .ecdsa) == [north])
        #expect(others("main", "//a", .sr25519) == [south])
        #expect(others("main", "//a", .ed25519) == [])
        #expect(others("other", "//a", .ecdsa) == [])
    }

    /// Names of seeds and paths are compared by their bytes: another name gives another key.
    @Test func anEquivalentSeedOrPathIsAnotherKey() {
        let held = KeyRecord(publicKey: key(5), seed: "K", path: "//K", hasPassword: false, networks: [north])
        func others(_ seed: String, _ path: String) -> Int {
            state([held]).otherNetworks(seed: seed, path: path, scheme: .sr25519, beside: nil).count
        }
        #expect(others("K", "//K") == 1 && others("\u{212a}", "//K") == 0 && others("K", "//\u{212a}") == 0)
        var other = held
        other = KeyRecord(
            publicKey: key(5), seed: "\u{212a}", path: "//K", hasPassword: false, networks: [north])
        let change = [TrustChange.allowKey(key(5), south)]
        #expect(
            caused(change, [held]) == caused(change, [held])
                && caused(change, [held]) != caused(change, [other]))
        #expect(
            KeyReuse.Network(genesis: north, name: "K") != KeyReuse.Network(genesis: north, name: "\u{212a}"))
    }

    /// The rule, said another way over random changes: a key that has gained a network is told exactly if it
    /// has more than one.
    @Test func aKeyIsToldExactlyWhenItGainsANetworkBesideAnother() {
        var random = SeededGenerator.printed("key reuse")
        let schemes: [SignatureScheme] = [.sr25519, .ed25519, .ecdsa, .ethereum]
        func anyKey() -> PublicKey {
            key(UInt8.random(in: 1...2, using: &random), schemes.randomElement(using: &random)!)
        }
        func anyChain() -> GenesisHash { [north, south, west].randomElement(using: &random)! }
        func name(_ key: PublicKey) -> String {
            "\(key.bytes.count == 33 ? "k1" : key.scheme.name) \(key.bytes[0])"
        }
        func pairs(_ keys: [PublicKey: Set<GenesisHash>]) -> Set<[String]> {
            Set(keys.flatMap { key, chains in chains.map { [name(key), $0.hex] } })
        }
        var told = 0
        for _ in 0..<2000 {
            var model: [PublicKey: Set<GenesisHash>] = [:]
            for _ in 0..<3 {
                model[anyKey()] = Set((0..<Int.random(in: 0...2, using: &random)).map { _ in anyChain() })
            }
            let keys = model.map { record($0.key, $0.value) }
            let before = pairs(model)
            var changes: [TrustChange] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let (key, genesis) = (anyKey(), anyChain())
                switch Int.random(in: 0...3, using: &random) {
                case 0:
                    guard model[key] == nil else { continue }
                    model[key] = [genesis]
                    changes.append(.addKey(record(key, [genesis])))
                case 1:
                    guard model[key]?.insert(genesis).inserted == true else { continue }
                    changes.append(.allowKey(key, genesis))
                case 2:
                    guard model[key]?.remove(genesis) != nil else { continue }
                    changes.append(.forbidKey(key, genesis))
                default:
                    guard model.removeValue(forKey: key) != nil else { continue }
                    changes.append(.removeKey(key))
                }
            }
            let after = pairs(model)
            let gained = Set(after.subtracting(before).map { $0[0] })
            let expected = gained.filter { key in after.count { $0[0] == key } > 1 }
            let found = caused(changes, keys)
            #expect(
                Set(found.map { name($0.key) }) == expected && found.count == expected.count, "\(changes)")
            for reuse in found {
                let networks = Set((reuse.held + reuse.added).map { [name(reuse.key), $0.genesis.hex] })
                #expect(networks == after.filter { $0[0] == name(reuse.key) })
                #expect(
                    Set(reuse.added.map { [name(reuse.key), $0.genesis.hex] }) == networks.subtracting(before)
                )
            }
            told += found.count
        }
        #expect(told > 100)
    }
}

@Suite struct KeyReuseInTheStoreLaws {
    private func opened(_ folder: Folder) throws -> UnlockedStore {
        try TrustStore.create(
            directory: folder.path, vault: makeVault(folder), changes: [.addKey(record(key(1), [north]))])
    }

    @Test func theStoreRefusesASecondNetworkThatNobodyAccepted() throws {
        let folder = Folder()
        let store = try opened(folder)
        let before = try store.trust().state
        let changes: [TrustChange] = [.allowKey(key(1), south)]
        let caused = KeyReuse.caused(by: changes, in: before)
        #expect(throws: StoreError.keyReuse(caused)) {
            try store.change(changes, events: [LogEvent(.keyAllowed)])
        }
        #expect(throws: StoreError.keyReuse(caused)) {
            try store.change { (_: SealedTrust) in (changes, []) }
        }
        #expect(try store.trust().state == before)
        try store.change(changes, events: [LogEvent(.keyAllowed)], accepting: caused)
        #expect(try store.trust().state.key(key(1))?.networks == [north, south])
    }

    @Test func whatWasAcceptedIsExactlyWhatIsDone() throws {
        let folder = Folder()
        let store = try opened(folder)
        let changes: [TrustChange] = [.allowKey(key(1), south)]
        let shown = KeyReuse.caused(by: changes, in: try store.trust().state)
        // Between the question and the act the key gains another network, loses its own, or a network gains a
        // name.
        try store.change([.addKey(record(key(2), []))], events: [])
        let west = [TrustChange.allowKey(key(1), west)]
        try store.change(west, events: [], accepting: KeyReuse.caused(by: west, in: try store.trust().state))
        #expect(throws: StoreError.changedSinceShown) {
            try store.change(changes, events: [], accepting: shown)
        }
        try store.change([.forbidKey(key(1), north), .forbidKey(key(1), chain(3))], events: [])
        #expect(throws: StoreError.changedSinceShown) {
            try store.change(changes, events: [], accepting: shown)
        }
        try store.change(changes, events: [])
        #expect(try store.trust().state.key(key(1))?.networks == [south])
    }

    @Test func aNameThatChangesAfterTheQuestionIsANewQuestion() throws {
        let folder = Folder()
        let store = try opened(folder)
        let changes: [TrustChange] = [.allowKey(key(1), south)]
        let shown = KeyReuse.caused(by: changes, in: try store.trust().state)
        try store.change([.setVerifier(south, .custom(nil)), .putNetwork(state([]).networks[1])], events: [])
        #expect(throws: StoreError.changedSinceShown) {
            try store.change(changes, events: [], accepting: shown)
        }
        #expect(try store.trust().state.key(key(1))?.networks == [north])
    }

    @Test func aStoreOnTwoNetworksFromBeforeKeepsWorking() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        #expect(KeyReuse.Counts(try store.trust().state).networks(of: aliceKey) == 2)
        try store.change([.markUsed(aliceKey, time: 9), .labelKey(aliceKey, "spent")], events: [])
        #expect(try store.trust().state.key(aliceKey)?.lastUsed == 9)
    }

    @Test func aStoreInABackupSaysWhatTheStoreSaid() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let content = try #require(try store.backup().first { $0.name == TrustStore.fileName }).bytes
        var read = content
        #expect(try TrustStore.trust(inBackup: &read).state == store.trust().state)
        #expect(read == content)
        for cut in [[], Array(content.prefix(10)), [UInt8](repeating: 7, count: 8192)] {
            read = cut
            #expect(throws: StoreError.notAStore) { try TrustStore.trust(inBackup: &read).state }
            #expect(read == cut)
        }
        // The header says that there is more: SQLITE_CORRUPT.
        read = Array(content.prefix(5000))
        #expect(throws: StoreError.damaged(code: 11)) { try TrustStore.trust(inBackup: &read).state }
    }

    /// Nearly the whole backup is the store, and a restore holds both already. SQLite counts what all tests
    /// have of it, which is much less than these bytes.
    @Test func aStoreInABackupIsReadWhereItLies() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let large = try SQLiteConnection(
            path: directory.path("large"), busyMilliseconds: 1000, create: true)
        try large.script("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        for _ in 0..<4 { try large.query("INSERT INTO t VALUES (zeroblob(16000000))") }
        var content = try large.serialized()
        let whole = content
        #expect(whole.count > 60_000_000 && whole[18..<20] == [2, 2])
        let used = sqlite3_memory_used()
        _ = sqlite3_memory_highwater(1)
        let rows = try SQLiteConnection.reading(&content) { try? $0.query("SELECT count(*) FROM t") }
        #expect(rows == [[.integer(4)]] && content == whole)
        #expect(sqlite3_memory_highwater(0) - used < 30_000_000)
    }
}
