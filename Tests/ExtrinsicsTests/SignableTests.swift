import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// Which transactions are signed at all, and what shows of their extensions.
@Suite struct SignableLaws {
    static let runtime = FixtureRuntime.standard

    static func code(_ body: () throws -> Void) -> ExtrinsicError.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ExtrinsicError)?.reason
        }
    }

    // MARK: the end of the signed bytes

    /// The fixture with an extension behind the hash that has an implicit part: the hash is right and does
    /// not stand at the end.
    static var longer: FixtureRuntime {
        var runtime = runtime
        let last = runtime.extensions.firstIndex { $0.identifier == "CheckTxVersion" }!
        runtime.extensions.append(runtime.extensions.remove(at: last))
        return runtime
    }

    @Test func aRightHashThatDoesNotStandAtTheEndIsRefused() throws {
        let runtime = Self.longer
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let info = ExtraInfo(metadata.runtimeVersion, runtime.specs)
        let hash = try MetadataDigest(of: metadata, extraInfo: info).hash
        let values = FixtureExtensionValues(metadataHash: hash)
        let body = runtime.transactionBody(call: runtime.transfer(), values)
        let parts = runtime.extensionBytes(values)
        let proof = try MetadataProof.make(
            metadata: metadata, extraInfo: info, call: runtime.transfer(),
            extensions: parts.explicit + parts.implicit)
        #expect(proof.hash == hash)
        #expect(
            Self.code { _ = try Extrinsics.decode(body: body, proof: proof, specs: runtime.specs) }
                == .metadataHashNotAtEnd)
        #expect(
            Self.code { _ = try Extrinsics.decode(body: body, metadata: metadata, specs: runtime.specs) }
                == .metadataHashNotAtEnd)
        // Disabled, it stands nowhere.
        let without = runtime.transactionBody(call: runtime.transfer())
        #expect(
            Self.code { _ = try Extrinsics.decode(body: without, metadata: metadata, specs: runtime.specs) }
                == nil)
    }

    /// The byte before the hash counts: it is what a disabled hash cannot have there.
    @Test func theByteBeforeTheHashIsThatOfSome() throws {
        let (proof, body) = try ProofLaws.sample(Self.runtime.transfer())
        #expect(
            Self.code { _ = try Extrinsics.decode(body: body, proof: proof, specs: Self.runtime.specs) }
                == nil)
        var changed = body
        changed[body.count - 33] = 0
        let reason = Self.code {
            _ = try Extrinsics.decode(body: changed, proof: proof, specs: Self.runtime.specs)
        }
        #expect(reason == .metadataHashDisabled)
    }

    // MARK: formats

    static func version(_ change: (inout [UInt8]) -> Void) throws -> RuntimeMetadata {
        var blob = runtime.metadata(.v15)
        change(&blob)
        return try RuntimeMetadata(blob)
    }

    @Test func anExtrinsicFormatOtherThanFourIsRefused() throws {
        let blob = Self.runtime.metadata(.v15)
        let metadata = try RuntimeMetadata(blob)
        // The version stands in front of the types of address, call, signature and extensions.
        let ids = [metadata.extrinsic.address!, metadata.extrinsic.call, metadata.extrinsic.signature!]
            .flatMap { reference -> [UInt8] in
                guard case .id(let id) = reference else { return [] }
                return SCALEWriter.encode { $0.compact(UInt64(id)) }
            }
        let place = try #require(blob.indices.last { blob[$0] == 4 && blob[($0 + 1)...].starts(with: ids) })
        var changed = blob
        changed[place] = 5
        let body = Self.runtime.transactionBody(call: Self.runtime.transfer())
        let other = try RuntimeMetadata(changed)
        #expect(
            Self.code { _ = try Extrinsics.decode(body: body, metadata: other, specs: Self.runtime.specs) }
                == .extrinsicVersion(5))
    }

    /// Version 16 lists extensions by version; those of signed transactions are version 0.
    @Test func anExtensionVersionOtherThanZeroIsRefused() throws {
        let blob = Self.runtime.metadata(.v16)
        #expect(try RuntimeMetadata(blob).extrinsic.extensionVersion == 0)
        // One list, of version 0, with the indices of all extensions in order.
        let list = SCALEWriter.encode {
            $0.raw([4, 0])
            $0.compact(UInt64(Self.runtime.extensions.count))
            for index in Self.runtime.extensions.indices { $0.compact(UInt64(index)) }
        }
        let place = try #require(blob.indices.last { blob[$0...].starts(with: list) })
        var changed = blob
        changed[place + 1] = 1
        let other = try RuntimeMetadata(changed)
        #expect(other.extrinsic.extensionVersion == 1)
        let body = Self.runtime.transactionBody(call: Self.runtime.transfer())
        #expect(
            Self.code { _ = try Extrinsics.decode(body: body, metadata: other, specs: Self.runtime.specs) }
                == .extensionVersion(1))
    }

    @Test func twoExtensionsThatGiveOneFactAreRefused() throws {
        var runtime = Self.runtime
        let nonce = try #require(runtime.extensions.first { $0.identifier == "CheckNonce" })
        runtime.extensions.append(nonce)
        #expect(
            Self.code { _ = try runtime.decode(runtime.transactionBody(call: runtime.transfer())) }
                == .repeatedExtension)
    }

    @Test(arguments: ["VerifySignature", "VerifyMultiSignature"])
    func aRuntimeThatTakesSignaturesInAnExtensionIsRefused(name: String) throws {
        var runtime = Self.runtime
        let nothing = FixtureType.composite(path: ["pallet_verify_signature", name], fields: [])
        runtime.extensions.insert(FixtureExtension(name, .empty, explicit: .unit, implicit: .unit), at: 0)
        #expect(
            Self.code { _ = try runtime.decode(runtime.transactionBody(call: runtime.transfer())) }
                == .signsInExtension)
        // By the name of its type too.
        runtime.extensions[0] = FixtureExtension("Other", .empty, explicit: nothing, implicit: .unit)
        #expect(
            Self.code { _ = try runtime.decode(runtime.transactionBody(call: runtime.transfer())) }
                == .signsInExtension)
    }

    // MARK: unknown extensions

    @Test func anUnknownExtensionThatCarriesDataIsAWarningWithItsBytes() throws {
        var runtime = Self.runtime
        let explicit = FixtureType.composite(
            path: ["any", "Unheard"], fields: [FixtureField(nil, .u16, typeName: nil)])
        runtime.extensions.insert(
            FixtureExtension("Unheard", .empty, explicit: explicit, implicit: .unit), at: 0)
        let whole = runtime.transactionBody(call: runtime.transfer())
        // The explicit part is the first behind the call.
        let prefix =
            SCALEWriter.encode { $0.compact(UInt64(runtime.transfer().count)) }.count
            + runtime.transfer().count
        let body = Array(whole[..<prefix]) + [7, 8] + whole[prefix...]
        let decoded = try runtime.decode(body)
        #expect(decoded.unknownExtensions.map(\.bytes) == [[7, 8]])
        let warning = try #require(decoded.warnings.first)
        #expect(warning.value == "carries an unknown extension: Unheard 0x0708")
        #expect(warning.fields.first == .init("code", "unknown-extension"))
        CoverageLaws.requireCovered(decoded)
        // Without data it is a name and no warning.
        runtime.extensions[0] = FixtureExtension("Unheard", .empty, explicit: .unit, implicit: .unit)
        #expect(try runtime.decode(whole).warnings.isEmpty)
    }

    // MARK: meaning

    @Test func aKnownGenesisHashAmongTheArgumentsIsNamedAndNoWarning() throws {
        let other = Hash32.blake2b(of: Array("another chain".utf8))
        var runtime = Self.runtime
        let network = FixtureType.variant(
            path: ["xcm", "NetworkId"],
            variants: [
                FixtureVariant(
                    "ByGenesis", index: 0, fields: [FixtureField(nil, .array(32, .u8), typeName: "[u8; 32]")])
            ])
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", network, typeName: nil)])]
            ))
        var context = DecodingContext()
        context.knownChains = [other: "kusama"]
        let decoded = try MeaningLaws.decode([99, 0, 0] + other.bytes, context, runtime)
        #expect(MeaningLaws.notices(decoded) == ["the genesis hash of kusama"])
        #expect(decoded.warnings.isEmpty)
    }

    /// `{ parents: 0, interior: X2(PalletInstance(50), GeneralIndex(1984)) }` is the asset 1984 of the pallet
    /// with index 50.
    @Test(arguments: [false, true])
    func anAssetHasOneUnitByIdAndByLocation(inArray: Bool) throws {
        let junction = FixtureType.variant(
            path: ["staging_xcm", "v4", "junction", "Junction"],
            variants: [
                FixtureVariant("PalletInstance", index: 4, fields: [FixtureField(nil, .u8, typeName: "u8")]),
                FixtureVariant(
                    "GeneralIndex", index: 5, fields: [FixtureField(nil, .compact(.u128), typeName: "u128")]),
            ])
        let two =
            inArray
            ? [FixtureField(nil, .array(2, junction), typeName: nil)]
            : Array(repeating: FixtureField(nil, junction, typeName: nil), count: 2)
        let junctions = FixtureType.variant(
            path: ["staging_xcm", "v4", "junctions", "Junctions"],
            variants: [FixtureVariant("X2", index: 2, fields: two)])
        let location = FixtureType.composite(
            path: ["staging_xcm", "v4", "location", "Location"],
            fields: [
                FixtureField("parents", .u8, typeName: "u8"),
                FixtureField("interior", junctions, typeName: "Junctions"),
            ])
        let id = FixtureType.composite(
            path: ["staging_xcm", "v4", "asset", "AssetId"],
            fields: [FixtureField(nil, location, typeName: "Location")])
        let fungibility = FixtureType.variant(
            path: ["staging_xcm", "v4", "asset", "Fungibility"],
            variants: [
                FixtureVariant(
                    "Fungible", index: 0, fields: [FixtureField(nil, .compact(.u128), typeName: "u128")])
            ])
        let asset = FixtureType.composite(
            path: ["staging_xcm", "v4", "asset", "Asset"],
            fields: [
                FixtureField("id", id, typeName: "AssetId"),
                FixtureField("fun", fungibility, typeName: "Fungibility"),
            ])
        var runtime = Self.runtime
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", asset, typeName: nil)])]))
        struct Units: AssetDirectory {
            func unit(of asset: AssetKey) -> AssetUnit? {
                asset == .pallet("Assets", id: "1984") ? AssetUnit(symbol: "USDT", decimals: 6) : nil
            }
        }
        func shown(_ pallet: UInt8, parents: UInt8 = 0) throws -> Card? {
            let call =
                [99, 0, parents, 2, 4, pallet, 5] + FixtureValue.compact(1984) + [0]
                + FixtureValue.compact(5_000_000)
            return try MeaningLaws.decode(call, DecodingContext(assets: Units()), runtime).method.last {
                !$0.isDerived
            }
        }
        #expect(try shown(50)?.value == "5.000000 USDT")
        #expect(try shown(51)?.value == "5000000")
        #expect(try shown(50, parents: 1)?.value == "5000000")
    }

    // MARK: limits

    @Test func moreCardsThanAnyoneReadsAreRefused() throws {
        let runtime = LimitLaws.runtime(.tuple([.bytes, .sequence(.unit)]))
        func code(bytes: Int, values: UInt128) throws -> ExtrinsicError.Reason? {
            let call =
                [99, 0] + FixtureValue.bytes([UInt8](repeating: 0, count: bytes))
                + FixtureValue.compact(values)
            return try LimitLaws.code(runtime, call)
        }
        #expect(try code(bytes: 200, values: 5_000) == .tooMuchToShow)
        // What may show grows with what there is to show.
        #expect(try code(bytes: 3_000, values: 5_000) == nil)
    }

    @Test func moreTextThanAnyoneReadsIsRefused() throws {
        let long = String(repeating: "x", count: 10_000)
        let runtime = LimitLaws.runtime(
            .sequence(.variant(path: ["E"], variants: [FixtureVariant(long, index: 0)])))
        let call = [99, 0] + FixtureValue.compact(2_000) + Array(repeating: 0, count: 2_000)
        #expect(try LimitLaws.code(runtime, call) == .tooMuchToShow)
    }
}

