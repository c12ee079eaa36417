import Cards
import Extrinsics
import FixtureRuntime
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
    static func sample(_ call: [UInt8], _ values: FixtureExtensionValues = FixtureExtensionValues()) throws -> (MetadataProof, [UInt8]) {
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
            runtime.transfer(), runtime.call("Utility", "batch_all", [FixtureValue.vector([runtime.transfer(), runtime.transfer(1)])]),
            runtime.call("System", "remark", [FixtureValue.bytes([])]),
            runtime.call("Proxy", "proxy", [FixtureValue.address(Account.alice), FixtureValue.some([3]), runtime.transfer()]),
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

    @Test func everyProperPrefixIsRefused() throws {
        let (proof, body) = try Self.sample(Self.runtime.transfer())
        let bytes = proof.encoded + body
        for length in bytes.indices {
            #expect(throws: (any Error).self) { try Self.decode(Array(bytes.prefix(length)), Self.runtime.specs) }
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
        let wrong = Self.runtime.transactionBody(call: Self.runtime.transfer(), FixtureExtensionValues(metadataHash: other))
        #expect(
            throws: ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: other), place: "extensions.CheckMetadataHash")
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
                metadata: Self.metadata(), extraInfo: info, call: call, extensions: parts.explicit + parts.implicit)
            do throws(ExtrinsicError) {
                _ = try Extrinsics.decode(body: Self.runtime.transactionBody(call: call, values), proof: proof, specs: specs)
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
        let wrong = Self.runtime.transactionBody(call: Self.runtime.transfer(), FixtureExtensionValues(metadataHash: other))
        #expect(
            throws: ExtrinsicError(
                .metadataHashMismatch(computed: proof.hash, transaction: other), place: "extensions.CheckMetadataHash")
        ) { try Self.runtime.decode(wrong, .v15) }
        // The digest is defined over version 15, so with another one nothing was compared, whichever hash it is.
        for body in [right, wrong] {
            #expect(try Self.runtime.decode(body, .v14).hashCheck == .notCompared(version: 14))
            #expect(try Self.runtime.decode(body, .v16).hashCheck == .notCompared(version: 16))
        }
        #expect(try Self.runtime.decode(Self.runtime.transactionBody(call: Self.runtime.transfer()), .v15).hashCheck == .disabled)
    }

    @Test func aTreeWithRepeatedOrReorderedLeavesIsRefused() throws {
        let (proof, _) = try Self.sample(Self.runtime.transfer())
        var reader = SCALEReader(proof.encoded)
        let count = try reader.count()
        #expect(count > 2)
        // The leaf indices follow the leaves: find them by their count and swap, then repeat, the first two.
        let marker = SCALEWriter.encode { $0.compact(UInt64(count)) }
        let places = proof.encoded.indices.filter { place in
            place > 0 && proof.encoded[place...].starts(with: marker) && proof.encoded.count > place + marker.count + 4 * count
        }
        var refused = 0
        for place in places {
            let start = place + marker.count
            var swapped = proof.encoded
            swapped.replaceSubrange(
                start..<(start + 8), with: proof.encoded[(start + 4)..<(start + 8)] + proof.encoded[start..<(start + 4)])
            var repeated = proof.encoded
            repeated.replaceSubrange((start + 4)..<(start + 8), with: proof.encoded[start..<(start + 4)])
            for bytes in [swapped, repeated] {
                var reader = SCALEReader(bytes)
                do throws(MetadataProofError) {
                    // Another place that happened to look the same: then the proof leads elsewhere, and no transaction fits it.
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
                "pallet Balances", "  call transfer_keep_alive", "    field_name dest", "      enum_variant Id",
                "        account 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    field_name value", "      balance 100.000000 uWND",
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
            #expect(throws: (any Error).self) { try Self.decode(Array(bytes.prefix(length)), Self.westend) }
        }
        for place in bytes.indices where place % 13 == 0 || place > proofLength {
            var flipped = bytes
            flipped[place] ^= 1 << UInt8(place % 8)
            guard let after = try? Self.decode(flipped, Self.westend) else { continue }
            #expect(place >= proofLength && (after.method != before.method || after.extensions != before.extensions), "byte \(place)")
        }
    }
}
