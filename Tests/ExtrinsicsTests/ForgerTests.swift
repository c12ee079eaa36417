import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// What the forger writes is what an honest sender writes, when it is given honest types.
@Suite struct ForgerLaws {
    static let shuffled: FixtureRuntime = {
        var runtime = FixtureRuntime.standard
        runtime.shuffle()
        return runtime
    }()

    @Test(arguments: [FixtureRuntime.standard, shuffled])
    func itAgreesWithTheDigestOfHonestMetadata(runtime: FixtureRuntime) throws {
        for version in [FixtureRuntime.MetadataVersion.v15, .v16] {
            let metadata = try RuntimeMetadata(runtime.metadata(version))
            let info = ExtraInfo(metadata.runtimeVersion, runtime.specs)
            let forged = try ForgedProof(metadata, info: info)
            #expect(try forged.hash == MetadataDigest(of: metadata, extraInfo: info).hash.bytes)
        }
    }

    @Test(arguments: [1, 2, 3, 5, 8, 21, 64, 300])
    func everyChoiceOfLeavesLeadsToTheSameHash(count: Int) throws {
        var forged = try ForgedProof(FixtureRuntime.standard)
        forged.leaves = Array(forged.leaves.prefix(count))
        let choices: [Set<Int>] = [
            Set(0..<count), [0], [count - 1], Set(stride(from: 0, to: count, by: 2)),
            Set(stride(from: 0, to: count, by: 7)),
        ]
        for shown in choices {
            var reader = SCALEReader(forged.encoded(showing: shown))
            let proof = try MetadataProof(from: &reader)
            try reader.finish()
            #expect(proof.hash.bytes == forged.hash)
        }
    }

    @Test func itsChoiceOfLeavesIsTheOneThatSendersMake() throws {
        let (proof, body) = try ProofLaws.sample(FixtureRuntime.standard.transfer())
        let forged = try ForgedProof(FixtureRuntime.standard)
        #expect(forged.hash == proof.hash.bytes)
        var reader = SCALEReader(proof.encoded)
        let honest = Set(try (0..<(try reader.count())).map { _ in try Self.skippedLeaf(&reader) })
        let shown = Set(forged.leaves.indices.filter { honest.contains(forged.leaves[$0].encoded) })
        #expect(forged.encoded(showing: shown) == proof.encoded)
        #expect(
            try ProofLaws.decode(forged.encoded() + body, FixtureRuntime.standard.specs).signingBytes
                == Array(body.dropFirst()))
    }

    /// The bytes of one leaf.
    private static func skippedLeaf(_ reader: inout SCALEReader) throws -> [UInt8] {
        let start = reader.offset
        func reference() throws {
            if try reader.u8() == 22 { _ = try reader.compact() }
        }
        func fields() throws {
            for _ in 0..<(try reader.count()) {
                _ = try reader.option { (reader) throws(SCALEError) in try reader.string() }
                try reference()
                _ = try reader.option { (reader) throws(SCALEError) in try reader.string() }
            }
        }
        for _ in 0..<(try reader.count()) { _ = try reader.string() }
        switch try reader.u8() {
        case 0: try fields()
        case 1:
            _ = try reader.string()
            try fields()
            _ = try reader.compact()
        case 2: try reference()
        case 3:
            _ = try reader.integer(UInt32.self)
            try reference()
        case 4: for _ in 0..<(try reader.count()) { try reference() }
        default: _ = try reader.bytes(count: 2)
        }
        _ = try reader.compact()
        return Array(reader.bytes[start..<reader.offset])
    }
}
