import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import TestSupport
import Testing

/// Every signed byte is on exactly one literal card, and the literal cards determine it.
@Suite struct CoverageLaws {
    static let runtime = FixtureRuntime.standard

    /// The bytes that literal cards state, in the order of the cards; derived cards state none.
    static func stated(_ decoded: DecodedTransaction) -> [Range<Int>] {
        (decoded.method + decoded.extensions).flatMap { card -> [Range<Int>] in
            switch card.coverage {
            case .none:
                Issue.record("\(card.value) was not placed")
                return []
            case .states(let range, let other):
                #expect(!card.isDerived, "\(card.value)")
                return [other, range].compactMap { $0 }
            case .interprets(let range):
                // Empty where it tells of a value that has no bytes.
                #expect(card.isDerived && range.upperBound <= decoded.signingBytes.count, "\(card.value)")
                return []
            }
        }
    }

    static func requireCovered(_ decoded: DecodedTransaction) {
        let ranges = stated(decoded).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == decoded.signingBytes.count)
        for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func everySignedByteIsStatedByOneCard(version: FixtureRuntime.MetadataVersion) throws {
        for body in Self.runtime.samples { Self.requireCovered(try Self.runtime.decode(body, version)) }
    }

    @Test func theCardOfTheHashStatesItsModeToo() throws {
        let (_, body) = try ProofLaws.sample(Self.runtime.transfer())
        let decoded = try Self.runtime.decode(body, .v15)
        Self.requireCovered(decoded)
        let card = try #require(decoded.extensions.first { $0.kind == .metadataHash })
        let end = decoded.signingBytes.count
        guard case .states(let range, let mode?) = card.coverage else {
            Issue.record("the mode is on no card")
            return
        }
        #expect(range == end - 33..<end && mode.count == 1 && decoded.signingBytes[mode.lowerBound] == 1)
    }

    @Test func aNoticeInterpretsTheValueThatItStandsBelow() throws {
        let call = Self.runtime.call(
            "Assets", "transfer",
            [FixtureValue.compact(1984), FixtureValue.address(Account.bob), FixtureValue.compact(5)])
        let decoded = try Self.runtime.decode(Self.runtime.transactionBody(call: call))
        let notice = try #require(decoded.method.first { $0.kind == .notice })
        #expect(notice.coverage == .interprets(call.count - 1..<call.count))
        let era = try #require(decoded.extensions.first { $0.kind == .notice })
        #expect(era.coverage == .interprets(call.count..<call.count + 1))
    }

    @Test func theFirstCardOfAnOpaqueCallStatesItsLength() throws {
        let runtime = OpaqueCalls.runtime(OpaqueCalls.wrapper())
        let inner = runtime.transfer()
        let whole = FixtureValue.bytes(inner)
        for result in try OpaqueCallLaws.decode(
            OpaqueCalls.asMulti(runtime, other: Account.bob, call: whole), runtime)
        {
            let decoded = try result.get()
            func stated(_ card: Card) -> [UInt8]? {
                guard case .states(let range, nil) = card.coverage else { return nil }
                return Array(decoded.signingBytes[range])
            }
            let pallet = try #require(decoded.method.lastIndex { $0.kind == .pallet })
            #expect(stated(decoded.method[pallet]) == Array(whole[...(whole.count - inner.count)]))
            #expect(stated(decoded.method[pallet + 1]) == [inner[1]])
        }
    }

    @Test func theFirstOfSeveralFlagsStatesTheirInteger() throws {
        let flags = FixtureType.composite(
            path: ["BitFlags"], fields: [FixtureField(nil, .u64, typeName: nil)])
        let names = FixtureType.variant(
            path: ["Fields"], variants: [FixtureVariant("A", index: 1), FixtureVariant("B", index: 2)])
        var runtime = Self.runtime
        runtime.typeParameters = [flags: [FixtureParameter("T", names)]]
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", flags, typeName: nil)])]))
        let decoded = try runtime.decode(
            runtime.transactionBody(call: [99, 0, 3, 0, 0, 0, 0, 0, 0, 0]), .v14)
        let named = decoded.method.filter { $0.kind == .identityField }
        #expect(named.map(\.value) == ["A", "B"])
        #expect(named.map(\.coverage) == [.states(2..<10), .states(10..<10)])
    }

    // MARK: random types

    /// A random type of few levels, with names that special readings have.
    static func type(_ random: inout SeededGenerator, depth: Int = 0) -> FixtureType {
        let names = [
            "Option", "Era", "Data", "MultiAddress", "Junction", "AccountId32", "Perbill", "BitFlags", "Vote",
            "Bounded", "Result", "X",
        ]
        let kinds = depth > 2 ? 3 : 10
        switch Int.random(in: 0..<kinds, using: &random) {
        case 0: return .primitive([.bool, .u8, .u16, .u32, .u128, .i8, .str].randomElement(using: &random)!)
        case 1: return .bytes
        case 2: return .compact(.u32)
        case 3: return .sequence(type(&random, depth: depth + 1))
        case 4: return .array(UInt32.random(in: 0...3, using: &random), type(&random, depth: depth + 1))
        case 5:
            return .tuple(
                (0..<Int.random(in: 0...2, using: &random)).map { _ in type(&random, depth: depth + 1) })
        case 6: return .option(type(&random, depth: depth + 1))
        case 7:
            return .composite(
                path: ["any", names.randomElement(using: &random)!], fields: fields(&random, depth))
        default:
            let labels = ["None", "Some", "Raw1", "Immortal", "Address32", "AccountId32", "A", "B"]
            let indices = Array(0...5).shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
            return .variant(
                path: ["any", names.randomElement(using: &random)!],
                variants: indices.map {
                    FixtureVariant(
                        labels.randomElement(using: &random)!, index: UInt8($0),
                        fields: fields(&random, depth))
                })
        }
    }

