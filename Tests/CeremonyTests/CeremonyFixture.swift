import Accounts
import AirGap
import Hashing
import Keys
import SQLite
import SubstratePrimitives
import Synchronization
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import Vault

@testable import Ceremony

/// A vault with seeds in a directory that goes away with the test, and the device that holds it.
final class CeremonyFixture: Sendable {
    let directory = TemporaryDirectory(inMemory: true)
    private let report = Mutex(ShieldReport(findings: [], traffic: [], boot: "test"))
    private let seconds = Mutex<UInt64>(1_700_000_000)
    private let boot = Mutex(BootReading(id: [1], seconds: 1000))
    let nonces = SwitchableNonces()
    /// What a vault may be bound to.
    let tpm = StandInTPM()

    /// - Parameters:
    ///   - isDevelopment: else a vault for real keys, with the smallest cost that such a vault may have.
    ///   - seeds: each with ``entropy(of:)``.
    init(
        isDevelopment: Bool = true, seeds: [String] = ["main"],
        networks: [NetworkSpecs] = NetworkSpecs.defaults, verifier: PublicKey? = nil
    ) throws {
        typed = Self.strong
        let cost = isDevelopment ? KDFCost.development : KDFCost(passes: 1, memory: 64 << 10)
        let vault = try Vault.create(
            directory: path, passphrase: Self.passphrase, cost: cost, development: isDevelopment)
        for name in seeds { try vault.apply(vault.adding(seed: name, entropy: Self.entropy(of: name))) }
        let step = TrustSetup.initial(verifier: verifier, networks: networks, allowOnline: false)
        _ = try TrustStore.create(
            directory: path, vault: vault,
            changes: try step.changes
                + seeds.flatMap {
                    [.putSeedRoot($0, try Self.key($0)), .putSeedAdded($0, time: seconds.withLock { $0 })]
                }, events: step.events,
            clock: { [self] in seconds.withLock { $0 } }, boot: { [self] in boot.withLock { $0 } })
    }

    /// A directory without a vault.
    /// - Parameter passphrase: of the vault that the test puts there.
    init(empty: Void, passphrase: String = strong) { typed = passphrase }

    var path: String { directory.path }
    /// Strong enough for real keys, and drawn anew by each run of the tests: a vault for real keys takes no
    /// passphrase that is published.
    static let strong = drawn()
    /// Another one.
    static let next = drawn()
    private static func drawn() -> String {
        DrawnPassphrase.make(separator: " ").withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
    static var passphrase: SecretBytes { SecretBytes(utf8: strong) }
    private let typed: String

    /// 16 bytes for each name.
    static func entropy(of seed: String) -> SecretBytes {
        var bytes = BLAKE2b.hash(Array(seed.utf8), length: 16)
        return SecretBytes(wiping: &bytes)
    }

    /// The key that a seed of ``entropy(of:)`` gives.
    static func key(
        _ seed: String, _ path: String = "", password: String = "", scheme: SignatureScheme = .sr25519
    ) throws -> PublicKey {
        try KeyPair.derive(
            entropy: entropy(of: seed), path: DerivationPath(path), password: SecretBytes(utf8: password),
            scheme: scheme
        ).publicKey
    }

    // MARK: The device

    var device: Device {
        Device(
            directory: path, detector: { [self] in report.withLock { $0 } },
            clock: { [self] in seconds.withLock { $0 } },
            boot: { [self] in boot.withLock { $0 } }, nonces: nonces, hardware: tpm)
    }

    func goOnline() {
        report.withLock { $0 = ShieldReport(findings: [.interfaceUp("wlan0")], traffic: [], boot: "test") }
    }
    func goOffline() { report.withLock { $0 = ShieldReport(findings: [], traffic: [], boot: "test") } }
    /// The machine runs on.
    func wait(_ count: UInt64) {
        seconds.withLock { $0 += count }
        boot.withLock { $0 = BootReading(id: $0.id, seconds: $0.seconds + count) }
    }
    /// Somebody sets the wall clock.
    func setClock(by count: Int64) { seconds.withLock { $0 = UInt64(Int64($0) + count) } }
    /// The machine is off, and then starts.
    func restart(after count: Int64) {
        setClock(by: count)
        boot.withLock { $0 = BootReading(id: [$0.id[0] &+ 1], seconds: 10) }
    }
    var now: UInt64 { seconds.withLock { $0 } }

    func session() throws -> Session { try device.unlock { SecretBytes(utf8: typed) } }

    /// Previews, says yes as a person and performs.
    @discardableResult
    func act<O: Operation>(_ operation: O, asking person: some Person = Nobody(), in session: Session? = nil)
        throws -> O.Outcome
    {
        let approval = try device.preview(operation).confirm()
        return try (session ?? self.session()).perform(approval, asking: person).outcome
    }

    // MARK: What lies on the disk

    var state: TrustState { get throws { try device.trust().state } }
    var log: [LogEntry] { get throws { try device.store().log() } }
    var events: [LogEvent] { get throws { try log.map(\.event) } }

    /// Everything that an act may change.
    struct Snapshot: Equatable {
        let state: TrustState
        let log: [LogEntry]
        let journal: [LogEvent]
        let seedNames: [String]
        let vaultRevision: UInt64
    }

    var snapshot: Snapshot {
        get throws {
            let store = try device.store()
            let vault = try device.vault()
            return Snapshot(
                state: try store.uncheckedTrust().state, log: try store.log(), journal: store.journalled,
                seedNames: vault.seedNames,
                vaultRevision: vault.revision)
        }
    }

    // MARK: An intruder, who can write to the disk and has no passphrase

    func write(sql: String) throws {
        try SQLiteConnection(path: "\(path)/\(TrustStore.fileName)", busyMilliseconds: 1000, create: false)
            .script(sql)
    }

    /// What is said after ``breakSeal()``.
    static let brokenSeal = StoreError.sealBroken([.rowAdded(table: "setting", row: "strange")])

    func breakSeal() throws { try write(sql: "INSERT INTO setting (name, value) VALUES ('strange', x'01')") }

    /// Takes the number of a line of the log, so that no line can be written there. Only for an open session:
    /// an unlocking notices it.
    /// - Parameter lines: how many can still be written.
    func blockLog(after lines: Int = 0) throws {
        try write(
            sql: """
                INSERT INTO log (number, time, kind, facts, payload, metadata_hash, hash)
                SELECT number + 1 + \(lines), time, kind, facts, payload, metadata_hash, hash FROM log ORDER BY number DESC LIMIT 1
                """)
    }

    /// Gives that number back.
    func unblockLog() throws {
        try write(sql: "DELETE FROM log WHERE number = (SELECT max(number) FROM log)")
    }
}

/// A person with answers ready.
final class Answers: Person {
    private let passwords: Mutex<[String]>
    private let given: GivenWord?
    private let asked = Mutex<[[KeyReuse]]>([])
    private let askedOfRolls = Mutex<[[DiceRolls.Concern]]>([])

