import AirGap
import Hashing
import Keys
import Testing
import TrustStore

@testable import Ceremony

/// A generator that gives the same bytes at each start of the program.
@Suite struct FirstDrawLaws {
    /// The device as a new process sees it, whose generator began with these bytes.
    private static func process(_ fixture: CeremonyFixture, _ byte: UInt8) -> Device {
        var bytes = [UInt8](repeating: byte, count: 32)
        return process(fixture, FirstDraw(SecretBytes(wiping: &bytes)))
    }

    private static func process(_ fixture: CeremonyFixture, _ draw: FirstDraw) -> Device {
        Device(
            directory: fixture.path, detector: { ShieldReport(findings: [], traffic: [], boot: "test") },
            clock: { fixture.now }, firstDraw: draw)
    }

    private static func unlock(_ device: Device) throws -> Session {
        try device.unlock { CeremonyFixture.passphrase }
    }

    private static func kept(_ fixture: CeremonyFixture) throws -> [UInt8]? {
        try fixture.state.settings[StoreSetting.firstDraw]
    }

    @Test func `a constant generator opens a vault once, and is named at every start after that`() throws {
        let fixture = try CeremonyFixture()
        _ = try Self.unlock(Self.process(fixture, 9))
        let kept = try #require(try Self.kept(fixture))
        for _ in 0..<3 {
            #expect(throws: CeremonyError.repeatedRandom) { try Self.unlock(Self.process(fixture, 9)) }
            #expect(try Self.kept(fixture) == kept)
        }
        // On a machine with a good one the same vault opens, and is as it was.
        let session = try Self.unlock(Self.process(fixture, 1))
        #expect(session.vault.seedNames == ["main"])
        #expect(try Self.kept(fixture) != kept)
    }

    @Test func `good generators open it as often as they like`() throws {
        let fixture = try CeremonyFixture()
        let log = try fixture.log.count
        for _ in 0..<20 {
            _ = try Self.unlock(Self.process(fixture, FirstDraw(SecretBytes(randomCount: FirstDraw.length))))
        }
        #expect(try fixture.log.count == log)
    }

    /// A shell locks and unlocks; its bytes were drawn once.
    @Test func `one process may unlock again, and unlock another vault`() throws {
        let (fixture, other) = (try CeremonyFixture(), try CeremonyFixture())
        let draw = FirstDraw(SecretBytes(randomCount: FirstDraw.length))
        for _ in 0..<3 {
            _ = try Self.unlock(Self.process(fixture, draw))
            _ = try Self.unlock(Self.process(other, draw))
        }
        // Each vault has a key of its own, and a copy of a store tells nothing about the bytes.
        #expect(try Self.kept(fixture) != Self.kept(other))
        #expect(try Self.kept(fixture)?.count == 32)
    }

    @Test func `the digest is that of all bytes, under the vault's key`() throws {
        let key = SecretBytes(randomCount: 32)
        func digest(_ change: Int?) -> [UInt8] {
            var bytes = [UInt8](repeating: 7, count: FirstDraw.length)
            if let change { bytes[change] ^= 1 }
            return FirstDraw(SecretBytes(wiping: &bytes)).digest(key: key)
        }
        #expect(Set((0..<FirstDraw.length).map { digest($0) } + [digest(nil)]).count == 33)
        #expect(digest(nil) == digest(nil))
        var bytes = [UInt8](repeating: 7, count: FirstDraw.length)
        #expect(
            FirstDraw(SecretBytes(wiping: &bytes)).digest(key: SecretBytes(randomCount: 32)) != digest(nil))
    }

    /// The order of the guide: `init`, then `seed new` in the next process.
    @Test func `the first unlock after init is compared, and that of init's own process opens`() throws {
        let fixture = CeremonyFixture(empty: ())
        let device = Self.process(fixture, 9)
        let operation = CreateVault(verifier: nil, networks: [], isDevelopment: true, cost: .development)
        _ = try device.perform(try device.preview(operation).confirm(), keyFile: held("")) {
            CeremonyFixture.passphrase
        }
        _ = try Self.unlock(device)
        #expect(throws: CeremonyError.repeatedRandom) { try Self.unlock(Self.process(fixture, 9)) }
        _ = try Self.unlock(Self.process(fixture, 1))
    }

    @Test func `a device that compares nothing keeps nothing`() throws {
        let fixture = try CeremonyFixture()
        _ = try fixture.session()
        #expect(try Self.kept(fixture) == nil)
    }
}
