import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Ceremony

/// A key on a second network needs the word of a person.
@Suite struct KeyReuseWordTests {
    /// The ways to a second network for the key of ``CeremonyFixture/withKey(isDevelopment:password:)``.
    enum Way: CaseIterable {
        case derive, allow, importing, answering

        func go(_ fixture: CeremonyFixture, _ person: Answers) throws {
            switch self {
            case .derive:
                try fixture.act(
                    DeriveKeys(seed: "main", path: DerivationPath("//0"), network: "kusama"), asking: person)
            case .allow:
                try fixture.act(
                    ChangeKey(CeremonyFixture.address(), .allow(network: "kusama")), asking: person)
            case .importing:
                let payload = try DerivationPayload.export([
                    DerivationPayload.exported("//0", genesis: kusama.genesisHash)
                ])
                try fixture.act(try #require(ImportDerivations(payload)), asking: person)
            case .answering:
                let payload = try DerivationPayload.request(["//0"], genesis: kusama.genesisHash)
                try fixture.act(try #require(AnswerDerivations(payload)), asking: person)
            }
        }
    }

    private static let both: Set = [polkadot.genesisHash, kusama.genesisHash]

    @Test(arguments: Way.allCases, [true, false])
    func `the word is typed in any vault`(way: Way, isDevelopment: Bool) throws {
        let fixture = try CeremonyFixture.withKey(isDevelopment: isDevelopment)
        let person = Answers(word: .typed("reuse key"))
        try way.go(fixture, person)
        #expect(try fixture.state.keys.map(\.networks) == [Self.both])
        #expect(person.shownReuse.map { $0.map(\.path) } == [["//0"]])
    }

    @Test(arguments: Way.allCases)
    func `an option is the word in a development vault only`(way: Way) throws {
        let fixture = try CeremonyFixture.withKey()
        try way.go(fixture, Answers(word: .option("reuse key")))
        #expect(try fixture.state.keys.map(\.networks) == [Self.both])
        let real = try CeremonyFixture.withKey(isDevelopment: false)
        try expectRefusal(CeremonyError.wordNeedsDevelopmentVault, of: real) {
            try way.go(real, Answers(word: .option("reuse key")))
        }
    }

    @Test(arguments: Way.allCases)
    func `nothing else is the word`(way: Way) throws {
        let fixture = try CeremonyFixture.withKey()
        let others = [
            "", "yes", "Reuse key", "reuse key ", "reuse  key", "reuse\u{a0}key", "reuse k\u{435}y",
            "reuse key\u{34f}",
        ]
        for word in others + ["re\u{75}se \u{212a}ey"] {
            for given in [GivenWord.typed(word), .option(word)] {
                try expectRefusal(CeremonyError.keyOnTwoNetworks(1), of: fixture) {
                    try way.go(fixture, Answers(word: given))
                }
            }
        }
        try expectRefusal(CeremonyError.keyOnTwoNetworks(1), of: fixture) { try way.go(fixture, Answers()) }
    }
}