/// Amounts that are not in the unit of this network.
@Suite struct ForeignAmountLaws {
    static let runtime = FixtureRuntime.standard

    static func runtime(_ type: FixtureType, _ typeName: String?, call: String = "try") -> FixtureRuntime {
        var runtime = runtime
        let field = FixtureField("message", type, typeName: typeName)
        runtime.pallets.append(
            FixturePallet("Types", index: 99, calls: [FixtureVariant(call, index: 0, fields: [field])]))
        return runtime
    }

    @Test func thePriceOfAnItemIsAnAmount() throws {
        #expect(
            try MeaningLaws.argument(.u128, "ItemPrice<T, I>", [1] + Array(repeating: 0, count: 15)) == [
                "balance 1 pHLO"
            ])
        #expect(
            try MeaningLaws.argument(
                .option(.u128), "Option<ItemPrice<T, I>>", [1, 1] + Array(repeating: 0, count: 15)) == [
                    "balance 1 pHLO"
                ])
    }

    struct Units: AssetDirectory {
        func unit(of asset: AssetKey) -> AssetUnit? { AssetUnit(symbol: "USDT", decimals: 6) }
    }

    /// An XCM message of one instruction, which holds an asset or another message.
    static var message: FixtureType {
        func message(_ inner: FixtureType) -> FixtureType {
            let instruction = FixtureType.variant(
                path: ["xcm", "v4", "Instruction"],
                variants: [
                    FixtureVariant("Do", index: 0, fields: [FixtureField("what", inner, typeName: nil)])
                ])
            return .composite(
                path: ["xcm", "v4", "Xcm"], fields: [FixtureField(nil, .sequence(instruction), typeName: nil)]
            )
        }
        let location = FixtureType.composite(
            path: ["xcm", "v4", "Location"], fields: [FixtureField("parents", .u8, typeName: "u8")])
        let fungible = FixtureType.variant(
            path: ["xcm", "v4", "Fungibility"],
            variants: [
                FixtureVariant(
                    "Fungible", index: 0, fields: [FixtureField(nil, .compact(.u128), typeName: "u128")])
            ])
        let asset = FixtureType.composite(
            path: ["xcm", "v4", "Asset"],
            fields: [
                FixtureField("id", location, typeName: nil), FixtureField("fun", fungible, typeName: nil),
            ])
        let choice = FixtureType.variant(
            path: ["any", "Choice"],
            variants: [
                FixtureVariant("Asset", index: 0, fields: [FixtureField(nil, asset, typeName: nil)]),
                FixtureVariant(
                    "Nested", index: 1, fields: [FixtureField(nil, message(asset), typeName: nil)]),
            ])
        return message(choice)
    }

    /// A list of this network knows what stands here. What another chain executes names its own assets.
    @Test func aUnitIsForMessagesThatRunHereOnly() throws {
        func shown(_ call: String, _ bytes: [UInt8]) throws -> String? {
            let runtime = Self.runtime(Self.message, nil, call: call)
            let decoded = try MeaningLaws.decode([99, 0] + bytes, DecodingContext(assets: Units()), runtime)
            return decoded.method.last { !$0.isDerived }?.value
        }
        let here: [UInt8] = [4, 0, 0, 1, 0, 20]
        let nested: [UInt8] = [4, 0, 1, 4, 0, 1, 0, 20]
        #expect(try shown("execute", here) == "5 uUSDT")
        #expect(try shown("execute", nested) == "5")
        #expect(try shown("send", here) == "5")
    }
}
