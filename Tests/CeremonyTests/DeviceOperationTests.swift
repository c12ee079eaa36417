import AirGap
import History
import Keys
import SubstratePrimitives
import Synchronization
import Testing
import TrustStore
import TrustUpdates
import Vault

@testable import Ceremony

@Suite struct AcknowledgeOnlineTests {
    /// A vault for real keys whose device was online.
    private func wasOnline() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(isDevelopment: false)
        fixture.goOnline()
        try fixture.device.recordShield()
        fixture.goOffline()
        return fixture
    }

    private func unlock(_ fixture: CeremonyFixture) throws -> Session {
        try fixture.device.unlock(whileUnacknowledged: true) { CeremonyFixture.passphrase }
    }

    @Test func `an acknowledgement opens the vault again, and the log has both`() throws {
        let fixture = try wasOnline()
        #expect(throws: CeremonyError.unacknowledged) { try fixture.session() }
        do {
            let approval = try fixture.device.preview(AcknowledgeOnline()).confirm()
            _ = try unlock(fixture).perform(approval)
        }
        #expect(try fixture.names.suffix(2) == [.deviceOnline, .onlineAcknowledged])
        #expect(try fixture.device.shield().status == .offline)
        _ = try fixture.session()
    }

    @Test func `nothing is acknowledged while the network is there, and that it was is written down`() throws
    {
        let fixture = try CeremonyFixture(isDevelopment: false)
        fixture.goOnline()
        #expect(throws: ShieldPolicy.Failure.stillOnline) {
            _ = try fixture.device.preview(AcknowledgeOnline()).confirm()
        }
        #expect(try fixture.device.waiting().map(\.event.kind) == [.deviceOnline])
    }

    @Test func `nothing is acknowledged where nothing was`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        #expect(throws: ShieldPolicy.Failure.nothingToAcknowledge) {
            _ = try fixture.device.preview(AcknowledgeOnline()).confirm()
        }
    }

    @Test func `the network is looked at again under the seal`() throws {
        let fixture = try wasOnline()
        let approval = try fixture.device.preview(AcknowledgeOnline()).confirm()
        let session = try unlock(fixture)
        fixture.goOnline()
        let before = try fixture.snapshot
        #expect(throws: ShieldPolicy.Failure.stillOnline) { _ = try session.perform(approval) }
        #expect(try fixture.snapshot == before)
    }

    @Test func `traffic that came after the preview is not acknowledged with it`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        let sent = Mutex<UInt64>(1)
        let device = Device(
            directory: fixture.path,
            detector: {
                ShieldReport(
                    findings: [],
                    traffic: [.init(interface: "eth0", received: 1, sent: sent.withLock { $0 })], boot: "test"
                )
            }, clock: { 5 })
        let approval = try device.preview(AcknowledgeOnline()).confirm()
        sent.withLock { $0 = 2 }
        let session = try device.unlock(whileUnacknowledged: true) { CeremonyFixture.passphrase }
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        #expect(try fixture.snapshot == before)
        _ = try session.perform(session.preview(AcknowledgeOnline()).confirm())
        #expect(try device.shield().status == .offline)
        sent.withLock { $0 = 3 }
        #expect(try device.shield().status == .unacknowledged)
    }

    @Test func `no other operation is confirmed on a device that was online`() throws {
        let fixture = try wasOnline()
        #expect(throws: CeremonyError.unacknowledged) {
            _ = try fixture.device.preview(NoteInLog("x")).confirm()
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `without its line in the log nothing is acknowledged`(obstacle: Obstacle) throws {
        let fixture = try wasOnline()
        let approval = try fixture.device.preview(AcknowledgeOnline()).confirm()
        let session = try unlock(fixture)
        try obstacle.arise(in: fixture)
        let before = try fixture.snapshot
        #expect(throws: obstacle.error) { _ = try session.perform(approval) }
        #expect(try fixture.snapshot == before)
        #expect(try fixture.device.shield().status == .unacknowledged)
    }
}

