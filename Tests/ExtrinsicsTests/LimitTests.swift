import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// Hostile input ends in an error; how fast and in how much memory is measured by `tools/dev bench decode`.
@Suite struct LimitLaws {
    static func runtime(_ type: FixtureType) -> FixtureRuntime {
        var runtime = FixtureRuntime.standard
        let call = FixtureVariant("try", index: 0, fields: [FixtureField("it", type, typeName: nil)])
        runtime.pallets.append(FixturePallet("Bombs", index: 99, calls: [call]))
        return runtime
    }

    static func code(_ runtime: FixtureRuntime, _ call: [UInt8]) throws -> ExtrinsicError.Reason? {
        do {
            _ = try runtime.decode(runtime.transactionBody(call: call))
            return nil
        } catch let error as ExtrinsicError {
            return error.reason
        }
    }

    @Test func aBillionUnitValuesAreRefused() throws {
        #expect(
            try Self.code(Self.runtime(.sequence(.unit)), [99, 0] + FixtureValue.compact(1 << 30)) == .tooMany
        )
        #expect(try Self.code(Self.runtime(.array(1 << 30, .unit)), [99, 0]) == .tooMany)
        #expect(try Self.code(Self.runtime(.array(40_000, .array(40_000, .unit))), [99, 0]) == .tooMany)
    }

    @Test func tenThousandNestedBatchesAreRefused() throws {
        let runtime = FixtureRuntime.standard
        let batch = runtime.call("Utility", "batch", [[]])
        let call = Array([[UInt8]](repeating: batch + [4], count: 10_000).joined()) + runtime.transfer()
        #expect(try Self.code(runtime, call) == .tooDeep)
    }

    @Test func callsMayNestThirtyLevels() throws {
        let runtime = FixtureRuntime.standard
        let batch = runtime.call("Utility", "batch", [[]])
        let call = Array([[UInt8]](repeating: batch + [4], count: 30).joined()) + runtime.transfer()
        #expect(try Self.code(runtime, call) == nil)
    }

    @Test func valuesMayStandInside199OthersAndNotInside200() throws {
        let metadata = try RuntimeMetadata(FixtureRuntime.standard.metadata())
        func value(depth: Int) throws -> Value {
            var decoder = ValueDecoder(
                types: TypeView(metadata.registry), reader: SCALEReader([7]), rules: .all, depth: depth)
            return try decoder.value(.primitive(.u8))
        }
        #expect(try value(depth: 199) == value(depth: 0))
        #expect(throws: ValueError(.tooDeep, path: [])) { try value(depth: 200) }
    }

    /// A blob in which the field of a type is the type itself.
    static func cyclic(_ type: FixtureType, ident: String) throws -> (FixtureRuntime, RuntimeMetadata) {
        let runtime = runtime(type)
        var blob = runtime.metadata()
        let metadata = try RuntimeMetadata(blob)
        let id = try #require(try (0..<64).first { try metadata.registry.definition(of: $0).ident == ident })
        // Path, no parameters, composite of one field that is named `next`, then the field's type in one
        // byte.
        let pattern = SCALEWriter.encode {
            $0.vector([ident]) { $0.string($1) }
            $0.raw([0, 0, 4, 1])
            $0.string("next")
        }
        let place = try #require(blob.indices.first { blob[$0...].starts(with: pattern) })
        blob[place + pattern.count] = UInt8(id << 2)
        return (runtime, try RuntimeMetadata(blob))
    }

    static let loop = FixtureType.composite(
        path: ["Loop"], fields: [FixtureField("next", .u8, typeName: nil)])

    @Test func aTypeThatHoldsItselfIsRefused() throws {
        let (runtime, metadata) = try Self.cyclic(Self.loop, ident: "Loop")
        let fault = #expect(throws: ExtrinsicError.self) {
            try Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0]), metadata: metadata, specs: runtime.specs)
        }
        #expect(fault?.reason == .tooDeep)
    }

    @Test func aCompactOfATypeThatHoldsItselfIsRefused() throws {
        let (runtime, metadata) = try Self.cyclic(.compact(Self.loop), ident: "Loop")
        let fault = #expect(throws: ExtrinsicError.self) {
            try Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0, 0]), metadata: metadata, specs: runtime.specs)
        }
        #expect(fault?.reason == .metadata(.limit(.nesting)))
    }

    @Test func aProofWhoseTypeHoldsItselfIsRefused() throws {
        // One leaf is the root of its tree: a composite whose field is by id 0, which it is itself.
        let bytes = SCALEWriter.encode {
            $0.raw([4, 0, 0, 4, 0, 22, 0, 0, 0])
            $0.raw([4, 0, 0, 0, 0, 0])
            $0.raw([4, 21, 22, 0, 21, 0])
            ExtraInfo(specVersion: 1, specName: "x", base58Prefix: 42, decimals: 12, tokenSymbol: "X").encode(
                into: &$0)
        }
        var reader = SCALEReader(bytes)
        let proof = try MetadataProof(from: &reader)
        try reader.finish()
        var decoder = ValueDecoder(types: TypeView(proof.registry), reader: SCALEReader([]))
        let error = #expect(throws: ValueError.self) { try decoder.value(proof.extrinsic.call) }
        #expect(error?.reason == .tooDeep)
    }

    @Test func metadataThatAnnouncesMoreThanItHoldsIsRefused() throws {
        let blob = SCALEWriter.encode {
            $0.raw("meta".utf8)
            $0.u8(14)
            $0.compact(1 << 30)
        }
        #expect(
            throws: MetadataError(.encoding(.countExceedsInput(count: 1 << 30, available: 0)), place: "types")
        ) {
            try RuntimeMetadata(blob)
        }
    }
}
