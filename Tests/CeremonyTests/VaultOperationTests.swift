import AirGap
import Glibc
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates
import Vault

@testable import Ceremony

@Suite struct VaultOperationTests {
    // MARK: Making one

    private func create(
        _ fixture: CeremonyFixture, isDevelopment: Bool = true,
        passphrase: String = CeremonyFixture.strong,
        keyFile: HeldSecret = held("")
    ) throws {
        let cost: KDFCost = isDevelopment ? .development : KDFCost(passes: 1, memory: 64 << 10)
        let operation = CreateVault(
            verifier: TrustSetup.defaultVerifier, networks: NetworkSpecs.defaults,
            isDevelopment: isDevelopment, cost: cost)
        let approval = try fixture.device.preview(operation).confirm()
        _ = try fixture.device.perform(approval, keyFile: keyFile) { SecretBytes(utf8: passphrase) }
    }

    @Test(arguments: [true, false])
    func `a vault is made with its networks, its verifier and its log`(isDevelopment: Bool) throws {
        let fixture = CeremonyFixture(empty: ())
        try create(fixture, isDevelopment: isDevelopment)
        let session = try fixture.session()
        #expect(session.isDevelopment == isDevelopment && session.seedNames.isEmpty)
        let state = try session.trust().state
        #expect(
            state.generalVerifier == TrustSetup.defaultVerifier
                && state.networks.count == NetworkSpecs.defaults.count)
        #expect(try fixture.names.first == .databaseCreated)
        #expect(try fixture.names.contains(.onlineAllowed) == isDevelopment)
        #expect(try fixture.log.allSatisfy { $0.time == 1_700_000_000 })
    }

    @Test func `a key file opens the vault that was made with it`() throws {
        let fixture = CeremonyFixture(empty: ())
        let file = String(repeating: "k", count: 32)
        try create(fixture, keyFile: held(file))
        #expect(throws: CeremonyError.keyFileNeeded) { try fixture.session() }
        #expect(fixture.opens(with: CeremonyFixture.strong, keyFile: file))
    }

    @Test
    func `no vault for real keys is made online, also when the network comes while the passphrase is typed`()
        throws
    {
        let fixture = CeremonyFixture(empty: ())
        let operation = CreateVault(
            verifier: nil, networks: [], isDevelopment: false, cost: KDFCost(passes: 1, memory: 64 << 10))
        let preview = try fixture.device.preview(operation)
        let approval = try preview.confirm()
        #expect(throws: CeremonyError.onlineAtStart([.interfaceUp("wlan0")])) {
            _ = try fixture.device.perform(approval) {
                fixture.goOnline()
                return CeremonyFixture.passphrase
            }
        }
        #expect(throws: CeremonyError.onlineAtStart([.interfaceUp("wlan0")])) { _ = try preview.confirm() }
        #expect(throws: CeremonyError.onlineAtStart([.interfaceUp("wlan0")])) {
            _ = try fixture.device.preview(operation)
        }
        #expect(throws: VaultError.missing(fixture.path)) { _ = try fixture.device.vault() }
        // A development vault warns and does not block.
        try create(fixture)
    }

    @Test func `traffic of the past is known to a new vault`() throws {
        let fixture = CeremonyFixture(empty: ())
        let past = ShieldReport(
            findings: [], traffic: [.init(interface: "eth0", received: 5, sent: 6)], boot: "test")
        let device = Device(directory: fixture.path, detector: { past }, clock: { 5 })
        let operation = CreateVault(
            verifier: nil, networks: [], isDevelopment: false, cost: KDFCost(passes: 1, memory: 64 << 10))
        _ = try device.perform(try device.preview(operation).confirm()) { CeremonyFixture.passphrase }
        #expect(try device.shield().status == .offline)
    }

    @Test func `a vault is not made over another`() throws {
        let fixture = try CeremonyFixture()
        let before = try fixture.snapshot
        let operation = CreateVault(verifier: nil, networks: [], isDevelopment: true, cost: .development)
        #expect(throws: VaultError.exists(fixture.path)) { _ = try fixture.device.preview(operation) }
        #expect(try fixture.snapshot == before)
        let empty = CeremonyFixture(empty: ())
        let approval = try empty.device.preview(operation).confirm()
        #expect(throws: VaultError.exists(empty.path)) {
            _ = try empty.device.perform(approval) {
                try create(empty, passphrase: "the first")
                return SecretBytes(utf8: "the second")
            }
        }
        #expect(empty.opens(with: "the first"))
    }

    @Test func `where its store cannot be made there is no vault`() throws {
        let fixture = CeremonyFixture(empty: ())
        fixture.block("store.sqlite.new")
        #expect(throws: VaultError.notAFile("\(fixture.path)/store.sqlite.new")) { try create(fixture) }
        fixture.unblock("store.sqlite.new")
        #expect(throws: VaultError.missing(fixture.path)) { _ = try fixture.device.vault() }
        try create(fixture)
        _ = try fixture.session()
    }

    /// It is a sealed copy of the vault file.
    @Test func `an intent that another vault left is kept, and no vault is made beside it`() throws {
        let fixture = CeremonyFixture(empty: ())
        try fixture.directory.write([1, 2, 3], to: "intent")
        #expect(throws: VaultError.exists(fixture.path)) { try create(fixture) }
        #expect(try fixture.directory.read("intent") == [1, 2, 3] && !fixture.exists("vault"))
    }

    @Test func `a store that another vault left is kept, and no vault is made beside it`() throws {
        let fixture = try CeremonyFixture()
        fixture.remove("vault")
        let before = try fixture.log
        let left = fixture.directory.names.sorted()
        #expect(throws: VaultError.lost(fixture.path)) { try create(fixture) }
        #expect(fixture.directory.names.sorted() == left)
        #expect(throws: VaultError.lost(fixture.path)) { _ = try fixture.device.vault() }
        #expect(try TrustStore(directory: fixture.path).log() == before)
    }

    @Test func `where the vault file cannot be written there is no store`() throws {
        let fixture = CeremonyFixture(empty: ())
        fixture.block(CeremonyFixture.vaultFile)
        #expect(throws: VaultError.system(operation: "create", errno: EEXIST)) { try create(fixture) }
        #expect(!fixture.exists("vault") && !fixture.exists("store.sqlite"))
        fixture.unblock(CeremonyFixture.vaultFile)
        try create(fixture)
        _ = try fixture.session()
    }

    @Test func `only a vault that was never changed is taken back`() throws {
        let fixture = CeremonyFixture(empty: ())
        let vault = try Vault.create(
            directory: fixture.path, passphrase: CeremonyFixture.passphrase, cost: .development,
            development: true)
        try vault.apply(vault.adding(seed: "main", entropy: CeremonyFixture.entropy(of: "main")))
        vault.discardNew()
        #expect(fixture.exists("vault"))
        try vault.apply(vault.removing(seed: "main"))
        vault.discardNew()
        #expect(fixture.exists("vault"))
        let empty = CeremonyFixture(empty: ())
        try Vault.create(
            directory: empty.path, passphrase: CeremonyFixture.passphrase, cost: .development,
            development: true
        ).discardNew()
        #expect(!empty.exists("vault"))
    }

    // MARK: The passphrase

    @Test(arguments: [true, false])
    func `the new passphrase opens the vault, the old one does not`(isDevelopment: Bool) throws {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        try fixture.act(ChangePassphrase(to: held(CeremonyFixture.next), keyFile: held("")))
        #expect(
            fixture.opens(with: CeremonyFixture.next)
                && !fixture.opens(with: CeremonyFixture.strong))
        #expect(try fixture.events.last == LogEvent(.passphraseChanged))
        #expect(
            try fixture.device.vault().slots.map(\.cost) == [
                isDevelopment ? .development : KDFCost(passes: 1, memory: 64 << 10)
            ])
        let session = try fixture.device.unlock { SecretBytes(utf8: CeremonyFixture.next) }
        let isSame = try session.isEntropy(CeremonyFixture.entropy(of: "main"), of: "main")
        #expect(isSame)
    }

    @Test func `a key file is put to use and given up with the passphrase`() throws {
        let fixture = try CeremonyFixture()
        let file = String(repeating: "k", count: 32)
        let operation = ChangePassphrase(to: held("new"), keyFile: held(file))
        // A key file that is lost without words on paper takes every key with it.
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: false)) {
            _ = try fixture.device.preview(operation)
        }
        let words = try fixture.makeRecoveryKey()
        #expect(throws: CeremonyError.recoveryKeyUnchecked(exists: true)) {
            _ = try fixture.device.preview(operation)
        }
        try fixture.act(CheckRecoveryKey(), in: fixture.session(words))
        #expect(try fixture.device.preview(operation).shown.needsKeyFile)
        try fixture.act(operation)
        #expect(fixture.opens(with: "new", keyFile: file) && !fixture.opens(with: "new"))
        func act(_ change: ChangePassphrase, with file: String) throws {
            let session = try fixture.device.unlock(keyFile: SecretBytes(utf8: file)) {
                SecretBytes(utf8: "new")
            }
            try fixture.act(change, in: session)
        }
        // The vault needs one already, so another one takes no way in from its owner.
        let other = String(repeating: "o", count: 32)
        try act(ChangePassphrase(to: held("new"), keyFile: held(other)), with: file)
        try act(ChangePassphrase(to: held("newer"), keyFile: held("")), with: other)
        #expect(try fixture.device.vault().slots.allSatisfy { !$0.needsKeyFile })
    }

    @Test(arguments: Obstacle.allCases)
    func `where the log cannot say so the old passphrase still opens the vault`(obstacle: Obstacle) throws {
        let fixture = try CeremonyFixture()
        try expectNothing(
            of: ChangePassphrase(to: held("new"), keyFile: held("")), after: obstacle, in: fixture)
        #expect(fixture.opens(with: CeremonyFixture.strong))
        #expect(!fixture.opens(with: "new"))
    }

    @Test func `a change that cannot be announced leaves no line that claims a new passphrase`() throws {
        let fixture = try CeremonyFixture()
        do {
            let session = try fixture.session()
            let approval = try session.preview(ChangePassphrase(to: held("new"), keyFile: held(""))).confirm()
            let before = try fixture.snapshot
            fixture.block(CeremonyFixture.intent)
            #expect(throws: StoreError.inputOutput(code: EEXIST)) { try session.perform(approval) }
            fixture.unblock(CeremonyFixture.intent)
            #expect(try fixture.snapshot == before)
        }
        #expect(fixture.opens(with: CeremonyFixture.strong))
    }

    @Test func `a line that is on the disk keeps the new passphrase`() throws {
        let fixture = try CeremonyFixture()
        do {
            let session = try fixture.session()
            let approval = try session.preview(ChangePassphrase(to: held("new"), keyFile: held(""))).confirm()
            fixture.block(CeremonyFixture.vaultFile)
            #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { try session.perform(approval) }
            fixture.unblock(CeremonyFixture.vaultFile)
        }
        #expect(try fixture.names.last == .passphraseChanged)
        #expect(throws: VaultError.passphraseWasChanged) { try fixture.session() }
        _ = try fixture.device.unlock { SecretBytes(utf8: "new") }
        #expect(!fixture.exists("intent"))
    }

    @Test func `a vault for real keys takes no empty passphrase`() throws {
        let operation = ChangePassphrase(to: held(""), keyFile: held(""))
        let fixture = try CeremonyFixture(isDevelopment: false)
        #expect(throws: VaultError.emptyPassphrase) { _ = try fixture.device.preview(operation) }
    }

    // MARK: Backups

    /// A vault with a key, and its backup.
    private func backedUp(isDevelopment: Bool = true, networks: Int = 1) throws -> (
        fixture: CeremonyFixture, backup: [UInt8]
    ) {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment, seeds: ["main", "second"])
        do {
            let session = try fixture.session()
            let key = KeyRecord(
                publicKey: try CeremonyFixture.key("main", "//0"), seed: "main", path: "//0",
                hasPassword: false,
                networks: Set(NetworkSpecs.defaults.prefix(networks).map(\.genesisHash)))
            let reuse = KeyReuse.caused(by: [.addKey(key)], in: try session.trust().state)
            try session.store.change([.addKey(key)], events: [], accepting: reuse)
        }
        return (fixture, try fixture.act(BackUpVault()))
    }

    private func restore(_ backup: [UInt8], passphrase: String = CeremonyFixture.strong)
        -> RestoreVault
    {
        RestoreVault(backup, passphrase: held(passphrase), keyFile: held(""))
    }

    private func perform(
        _ operation: RestoreVault, in fixture: CeremonyFixture, asking person: some Person = Nobody()
    ) throws -> VaultBackup.Report {
        try fixture.device.perform(try fixture.device.preview(operation).confirm(), asking: person) {
            SecretBytes()
        }.outcome
    }

    @Test(arguments: [true, false])
    func `a backup restores seeds, keys, trust and the log, which knows of both`(isDevelopment: Bool) throws {
        let (fixture, backup) = try backedUp(isDevelopment: isDevelopment)
        #expect(try fixture.events.last == LogEvent(.vaultBackedUp, [LogEvent.Fact("seeds", "2")]))
        let again = CeremonyFixture(empty: ())
        let shown = try again.device.preview(restore(backup)).shown
        #expect(shown.report.seedNames == ["main", "second"] && shown.report.isDevelopment == isDevelopment)
        #expect(shown.reuse.isEmpty && shown.trust.keys.count == 1)
        #expect(!again.exists("vault") && !again.exists("store.sqlite"))

        let report = try perform(restore(backup), in: again)
        #expect(report == shown.report)
        let session = try again.session()
        #expect(session.seedNames == ["main", "second"])
        #expect(try session.trust().state.keys == fixture.state.keys)
        #expect(try session.trust().state.networks == fixture.state.networks)
        let log = try again.events
        #expect(try Array(log.dropLast()) == fixture.events)
        #expect(log.last == LogEvent(.vaultRestored, [LogEvent.Fact("revision", "\(report.revision)")]))
    }

    @Test func `a seed that was added after the preview is in no backup of it`() throws {
        let fixture = try CeremonyFixture()
        try expectChanged(BackUpVault(), in: fixture) {
            try $0.vault.apply(
                $0.vault.adding(seed: "second", entropy: CeremonyFixture.entropy(of: "second")))
        }
    }

    /// The way back: what is removed from the store is in no later backup.
    @Test func `a vault that is too large for a backup logs none, and fits again when metadata is removed`()
        throws
    {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let genesis = NetworkSpecs.defaults[0].genesisHash
        let versions = (1...4).map(UInt32.init)
        try session.store.change(
            versions.map {
                .addMetadata(
                    genesis, version: $0, blob: [UInt8](repeating: UInt8($0), count: 1 << 20))
            }, events: [])
        let limit = 3 << 20
        let used = try session.store.usedBytes()
        #expect(used > 4 << 20)
        let before = try fixture.events
        #expect(throws: VaultError.backupTooLarge(length: used + VaultBackup.allowance, limit: limit)) {
            _ = try fixture.act(BackUpVault(limit: limit), in: session)
        }
        #expect(try fixture.events == before)
        try session.store.change(
            versions.dropFirst().map { .removeMetadata(genesis, version: $0) }, events: [])
        let backup = try fixture.act(BackUpVault(limit: limit), in: session)
        #expect(backup.count <= limit)
        let again = CeremonyFixture(empty: ())
        _ = try perform(restore(backup), in: again)
        #expect(try again.state.metadata.map(\.version) == [1])
        try again.session().store.check()
        #expect(try again.session().store.checkContents() >= 1)
    }

    @Test(arguments: Obstacle.allCases)
    func `no backup leaves without its line in the log`(obstacle: Obstacle) throws {
        try expectNothing(of: BackUpVault(), after: obstacle, in: CeremonyFixture())
    }

    @Test func `keys on two networks come back with a typed word alone`() throws {
        let (_, backup) = try backedUp(isDevelopment: false, networks: 2)
        let again = CeremonyFixture(empty: ())
        #expect(try again.device.preview(restore(backup)).shown.reuse.count == 1)
        func refused(_ word: GivenWord?, _ expected: CeremonyError) {
            #expect(throws: expected) {
                _ = try perform(restore(backup), in: again, asking: Answers(word: word))
            }
            for name in ["vault", "store.sqlite"] { #expect(!again.exists(name)) }
        }
        refused(nil, .keyOnTwoNetworks(1))
        refused(.typed("Reuse key"), .keyOnTwoNetworks(1))
        refused(.option("reuse key"), .wordNeedsDevelopmentVault)
        let person = Answers(word: .typed("reuse key"))
        _ = try perform(restore(backup), in: again, asking: person)
        #expect(person.shownReuse.map(\.count) == [1])
        #expect(try again.session().seedNames == ["main", "second"])
    }

    @Test func `a store whose vault is lost stays where the backup cannot be written`() throws {
        let (fixture, backup) = try backedUp()
        try fixture.act(NoteInLog("after the backup"))
        let store = try fixture.device.store()
        let (state, log) = try (store.uncheckedTrust().state, store.log())
        unlink("\(fixture.path)/vault")
        let approval = try fixture.device.preview(restore(backup)).confirm()
        let blocked = ".store.sqlite.\(getpid()).new"
        fixture.block(blocked)
        #expect(throws: VaultError.system(operation: "create", errno: EEXIST)) {
            _ = try fixture.device.perform(approval) { SecretBytes() }
        }
        #expect(try fixture.state == state)
        #expect(try fixture.log == log)
        #expect(!fixture.exists("vault"))
        fixture.unblock(blocked)
        // A link that leads nowhere holds nothing, and its name is taken all the same.
        #expect(symlink("nowhere", "\(fixture.path)/former-1") == 0)
        let again = try fixture.device.preview(restore(backup)).confirm()
        _ = try fixture.device.perform(again) { SecretBytes() }
        #expect(try fixture.names.last == .vaultRestored)
        // What was there is kept, with the notes that are in no backup.
        #expect(fixture.exists("former-2/store.sqlite"))
    }

    @Test func `a wrong passphrase and a changed backup restore nothing`() throws {
        let (_, backup) = try backedUp()
        let again = CeremonyFixture(empty: ())
        #expect(throws: VaultError.wrongPassphrase(failures: 0, delay: 0)) {
            _ = try again.device.preview(restore(backup, passphrase: "wrong"))
        }
        var changed = backup
        changed[changed.count - 1] ^= 1
        #expect(throws: VaultError.tampered("backup")) { _ = try again.device.preview(restore(changed)) }
        #expect(!again.exists("vault"))
    }

    @Test func `a backup is not restored over a vault, also one that was made after the preview`() throws {
        let (fixture, backup) = try backedUp()
        let before = try fixture.snapshot
        #expect(throws: VaultError.exists(fixture.path)) { _ = try fixture.device.preview(restore(backup)) }
        #expect(try fixture.snapshot == before)
        let again = CeremonyFixture(empty: ())
        let approval = try again.device.preview(restore(backup)).confirm()
        try create(again, passphrase: "theirs")
        #expect(throws: VaultError.exists(again.path)) {
            _ = try again.device.perform(approval) { SecretBytes() }
        }
        #expect(again.opens(with: "theirs"))
        #expect(try again.names.last != .vaultRestored)
    }

    /// The store's file fails first, the vault's file at the end.
    @Test(arguments: [
        ".store.sqlite.\(getpid()).new", ".attempts.\(getpid()).new", CeremonyFixture.vaultFile,
    ])
    func `where the log cannot be written nothing is restored`(blocked: String) throws {
        let (_, backup) = try backedUp()
        let again = CeremonyFixture(empty: ())
        let approval = try again.device.preview(restore(backup)).confirm()
        again.block(blocked)
        #expect(throws: VaultError.system(operation: "create", errno: EEXIST)) {
            _ = try again.device.perform(approval) { SecretBytes() }
        }
        again.unblock(blocked)
        for name in ["vault", "store.sqlite"] { #expect(!again.exists(name), "\(name)") }
        _ = try again.device.perform(approval) { SecretBytes() }
        #expect(try again.session().seedNames == ["main", "second"])
    }

    @Test func `what SQLite left of another store is not replayed into a restored one`() throws {
        let (_, backup) = try backedUp()
        let again = CeremonyFixture(empty: ())
        let other = try CeremonyFixture(seeds: [])
        let session = try other.session()
        try session.store.append([LogEvent(.userNote)])
        try #require(other.exists("store.sqlite-wal"))
        other.copy("store.sqlite-wal", to: again)
        _ = try perform(restore(backup), in: again)
        #expect(try again.session().seedNames == ["main", "second"])
    }
}
