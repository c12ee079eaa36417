import Hashing
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Payloads written by hand from the layouts of the UOS document.
enum Sample {
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
    static let genesis = GenesisHash([UInt8](repeating: 7, count: 32))!
    static let transaction = [0x53, 0x01, 0x02] + alice + [0x08, 0, 0, 1, 2, 3] + genesis.bytes
    static let message = [0x53, 0x01, 0x03] + alice + Array("<Bytes>hello</Bytes>".utf8) + genesis.bytes
    static let specs = SCALEWriter.encode { NetworkSpecs.defaults[0].encode(into: &$0) }
    static let unsignedSpecs = [0x53, 0xff, 0xc1] + SCALEWriter.encode { $0.byteVector(specs) }
    static let signedSpecs =
        [0x53, 0x01, 0xc1] + alice + SCALEWriter.encode { $0.byteVector(specs) } + [UInt8](repeating: 9, count: 64)
    static let metadata =
        [0x53, 0x01, 0x80] + alice + SCALEWriter.encode { $0.byteVector(Array("meta".utf8)) } + genesis.bytes
        + [UInt8](repeating: 9, count: 64)
    static let bulk =
        [0x53, 0xff, 0x04, 0]
        + SCALEWriter.encode { $0.vector([transaction, message]) { $0.byteVector($1.dropFirst()) } }
    static let derived = [0x53, 0x01, 0x05] + alice + SCALEWriter.encode { $0.string("//a") } + [0x08, 0, 0] + genesis.bytes
}

@Suite struct PayloadLaws {
    @Test func aTransactionIsTakenApart() throws {
        guard case .transaction(let transaction) = try Payload(Sample.transaction).content else {
            Issue.record("not a transaction")
            return
        }
        #expect(transaction.signer == .key(PublicKey(scheme: .sr25519, bytes: Sample.alice)!))
        #expect(transaction.body == [0x08, 0, 0, 1, 2, 3])
        #expect(transaction.genesisHash == Sample.genesis)
        #expect(!transaction.hasProof)
    }

    @Test func aDerivedSignerKeepsItsPath() throws {
        guard case .transaction(let transaction) = try Payload(Sample.derived).content else {
            Issue.record("not a transaction")
            return
        }
        let root = PublicKey(scheme: .sr25519, bytes: Sample.alice)!
        #expect(transaction.signer == .derived(root: root, path: "//a", scheme: .sr25519))
        #expect(transaction.body == [0x08, 0, 0])
    }

    @Test func anAttestationCoversWhatTheDocumentSays() throws {
        guard case .update(let specs) = try Payload(Sample.signedSpecs).content,
            case .update(let metadata) = try Payload(Sample.metadata).content
        else {
            Issue.record("not updates")
            return
        }
        #expect(specs.signedBytes == Sample.specs)
        #expect(metadata.signedBytes == [0x10] + Array("meta".utf8) + Sample.genesis.bytes)
        #expect(specs.attestation?.signature == [UInt8](repeating: 9, count: 64))
    }

    @Test func theEthereumSchemeOfAnUpdateIsReadAsEcdsa() throws {
        let key = [UInt8](repeating: 2, count: 33)
        let payload =
            [0x53, 0x03, 0xc1] + key + SCALEWriter.encode { $0.byteVector(Sample.specs) } + [UInt8](repeating: 9, count: 65)
        guard case .update(let update) = try Payload(payload).content else {
            Issue.record("not an update")
            return
        }
        #expect(update.attestation?.key == PublicKey(scheme: .ecdsa, bytes: key))
    }

    @Test(arguments: [Sample.unsignedSpecs, Sample.signedSpecs, Sample.metadata, Sample.bulk])
    func everyProperPrefixIsRefused(payload: [UInt8]) throws {
        _ = try Payload(payload)
        for length in payload.indices { #expect(throws: PayloadError.self) { try Payload(Array(payload.prefix(length))) } }
    }

    @Test(arguments: [Sample.unsignedSpecs, Sample.signedSpecs, Sample.metadata, Sample.bulk])
    func aTrailingByteIsRefused(payload: [UInt8]) {
        #expect(throws: PayloadError.self) { try Payload(payload + [0]) }
    }

    @Test func aHashIsNeverSigned() {
        #expect(throws: PayloadError.blindSigning) { try Payload([0x53, 0x01, 0x01] + Sample.alice + Sample.genesis.bytes) }
    }

    @Test func aMessageNeedsItsTags() throws {
        guard case .message(let message) = try Payload(Sample.message).content else {
            Issue.record("not a message")
            return
        }
        #expect(Array(message.content) == Array("hello".utf8))
        let bare = [0x53, 0x01, 0x08] + Sample.alice + Array("hello".utf8)
        #expect(throws: PayloadError.messageWithoutTags) { try Payload(bare) }
    }

    @Test func aBulkHoldsOnlyWhatIsSigned() {
        let nested = [0x53, 0xff, 0x04, 0] + SCALEWriter.encode { $0.vector([Sample.bulk]) { $0.byteVector($1.dropFirst()) } }
        #expect(throws: PayloadError.notSignable(.bulk)) { try Payload(nested) }
        #expect(throws: PayloadError.emptyBulk) { try Payload([0x53, 0xff, 0x04, 0, 0]) }
    }

    @Test func exportedDerivationsReadBack() throws {
        let key = SeedInfo.DerivedKey(address: "5G…", path: "//0", scheme: .sr25519, genesisHash: Sample.genesis)
        let root = PublicKey(scheme: .sr25519, bytes: Sample.alice)!
        let export = ExportAddrs(seed: SeedInfo(name: "main", root: root, keys: [key]), features: [.bulkOperations, .dynamicDerivations])
        let bytes = [0x53, 0xff, 0xde] + SCALEWriter.encode { export.encode(into: &$0) }
        guard case .importDerivations(let read) = try Payload(bytes).content else {
            Issue.record("not derivations")
            return
        }
        #expect(read == export)
    }
}
