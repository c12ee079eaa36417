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

    static func describe(_ pallet: String, _ call: String, _ args: [String: Described]) -> Described {
        .object(["pallet": .text(pallet), "call": .text(call), "args": .object(args)])
    }

    static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    @Test func aCallIsEncodedFromItsNames() throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        let transfer = Self.describe(
            "Balances", "transfer_keep_alive", ["dest": .text(Self.bob), "value": .text("100000000000")])
        #expect(try CallEncoder.encode(transfer, metadata: metadata) == Self.runtime.transfer())
        let proxy = Self.describe(
            "Proxy", "proxy", ["real": .object(["Id": .text(Self.bob)]), "force_proxy_type": .text("Staking"), "call": transfer])
        #expect(
            try CallEncoder.encode(proxy, metadata: metadata)
                == Self.runtime.call(
                    "Proxy", "proxy", [FixtureValue.address(Account.bob), FixtureValue.some([3]), Self.runtime.transfer()]))
        let remark = Self.describe("System", "remark", ["remark": .text("0x6869")])
        #expect(
            try CallEncoder.encode(remark, metadata: metadata)
                == Self.runtime.call("System", "remark", [FixtureValue.bytes(Array("hi".utf8))]))
    }

    @Test func aDescriptionThatDoesNotFitIsRefusedWithItsPlace() throws {
        let metadata = try RuntimeMetadata(Self.runtime.metadata())
        let missing = Self.describe("Balances", "transfer_keep_alive", ["dest": .text(Self.bob)])
        #expect(throws: CallDescriptionError(code: .missingField("value"), place: "Balances.transfer_keep_alive")) {
            try CallEncoder.encode(missing, metadata: metadata)
        }
        let unknown = Self.describe("Balances", "burn", [:])
        #expect(throws: CallDescriptionError(code: .unknownCall("burn"), place: "Balances")) {
            try CallEncoder.encode(unknown, metadata: metadata)
        }
    }
}
