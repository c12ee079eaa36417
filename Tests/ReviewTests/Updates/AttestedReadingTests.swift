import Compression
import Hashing
import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates
import UOS

/// Readings of frames that prove none: only a signature tells which was sent.
@Suite struct AttestedReadingLaws {
    private static let north = Signer("north"), south = Signer("south")
    private let signed: [UInt8]
    private let bare: [UInt8]
    private let otherSigned: [UInt8]
    private let wrong: [UInt8]
    private let compressed: [UInt8]

    init() throws {
        let (alpha, beta) = (
            OutgoingUpdate.addSpecs(network("alpha")), OutgoingUpdate.addSpecs(network("beta"))
        )
        signed = try alpha.bytes(signature: Self.north.sign(alpha.message))
        otherSigned = try beta.bytes(signature: Self.south.sign(beta.message))
        bare = alpha.bytes()
        wrong = try alpha.bytes(signature: Self.north.sign(beta.message))
        guard case .loadMetadata(let blob, let genesis, _) = try metadata(9, of: network("alpha")) else {
            throw StoreError.missing
        }
        let update = OutgoingUpdate.loadMetadata(
            blob, compressed: try ZstdFrame.compress(blob), genesisHash: genesis)
        compressed = try update.bytes(signature: Self.north.sign(update.message))
    }

    private func chosen(_ readings: [[UInt8]]) -> [UInt8]? {
        Payload.attested(among: readings) { try? (try? PackedPayload($0))?.expanded(by: ZstdFrame.expand) }?
            .bytes
    }

    private static let noise = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private static let message =
        [0x53, 0x01, 0x03] + SigningVault.alice + Array("<Bytes>hello</Bytes>".utf8)
        + SigningVault.runtime.genesisHash.bytes

    @Test func theReadingWhoseSignatureFitsIsTaken() {
        for other in [Self.noise, bare, wrong, Self.message, SigningVault.payload(SigningVault.transfer())] {
            #expect(chosen([signed, other]) == signed)
            #expect(chosen([other, signed]) == signed)
        }
        #expect(chosen([signed]) == signed)
        #expect(chosen([Self.noise, compressed]) == compressed)
    }

    /// The only reading, or the only one that is a payload: that is structure.
    @Test func whatIsUnsignedIsNeverTaken() {
        let transaction = SigningVault.payload(SigningVault.transfer())
        for reading in [
            bare, wrong, Self.message, transaction, SigningVault.bulk([transaction, transaction]),
        ] {
            #expect(throws: Never.self) { try Payload(reading) }
            #expect(chosen([reading]) == nil)
            #expect(chosen([reading, Self.noise]) == nil)
            #expect(chosen([Self.noise, reading]) == nil)
        }
    }

    @Test func ofTwoSignaturesThatFitNeitherDecides() {
        #expect(chosen([signed, otherSigned]) == nil)
        #expect(chosen([]) == nil)
    }

    /// R = s·B fits every message under a key that is the identity, so such a signature would say nothing of
    /// the bytes.
    @Test func aKeyThatFitsEveryMessageDecidesNothing() throws {
        let base = try #require(
            Hex.decode("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
        let signature = base + [1] + [UInt8](repeating: 0, count: 30) + [0x80]
        let identity = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0, count: 32)))
        let alpha = OutgoingUpdate.addSpecs(network("alpha"))
        let bytes = alpha.bytes(signature: UpdateSignature(key: identity, signature: signature))
        guard case .update(let update) = try Payload(bytes).content else { throw StoreError.missing }
        #expect(update.signature?.key == identity)
        #expect(chosen([bytes]) == nil)
    }

    /// A key of the attacker's choosing settles what was sent, and gives it no trust.
    @Test func aStrangersSignatureIsHeldAgainstTheVerifiers() throws {
        let fixture = try TrustFixture(verifier: Self.north.key)
        try fixture.accept(Self.north.sign(.addSpecs(network("alpha"))))
        let update = try metadata(9, of: network("alpha"))
        let payload = try OutgoingUpdate.loadMetadata(blob(update), genesisHash: network("alpha").genesisHash)
        let signature = try Self.south.sign(payload.message)
        let bytes = payload.bytes(signature: signature)
        let read = try #require(Payload.attested(among: [bytes, Self.noise]) { try? Payload($0) })
        guard case .update(let content) = read.content else {
            Issue.record("an update is read as another payload")
            return
        }
        #expect(try fixture.refusal(UnverifiedUpdate(content)) == .mustBeSignedBy([Self.north.key]))
    }

    private func blob(_ content: UnverifiedUpdate.Content) throws -> [UInt8] {
        guard case .loadMetadata(let blob, _, _) = content else { throw StoreError.missing }
        return blob
    }
}
