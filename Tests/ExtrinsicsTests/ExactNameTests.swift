import Extrinsics
import FixtureRuntime
import Hashing
import SubstratePrimitives
import Testing

/// Names decide by their bytes how a value reads: the Kelvin sign U+212A is canonically equivalent to `K`.
@Suite struct ExactReadingLaws {
    @Test func aJunctionIsAnAccountByTheBytesOfItsName() throws {
        let key = Array(repeating: UInt8(7), count: 20)
        func lines(_ name: String) throws -> [String] {
            let variant = FixtureVariant(
                name, index: 3, fields: [FixtureField("key", .array(20, .u8), typeName: nil)])
            return try MeaningLaws.argument(
                .variant(path: ["any", "Junction"], variants: [variant]), nil, [3] + key)
        }
        let hex = "0x" + Hex.encode(key)
        #expect(try lines("AccountKey20").last?.hasSuffix("bytes " + hex) == false)
        #expect(try lines("Account\u{212a}ey20").last?.hasSuffix("bytes " + hex) == true)
    }

    @Test func assetsAndUnitsAreEqualByTheirBytes() {
        #expect(AssetKey.location("K") == .location("K") && AssetKey.location("K") != .location("\u{212a}"))
        #expect(
            AssetKey.pallet("K", id: "K") != .pallet("K", id: "\u{212a}")
                && AssetKey.pallet("K", id: "K") != .location("K"))
        #expect(AssetUnit(symbol: "K", decimals: 2) != AssetUnit(symbol: "\u{212a}", decimals: 2))
        #expect(AssetUnit(symbol: "K", decimals: 2) != AssetUnit(symbol: "K", decimals: 3))
    }
}
