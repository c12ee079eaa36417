import Cards
import Extrinsics
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct LegacyLaws {
    static let westend = NetworkSpecs.defaults[2]

    /// The published supplement: payload 81, unsigned; its content is a byte vector that holds
    /// `Vec<TypeEntry>`.
    static func types() throws -> LegacyTypes? {
        guard let payload = try SharedData.hex("transactions/load-types-unsigned.hex") else { return nil }
        var outer = SCALEReader(payload, range: 3..<payload.count)
        var inner = SCALEReader(try outer.byteVector())
        let types = try LegacyTypes(from: &inner)
        try inner.finish()
        try outer.finish()
        return types
    }

    static func metadata() throws -> RuntimeMetadata? {
        guard let types = try types(), let blob = try SharedData.read("metadata/westend-9010-v12.scale")
        else { return nil }
        return try RuntimeMetadata(blob, types: types)
    }

    /// The worked example of the UOS document: its cards are published there.
    @Test func theWorkedExampleIsShown() throws {
        guard let metadata = try Self.metadata(),
            let payload = try SharedData.hex("transactions/westend-9010-transfer.hex")
        else { return }
        #expect(metadata.runtimeVersion == RuntimeVersion(specName: "westend", specVersion: 9010))
        #expect(metadata.ss58Prefix == 42)
        let decoded = try Extrinsics.decode(
            body: payload.dropFirst(35).dropLast(32), metadata: metadata, specs: Self.westend)
        #expect(
            lines(decoded.method) == [
                "pallet Balances", "  call transfer_keep_alive", "    field_name dest",
                "      enum_variant Id",
                "        account 5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "    field_name value",
                "      balance 100.000000000 mWND",
            ])
        #expect(decoded.facts.era == .mortal(MortalEra(period: 64, phase: 27)!))
        #expect(decoded.facts.nonce == 46)
        #expect(decoded.facts.tip == 0)
        #expect(decoded.facts.txVersion == 5)
    }

    @Test func withoutASupplementTheRuntimeIsNamedAndNothingIsDecoded() throws {
        guard let blob = try SharedData.read("metadata/westend-9010-v12.scale"),
            let payload = try SharedData.hex("transactions/westend-9010-transfer.hex")
        else { return }
        let metadata = try RuntimeMetadata(blob)
        #expect(metadata.runtimeVersion.specVersion == 9010)
        #expect(metadata.version < 14)
        let fault = #expect(throws: ExtrinsicError.self) {
            try Extrinsics.decode(
                body: payload.dropFirst(35).dropLast(32), metadata: metadata, specs: Self.westend)
        }
        #expect(fault?.reason == .metadata(.typesNeeded))
    }

    @Test func everyTypeNameOfTheCallsIsKnown() throws {
        guard let metadata = try Self.metadata() else { return }
        var unknown = Set<String>()
        var waiting = [metadata.extrinsic.call]
        var seen = Set<TypeReference>()
        while let next = waiting.popLast() {
            guard case .id(let id) = next, seen.insert(next).inserted else { continue }
            do {
                switch try metadata.registry.definition(of: id).shape {
                case .composite(let fields): waiting += fields.map(\.type)
                case .enumeration:
                    waiting += try metadata.registry.variants(of: id).flatMap { $0.fields.map(\.type) }
                case .sequence(let element), .array(_, let element), .compact(let element):
                    waiting.append(element)
                case .tuple(let elements): waiting += elements
                case .primitive, .bits: break
                }
            } catch {
                unknown.insert("\(error)")
            }
        }
        #expect(unknown.isEmpty)
        #expect(seen.count > 200)
    }

    @Test func everyProperPrefixOfTheSupplementIsRefused() throws {
        guard let payload = try SharedData.hex("transactions/load-types-unsigned.hex") else { return }
        var outer = SCALEReader(payload, range: 3..<payload.count)
        let bytes = try outer.byteVector()
        for length in stride(from: 0, to: bytes.count, by: 37) {
            let error = #expect(throws: SCALEError.self) {
                var cut = SCALEReader(Array(bytes.prefix(length)))
                _ = try LegacyTypes(from: &cut)
            }
            #expect(error?.saysCut == true, "\(length) bytes")
        }
    }
}
