import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct ProofLaws {
    static let runtime = FixtureRuntime.standard

    static func metadata() throws -> RuntimeMetadata { try RuntimeMetadata(runtime.metadata(.v15)) }

    static func info() throws -> ExtraInfo { ExtraInfo(try metadata().runtimeVersion, runtime.specs) }

    /// A proof and a body that commits to it.
    static func sample(_ call: [UInt8], _ values: FixtureExtensionValues = FixtureExtensionValues()) throws
        -> (MetadataProof, [UInt8])
    {
        var values = values
        values.metadataHash = try MetadataDigest(of: metadata(), extraInfo: info()).hash
        let parts = runtime.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata(), extraInfo: info(), call: call, extensions: parts.explicit + parts.implicit)
        return (proof, runtime.transactionBody(call: call, values))
    }

    /// What stands between the public key and the trailing genesis hash of payload 06.
    static func decode(_ bytes: [UInt8], _ specs: NetworkSpecs) throws -> DecodedTransaction {
        var reader = SCALEReader(bytes)
        let proof = try MetadataProof(from: &reader)
        return try Extrinsics.decode(body: reader.rest(), proof: proof, specs: specs)
    }

    static var calls: [[UInt8]] {
        [
            runtime.transfer(),
            runtime.call(
                "Utility", "batch_all", [FixtureValue.vector([runtime.transfer(), runtime.transfer(1)])]),
            runtime.call("System", "remark", [FixtureValue.bytes([])]),
            runtime.call(
                "Proxy", "proxy",
                [FixtureValue.address(Account.alice), FixtureValue.some([3]), runtime.transfer()]),
        ]
    }

    @Test(arguments: calls)
    func aProofDecodesWhatTheMetadataDecodes(call: [UInt8]) throws {
        let (proof, body) = try Self.sample(call)
        let digest = try MetadataDigest(of: Self.metadata(), extraInfo: Self.info())
        #expect(proof.hash == digest.hash)
        let small = try Self.decode(proof.encoded + body, Self.runtime.specs)
        let full = try Self.runtime.decode(body, .v15)
        #expect(lines(small.method) == lines(full.method))
        #expect(lines(small.extensions) == lines(full.extensions))
        #expect(small.signingBytes == full.signingBytes)
    }

    /// A proof or a transaction that is cut is refused by whoever runs out of its bytes, and by nothing
    /// before.
    private static func expectCut(_ bytes: [UInt8], at length: Int, proof: Int, _ specs: NetworkSpecs) {
        func expect(_ isExpected: Bool, _ error: any Error) {
            #expect(isExpected, "\(length) of \(bytes.count) bytes: \(error)")
        }
        do {
            _ = try decode(Array(bytes.prefix(length)), specs)
            Issue.record("accepted with \(length) of \(bytes.count) bytes")
        } catch let error as MetadataProofError {
            if case .encoding(let reason) = error.reason {
                expect(reason.isCut && length < proof, error)
            } else {
                expect(false, error)
            }
        } catch let error as ExtrinsicError {
            if case .encoding(let reason) = error.reason {
                expect(reason.isCut && length >= proof, error)
            } else {
                expect(false, error)
            }
        } catch {
            expect(false, error)
        }
    }

    @Test func everyProperPrefixIsRefused() throws {
        let (proof, body) = try Self.sample(Self.runtime.transfer())
        let bytes = proof.encoded + body
        for length in bytes.indices {
            Self.expectCut(bytes, at: length, proof: proof.encoded.count, Self.runtime.specs)
        }
    }

    @Test func everyFlippedBitIsRefusedOrShows() throws {
        let (proof, body) = try Self.sample(Self.runtime.transfer())
        let bytes = proof.encoded + body
        let before = try Self.decode(bytes, Self.runtime.specs)
        // One bit of each byte, another one in each; all bits of what is signed.
        let bits = bytes.indices.flatMap { place in
            place < proof.encoded.count ? [8 * place + place % 8] : (0..<8).map { 8 * place + $0 }
        }
        for bit in bits {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let after = try? Self.decode(flipped, Self.runtime.specs) else { continue }
            #expect(bit / 8 >= proof.encoded.count, "bit \(bit) of the proof changes nothing")
            #expect(after.method != before.method || after.extensions != before.extensions, "bit \(bit)")
        }
    }

    @Test func aTransactionThatDoesNotCommitToTheProofIsRefused() throws {
        let (proof, _) = try Self.sample(Self.runtime.transfer())
        let without = Self.runtime.transactionBody(call: Self.runtime.transfer())
        #expect(throws: ExtrinsicError(.metadataHashDisabled, place: "extensions.CheckMetadataHash.mode")) {
            try Extrinsics.decode(body: without, proof: proof, specs: Self.runtime.specs)
        }
        let other = Hash32(Account.bob)!
        let wrong = Self.runtime.transactionBody(
            call: Self.runtime.transfer(), FixtureExtensionValues(metadataHash: other))
        #expect(
            throws: ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: other),
                place: "extensions.CheckMetadataHash")
        ) { try Extrinsics.decode(body: wrong, proof: proof, specs: Self.runtime.specs) }
    }

    @Test func aProofForOtherSpecsIsRefused() throws {
        let (proof, body) = try Self.sample(Self.runtime.transfer())
        var specs = Self.runtime.specs
        specs.decimals = 10
        #expect(throws: ExtrinsicError(.specsMismatch(.decimals), place: "proof.extra_info")) {
            try Extrinsics.decode(body: body, proof: proof, specs: specs)
        }
    }

    /// Whoever makes the proof chooses the unit: digits would read as more of the amount.
    @Test func aUnitWithoutALetterIsRefused() throws {
        func refusal(_ unit: String) throws -> ExtrinsicError? {
            var specs = Self.runtime.specs
            specs.unit = unit
            var values = FixtureExtensionValues()
            let info = ExtraInfo(try Self.metadata().runtimeVersion, specs)
            values.metadataHash = try MetadataDigest(of: Self.metadata(), extraInfo: info).hash
            let parts = Self.runtime.extensionBytes(values)
            let call = Self.runtime.transfer()
            let proof = try MetadataProof.make(
                metadata: Self.metadata(), extraInfo: info, call: call,
                extensions: parts.explicit + parts.implicit)
            do throws(ExtrinsicError) {
                _ = try Extrinsics.decode(
                    body: Self.runtime.transactionBody(call: call, values), proof: proof, specs: specs)
                return nil
            } catch {
                return error
            }
        }
        for unit in ["000", "", "0", ".5", " ", "@[`{", "\u{ff10}", "\u{431}"] {
            #expect(try refusal(unit) == ExtrinsicError(.unitWithoutLetter(unit), place: "proof.extra_info"))
        }
        for unit in ["A", "z", "Z", "a", "1INCH", "xcDOT"] { #expect(try refusal(unit) == nil) }
    }

    @Test func aPlainTransactionThatCommitsToOtherMetadataIsRefused() throws {
        let (proof, right) = try Self.sample(Self.runtime.transfer())
        #expect(try Self.runtime.decode(right, .v15).hashCheck == .passed)
        let other = Hash32(Account.bob)!
        let wrong = Self.runtime.transactionBody(
            call: Self.runtime.transfer(), FixtureExtensionValues(metadataHash: other))
        #expect(
            throws: ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: other),
                place: "extensions.CheckMetadataHash")
        ) { try Self.runtime.decode(wrong, .v15) }
        // The digest is defined over version 15, so with another one nothing was compared, whichever hash it
        // is.
        for body in [right, wrong] {
            #expect(try Self.runtime.decode(body, .v14).hashCheck == .notCompared(version: 14))
            #expect(try Self.runtime.decode(body, .v16).hashCheck == .notCompared(version: 16))
        }
        #expect(
            try Self.runtime.decode(Self.runtime.transactionBody(call: Self.runtime.transfer()), .v15)
                .hashCheck == .disabled)
    }

    @Test func aTreeWithRepeatedOrReorderedLeavesIsRefused() throws {
        let (proof, _) = try Self.sample(Self.runtime.transfer())
        var reader = SCALEReader(proof.encoded)
        let count = try reader.count()
        #expect(count > 2)
        // The leaf indices follow the leaves: find them by their count and swap, then repeat, the first two.
        let marker = SCALEWriter.encode { $0.compact(UInt64(count)) }
        let places = proof.encoded.indices.filter { place in
            place > 0 && proof.encoded[place...].starts(with: marker)
                && proof.encoded.count > place + marker.count + 4 * count
        }
        var refused = 0
        for place in places {
            let start = place + marker.count
            var swapped = proof.encoded
            swapped.replaceSubrange(
                start..<(start + 8),
                with: proof.encoded[(start + 4)..<(start + 8)] + proof.encoded[start..<(start + 4)])
            var repeated = proof.encoded
            repeated.replaceSubrange((start + 4)..<(start + 8), with: proof.encoded[start..<(start + 4)])
            for bytes in [swapped, repeated] {
                var reader = SCALEReader(bytes)
                do throws(MetadataProofError) {
                    // Another place that happened to look the same: then the proof leads elsewhere, and no
                    // transaction fits it.
                    #expect(try MetadataProof(from: &reader).hash != proof.hash)
                } catch {
                    if error.reason == .notATree { refused += 1 }
                }
            }
        }
        #expect(refused >= 2)
    }

    // MARK: the published transaction

    static let westend = NetworkSpecs.defaults[2]

    /// Public key and genesis hash stand around what a decoder takes.
    static func inner(_ name: String) throws -> [UInt8]? {
        guard let payload = try SharedData.hex("transactions/\(name).hex") else { return nil }
        return Array(payload.dropFirst(3 + 32).dropLast(32))
    }

    @Test func thePublishedTransactionIsShown() throws {
        guard let bytes = try Self.inner("westend-transfer-with-proof") else { return }
        let decoded = try Self.decode(bytes, Self.westend)
        #expect(
            lines(decoded.method) == [
                "pallet Balances", "  call transfer_keep_alive", "    field_name dest",
                "      enum_variant Id",
                "        account 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    field_name value",
                "      balance 100.000000 uWND",
            ])
    }

    @Test func thePublishedTransactionWithAWrongHashIsRefused() throws {
        guard let bytes = try Self.inner("westend-transfer-with-proof-modified-metadata-hash") else { return }
        let fault = #expect(throws: ExtrinsicError.self) { try Self.decode(bytes, Self.westend) }
        guard case .metadataHashMismatch = fault?.reason else {
            Issue.record("refused for another reason: \(String(describing: fault))")
            return
        }
    }

    @Test func everyPrefixAndFlipOfThePublishedProofIsRefused() throws {
        guard let bytes = try Self.inner("westend-transfer-with-proof") else { return }
        let before = try Self.decode(bytes, Self.westend)
        var reader = SCALEReader(bytes)
        let proofLength = try MetadataProof(from: &reader).encoded.count
        for length in bytes.indices where length % 61 == 0 || length > proofLength {
            Self.expectCut(bytes, at: length, proof: proofLength, Self.westend)
        }
        for place in bytes.indices where place % 13 == 0 || place > proofLength {
            var flipped = bytes
            flipped[place] ^= 1 << UInt8(place % 8)
            guard let after = try? Self.decode(flipped, Self.westend) else { continue }
            #expect(
                place >= proofLength
                    && (after.method != before.method || after.extensions != before.extensions),
                "byte \(place)")
        }
    }
}