    static func fields(_ random: inout SeededGenerator, _ depth: Int) -> [FixtureField] {
        let isNamed = Bool.random(using: &random)
        return (0..<Int.random(in: 0...2, using: &random)).map { index in
            FixtureField(isNamed ? "f\(index)" : nil, type(&random, depth: depth + 1), typeName: nil)
        }
    }

    /// The literal cards as a person sees them.
    static func literal(_ decoded: DecodedTransaction) -> [String] {
        lines(decoded.method.filter { !$0.isDerived })
    }

    /// Types of every kind, under every name that a special reading has: whatever two byte strings a type
    /// accepts, their cards differ, and what is accepted is covered.
    @Test func twoByteStringsOfOneTypeNeverHaveTheSameCards() throws {
        var random = SeededGenerator.printed("coverage")
        var (accepted, refused) = (0, 0)
        for _ in 0..<100 {
            var runtime = Self.runtime
            let call = FixtureVariant(
                "try", index: 0, fields: [FixtureField("it", Self.type(&random), typeName: nil)])
            runtime.pallets.append(FixturePallet("Types", index: 99, calls: [call]))
            let metadata = try RuntimeMetadata(runtime.metadata(.v14))
            var seen: [[String]: [UInt8]] = [:]
            for _ in 0..<40 {
                let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    UInt8([0, 1, 2, 3, 4, 5, 8, 0x41, 0xff].randomElement(using: &random)!)
                }
                do throws(ExtrinsicError) {
                    let decoded = try Extrinsics.decode(
                        body: runtime.transactionBody(call: [99, 0] + bytes), metadata: metadata,
                        specs: runtime.specs)
                    accepted += 1
                    Self.requireCovered(decoded)
                    let lines = Self.literal(decoded)
                    #expect(seen[lines] == nil || seen[lines] == bytes, "\(call.fields[0].type)")
                    seen[lines] = bytes
                } catch {
                    if error.reason == .notDeterminedByCards { refused += 1 }
                }
            }
        }
        #expect(accepted > 100, "only \(accepted) were accepted, \(refused) refused by their cards")
    }

    // MARK: what the cards cannot say

    static func refusal(_ type: FixtureType, _ bytes: [UInt8]) throws -> ExtrinsicError? {
        var runtime = runtime
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99,
                calls: [FixtureVariant("try", index: 0, fields: [FixtureField("it", type, typeName: nil)])]))
        let metadata = try RuntimeMetadata(runtime.metadata())
        do throws(ExtrinsicError) {
            _ = try Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0] + bytes), metadata: metadata, specs: runtime.specs
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func twoVariantsOfOneNameAreRefusedWithTheirPlace() throws {
        let twins = FixtureType.variant(
            path: ["Twins"], variants: [FixtureVariant("A", index: 0), FixtureVariant("A", index: 1)])
        // Whichever of the two it is: taking the first for both would find the bytes of that one.
        for index: UInt8 in [0, 1] {
            #expect(
                try Self.refusal(twins, [index])
                    == ExtrinsicError(.notDeterminedByCards, place: "call.Types.try.it.A"))
        }
    }

    @Test func twoCallsOfOneNameAreRefusedWithTheirPlace() throws {
        var runtime = Self.runtime
        runtime.pallets.append(
            FixturePallet(
                "Types", index: 99, calls: [FixtureVariant("try", index: 0), FixtureVariant("try", index: 1)])
        )
        let metadata = try RuntimeMetadata(runtime.metadata())
        for index: UInt8 in [0, 1] {
            #expect(throws: ExtrinsicError(.notDeterminedByCards, place: "call.Types.try")) {
                try Extrinsics.decode(
                    body: runtime.transactionBody(call: [99, index]), metadata: metadata, specs: runtime.specs
                )
            }
        }
    }

    @Test func anEraInAWiderFieldShowsByItsParts() throws {
        let wide = FixtureType.variant(
            path: ["Era"],
            variants: [
                FixtureVariant("Mortal181", index: 181, fields: [FixtureField(nil, .u32, typeName: nil)])
            ])
        #expect(try Self.refusal(wide, [0xb5, 1, 0, 0, 0]) == nil)
        #expect(
            try MeaningLaws.argument(wide, nil, [0xb5, 1, 0, 0, 0]) == [
                "enum_variant Mortal181 (variant 181 of Era)", "  number 1",
            ])
    }
}
