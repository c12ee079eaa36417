import Accounts
import AirGap
import Glibc
import Hashing
import Keys
import SQLite
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// What keeps an act from being written down.
enum Obstacle: CaseIterable {
    /// Someone without the passphrase changed the store.
    case sealBroken
    /// No line can be added to the log.
    case logBlocked

    /// What is said of it.
    var error: StoreError {
        switch self {
        case .sealBroken: CeremonyFixture.brokenSeal
        case .logBlocked: .conflict(table: "constraint")
        }
    }

    func arise(in fixture: CeremonyFixture) throws {
        switch self {
        case .sealBroken: try fixture.breakSeal()
        case .logBlocked: try fixture.blockLog()
        }
    }
}

/// Confirms an operation, then meets the obstacle in an open session: there is no outcome, and the vault is
/// as it was.
/// - Returns: the fixture, locked.
@discardableResult
func expectNothing<O: Operation>(
    of operation: O, after obstacle: Obstacle, in fixture: CeremonyFixture,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> CeremonyFixture {
    let session = try fixture.session()
    let approval = try session.preview(operation).confirm()
    try obstacle.arise(in: fixture)
    let before = try fixture.snapshot
    #expect(throws: obstacle.error, sourceLocation: sourceLocation) { _ = try session.perform(approval) }
    let after = try fixture.snapshot
    #expect(after.state == before.state && after.log == before.log, sourceLocation: sourceLocation)
    #expect(after.seedNames == before.seedNames, sourceLocation: sourceLocation)
    return fixture
}

/// Confirms an operation, then lets the vault change: what is confirmed is not what it means now.
func expectChanged<O: Operation>(
    _ operation: O, in fixture: CeremonyFixture, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (Session) throws -> Void
) throws {
    let session = try fixture.session()
    let approval = try session.preview(operation).confirm()
    try change(session)
    let before = try fixture.snapshot
    #expect(throws: CeremonyError.changedSinceShown, sourceLocation: sourceLocation) {
        _ = try session.perform(approval)
    }
    #expect(try fixture.snapshot == before, sourceLocation: sourceLocation)
}

extension CeremonyFixture {
    /// The same seed name for another seed, in the vault's file and in the store.
    func replaceSeed(_ name: String, in session: Session) throws {
        try session.vault.apply(session.vault.removing(seed: name))
        try session.vault.apply(session.vault.adding(seed: name, entropy: Self.entropy(of: "another")))
        try session.store.change([.putSeedRoot(name, session.vault.root(of: name))], events: [])
    }

    /// Lets nothing be written in place of a file: where its new content would be is a directory that holds
    /// something.
    func block(_ name: String) {
        mkdir("\(path)/\(name)", 0o700)
        close(open("\(path)/\(name)/inside", O_CREAT | O_WRONLY, 0o600))
    }

    func unblock(_ name: String) {
        unlink("\(path)/\(name)/inside")
        rmdir("\(path)/\(name)")
    }

    /// The vault's file cannot be replaced, which comes after the store's commit.
    static var vaultFile: String { ".vault.\(getpid()).new" }
    /// No change of the vault's file can be announced, which comes before the commit.
    static var intent: String { ".intent.\(getpid()).new" }

    /// Whether the seeds open with a passphrase, whatever the store says.
    func opens(with passphrase: String, keyFile: String = "") -> Bool {
        (try? device.vault().unlock(
            passphrase: SecretBytes(utf8: passphrase), keyFile: SecretBytes(utf8: keyFile))) != nil
    }

    func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    var names: [LogEvent.Kind] { get throws { try events.map(\.kind) } }
}

func held(_ text: String) -> HeldSecret { HeldSecret(SecretBytes(utf8: text)) }

extension HeldSecret {
    /// For tests, whose secrets need not stay secret.
    var text: String {
        withSecret { (secret: borrowing SecretBytes) in
            secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    static func entropy(of seed: String) -> HeldSecret { HeldSecret(CeremonyFixture.entropy(of: seed)) }
}

func phrase(of seed: String) throws -> String {
    HeldSecret(try Mnemonic(entropy: CeremonyFixture.entropy(of: seed)).phrase()).text
}

/// While another program is in the middle of a change of the store, for longer than anyone waits.
func whileHeld(_ fixture: CeremonyFixture, _ body: () throws -> Void) throws {
    let other = try SQLiteConnection(
        path: "\(fixture.path)/\(TrustStore.fileName)", busyMilliseconds: 1000, create: false)
    try other.script("BEGIN IMMEDIATE")
    try body()
    try other.script("ROLLBACK")
}

extension CeremonyFixture {
    func remove(_ name: String) { unlink("\(path)/\(name)") }

    func rename(_ name: String, _ other: String) { Glibc.rename("\(path)/\(name)", "\(path)/\(other)") }

    func copy(_ name: String, to other: CeremonyFixture) {
        let source = open("\(path)/\(name)", O_RDONLY)
        let target = open("\(other.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = Glibc.read(source, &chunk, chunk.count), count > 0 {
            _ = Glibc.write(target, chunk, count)
        }
        close(source)
        close(target)
    }
}