@Suite struct ResetVerifiersTests {
    private let custom = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xaa, count: 32))!

    /// A vault with a verifier of its own for one network, and a key.
    private func trusting(isDevelopment: Bool = true) throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment, verifier: TrustSetup.defaultVerifier)
        let session = try fixture.session()
        let key = KeyRecord(
            publicKey: try CeremonyFixture.key("main", "//0"), seed: "main", path: "//0", hasPassword: false)
        try session.store.change(
            [.setVerifier(NetworkSpecs.defaults[0].genesisHash, .custom(custom)), .addKey(key)], events: [])
        return fixture
    }

    private let reset = ResetVerifiers(verifier: nil, networks: [NetworkSpecs.defaults[1]])

    private func perform(_ approval: FoundingApproval<ResetVerifiers>, _ fixture: CeremonyFixture) throws
        -> ResetVerifiers.Outcome
    {
        try fixture.device.perform(approval) { CeremonyFixture.passphrase }.outcome
    }

    @Test(arguments: [true, false])
    func `trust goes, keys and seeds stay`(isDevelopment: Bool) throws {
        let fixture = try trusting(isDevelopment: isDevelopment)
        let preview = try fixture.device.preview(reset)
        let before = try fixture.events
        let shown = try #require(preview.shown)
        #expect(try perform(preview.confirm(), fixture) == .reset)
        let state = try fixture.session().trust().state
        #expect(
            state.generalVerifier == nil && state.networks == [NetworkSpecs.defaults[1]]
                && state.keys.count == 1)
        #expect(state.verifiers == [NetworkSpecs.defaults[1].genesisHash: .general])
        #expect(try fixture.events == before + shown.events)
        #expect(try fixture.device.vault().seedNames == ["main"])
    }

    @Test func `another state than was shown is not reset`() throws {
        let fixture = try trusting()
        let approval = try fixture.device.preview(reset).confirm()
        try fixture.act(ChangeTrust(.restoreDefaults))
        do {
            let session = try fixture.session()
            try session.store.change([.setGeneralVerifier(custom)], events: [])
        }
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try perform(approval, fixture) }
        #expect(try fixture.snapshot == before)
    }

    @Test(arguments: [true, false])
    func `a store with a broken seal is put aside, and a new one says so`(isDevelopment: Bool) throws {
        let fixture = try trusting(isDevelopment: isDevelopment)
        let approval = try fixture.device.preview(reset).confirm()
        try fixture.breakSeal()
        guard case .replaced(.sealBroken) = try perform(approval, fixture) else {
            Issue.record("the broken store was not replaced")
            return
        }
        let session = try fixture.session()
        let state = try session.trust().state
        #expect(state.keys.isEmpty && state.networks == [NetworkSpecs.defaults[1]])
        #expect(state.settings[StoreSetting.allowOnline] == (isDevelopment ? [1] : nil))
        #expect(try fixture.names.prefix(3) == [.databaseCreated, .sealBroken, .verifiersReset])
        #expect(fixture.exists("store.sqlite.refused-1700000000"))
        #expect(session.seedNames == ["main"])
    }

    @Test func `a store that cannot be read, or is gone, is replaced, too`() throws {
        let fixture = try trusting()
        for damage in ["UPDATE network SET specs = zeroblob(1)", "DELETE FROM seal"] {
            try fixture.write(sql: damage)
            let preview = try fixture.device.preview(reset)
            #expect(preview.shown == nil)
            guard case .replaced = try perform(preview.confirm(), fixture) else {
                Issue.record("\(damage)")
                return
            }
            fixture.wait(1)
        }
        fixture.remove("store.sqlite")
        #expect(try perform(fixture.device.preview(reset).confirm(), fixture) == .replaced(.missing))
        _ = try fixture.session()
    }

    @Test func `a store that turns out to be whole is not reset without its plan`() throws {
        let fixture = try trusting()
        fixture.rename("store.sqlite", "elsewhere")
        let approval = try fixture.device.preview(reset).confirm()
        fixture.rename("elsewhere", "store.sqlite")
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try perform(approval, fixture) }
        #expect(try fixture.snapshot == before)
    }

    @Test func `the seeds are opened first, and only a development vault answers for a person`() throws {
        let fixture = try trusting(isDevelopment: false)
        let preview = try fixture.device.preview(reset)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) { _ = try preview.confirmUnattended() }
        #expect(throws: CeremonyError.declined) { _ = try preview.confirm { false } }
        let before = try fixture.snapshot
        let approval = try preview.confirm()
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.perform(approval) { SecretBytes(utf8: "wrong") }
        }
        let claimed = FoundingApproval(
            operation: reset, shown: preview.shown, directory: fixture.path, consent: .developmentVault)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            _ = try fixture.device.perform(claimed) { CeremonyFixture.passphrase }
        }
        #expect(try fixture.state == before.state)
    }

    @Test func `a device that is online asks for no passphrase`() throws {
        let fixture = try trusting(isDevelopment: false)
        let preview = try fixture.device.preview(reset)
        fixture.goOnline()
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) { _ = try preview.confirm() }
    }

    @Test func `while another program holds the store nothing is reset or replaced`() throws {
        let fixture = try trusting()
        let approval = try fixture.device.preview(reset).confirm()
        let before = try fixture.snapshot
        try whileHeld(fixture) { #expect(throws: StoreError.busy) { _ = try perform(approval, fixture) } }
        #expect(try fixture.snapshot == before)
    }
}

