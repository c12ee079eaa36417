import Hashing
import SubstratePrimitives
import Testing
import UpdateGenerator

@Suite struct UpdatePayloadLaws {
    private let alice = PublicKey(
        scheme: .sr25519, bytes: Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!)!
    private let genesis = NetworkSpecs.defaults[0].genesisHash

    @Test func anUnsignedUpdateCarriesNoKeyAndNoSignature() {
        let blob = Array("meta".utf8) + [14, 1, 2, 3]
        let bytes = OutgoingUpdate.loadMetadata(blob, genesisHash: genesis).bytes()
        #expect(bytes == [0x53, 0xff, 0x80, UInt8(blob.count << 2)] + blob + genesis.bytes)
    }

    @Test func aSignedUpdateCarriesItsKeyFirstAndItsSignatureLast() throws {
        let signature = try UpdateSignature(key: alice, signature: [UInt8](repeating: 7, count: 64))
        let update = OutgoingUpdate.addSpecs(NetworkSpecs.defaults[2])
        let bytes = update.bytes(signature: signature)
        #expect(bytes.starts(with: [0x53, 0x01, 0xc1] + alice.bytes))
        #expect(bytes.suffix(64).allSatisfy { $0 == 7 })
        // Between them stands the inner encoding as a byte vector; the verifier signs the inner encoding alone.
        #expect(Array(bytes[37..<(bytes.count - 64)]) == update.message)
        #expect(Int(bytes[35]) | Int(bytes[36]) << 8 == update.message.count << 2 | 1)
    }

    @Test func metadataIsSignedTogetherWithItsNetwork() {
        let update = OutgoingUpdate.loadMetadata([1, 2], genesisHash: genesis)
        #expect(update.message == [8, 1, 2] + genesis.bytes)
    }

    @Test func typesAreSignedWithoutTheOuterLength() {
        let update = OutgoingUpdate.loadTypes(encodedEntries: [0])
        #expect(update.message == [0])
        #expect(update.bytes() == [0x53, 0xff, 0x81, 4, 0])
    }

    @Test func sufficientCryptoReadsBackAndEveryOtherLengthIsRefused() throws {
        for (scheme, keyLength, signatureLength) in [(SignatureScheme.ed25519, 32, 64), (.sr25519, 32, 64), (.ecdsa, 33, 65)] {
            let key = try #require(PublicKey(scheme: scheme, bytes: [UInt8](repeating: 2, count: keyLength)))
            let signature = try UpdateSignature(key: key, signature: [UInt8](repeating: 9, count: signatureLength))
            let bytes = signature.sufficientCrypto
            #expect(try UpdateSignature(sufficientCrypto: bytes) == signature)
            for length in bytes.indices {
                #expect(throws: UpdateSignature.Failure.self) { try UpdateSignature(sufficientCrypto: Array(bytes.prefix(length))) }
            }
            #expect(throws: UpdateSignature.Failure.self) { try UpdateSignature(sufficientCrypto: bytes + [0]) }
        }
        #expect(throws: UpdateSignature.Failure.unknownScheme(3)) { try UpdateSignature(sufficientCrypto: [3]) }
    }
}

@Suite struct TransactionPayloadLaws {
    private let genesis = NetworkSpecs.defaults[0].genesisHash

    @Test func aTransactionStandsBetweenItsSignerAndItsNetwork() throws {
        let signer = [UInt8](repeating: 5, count: 32)
        let payload = try OutgoingTransaction(scheme: .sr25519, signer: signer, call: [0, 0, 0], extensions: [1, 2], genesisHash: genesis)
        #expect(payload.bytes() == [0x53, 1, 2] + signer + [12, 0, 0, 0, 1, 2] + genesis.bytes)
        #expect(payload.bytes(proof: [9, 9]) == [0x53, 1, 6] + signer + [9, 9, 12, 0, 0, 0, 1, 2] + genesis.bytes)
    }

    @Test func aSignerOfAnotherSchemeIsRefused() {
        #expect(throws: OutgoingTransaction.Failure.wrongSignerLength(32, expected: 20)) {
            try OutgoingTransaction(
                scheme: .ethereum, signer: [UInt8](repeating: 0, count: 32), call: [], extensions: [], genesisHash: genesis)
        }
    }

    @Test func aBatchHoldsItsPayloadsWithoutTheirFirstByte() throws {
        #expect(try OutgoingTransaction.batch([[0x53, 1, 2], [0x53, 0xff]]) == [0x53, 0xff, 0x04, 0, 8, 8, 1, 2, 4, 0xff])
        #expect(throws: OutgoingTransaction.Failure.emptyBatch) { try OutgoingTransaction.batch([]) }
    }

    @Test func derivationsListSeedsWithTheirKeys() throws {
        let root = try #require(PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32)))
        let payload = OutgoingDerivations(seeds: [
            .init(
                name: "a", root: root,
                keys: [
                    .init(address: "b", path: "//c", scheme: .sr25519, genesisHash: genesis),
                    .init(address: "d", path: nil, scheme: .ethereum, genesisHash: genesis),
                ])
        ])
        let expected: [[UInt8]] = [
            [0x53, 0xff, 0xde, 0, 4, 4, 0x61, 1], root.bytes, [8, 4, 0x62, 1, 12, 0x2f, 0x2f, 0x63, 1], genesis.bytes,
            [4, 0x64, 0, 3], genesis.bytes,
        ]
        #expect(payload.bytes == Array(expected.joined()))
    }
}

@Suite struct LegacyFrameLaws {
    @Test(arguments: [(1, 1), (1024, 1), (1025, 2), (3000, 3)])
    func partsComeInOrderAndJoinToThePayload(length: Int, count: Int) throws {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let frames = try LegacyFrames.frames(of: payload)
        #expect(frames.count == count)
        for (index, frame) in frames.enumerated() { #expect(Array(frame.prefix(5)) == [0, 0, UInt8(count), 0, UInt8(index)]) }
        #expect(frames.flatMap { $0.dropFirst(5) } == payload)
    }

    @Test func whatCannotBeNumberedIsRefused() {
        #expect(throws: LegacyFrames.Failure.emptyPayload) { try LegacyFrames.frames(of: []) }
        #expect(throws: LegacyFrames.Failure.tooManyFrames(65_536)) {
            try LegacyFrames.frames(of: [UInt8](repeating: 0, count: 65_536), partLength: 1)
        }
    }
}
