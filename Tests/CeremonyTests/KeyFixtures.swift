import Keys
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Ceremony

/// A network for each scheme, named after it.
enum SchemeNetwork {
    static let all = SignatureScheme.allCases.map(specs)

    static func specs(_ scheme: SignatureScheme) -> NetworkSpecs {
        NetworkSpecs(
            name: scheme.name, title: scheme.name, base58Prefix: 42, decimals: 12, unit: "UNIT",
            genesisHash: genesis(scheme),
            scheme: scheme)
    }

    static func genesis(_ scheme: SignatureScheme) -> GenesisHash { .blake2b(of: Array(scheme.name.utf8)) }
}

let polkadot = NetworkSpecs.defaults[0]
let kusama = NetworkSpecs.defaults[1]

extension CeremonyFixture {
    /// With a key of `main` at `//0`, allowed on polkadot.
    static func withKey(isDevelopment: Bool = true, password: String? = nil) throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        try fixture.derive("//0", password: password)
        return fixture
    }

    @discardableResult
    func derive(
        _ path: String, seed: String = "main", count: Int? = nil, network: String? = "polkadot",
        scheme: SignatureScheme? = nil,
        password: String? = nil, word: GivenWord? = nil, in session: Session? = nil
    ) throws -> [PublicKey] {
        let operation = DeriveKeys(
            seed: seed, path: try DerivationPath(path), count: count, network: network, scheme: scheme,
            hasPassword: password != nil)
        return try act(
            operation, asking: Answers(passwords: [password].compactMap { $0 }, word: word), in: session)
    }

    /// The address of the key of ``withKey(isDevelopment:password:)``.
    static func address(password: String = "") throws -> String {
        try key("main", "//0", password: password).address(prefix: 0)
    }

    /// The lines of the log since a moment, without the one of the store's own roots.
    func events(since before: [LogEntry]) throws -> [LogEvent] {
        try log.dropFirst(before.count).map(\.event)
    }
}

/// Expects an error, and that nothing was written but `kinds`, and what was journalled before.
func expectRefusal<E: Error & Equatable>(
    _ error: E, of fixture: CeremonyFixture, logging kinds: [LogEvent.Kind] = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws {
    let before = try fixture.snapshot
    #expect(throws: error, sourceLocation: sourceLocation) { try body() }
    let after = try fixture.snapshot
    #expect(after.state.keys == before.state.keys, sourceLocation: sourceLocation)
    let written = after.log.dropFirst(before.log.count).filter { !$0.wasLocked }.map(\.event.kind)
    #expect(written == kinds, sourceLocation: sourceLocation)
}