    init(passwords: [String] = [], word: GivenWord? = nil) {
        self.passwords = Mutex(passwords)
        given = word
    }

    /// What the person was shown before the word.
    var shownReuse: [[KeyReuse]] { asked.withLock { $0 } }
    var shownConcerns: [[DiceRolls.Concern]] { askedOfRolls.withLock { $0 } }

    func password(path: String, address: String?) throws -> SecretBytes {
        SecretBytes(utf8: passwords.withLock { $0.isEmpty ? "" : $0.removeFirst() })
    }

    func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? {
        asked.withLock { $0.append(reuse) }
        return given
    }

    func word(forSourcesOf seed: SeedSources) throws -> GivenWord? { given }

    func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? {
        askedOfRolls.withLock { $0.append(concerns) }
        return given
    }
}

/// What holds for every operation: nothing is done and nothing is given after the vault or the text of the
/// screen changed, under a broken seal, or without the log.
///
/// - Parameters:
///   - make: a fixture where the operation can be done.
///   - change: what somebody does to the vault after the preview, so that the operation means something else,
///     or nothing.
func expectLaws<O: Operation>(
    of operation: O, asking person: () -> Answers = { Answers() }, in make: () throws -> CeremonyFixture,
    whenChanged change: (CeremonyFixture, Session) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    func refuses(
        _ fixture: CeremonyFixture, _ session: Session, _ approval: Approval<O>,
        by isExpected: (any Error) -> Bool
    ) throws {
        let before = try fixture.snapshot
        do {
            _ = try session.perform(approval, asking: person())
            Issue.record("it was performed", sourceLocation: sourceLocation)
        } catch {
            #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
        }
        let after = try fixture.snapshot
        #expect(after.state == before.state && after.log == before.log, sourceLocation: sourceLocation)
        #expect(after.seedNames == before.seedNames, sourceLocation: sourceLocation)
    }
    do {
        let fixture = try make()
        let approval = try fixture.device.preview(operation).confirm()
        let session = try fixture.session()
        try change(fixture, session)
        try refuses(fixture, session, approval) { $0 as? CeremonyError == .changedSinceShown }
    }
    do {
        // The operation means the same, but the screen above its question would now say something else.
        let fixture = try make()
        let (_, read) = try fixture.device.preview(operation).reading { _, trust in
            trust.listSigners.map(\.label)
        }
        let approval = try read.confirm()
        let session = try fixture.session()
        try session.store.change(
            [.putListSigner(ListSignerRecord(publicKey: CeremonyFixture.key("nobody"), label: "new"))],
            events: [])
        try refuses(fixture, session, approval) { $0 as? CeremonyError == .changedSinceShown }
    }
    do {
        let fixture = try make()
        let approval = try fixture.device.preview(operation).confirm()
        try fixture.breakSeal()
        #expect(throws: CeremonyFixture.brokenSeal, sourceLocation: sourceLocation) {
            try fixture.session().perform(approval, asking: person())
        }
    }
    do {
        let fixture = try make()
        let approval = try fixture.device.preview(operation).confirm()
        let session = try fixture.session()
        try fixture.breakSeal()
        try refuses(fixture, session, approval) { if case StoreError.sealBroken = $0 { true } else { false } }
    }
    do {
        let fixture = try make()
        let approval = try fixture.device.preview(operation).confirm()
        let session = try fixture.session()
        try fixture.blockLog()
        try refuses(fixture, session, approval) { if case StoreError.conflict = $0 { true } else { false } }
    }
}
