import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

extension DecodedTransaction {
    /// What the call and the extensions encode to, from their values alone.
    func reencoded() throws(ValueError) -> [UInt8] {
        var encoder = ValueEncoder(types: TypeView(source.registry))
        try encoder.append(call, source.extrinsic.call)
        for (item, value) in zip(source.extrinsic.extensions, explicit) {
            try encoder.append(value, item.explicit)
        }
        for (item, value) in zip(source.extrinsic.extensions, implicit) {
            try encoder.append(value, item.implicit)
        }
        return encoder.writer.bytes
    }
}

@Suite struct EncodingLaws {
    static let runtime = FixtureRuntime.standard

    @Test(arguments: FixtureRuntime.standard.samples)
    func decodedValuesAloneGiveTheSameBytes(body: [UInt8]) throws {
        let decoded = try Self.runtime.decode(body)
        #expect(try decoded.reencoded() == decoded.signingBytes)
    }

    /// `Compact<()>`, and a structure of nothing: no byte stands for it, and no value but nothing is one.
    @Test func aCompactOfNothingIsNoByte() throws {
        for nothing in [FixtureType.tuple([]), .composite(path: ["a", "Nothing"], fields: [])] {
            var runtime = Self.runtime
            let call = FixtureVariant(
                "try", index: 0, fields: [FixtureField("it", .compact(nothing), typeName: nil)])
            runtime.pallets.append(FixturePallet("Types", index: 99, calls: [call]))
            let metadata = try RuntimeMetadata(runtime.metadata())
            let decoded = try Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0]), metadata: metadata, specs: runtime.specs)
            #expect(try decoded.reencoded() == decoded.signingBytes)
        }
    }
}
