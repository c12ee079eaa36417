import Accounts
import FixtureRuntime
import Hashing
import Keys
import Metadata
import Review
import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates
import UOS

@testable import Ceremony

@Suite struct AttestContentTests {
    private static func operation(_ content: AttestContent.Content, password: String = "") throws
        -> AttestContent
    {
        AttestContent(content, key: try CeremonyFixture.address(password: password))
    }

    /// A vault whose verifier is its own key, with two versions of metadata, types and a list of assets for
    /// polkadot.
    private static func fixture() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(verifier: CeremonyFixture.key("main", "//0"))
        try fixture.derive("//0")
        let session = try fixture.session()
        for version in [1, 2] as [UInt32] { try fixture.accept(.metadata(version), in: session) }
        try fixture.accept(.types, in: session)
        try fixture.accept(.assets(serial: 1), in: session)
        return fixture
    }

    /// What an update with these bytes carries as its signature.
    private static func verify(
        _ answer: [UInt8], over message: [UInt8], _ scheme: SignatureScheme = .sr25519, by key: PublicKey
    ) {
        #expect(answer[0] == scheme.rawValue)
        #expect(Array(answer[1...].prefix(key.bytes.count)) == key.bytes)
        #expect(Signature.verify(Array(answer.dropFirst(1 + key.bytes.count)), message: message, key: key))
    }

    @Test func `everything that a vault holds is signed as an update carries it`() throws {
        let fixture = try Self.fixture()
        let key = try CeremonyFixture.key("main", "//0")
        let cases: [(AttestContent.Content, [UInt8], LogEvent.Kind)] = [
            (
                .specs(network: "polkadot"), UnverifiedUpdate.Content.addSpecs(polkadot).signedBytes,
                .networkSigned
            ),
            (
                .metadata(network: "polkadot", version: 1), try TestUpdate.metadata(1).content().signedBytes,
                .metadataSigned
            ),
            (
                .metadata(network: "polkadot", version: nil),
                try TestUpdate.metadata(2).content().signedBytes, .metadataSigned
            ),
            (.types, try TestUpdate.types.content().signedBytes, .typesSigned),
            (
                .assets(network: "polkadot"), try TestUpdate.assets(serial: 1).content().signedBytes,
                .assetListSigned
            ),
        ]
        for (content, message, kind) in cases {
            Self.verify(try fixture.act(Self.operation(content)), over: message, by: key)
            let event = try #require(try fixture.events.last)
            #expect(event.kind == kind && event.facts.contains { $0.value.utf8Contains(hex(key)) })
        }
    }

    @Test func `what is not held is not signed`() throws {
        let fixture = try CeremonyFixture.withKey()
        func preview(_ content: AttestContent.Content) throws {
            _ = try fixture.device.preview(Self.operation(content))
        }
        #expect(throws: Attestation.Failure.notHeld(.types)) { try preview(.types) }
        #expect(throws: Attestation.Failure.notHeld(.assets(polkadot.genesisHash))) {
            try preview(.assets(network: "polkadot"))
        }
        #expect(throws: ReviewError.noMetadata(network: "polkadot")) {
            try preview(.metadata(network: "polkadot", version: nil))
        }
        #expect(throws: LookupError.noSuchNetwork("alpha")) { try preview(.specs(network: "alpha")) }
    }

    @Test func `an Ethereum-style key attests nothing`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let key = try fixture.derive("//0", network: "ethereum")[0]
        let preview = try fixture.device.preview(
            AttestContent(.specs(network: "sr25519"), key: "0x" + hex(key)))
        try expectRefusal(KeyRefusal.schemeCannotAttest("ethereum"), of: fixture) {
            _ = try preview.confirm()
        }
        try expectRefusal(KeyRefusal.schemeCannotAttest("ethereum"), of: fixture) {
            _ = try preview.confirmUnattended()
        }
    }

    @Test(arguments: [SignatureScheme.ed25519, .ecdsa])
    func `keys of the other schemes attest`(scheme: SignatureScheme) throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let key = try fixture.derive("//0", network: scheme.name)[0]
        let answer = try fixture.act(AttestContent(.specs(network: "sr25519"), key: "0x" + hex(key)))
        Self.verify(
            answer, over: UnverifiedUpdate.Content.addSpecs(SchemeNetwork.specs(.sr25519)).signedBytes,
            scheme, by: key)
    }

    @Test func `a wrong password is logged and signs nothing`() throws {
        let fixture = try CeremonyFixture.withKey(password: "word")
        try expectRefusal(
            ReviewError.derivedKeyDiffers(hasPassword: true), of: fixture, logging: [.wrongPassword]
        ) {
            try fixture.act(
                Self.operation(.specs(network: "polkadot"), password: "word"),
                asking: Answers(passwords: [""]))
        }
    }

    @Test func `newer metadata than was shown is not signed in its place`() throws {
        try expectLaws(of: Self.operation(.metadata(network: "polkadot", version: nil))) {
            try Self.fixture()
        } whenChanged: { fixture, session in
            try fixture.accept(.metadata(3), in: session)
        }
    }
}

/// Updates that the verifier signs: the key of `main` at `//0`.
enum TestUpdate {
    case metadata(UInt32)
    case types
    case assets(serial: UInt32)

    func content() throws -> UnverifiedUpdate.Content {
        switch self {
        case .metadata(let version):
            let blob = FixtureRuntime(specName: "polkadot", specVersion: version, ss58Prefix: 0).metadata()
            return .loadMetadata(
                blob: blob, genesis: polkadot.genesisHash, facts: MetadataFacts(try RuntimeMetadata(blob)))
        case .types: return .loadTypes([0])
        case .assets(let serial):
            return .loadAssets(AssetUnits(genesisHash: polkadot.genesisHash, serial: serial, entries: [])!)
        }
    }
}

extension CeremonyFixture {
    func accept(_ update: TestUpdate, in session: Session) throws {
        let content = try update.content()
        let pair = try KeyPair.derive(
            entropy: Self.entropy(of: "main"), path: DerivationPath("//0"), scheme: .sr25519)
        let signature = UpdateSignature(key: pair.publicKey, signature: try pair.sign(content.signedBytes))
        let payload = try DerivationPayload.export([])
        try act(AcceptUpdate(UnverifiedUpdate(content, signature: signature), payload: payload), in: session)
    }
}
