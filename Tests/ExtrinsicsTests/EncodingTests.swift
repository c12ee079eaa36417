import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

@Suite struct EncodingLaws {
    static let runtime = FixtureRuntime.standard

    @Test(arguments: FixtureRuntime.standard.samples)
    func decodedValuesAloneGiveTheSameBytes(body: [UInt8]) throws {
        let decoded = try Self.runtime.decode(body)
        #expect(try decoded.reencoded() == decoded.signingBytes)
    }
}
