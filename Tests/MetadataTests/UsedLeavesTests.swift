import FixtureRuntime
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@testable import Metadata

/// A proof shows what a reader of the transaction asks for, and nothing else.
@Suite struct UsedLeavesLaws {
    /// One call whose arguments have every shape, and one that gives each of their types a leaf.
    private static let runtime: FixtureRuntime = {
        var runtime = FixtureRuntime.standard
        func wrapper(_ name: String, _ inner: FixtureType) -> FixtureType {
            .composite(path: ["shapes", name], fields: [FixtureField(nil, inner, typeName: nil)])
        }
        let part = wrapper("Perbill", .u32)
        let element = wrapper("Element", .u64)
        let only = FixtureType.variant(
            path: ["shapes", "Only"],
            variants: [FixtureVariant("One", index: 3, fields: [FixtureField(nil, .u8, typeName: nil)])])
        let opaque = FixtureType.composite(
            path: ["frame_support", "traits", "misc", "WrapperKeepOpaque"],
            fields: [
                FixtureField(nil, .compact(.u32), typeName: nil),
                FixtureField(nil, .tuple([.u8, only]), typeName: nil),
            ])
        let order = FixtureType.composite(path: ["bitvec", "order", "Lsb0"], fields: [])
        let arguments: [FixtureType] = [
            .compact(part), .sequence(element), .sequence(.tuple([.u16, .u16])),
            .array(0, wrapper("Nothing", .u128)), .array(2, only),
            .bitSequence(store: .u8, order: order), opaque, .option(element),
            .option(.tuple([.bool, .string])),
            .composite(path: ["shapes", "Unit"], fields: []), .bytes,
        ]
        func fields(_ types: [FixtureType]) -> [FixtureField] {
            types.enumerated().map { FixtureField("field_\($0)", $1, typeName: nil) }
        }
        runtime.pallets.append(
            FixturePallet(
                "Shapes", index: 99,
                calls: [
                    FixtureVariant("every", index: 0, fields: fields(arguments)),
                    FixtureVariant(
                        "others", index: 1, fields: fields([part, element, wrapper("Nothing", .u128)])),
                ]))
        return runtime
    }()

    /// An empty list and an absent option first, then filled ones.
    static let calls: [[UInt8]] = {
        func every(list: [UInt8], pairs: [UInt8], option: [UInt8], text: [UInt8]) -> [UInt8] {
            let bits: [UInt8] = [5 << 2, 0b10101]
            return [99, 0, 7 << 2] + list + pairs + [3, 1, 3, 2] + bits + [3 << 2, 9, 3, 4] + option + text
                + [2 << 2, 1, 2]
        }
        let number = FixtureValue.integer(UInt64(5))
        return [
            every(list: [0], pairs: [0], option: [0], text: [0]),
            every(
                list: [2 << 2] + number + number, pairs: [1 << 2, 1, 0, 2, 0], option: [0],
                text: [1, 1, 4, 0x61]),
            every(list: [0], pairs: [0], option: [1] + number, text: [0]),
            [99, 1] + FixtureValue.integer(UInt32(1)) + number + FixtureValue.integer(UInt128(3)),
            runtime.call("System", "remark", [FixtureValue.bytes([7])]),
        ]
    }()

    private struct Reading {
        let metadata: RuntimeMetadata
        let proof: MetadataProof
        let leaves: [ProofLeaf]
        let call: [UInt8]
        let extensions: [UInt8]

        init(_ runtime: FixtureRuntime, _ call: [UInt8]) throws {
            metadata = try RuntimeMetadata(runtime.metadata(.v15))
            let parts = runtime.extensionBytes(FixtureExtensionValues(metadataHash: .blake2b(of: [1])))
            self.call = call
            extensions = parts.explicit + parts.implicit
            proof = try MetadataProof.make(
                metadata: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, runtime.specs), call: call,
                extensions: extensions)
            var reader = SCALEReader(proof.encoded)
            leaves = try (0..<reader.count(minimumElementSize: 3)).map { _ in
                try ProofLeaf(from: &reader, place: "")
            }
        }

        /// The values that these leaves give.
        func values(_ leaves: [ProofLeaf]) throws -> [Value] {
            try values(TypeView(ProofRegistry(leaves)), proof.extrinsic)
        }

        func values(_ view: TypeView, _ extrinsic: ExtrinsicDefinition) throws -> [Value] {
            var decoder = ValueDecoder(types: view, reader: SCALEReader(call))
            var values = [try decoder.whole(extrinsic.call)]
            decoder = ValueDecoder(types: view, reader: SCALEReader(extensions))
            for item in extrinsic.extensions { values.append(try decoder.value(item.explicit)) }
            for item in extrinsic.extensions { values.append(try decoder.value(item.implicit)) }
            #expect(decoder.reader.remaining == 0)
            return values
        }
    }

    /// The proof reads as the metadata does, and without any one of its leaves it does not.
    @Test(arguments: calls.indices)
    func everyLeafIsNeededAndNoOther(index: Int) throws {
        let reading = try Reading(Self.runtime, Self.calls[index])
        let expected = try reading.values(TypeView(reading.metadata.registry), reading.metadata.extrinsic)
        #expect(try reading.values(reading.leaves) == expected)
        #expect(!reading.leaves.isEmpty)
        for missing in reading.leaves.indices {
            var fewer = reading.leaves
            let leaf = fewer.remove(at: missing)
            let error = #expect(throws: ValueError.self, "\(leaf.definition.path)") {
                try reading.values(fewer)
            }
            // The type that nothing describes now, and no other fault.
            guard case .metadata(.unknownType)? = error?.reason else {
                Issue.record("\(leaf.definition.path): \(error.map { "\($0)" } ?? "read")")
                continue
            }
        }
    }

    /// No reader decodes them: the signed bytes hold neither.
    @Test func addressAndSignatureHaveNoLeaves() throws {
        let reading = try Reading(Self.runtime, Self.calls[4])
        for type in [reading.proof.extrinsic.address, reading.proof.extrinsic.signature] {
            guard case .id(let id)? = type else {
                Issue.record("the fixture's address and signature are enumerations")
                return
            }
            #expect(!reading.leaves.contains { $0.id == id })
        }
    }

    /// A proof of another sender, with whole types of address and signature, is read as before.
    @Test func moreLeavesThanNeededReadTheSame() throws {
        let reading = try Reading(Self.runtime, Self.calls[1])
        let types = try MerkleTypes(reading.metadata)
        let all = try types.leaves.map { leaf in
            var reader = SCALEReader(leaf.encoded)
            return try ProofLeaf(from: &reader, place: "")
        }
        #expect(all.count > reading.leaves.count)
        #expect(try reading.values(all) == reading.values(reading.leaves))
    }
}
