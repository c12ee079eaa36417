import FixtureRuntime
import SubstratePrimitives
import Testing

@testable import Metadata

@Suite struct GenesisPlaceLaws {
    /// The standard runtime with these implicit parts behind all others.
    static func ends(_ types: FixtureType..., changed: (inout FixtureRuntime) -> Void = { _ in }) throws
        -> Set<Int>
    {
        var runtime = FixtureRuntime.standard
        changed(&runtime)
        for (number, type) in types.enumerated() {
            runtime.extensions.append(
                FixtureExtension("Tail\(number)", .empty, explicit: .unit, implicit: type))
        }
        return try RuntimeMetadata(runtime.metadata(.v15)).bytesBehindGenesis
    }

    static func isMetadataHash(_ item: FixtureExtension) -> Bool {
        item.identifier.utf8.elementsEqual("CheckMetadataHash".utf8)
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func aBlockHashAndAnOptionalMetadataHashStandBehind(version: FixtureRuntime.MetadataVersion) throws {
        #expect(
            try RuntimeMetadata(FixtureRuntime.standard.metadata(version)).bytesBehindGenesis == [33, 65])
    }

    @Test func aRuntimeWithoutMetadataHashHasOneEnd() throws {
        #expect(try Self.ends { $0.extensions.removeAll(where: Self.isMetadataHash) } == [32])
    }

    @Test func theOrderOfTheExtensionsDecides() throws {
        let ends = try Self.ends { $0.extensions.reverse() }
        // The transaction version and the spec version stand behind it then.
        #expect(ends == [8])
    }

    @Test func onlyImplicitPartsCount() throws {
        let ends = try Self.ends {
            $0.extensions.append(FixtureExtension("Tail", .empty, explicit: .array(7, .u8), implicit: .unit))
        }
        #expect(ends == [33, 65])
    }

    static let sizes: [(FixtureType, Set<Int>)] = [
        (.bool, [1]), (.u128, [16]), (.primitive(.u256), [32]), (.tuple([.u16, .u32]), [6]),
        (.array(5, .u32), [20]), (.option(.u64), [1, 9]),
        (.tuple([.option(.u8), .option(.u16)]), [2, 3, 4, 5]),
        (.array(2, .option(.u8)), [2, 3, 4]), (.compact(.u8), [1, 2]), (.compact(.u16), [1, 2, 4]),
        (.compact(.u32), [1, 2, 4, 5]),
        (.compact(.u64), [1, 2, 4, 5, 6, 7, 8, 9]), (.compact(.unit), [0]), (StandardTypes.hash, [32]),
        (StandardTypes.era, [1, 2]),
    ]

    @Test(arguments: sizes)
    func everySizeOfAPartBehindIsAnEnd(type: FixtureType, sizes: Set<Int>) throws {
        let ends = try Self.ends(type) { $0.extensions.removeAll(where: Self.isMetadataHash) }
        #expect(ends == Set(sizes.map { 32 + $0 }))
    }

    @Test(arguments: [
        FixtureType.bytes, .string, .sequence(.u32), .tuple([.u8, .bytes]), .option(.string),
        StandardTypes.multiAddress,
        .bitSequence(store: .u8, order: .composite(path: ["bitvec", "order", "Lsb0"], fields: [])),
        .array(300, .option(.u8)),
        .array(1 << 31, .array(1 << 31, .array(1 << 31, .u8))),
        .tuple(Array(repeating: .array(255, .option(.u8)), count: 2)),
    ])
    func aPartWithoutABoundOrWithTooManySizesGivesNoEnd(type: FixtureType) throws {
        #expect(try Self.ends(type) == [])
    }

    @Test func aGenesisHashOfAnotherSizeIsNone() throws {
        let ends = try Self.ends {
            let place = $0.extensions.firstIndex { $0.identifier.utf8.elementsEqual("CheckGenesis".utf8) }!
            $0.extensions[place].implicit = .array(31, .u8)
        }
        #expect(ends == [])
    }

    @Test func aRuntimeWithoutGenesisCheckHasNoEnd() throws {
        // Under another identifier it is told by the name of its type.
        #expect(try Self.ends { $0.renameExtension("CheckGenesis", to: "Renamed") } == [33, 65])
        #expect(
            try Self.ends {
                $0.extensions.removeAll { $0.identifier.utf8.elementsEqual("CheckGenesis".utf8) }
            } == [])
    }
}

/// Types that hold each other: a metadata proof or a registry can say so in a few bytes, and a structure
/// cannot.
private struct DoublingRegistry: TypeRegistry {
    let levels: UInt32
    var mayHaveProof: Bool { true }

    func definition(of id: UInt32) throws(MetadataError) -> TypeDefinition {
        let inner: TypeReference = id == levels ? .primitive(.u8) : .id(id + 1)
        return TypeDefinition(shape: .tuple(id == levels ? [inner] : [inner, inner]))
    }
    func variant(_ index: UInt8, of id: UInt32) throws(MetadataError) -> Variant {
        throw MetadataError(.unknownVariant(index), place: "types")
    }
    func variants(of id: UInt32) throws(MetadataError) -> [Variant] { [] }
}

@Suite struct EncodedSizesLaws {
    /// 2^30 bytes, and so many visits where nothing is remembered.
    @Test func typesThatDoubleAtEachLevelAreMeasuredOnce() {
        var sizes = EncodedSizes(types: TypeView(DoublingRegistry(levels: 30)))
        let time = ContinuousClock().measure { #expect(sizes.sizes(of: .id(0)) == [1 << 30]) }
        #expect(time < .seconds(5))
    }

    @Test func typesThatNestTooDeepHaveNoSize() {
        var sizes = EncodedSizes(types: TypeView(DoublingRegistry(levels: UInt32(MetadataLimits.nesting))))
        #expect(sizes.sizes(of: .id(0)) == nil)
    }
}
