import Compression
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import TrustUpdates
import UOS

/// Payload a2, from what the online side writes to what the store holds.
@Suite struct CompressedMetadataLaws {
    private static let north = Signer("north"), south = Signer("south")
    private let alpha = network("alpha")
    private let blob: [UInt8]
    private let plain: OutgoingUpdate
    private let compressed: OutgoingUpdate

    init() throws {
        guard case .loadMetadata(let blob, let genesis, _) = try metadata(9, of: network("alpha")) else {
            throw StoreError.missing
        }
        self.blob = blob
        plain = .loadMetadata(blob, genesisHash: genesis)
        compressed = .loadMetadata(blob, compressed: try ZstdFrame.compress(blob), genesisHash: genesis)
    }

    private func signature(_ signer: Signer) throws -> UpdateSignature { try signer.sign(plain.message) }

    /// The update as a vault reads it.
    private func read(_ payload: [UInt8]) throws -> UnverifiedUpdate {
        guard case .update(let update) = try PackedPayload(payload).expanded(by: ZstdFrame.expand).content
        else {
            throw StoreError.missing
        }
        return try UnverifiedUpdate(update)
    }

    @Test func oneSignatureServesBothForms() throws {
        let signature = try self.signature(Self.north)
        let (first, second) = try (TrustFixture(), TrustFixture())
        for fixture in [first, second] { try fixture.accept(Self.north.sign(.addSpecs(alpha))) }
        let seen = try first.accept(read(plain.bytes(signature: signature)))
        let seenCompressed = try second.accept(read(compressed.bytes(signature: signature)))
        #expect(seen.numbered() == seenCompressed.numbered())
        #expect(try first.state.metadata == second.state.metadata)
        let record = try #require(try second.state.metadata.first)
        #expect(try second.store.store.content(record.hash) == blob)
        #expect(try second.refusal(read(plain.bytes(signature: signature))) == .alreadyKnown)
        // It can be attested from there as if it had come uncompressed.
        #expect(
            try Attestation(.metadata(alpha.genesisHash, version: 9), store: second.store).signedBytes
                == plain.message)
    }

    @Test func theVerifierRulesAreThoseOfTheUncompressedForm() throws {
        let fixture = try TrustFixture()
        #expect(try fixture.refusal(read(compressed.bytes())) == .unknownNetwork(alpha.genesisHash))
        try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        let north = try Self.north.key
        #expect(try fixture.refusal(read(compressed.bytes())) == .mustBeSignedBy([north]))
        #expect(
            try fixture.refusal(read(compressed.bytes(signature: signature(Self.south))))
                == .mustBeSignedBy([north]))
        // A signature over the payload's own bytes does not sign the metadata.
        let other = try Self.north.sign(Array(compressed.bytes().dropFirst(Prelude.length)))
        let wrong = UpdateSignature(key: other.key, signature: other.signature)
        #expect(try fixture.refusal(read(compressed.bytes(signature: wrong))) == .wrongSignature(north))
        let unsignedNetwork = try TrustFixture()
        try unsignedNetwork.accept(unsigned(.addSpecs(alpha)))
        #expect(try unsignedNetwork.accept(read(compressed.bytes())).codes.contains("update-unsigned"))
    }

    /// Whatever is cut, left over or flipped: it is refused, or it is the update that was signed, to the last
    /// byte.
    @Test func aChangedPayloadIsRefusedOrTheSame() throws {
        let fixture = try TrustFixture()
        try fixture.accept(Self.north.sign(.addSpecs(alpha)))
        let payload = compressed.bytes(signature: try signature(Self.north))
        let state = try fixture.state
        func review(_ bytes: [UInt8]) throws -> VerifiedUpdate {
            try UpdateReviewer.review(read(bytes), state: state)
        }
        let original = try review(payload).update
        expectCutsRefused(payload, of: "load_metadata_compressed") { _ = try review($0) }
        var same = 0
        for place in payload.indices {
            for bit in place < 128 || place > payload.count - 128 ? 0..<8 : place % 8..<place % 8 + 1 {
                var flipped = payload
                flipped[place] ^= 1 << UInt8(bit)
                guard let update = try? review(flipped).update else { continue }
                #expect(update == original, "byte \(place), bit \(bit)")
                same += 1
            }
        }
        // Only bits that the compression leaves without a meaning.
        #expect(same < 20)
    }
}
