import FixtureRuntime
import Metadata
import SubstratePrimitives
import Testing

/// Names and texts of metadata are compared by their bytes: the Kelvin sign U+212A is canonically equivalent
/// to `K`.
@Suite struct ExactNameLaws {
    static let kelvin = "\u{212a}"

    @Test func decodedTextIsEqualByItsBytes() {
        for wrap in [{ $0 }, { .list([$0]) }, { .record([.bool(true), $0]) }, { .variant(1, [$0]) }]
            as [(Value) -> Value]
        {
            #expect(wrap(.text("K")) == wrap(.text("K")) && wrap(.text("K")) != wrap(.text(Self.kelvin)))
        }
        let different: [Value] = [
            .bool(true), .bool(false), .char("a"), .char("b"), .text("a"), .unsigned(1), .unsigned(2),
            .signed(1), .signed(2), .wide([1]),
            .wide([2]), .bytes([1]), .bytes([2]), .bits([true]), .bits([false]), .list([]),
            .list([.bool(true)]), .record([]),
            .record([.bool(true)]), .variant(0, []), .variant(1, []), .variant(1, [.bool(true)]),
        ]
        for (index, one) in different.enumerated() {
            for (number, other) in different.enumerated() { #expect((one == other) == (index == number)) }
        }
    }

    @Test func describedTypesAreEqualByTheirBytes() {
        func field(_ name: String?, _ typeName: String?, _ docs: String, _ type: TypeReference = .void)
            -> Field
        {
            Field(name: name, type: type, typeName: typeName, docs: docs)
        }
        let plain = field("K", "K", "K")
        #expect(
            plain == field("K", "K", "K") && plain != field(Self.kelvin, "K", "K")
                && plain != field("K", Self.kelvin, "K"))
        #expect(
            plain != field("K", "K", Self.kelvin) && plain != field("K", "K", "K", .id(1))
                && plain != field(nil, "K", "K"))
        #expect(TypeDefinition.Shape.composite([plain]) != .composite([field(Self.kelvin, "K", "K")]))
        #expect(TypeParameter(name: "K", type: nil) == TypeParameter(name: "K", type: nil))
        #expect(TypeParameter(name: "K", type: nil) != TypeParameter(name: Self.kelvin, type: nil))
        #expect(TypeParameter(name: "K", type: nil) != TypeParameter(name: "K", type: .void))
        func part(_ name: String, _ explicit: TypeReference = .void, _ implicit: TypeReference = .void)
            -> TransactionExtension
        {
            TransactionExtension(identifier: name, explicit: explicit, implicit: implicit)
        }
        #expect(
            part("K") == part("K") && part("K") != part(Self.kelvin) && part("K") != part("K", .id(1))
                && part("K") != part("K", .void, .id(1)))
    }

    @Test func theFactsOfADigestAreEqualByTheirBytes() {
        let plain = ExtraInfo(specVersion: 1, specName: "K", base58Prefix: 2, decimals: 3, tokenSymbol: "KSM")
        for change in [
            { $0.specVersion = 2 }, { $0.specName = Self.kelvin }, { $0.base58Prefix = 3 },
            { $0.decimals = 4 },
            { $0.tokenSymbol = Self.kelvin + "SM" },
        ] as [(inout ExtraInfo) -> Void] {
            var other = plain
            change(&other)
            #expect(other != plain)
        }
        #expect(plain == plain)
    }

    @Test func aWrapperIsKnownByTheBytesOfItsName() throws {
        let types = TypeView(try RuntimeMetadata(FixtureRuntime.standard.metadata(.v15)).registry)
        func content(_ name: String) throws -> TypeReference? {
            let fields = [Field(name: nil, type: .compact(.u32)), Field(name: nil, type: .primitive(.u8))]
            return try types.opaqueContent(
                of: TypeDefinition(path: ["any", name], shape: .composite(fields)))
        }
        #expect(
            try content("WrapperKeepOpaque") == .primitive(.u8) && content("WrapperOpaque") == .primitive(.u8)
        )
        #expect(try content("Wrapper\(Self.kelvin)eepOpaque") == nil)
    }
}