@Suite struct SetVaultTimeTests {
    /// The fixture's clock starts on this day.
    private static let day: UInt64 = 1_699_920_000
    private static let date = "2023-11-14"

    /// A vault whose wall clock shows `seconds`.
    private func fixture(at seconds: UInt64) throws -> CeremonyFixture {
        let fixture = try CeremonyFixture()
        fixture.setClock(by: Int64(seconds) - Int64(fixture.now))
        return fixture
    }

    @Test(arguments: [0, 1, 43_200, 86_399] as [UInt64])
    func `on the typed date the clock's own second is the time`(second: UInt64) throws {
        let fixture = try fixture(at: Self.day + second)
        let before = try fixture.device.moment().time.seconds
        let shown = try fixture.act(SetVaultTime(date: Self.date))
        #expect(shown == SetVaultTime.Shown(from: before, to: Self.day + second, isClock: true))
        #expect(try fixture.device.moment().time.seconds == Self.day + second)
        let facts = [
            LogEvent.Fact("from", UTCDate.minute(before)),
            LogEvent.Fact("to", UTCDate.minute(Self.day + second)),
        ]
        #expect(try fixture.events.last == LogEvent(.vaultTimeSet, facts))
    }

    @Test(arguments: [-1, -86_400, 86_400, 86_401, 1_000_000_000] as [Int64])
    func `a clock of another date is not believed: the typed day begins`(second: Int64) throws {
        let fixture = try fixture(at: UInt64(Int64(Self.day) + second))
        let before = try fixture.device.moment().time.seconds
        let shown = try fixture.act(SetVaultTime(date: Self.date))
        #expect(shown == SetVaultTime.Shown(from: before, to: Self.day, isClock: false))
        #expect(try fixture.device.moment().time.seconds == Self.day)
    }

    @Test func `a clock that goes on within its date is the one that was shown`() throws {
        let fixture = try fixture(at: Self.day + 100)
        let approval = try fixture.device.preview(SetVaultTime(date: Self.date)).confirm()
        fixture.wait(50)
        #expect(try fixture.session().perform(approval).outcome.to == Self.day + 150)
    }

    /// A person agreed to the clock's time, or to the first second of a date: the one is not a yes to the
    /// other.
    @Test(arguments: [86_399, -1] as [Int64])
    func `a clock that comes to its date or leaves it after the question is asked about again`(second: Int64)
        throws
    {
        let fixture = try fixture(at: UInt64(Int64(Self.day) + second))
        let approval = try fixture.device.preview(SetVaultTime(date: Self.date)).confirm()
        let session = try fixture.session()
        fixture.wait(1)
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        #expect(try fixture.snapshot == before)
    }

    @Test(arguments: ["", "2023-11-31", "2023-02-29", "14.11.2023", "2023-11-14 ", "2023-1-14", "1969-12-31"])
    func `what is no date is refused`(text: String) {
        #expect(throws: VaultTimeError.notADate) { try SetVaultTime(date: text) }
    }
}
