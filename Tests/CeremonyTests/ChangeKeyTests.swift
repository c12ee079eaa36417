import Accounts
import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore

@testable import Ceremony

@Suite struct ChangeKeyTests {
    private static func change(
        _ change: ChangeKey.Change, word: GivenWord? = nil, _ fixture: CeremonyFixture,
        _ session: Session? = nil
    )
        throws
    {
        try fixture.act(
            ChangeKey(CeremonyFixture.address(), change), asking: Answers(word: word), in: session)
    }

    private static func key() throws -> [LogEvent.Fact] {
        [
            ("key", hex(try CeremonyFixture.key("main", "//0"))), ("scheme", "sr25519"), ("seed", "main"),
            ("path", "//0"),
        ].map {
            LogEvent.Fact($0.0, $0.1)
        }
    }

    @Test func `a label is set and removed`() throws {
        let fixture = try CeremonyFixture.withKey()
        try Self.change(.label("savings"), fixture)
        #expect(try fixture.state.keys[0].label == "savings")
        #expect(try fixture.events.last == LogEvent(.keyLabelled, Self.key()))
        try Self.change(.label(nil), fixture)
        #expect(try fixture.state.keys[0].label == nil)
    }

    @Test func `a label has at most 128 bytes`() throws {
        let fixture = try CeremonyFixture.withKey()
        try Self.change(.label(String(repeating: "é", count: 64)), fixture)
        try expectRefusal(KeyRefusal.labelTooLong(129), of: fixture) {
            try Self.change(.label(String(repeating: "é", count: 64) + "x"), fixture)
        }
    }

    @Test func `a key is allowed on a network and forbidden again`() throws {
        let fixture = try CeremonyFixture.withKey()
        try Self.change(.forbid(network: "polkadot"), fixture)
        #expect(try fixture.state.keys[0].networks == [])
        #expect(
            try fixture.events.last
                == LogEvent(.keyForbidden, Self.key() + [LogEvent.Fact("network", "polkadot")]))
        try Self.change(.allow(network: "kusama"), fixture)
        #expect(try fixture.state.keys[0].networks == [kusama.genesisHash])
        #expect(
            try fixture.events.last
                == LogEvent(.keyAllowed, Self.key() + [LogEvent.Fact("network", "kusama")]))
    }

    @Test func `what is so already is refused`() throws {
        let fixture = try CeremonyFixture.withKey()
        try expectRefusal(KeyRefusal.exists(holder: "seed main", path: "//0"), of: fixture) {
            try Self.change(.allow(network: "polkadot"), fixture)
        }
        try expectRefusal(LookupError.keyNotOfNetwork("kusama"), of: fixture) {
            try Self.change(.forbid(network: "kusama"), fixture)
        }
    }

    @Test func `a key is allowed only on a network of its scheme`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        try fixture.derive("//0", network: nil)
        let refusal = LookupError.networkOfOtherScheme("ed25519", has: [.ed25519], asked: .sr25519)
        try expectRefusal(refusal, of: fixture) { try Self.change(.allow(network: "ed25519"), fixture) }
    }

    @Test func `a key is forgotten with its networks`() throws {
        let fixture = try CeremonyFixture.withKey()
        try Self.change(.remove, fixture)
        #expect(try fixture.state.keys.isEmpty)
        #expect(
            try fixture.events.last
                == LogEvent(.keyRemoved, Self.key() + [LogEvent.Fact("networks", "Polkadot")]))
        #expect(throws: LookupError.noSuchKey(address: try CeremonyFixture.address())) {
            try Self.change(.remove, fixture)
        }
    }

    @Test(arguments: [
        ChangeKey.Change.label("other"), .allow(network: "kusama"), .forbid(network: "polkadot"), .remove,
    ])
    func `the laws of every operation hold`(change: ChangeKey.Change) throws {
        try expectLaws(
            of: ChangeKey(CeremonyFixture.address(), change), asking: { Answers(word: .typed("reuse key")) }
        ) {
            try CeremonyFixture.withKey()
        } whenChanged: { fixture, session in
            try Self.change(.label("meanwhile"), fixture, session)
        }
    }

    /// Names are looked up before the passphrase, so this is where a broken store shows first.
    @Test func `a store that cannot be read leaves a line for the log`() throws {
        let fixture = try CeremonyFixture.withKey()
        try fixture.write(sql: "UPDATE chain SET verifier = 'custom', scheme = 1, public_key = x'00'")
        #expect(throws: StoreError.unreadable(table: "chain")) { try Self.change(.remove, fixture) }
        #expect(try fixture.device.store().journalled.map(\.kind) == [.sealBroken])
    }
}
