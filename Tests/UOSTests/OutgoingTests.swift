import Hashing
import SubstratePrimitives
import Testing
import UOS

@Suite struct OutgoingUpdateLaws {
    private let alice = PublicKey(
        scheme: .sr25519,
        bytes: Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!)!
    private let genesis = NetworkSpecs.defaults[0].genesisHash

    @Test func anUnsignedUpdateCarriesNoKeyAndNoSignature() {
        let blob = Array("meta".utf8) + [14, 1, 2, 3]
        let bytes = OutgoingUpdate.loadMetadata(blob, genesisHash: genesis).bytes()
        let expected: [UInt8] = [0x53, 0xff, 0x80, UInt8(blob.count << 2)] + blob + genesis.bytes
        #expect(bytes == expected)
    }

    @Test func aSignedUpdateCarriesItsKeyFirstAndItsSignatureLast() throws {
        let signature = UpdateSignature(key: alice, signature: [UInt8](repeating: 7, count: 64))
        let update = OutgoingUpdate.addSpecs(NetworkSpecs.defaults[2])
        let bytes = update.bytes(signature: signature)
        #expect(bytes.starts(with: [0x53, 0x01, 0xc1] + alice.bytes))
        #expect(bytes.suffix(64).allSatisfy { $0 == 7 })
        // Between them stands the inner encoding as a byte vector; the verifier signs the inner encoding
        // alone.
        #expect(Array(bytes[37..<(bytes.count - 64)]) == update.message)
        #expect(Int(bytes[35]) | Int(bytes[36]) << 8 == update.message.count << 2 | 1)
    }

    @Test func metadataIsSignedTogetherWithItsNetwork() {
        let update = OutgoingUpdate.loadMetadata([1, 2], genesisHash: genesis)
        #expect(update.message == [8, 1, 2] + genesis.bytes)
    }

    /// One signature serves both forms.
    @Test func compressedMetadataIsSignedAsItIsUncompressed() {
        let update = OutgoingUpdate.loadMetadata([1, 2], compressed: [9, 9, 9], genesisHash: genesis)
        #expect(update.message == OutgoingUpdate.loadMetadata([1, 2], genesisHash: genesis).message)
        #expect(update.bytes() == [0x53, 0xff, 0xa2, 2, 0, 0, 0, 12, 9, 9, 9] + genesis.bytes)
    }

    @Test func typesAreSignedWithoutTheOuterLength() {
        let update = OutgoingUpdate.loadTypes(encodedEntries: [0])
        #expect(update.message == [0])
        #expect(update.bytes() == [0x53, 0xff, 0x81, 4, 0])
    }

    /// What this side writes, the offline side reads: the same content, the same signed bytes, the same key.
    @Test func everyUpdateReadsBack() throws {
        let signature = UpdateSignature(key: alice, signature: [UInt8](repeating: 7, count: 64))
        let updates: [OutgoingUpdate] = [
            .addSpecs(NetworkSpecs.defaults[2]), .loadMetadata([1, 2, 3], genesisHash: genesis),
            .loadTypes(encodedEntries: [0]),
        ]
        for update in updates {
            for signature in [signature, nil] {
                let payload = try Payload(update.bytes(signature: signature))
                guard case .update(let read) = payload.content else {
                    Issue.record("not an update")
                    continue
                }
                #expect(read.signedBytes == update.message)
                #expect(read.signature == signature)
            }
        }
    }
}

@Suite struct OutgoingTransactionLaws {
    private let genesis = NetworkSpecs.defaults[0].genesisHash

    @Test func aTransactionStandsBetweenItsSignerAndItsNetwork() throws {
        let signer = [UInt8](repeating: 5, count: 32)
        let payload = try OutgoingTransaction(
            scheme: .sr25519, signer: signer, call: [0, 0, 0], extensions: [1, 2], genesisHash: genesis)
        #expect(payload.bytes() == [0x53, 1, 2] + signer + [12, 0, 0, 0, 1, 2] + genesis.bytes)
        #expect(
            payload.bytes(proof: [9, 9]) == [0x53, 1, 6] + signer + [9, 9, 12, 0, 0, 0, 1, 2] + genesis.bytes)
    }

    @Test func aSignerOfAnotherSchemeIsRefused() {
        #expect(throws: OutgoingTransaction.Failure.wrongSignerLength(32, expected: 20)) {
            try OutgoingTransaction(
                scheme: .ethereum, signer: [UInt8](repeating: 0, count: 32), call: [], extensions: [],
                genesisHash: genesis)
        }
    }

    @Test func aBulkHoldsItsPayloadsWithoutTheirFirstByte() throws {
        let payload = try Payload(Sample.transaction)
        let length = UInt8((Sample.transaction.count - 1) << 2 & 0xff | 1)
        let inner = [length, UInt8((Sample.transaction.count - 1) >> 6)] + Sample.transaction.dropFirst()
        #expect(
            Payload.Content.bulk([payload, payload]).encoded() == [0x53, 0xff, 0x04, 0, 8] + inner + inner)
    }

    @Test func aDerivedSignerStandsAsItsRootAndItsPath() throws {
        let root = try #require(PublicKey(scheme: .sr25519, bytes: Sample.alice))
        let payload = OutgoingTransaction(
            signer: .derived(root: root, path: "//a", scheme: .sr25519), call: [0, 0], extensions: [],
            genesisHash: Sample.genesis)
        #expect(payload.bytes() == Sample.derived)
        #expect(
            payload.bytes(proof: [9]).starts(
                with: [0x53, 1, 7] + root.bytes + [12] + Array("//a".utf8) + [9, 8, 0, 0]))
    }
}

@Suite struct LegacyFrameLaws {
    @Test(arguments: [(1, 1), (1024, 1), (1025, 2), (3000, 3)])
    func partsComeInOrderAndJoinToThePayload(length: Int, count: Int) throws {
        let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let frames = try LegacyFrames.frames(of: payload)
        #expect(frames.count == count)
        for (index, frame) in frames.enumerated() {
            #expect(Array(frame.prefix(5)) == [0, 0, UInt8(count), 0, UInt8(index)])
        }
        #expect(frames.flatMap { $0.dropFirst(5) } == payload)
    }

    @Test func whatCannotBeNumberedIsRefused() {
        #expect(throws: LegacyFrames.Failure.emptyPayload) { try LegacyFrames.frames(of: []) }
        #expect(throws: LegacyFrames.Failure.tooManyFrames(65_536)) {
            try LegacyFrames.frames(of: [UInt8](repeating: 0, count: 65_536), partLength: 1)
        }
    }
}