/// What a part of a proof may not be, each by its own error, and the last thing that it may be.
@Suite struct ProofPartLaws {
    private static let field = ForgedField("it", .primitive(.u8))

    private static func forged(_ leaves: [ForgedLeaf], extensions: Int = 0) -> ForgedProof {
        ForgedProof(
            leaves: leaves, call: .void,
            extensions: (0..<extensions).map { ForgedExtension("Check\($0)", .void, .void) },
            info: ExtraInfo(specVersion: 1, specName: "x", base58Prefix: 42, decimals: 12, tokenSymbol: "X"))
    }

    @discardableResult
    private static func read(_ bytes: [UInt8]) throws -> MetadataProof {
        var reader = SCALEReader(bytes)
        let proof = try MetadataProof(from: &reader)
        try reader.finish()
        return proof
    }

    private static func expect(
        _ reason: MetadataProofError.Reason, at place: String, _ proof: ForgedProof, _ what: String = ""
    ) {
        #expect(throws: MetadataProofError(reason, place: place), "\(what)") { try read(proof.encoded()) }
    }

    private static func variant(
        _ id: UInt32, _ index: UInt32, path: [String] = ["E"], fields: [ForgedField] = []
    ) -> ForgedLeaf {
        ForgedLeaf(id, path: path, .variant(name: "V\(index)", fields: fields, index: index))
    }

