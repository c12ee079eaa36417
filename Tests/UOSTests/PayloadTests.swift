import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
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
        [0x53, 0x01, 0xc1] + alice + SCALEWriter.encode { $0.byteVector(specs) }
        + [UInt8](repeating: 9, count: 64)
    static let metadata =
        [0x53, 0x01, 0x80] + alice + SCALEWriter.encode { $0.byteVector(Array("meta".utf8)) } + genesis.bytes
        + [UInt8](repeating: 9, count: 64)
    /// The example of `Payloads.md` in `heliograph.docc`: 64 bytes of metadata in a frame of 21.
    static let compressedFrame = Hex.decode("28b52ffd24402000006d657461e3010000f9dd5250")!
    static let compressed =
        [0x53, 0x01, 0xa2] + alice + [64, 0, 0, 0] + [0x54] + compressedFrame + genesis.bytes
        + [UInt8](repeating: 9, count: 64)
    static let unsignedCompressed =
        [0x53, 0xff, 0xa2] + [64, 0, 0, 0] + [0x54] + compressedFrame + genesis.bytes
    static let bulk =
        [0x53, 0xff, 0x04, 0]
        + SCALEWriter.encode { $0.vector([transaction, message]) { $0.byteVector($1.dropFirst()) } }
    static let derived =
        [0x53, 0x01, 0x05] + alice + SCALEWriter.encode { $0.string("//a") } + [0x08, 0, 0] + genesis.bytes
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
        #expect(specs.signature?.signature == [UInt8](repeating: 9, count: 64))
    }

    @Test func theEthereumSchemeOfAnUpdateIsReadAsEcdsa() throws {
        let key = [UInt8](repeating: 2, count: 33)
        let payload =
            [0x53, 0x03, 0xc1] + key + SCALEWriter.encode { $0.byteVector(Sample.specs) }
            + [UInt8](repeating: 9, count: 65)
        guard case .update(let update) = try Payload(payload).content else {
            Issue.record("not an update")
            return
        }
        #expect(update.signature?.key == PublicKey(scheme: .ecdsa, bytes: key))
    }

    @Test(arguments: [
        Sample.unsignedSpecs, Sample.signedSpecs, Sample.metadata, Sample.compressed,
        Sample.unsignedCompressed, Sample.bulk,
    ])
    func everyProperPrefixIsRefused(payload: [UInt8]) throws {
        _ = try PackedPayload(payload)
        expectCut(payload)
    }

    @Test(arguments: [
        Sample.unsignedSpecs, Sample.signedSpecs, Sample.metadata, Sample.compressed,
        Sample.unsignedCompressed, Sample.bulk,
    ])
    func aTrailingByteIsRefused(payload: [UInt8]) {
        let error: PayloadError =
            payload == Sample.bulk ? leftover("bulk", behind: payload) : .reservedTail(bytes: 1)
        #expect(throws: error) { try PackedPayload(payload + [0]) }
    }

    /// Key, signature and signed bytes are those of the uncompressed update; only prelude and bytes differ.
    @Test func compressedMetadataExpandsToTheUpdateThatItStandsFor() throws {
        let blob = Array("meta".utf8) + [UInt8](repeating: 0, count: 60)
        // What acts on payloads never sees it.
        #expect(throws: PayloadError.compressed) { try Payload(Sample.compressed) }
        let payload = try PackedPayload(Sample.compressed)
        guard case .compressed(let packed) = payload else {
            Issue.record("not compressed")
            return
        }
        let compressed = packed.metadata
        #expect(
            compressed.frame == Sample.compressedFrame && compressed.length == 64
                && compressed.genesisHash == Sample.genesis)
        let expanded = payload.expanded { frame, length in
            #expect(frame == Sample.compressedFrame && length == 64)
            return blob
        }
        let plain =
            [0x53, 0x01, 0x80] + Sample.alice + SCALEWriter.encode { $0.byteVector(blob) }
            + Sample.genesis.bytes
        guard case .update(let update) = expanded.content,
            case .update(let reference) = try Payload(plain + [UInt8](repeating: 9, count: 64)).content
        else {
            Issue.record("not updates")
            return
        }
        #expect(update.signedBytes == reference.signedBytes && update.signature == reference.signature)
        #expect(
            expanded.bytes == Sample.compressed && expanded.prelude.code.kind == "load_metadata_compressed")
        guard case .loadMetadata(blob, Sample.genesis) = update.content else {
            Issue.record("another content")
            return
        }
    }

    @Test func onlyCompressedMetadataIsExpanded() throws {
        let payload = try PackedPayload(Sample.metadata).expanded { _, _ in
            Issue.record("nothing is compressed")
            return []
        }
        #expect(payload.bytes == Sample.metadata)
    }

    @Test func aHashIsNeverSigned() {
        #expect(throws: PayloadError.blindSigning) {
            try Payload([0x53, 0x01, 0x01] + Sample.alice + Sample.genesis.bytes)
        }
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
        let nested =
            [0x53, 0xff, 0x04, 0]
            + SCALEWriter.encode { $0.vector([Sample.bulk]) { $0.byteVector($1.dropFirst()) } }
        #expect(throws: PayloadError.notSignable(.bulk)) { try Payload(nested) }
        #expect(throws: PayloadError.emptyBulk) { try Payload([0x53, 0xff, 0x04, 0, 0]) }
    }

    /// The layout of the reference's `generate_message derivations`: scheme, genesis hash, paths.
    @Test func aListOfPathsReadsBack() throws {
        let bytes = try #require(
            Hex.decode(
                "53ffde01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e081c2f2f416c696365142f2f426f62"
            ))
        let list = PathList(
            scheme: .sr25519,
            genesisHash: GenesisHash(
                hex: "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e")!,
            paths: ["//Alice", "//Bob"])
        #expect(try Payload(bytes).content == .importPaths(list))
        #expect(Payload.Content.importPaths(list).encoded() == bytes)
        expectCut(bytes)
        #expect(
            throws: PayloadError.malformed(
                place: "derivations", SCALEError(.countExceedsInput(count: 4344, available: 46), offset: 4))
        ) {
            try Payload(bytes + [0])
        }
    }

    /// A name in which the other layout begins: the same bytes are keys of one seed, and paths for any.
    @Test func derivationsThatReadInTwoWaysAreRefused() throws {
        func payload(_ name: String) -> [UInt8] {
            let root = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0x63, count: 32))!
            return Payload.Content.importDerivations(
                ExportAddrs(seed: SeedInfo(name: name, root: root, keys: []), features: [])
            ).encoded()
        }
        let filler = String(repeating: "b", count: 29)
        let both = payload(String(repeating: "a", count: 31) + "\u{4}\u{1}\u{1}" + filler)
        #expect(throws: PayloadError.ambiguousDerivations) { try Payload(both) }
        guard
            case .importDerivations = try Payload(
                payload(String(repeating: "a", count: 31) + "\u{5}\u{1}\u{1}" + filler)
            ).content
        else {
            Issue.record("not an export")
            return
        }
    }

    @Test(
        arguments: [
            ("//a\n//b\n", ["//a", "//b"]), ("\n  //a \t\r\n\n/b//c", ["//a", "/b//c"]),
            ("//e\u{301}\n//\u{e9}", ["//e\u{301}", "//\u{e9}"]),
        ] as [(String, [String])])
    func aTextOfPathsGivesItsLines(text: String, paths: [String]) throws {
        #expect(try PathListText.paths(in: Array(text.utf8)).utf8ElementsEqual(paths))
    }

    @Test(
        arguments: [
            ("", .empty), (" \n\r\n", .empty), ("//a\nb", .notAPath(line: 2)), ("\n# c", .notAPath(line: 2)),
            ("//a\n//b///w", .password(line: 2)), ("//a\n\n //a", .repeated(line: 3, earlier: 1)),
            ((0...PathListText.maximumPaths).map { "//\($0)" }.joined(separator: "\n"), .tooMany),
        ] as [(String, PathListText.Failure)])
    func aTextThatIsNoListSaysTheLine(text: String, failure: PathListText.Failure) {
        #expect(throws: failure) { try PathListText.paths(in: Array(text.utf8)) }
        #expect(throws: PathListText.Failure.notText) { try PathListText.paths(in: [0x2f, 0xff]) }
    }

    @Test func exportedDerivationsReadBack() throws {
        let key = SeedInfo.DerivedKey(
            address: "5G…", path: "//0", scheme: .sr25519, genesisHash: Sample.genesis)
        let root = PublicKey(scheme: .sr25519, bytes: Sample.alice)!
        let export = ExportAddrs(
            seed: SeedInfo(name: "main", root: root, keys: [key]),
            features: [.bulkOperations, .dynamicDerivations])
        let bytes = [0x53, 0xff, 0xde] + SCALEWriter.encode { export.encode(into: &$0) }
        guard case .importDerivations(let read) = try Payload(bytes).content else {
            Issue.record("not derivations")
            return
        }
        #expect(read == export)
    }
}

/// Expects that every proper prefix of a payload, from `start` bytes on, is refused because it ends too
/// early.
func expectCut(
    _ bytes: [UInt8], from start: Int = 0, upTo end: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for length in start..<(end ?? bytes.count) {
        let error = #expect(throws: PayloadError.self, sourceLocation: sourceLocation) {
            try PackedPayload(Array(bytes.prefix(length)))
        }
        switch error {
        // The payload, or the one inside it.
        case .tooShort(let found)?: #expect(found < 3 && found <= length, sourceLocation: sourceLocation)
        case .malformed(_, let error)?:
            #expect(length >= 3 && error.saysCut, "\(length) bytes: \(error)", sourceLocation: sourceLocation)
        case let other:
            Issue.record(
                "\(length) bytes: \(other.map { "\($0)" } ?? "read")", sourceLocation: sourceLocation)
        }
    }
}

/// What is said of a byte behind the end of a payload whose parts all say their lengths.
func leftover(_ place: String, behind bytes: [UInt8]) -> PayloadError {
    .malformed(place: place, SCALEError(.leftover(count: 1), offset: bytes.count))
}
