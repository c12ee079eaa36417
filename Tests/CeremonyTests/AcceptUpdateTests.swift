import FixtureRuntime
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import TrustUpdates
import UOS

@testable import Ceremony

@Suite struct AcceptUpdateTests {
    private static let specs = SigningFixture.runtime.specs

    private static func pair(_ name: String) throws -> KeyPair {
        var seed = BLAKE2b.hash(Array(name.utf8))
        return try KeyPair.derive(miniSecret: SecretBytes(wiping: &seed), scheme: .sr25519)
    }

    /// Any payload: only the line of a refusal reads it.
    private static let payload = try! Payload([0x53, 0xff, 0x81, 0x04, 0x00])

    private static func operation(_ signer: String?) throws -> AcceptUpdate {
        let content = UnverifiedUpdate.Content.addSpecs(specs)
        let signature = try signer.map { name in
            let pair = try pair(name)
            return UpdateSignature(key: pair.publicKey, signature: try pair.sign(content.signedBytes))
        }
        return AcceptUpdate(UnverifiedUpdate(content, signature: signature), payload: payload)
    }

    @Test func `an update is accepted with its changes and its lines`() throws {
        let fixture = try CeremonyFixture(networks: [])
        try fixture.act(Self.operation("north"))
        #expect(try fixture.state.networks == [Self.specs])
        #expect(try fixture.state.generalVerifier == Self.pair("north").publicKey)
        #expect(try fixture.events.suffix(2).map(\.kind).contains(.networkAdded))
    }

    @Test func `nothing is accepted after a change, under a broken seal or without the log`() throws {
        try expectLaws(of: Self.operation("north")) {
            try CeremonyFixture(networks: [])
        } whenChanged: { _, session in
            // Somebody else becomes the general verifier while the cards are read: the same update would get
            // the network a verifier of its own.
            try session.store.change([.setGeneralVerifier(Self.pair("south").publicKey)], events: [])
        }
    }

    @Test func `a refused update changes nothing and leaves a line`() throws {
        let fixture = try CeremonyFixture(networks: [], verifier: Self.pair("south").publicKey)
        try fixture.act(Self.operation("south"))
        let before = try fixture.snapshot
        #expect(throws: UpdateRefusal.mustBeSignedBy([try Self.pair("south").publicKey])) {
            try fixture.device.preview(Self.operation("north"))
        }
        #expect(try fixture.snapshot.state == before.state)
        #expect(try fixture.device.store().journalled.last?["reason"] == "must-be-signed-by")
    }

    @Test func `a rule of the policy accepts no update`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false, networks: [])
        let session = try fixture.session()
        try session.store.change(
            [.putSetting("policy", Array("{\"approve\": [\(SigningFixture.rule)]}".inHLO.utf8))], events: [])
        let preview = try fixture.device.preview(Self.operation("north"))
        #expect(throws: CeremonyError.approveNeedsPolicy) { try preview.confirmUnattended() }
    }
}

@Suite struct ChangeTrustTests {
    private static let genesis = SigningFixture.runtime.genesisHash

    @Test(arguments: [
        ChangeTrust.Change.removeNetwork(SigningFixture.runtime.genesisHash),
        .revokeNetwork(SigningFixture.runtime.genesisHash),
        .addListedNetwork(NetworkSpecs.defaults[0].genesisHash), .restoreDefaults,
        .removeMetadata(SigningFixture.runtime.genesisHash, version: SigningFixture.runtime.specVersion),
        .removeTypes,
        .requireMetadataHash(SigningFixture.runtime.genesisHash, .always),
        .setVerifier(SigningFixture.runtime.genesisHash, .key(TrustSetup.defaultVerifier)),
    ])
    func `each change does what its preview says`(change: ChangeTrust.Change) throws {
        let fixture = try Self.fixture()
        let preview = try fixture.device.preview(ChangeTrust(change))
        #expect(!preview.shown.changes.isEmpty && !preview.shown.events.isEmpty)
        let before = try fixture.log.count
        try fixture.act(ChangeTrust(change))
        #expect(try fixture.events.dropFirst(before).elementsEqual(preview.shown.events))
        let state = try fixture.state
        switch change {
        case .removeNetwork: #expect(state.networks.isEmpty && state.verifiers[Self.genesis] == .custom(nil))
        case .revokeNetwork: #expect(state.networks.isEmpty && state.verifiers[Self.genesis] == .revoked)
        case .addListedNetwork(let genesis, _):
            #expect(
                state.networks.count == 2 && state.networks(genesis: genesis) == [NetworkSpecs.defaults[0]])
            #expect(state.verifiers[genesis] == .general)
        case .restoreDefaults: #expect(state.networks.count == NetworkSpecs.defaults.count + 1)
        case .removeMetadata: #expect(state.metadata.isEmpty)
        case .removeTypes: #expect(state.types == nil)
        case .requireMetadataHash(let genesis, let demand):
            #expect(state.metadataHashDemand(genesis: genesis) == demand)
        case .setVerifier:
            #expect(state.verifiers[Self.genesis] == .custom(TrustSetup.defaultVerifier))
            #expect(state.metadata.isEmpty && state.networks.isEmpty)
        }
    }

    @Test func `nothing changes after a change, under a broken seal or without the log`() throws {
        try expectLaws(of: ChangeTrust(.removeNetwork(Self.genesis)), in: Self.fixture) { _, session in
            try session.store.change(
                [.removeMetadata(Self.genesis, version: SigningFixture.runtime.specVersion)], events: [])
        }
    }

    @Test func `a lower demand is an act like any other change of trust`() throws {
        try expectLaws(of: ChangeTrust(.requireMetadataHash(Self.genesis, .never)), in: Self.demandingFixture)
        { _, session in
            try session.store.change(
                [.putSetting("require_metadata_hash.\(Self.genesis.hex)", Array("where_possible".utf8))],
                events: [])
        }
    }

    @Test func `a demand outlives its network, and what takes the network's place`() throws {
        let fixture = try Self.demandingFixture()
        try fixture.act(ChangeTrust(.removeNetwork(Self.genesis)))
        #expect(try fixture.state.metadataHashDemand(genesis: Self.genesis) == .always)
        try fixture.session().store.change([.putNetwork(SigningFixture.runtime.specs)], events: [])
        #expect(try fixture.state.metadataHashDemand(genesis: Self.genesis) == .always)
        try fixture.act(ChangeTrust(.revokeNetwork(Self.genesis)))
        #expect(try fixture.state.metadataHashDemand(genesis: Self.genesis) == .always)
    }

    private static func demandingFixture() throws -> CeremonyFixture {
        let fixture = try fixture()
        try fixture.act(ChangeTrust(.requireMetadataHash(genesis, .always)))
        return fixture
    }

    private static func fixture() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(networks: [])
        let runtime = SigningFixture.runtime
        try fixture.session().store.change(
            [
                .setVerifier(genesis, .custom(nil)), .putNetwork(runtime.specs),
                .addMetadata(genesis, version: runtime.specVersion, blob: runtime.metadata()), .setTypes([0]),
            ], events: [])
        return fixture
    }
}