    @Test func aBitStoreIsOneOfFourWidths() throws {
        for bytes in UInt8.min...UInt8.max {
            let proof = Self.forged([ForgedLeaf(0, .bits(bytes: bytes, leastSignificantFirst: true))])
            if [1, 2, 4, 8].contains(bytes) {
                let shape = try Self.read(proof.encoded()).registry.definition(of: 0).shape
                #expect(shape == .bits(storeBytes: Int(bytes), leastSignificantFirst: true))
            } else {
                Self.expect(.malformedLeaf, at: "proof.leaves.0", proof, "\(bytes)")
            }
        }
    }

    @Test func aLeafIsOneOfSixKinds() {
        let leaf = ForgedLeaf(0, .composite([])).encoded
        let proof = Self.forged([ForgedLeaf(0, .composite([]))]).encoded()
        // The number of leaves, then the leaf: no path, kind 0.
        #expect(proof[1..<(1 + leaf.count)].elementsEqual(leaf) && leaf[..<2] == [0, 0])
        for kind in UInt8(6)...255 {
            var changed = proof
            changed[2] = kind
            #expect(throws: MetadataProofError(.malformedLeaf, place: "proof.leaves.0"), "\(kind)") {
                try Self.read(changed)
            }
        }
    }

    @Test func theIndexOfAVariantIsAByte() throws {
        let last = Self.forged([Self.variant(0, 0), Self.variant(0, 255)])
        #expect(try Self.read(last.encoded()).registry.variants(of: 0).map(\.index) == [0, 255])
        for index in [256, 257, 511, 65_535, 1 << 30, .max] as [UInt32] {
            Self.expect(
                .malformedLeaf, at: "proof.leaves.1",
                Self.forged([Self.variant(0, 1), Self.variant(0, index)]), "\(index)")
        }
    }

    /// With two descriptions of a type a decoder would follow the one and a person be shown the other.
    @Test func aTypeHasOneDescription() throws {
        let composite = ForgedLeaf(7, path: ["E"], .composite([]))
        let enumeration = Self.variant(7, 0)
        let others: [ForgedLeaf] = [
            ForgedLeaf(7, path: ["E"], .composite([Self.field])), ForgedLeaf(7, path: ["F"], .composite([])),
            ForgedLeaf(7, path: ["E"], .sequence(.void)), ForgedLeaf(7, path: ["E"], .tuple([])),
        ]
        for (first, second) in others.map({ (composite, $0) }) + [
            (composite, composite), (composite, enumeration), (enumeration, composite),
            (enumeration, enumeration),
            (enumeration, Self.variant(7, 0, fields: [Self.field])),
            (ForgedLeaf(7, path: ["E"], .tuple([])), enumeration),
        ] {
            Self.expect(
                .repeatedType(7), at: "proof.leaves.1", Self.forged([first, second]), "\(first), \(second)")
            // Another number is another type.
            try Self.read(
                Self.forged([first, ForgedLeaf(8, path: second.path, second.definition)]).encoded())
        }
    }

    @Test func theVariantsOfAnEnumerationHaveOnePath() throws {
        try Self.read(Self.forged([Self.variant(0, 0), Self.variant(0, 1), Self.variant(0, 2)]).encoded())
        for path in [[], ["e"], ["E", "E"], ["E", ""], [""]] {
            let leaves = [
                Self.variant(0, 0), Self.variant(0, 1), Self.variant(0, 2, path: path), Self.variant(0, 3),
            ]
            Self.expect(.repeatedType(0), at: "proof.leaves.2", Self.forged(leaves), "\(path)")
        }
    }

    @Test func aTypeHas4096FieldsAtMost() throws {
        func shapes(_ count: Int) -> [ForgedLeaf] {
            let fields = [ForgedField](repeating: Self.field, count: count)
            return [
                ForgedLeaf(0, .composite(fields)), Self.variant(0, 0, fields: fields),
                ForgedLeaf(0, .tuple([ForgedReference](repeating: .primitive(.u8), count: count))),
            ]
        }
        for leaf in shapes(MetadataLimits.fields) { try Self.read(Self.forged([leaf]).encoded()) }
        for leaf in shapes(MetadataLimits.fields + 1) {
            Self.expect(.limit(.fields), at: "proof.leaves.0", Self.forged([leaf]))
        }
    }

    @Test func aTransactionHas256ExtensionsAtMost() throws {
        let leaves = [ForgedLeaf(0, .composite([]))]
        let most = try Self.read(Self.forged(leaves, extensions: MetadataLimits.extensions).encoded())
        #expect(most.extrinsic.extensions.count == 256)
        Self.expect(
            .limit(.extensions), at: "proof.extrinsic",
            Self.forged(leaves, extensions: MetadataLimits.extensions + 1))
    }

    /// Written by hand: all leaves of a tree of 2^16 lie on one level, and no node is needed beside them.
    @Test func aProofHas65536LeavesAtMost() throws {
        func proof(_ count: Int) -> [UInt8] {
            SCALEWriter.encode { writer in
                writer.compact(UInt64(count))
                for id in 0..<count { writer.raw(ForgedLeaf(UInt32(id), .composite([])).encoded) }
                writer.vector(Array(0..<count)) { $0.integer(UInt32(count - 1 + $1)) }
                writer.raw([0])
                writer.raw(Self.forged([]).encoded().dropFirst(3))
            }
        }
        #expect(
            try Self.read(proof(4)).hash.bytes
                == Self.forged((0..<4).map { ForgedLeaf($0, .composite([])) }).hash)
        let most = try Self.read(proof(MetadataLimits.types)).registry
        #expect(throws: Never.self) { try most.definition(of: 65_535) }
        #expect(throws: MetadataProofError(.limit(.types), place: "proof.leaves")) {
            try Self.read(proof(MetadataLimits.types + 1))
        }
    }

    @Test func asManyLeavesAsIndices() throws {
        let leaf = ForgedLeaf(0, .composite([])).encoded
        let rest = Self.forged([]).encoded().dropFirst(3)
        func proof(leaves: Int, indices: [UInt32]) -> [UInt8] {
            SCALEWriter.encode { writer in
                writer.compact(UInt64(leaves))
                for _ in 0..<leaves { writer.raw(leaf) }
                writer.vector(indices) { $0.integer($1) }
                writer.raw([0])
                writer.raw(rest)
            }
        }
        try Self.read(proof(leaves: 1, indices: [0]))
        for (leaves, indices) in [(1, []), (0, [0]), (1, [1, 2]), (2, [0])] as [(Int, [UInt32])] {
            #expect(
                throws: MetadataProofError(
                    .leafCount(leaves: leaves, indices: indices.count), place: "proof.leaf_indices")
            ) { try Self.read(proof(leaves: leaves, indices: indices)) }
        }
        for indices in [[], [1], [2]] as [[UInt32]] {
            #expect(throws: MetadataProofError(.notATree, place: "proof")) {
                try Self.read(proof(leaves: indices.count, indices: indices))
            }
        }
    }
}
