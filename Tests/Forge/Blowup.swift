import FixtureRuntime
import Metadata
import SCALE
import SubstratePrimitives

/// A small payload that asks for much work, much memory or much text.
public struct Blowup: Sendable {
    public let name: String
    /// Of a payload with a proof.
    public let proof: [UInt8]
    /// Compact length ‖ call ‖ extensions.
    public let body: [UInt8]

    public var size: Int { proof.count + body.count }
}

/// Types of one hostile proof, by their numbers.
public struct BlowupTypes {
    /// The outer call is type 0, the calls of its pallet are type 1.
    public static let outerCall = ForgedReference.id(0)
    private var leaves: [ForgedLeaf] = []
    private var next: UInt32 = 2
    private var calls: [ForgedLeaf] = []
    private var extra: [ForgedExtension] = []
    private var extraExplicit: [UInt8] = []

    public init() {}

    public mutating func add(_ definition: ForgedLeaf.Definition, path: [String] = []) -> ForgedReference {
        defer { next += 1 }
        leaves.append(ForgedLeaf(next, path: path, definition))
        return .id(next)
    }

    public mutating func enumeration(_ variants: [(String, UInt32, [ForgedField])], path: [String] = [])
        -> ForgedReference
    {
        defer { next += 1 }
        leaves += variants.map {
            ForgedLeaf(next, path: path, .variant(name: $0.0, fields: $0.2, index: $0.1))
        }
        return .id(next)
    }

    /// `Option` as it should be.
    public mutating func option(_ inner: ForgedReference) -> ForgedReference {
        enumeration([("None", 0, []), ("Some", 1, [ForgedField(nil, inner)])], path: ["Option"])
    }

    /// A call of the one pallet; its index is its place.
    public mutating func call(_ name: String, _ fields: [ForgedField]) {
        calls.append(
            ForgedLeaf(
                1, path: ["pallet", "Call"], .variant(name: name, fields: fields, index: UInt32(calls.count)))
        )
    }

    /// One more extension.
    public mutating func with(_ item: ForgedExtension, explicit: [UInt8]) {
        extra.append(item)
        extraExplicit += explicit
    }

    /// The payload's parts for a call that is given without the pallet's index.
    public mutating func blowup(_ name: String, _ runtime: FixtureRuntime, call: [UInt8]) -> Blowup {
        let hash = add(.array(32, .primitive(.u8)))
        let mode = enumeration([("Enabled", 1, [])])
        let some = option(hash)
        let outer = ForgedLeaf(
            0, path: ["runtime", "RuntimeCall"],
            .variant(name: "P", fields: [ForgedField(nil, .id(1))], index: 0))
        let info = ExtraInfo(
            RuntimeVersion(specName: runtime.specName, specVersion: runtime.specVersion), runtime.specs)
        let proof = ForgedProof(
            leaves: [outer] + calls + leaves.sorted { $0.id < $1.id }, call: Self.outerCall,
            extensions: extra + [
                ForgedExtension("CheckSpecVersion", .void, .primitive(.u32)),
                ForgedExtension("CheckGenesis", .void, hash),
                ForgedExtension("CheckMetadataHash", mode, some),
            ], info: info)
        return Blowup(
            name: name, proof: proof.encoded(),
            body: SCALEWriter.encode {
                $0.byteVector([0] + call)
                $0.raw(extraExplicit)
                $0.u8(1)
                $0.integer(runtime.specVersion)
                $0.raw(runtime.genesisHash.bytes)
                $0.u8(1)
                $0.raw(proof.hash)
            })
    }
}

extension Blowup {
    private static let runtime = FixtureRuntime.standard
    private static let long = String(repeating: "x", count: 10_000)

    /// Those that make more cards or text than anybody reads.
    public static let texts: [@Sendable () -> Blowup] = [
        nothings, longPath, longPathOfManyParts, longFieldNames, longVariantNames, longTypeOfCalls,
        callsInBytes, callsInBytesInBytes,
        amountsOfALongAsset, locationsOfLongNames, deepIndents, longExtensionNames,
    ]

    /// Those that take long and end in few cards, or in an error.
    public static let works: [@Sendable () -> Blowup] = [
        nestedTypeNames, elementsOfTypeNames, namesLookedUpAgain, manyExtensions, almostCalls,
        multisigsInside, assetsInside,
        callsThatNameAssets, deepCallsInBytes,
    ]

    /// The two that were tried on a program without limits: more than a minute of work, and 326 MB of JSON in
    /// 1.3 GB of memory.
    public static let issue: [@Sendable () -> Blowup] = [
        { nestedTypeNames(levels: 15_000) }, { longPath(length: 35_000) },
    ]

    /// Those that stay under every limit and are shown.
    public static let accepted: [@Sendable () -> Blowup] = [mostCards, mostText, mostFacts]

    /// As many cards as are shown.
    @Sendable public static func mostCards() -> Blowup {
        var types = BlowupTypes()
        types.call("go", [ForgedField("it", types.add(.array(4_000, .void)))])
        return types.blowup("accepted, 4,000 values of no bytes", runtime, call: [0])
    }

    /// As much text as is shown, on cards that one byte each makes long.
    @Sendable public static func mostText() -> Blowup {
        var types = BlowupTypes()
        let list = types.add(.array(200, types.enumeration([(long, 0, [])])))
        types.call("go", [ForgedField("it", list)])
        return types.blowup(
            "accepted, a long variant name 200 times", runtime, call: [0] + [UInt8](repeating: 0, count: 200))
    }

    /// As many cards as are shown, with as much text in their facts.
    @Sendable public static func mostFacts() -> Blowup {
        var types = BlowupTypes()
        let named = types.add(
            .composite([ForgedField(nil, .void)]), path: [String(repeating: "x", count: 1_500)])
        let list = types.add(.array(1_300, types.add(.composite([ForgedField("a", named)]))))
        types.call("go", [ForgedField("it", list)])
        return types.blowup("accepted, a path beside 1,300 fields", runtime, call: [0])
    }

    /// An array of values that take no bytes.
    @Sendable public static func nothings() -> Blowup {
        var types = BlowupTypes()
        let list = types.add(.array(60_000, .void))
        types.call("go", [ForgedField("it", list)])
        return types.blowup("60,000 values of no bytes", runtime, call: [0])
    }

    /// The path of a type stands beside each field of that type.
    @Sendable public static func longPath() -> Blowup { longPath(length: 10_000) }

    public static func longPath(length: Int) -> Blowup {
        var types = BlowupTypes()
        let named = types.add(
            .composite([ForgedField(nil, .void)]), path: [String(repeating: "x", count: length)])
        let list = types.add(.array(15_000, types.add(.composite([ForgedField("a", named)]))))
        types.call("go", [ForgedField("it", list)])
        return types.blowup("a path of \(length) bytes beside 15,000 fields", runtime, call: [0])
    }

    /// The parts of a path are joined by two colons each.
    @Sendable public static func longPathOfManyParts() -> Blowup {
        var types = BlowupTypes()
        let named = types.add(
            .composite([ForgedField(nil, .void)]), path: [String](repeating: "", count: 10_000))
        let list = types.add(.array(15_000, types.add(.composite([ForgedField("a", named)]))))
        types.call("go", [ForgedField("it", list)])
        return types.blowup("a path of many parts beside 15,000 fields", runtime, call: [0])
    }

    @Sendable public static func longFieldNames() -> Blowup {
        var types = BlowupTypes()
        let list = types.add(.array(20_000, types.add(.composite([ForgedField(long, .void)]))))
        types.call("go", [ForgedField("it", list)])
        return types.blowup("a long field name 20,000 times", runtime, call: [0])
    }

    @Sendable public static func longVariantNames() -> Blowup {
        var types = BlowupTypes()
        let list = types.add(.array(20_000, types.enumeration([(long, 0, [])])))
        types.call("go", [ForgedField("it", list)])
        return types.blowup(
            "a long variant name 20,000 times", runtime, call: [0] + [UInt8](repeating: 0, count: 20_000))
    }

    /// Calls whose own name is long, one byte each.
    @Sendable public static func longTypeOfCalls() -> Blowup {
        var types = BlowupTypes()
        let list = types.add(.sequence(BlowupTypes.outerCall))
        types.call("batch", [ForgedField("calls", list)])
        types.call(long, [])
        return types.blowup(
            "a batch of 8,000 calls of a long name", runtime,
            call: [0] + FixtureValue.vector([[UInt8]](repeating: [0, 1], count: 8_000)))
    }

    /// Bytes that hold a call are decoded once more, with a count of values of their own.
    @Sendable public static func callsInBytes() -> Blowup {
        var types = BlowupTypes()
        types.call("batch", [ForgedField("calls", types.add(.sequence(BlowupTypes.outerCall)))])
        types.call("inner", [ForgedField("it", types.add(.sequence(.void)))])
        types.call(
            "bytes", [ForgedField("call", types.add(.sequence(.primitive(.u8))), typeName: "OpaqueCall<T>")])
        let inner = [0, 1] + FixtureValue.compact(20_000)
        let calls = [[UInt8]](repeating: [0, 2] + FixtureValue.bytes(inner), count: 40)
        return types.blowup(
            "40 byte vectors that hold a call of 20,000 values", runtime,
            call: [0] + FixtureValue.vector(calls))
    }

    /// Four levels of bytes are looked into.
    @Sendable public static func callsInBytesInBytes() -> Blowup {
        var types = BlowupTypes()
        types.call("batch", [ForgedField("calls", types.add(.sequence(BlowupTypes.outerCall)))])
        types.call("inner", [ForgedField("it", types.add(.sequence(.void)))])
        types.call(
            "bytes", [ForgedField("call", types.add(.sequence(.primitive(.u8))), typeName: "OpaqueCall<T>")])
        var calls = [[0, 1] + FixtureValue.compact(15_000)]
        for _ in 0..<3 {
            let batch = [0, 0] + FixtureValue.vector(calls + calls + calls)
            calls = [[0, 2] + FixtureValue.bytes(batch)]
        }
        return types.blowup(
            "bytes that hold calls that hold bytes", runtime, call: [0] + FixtureValue.vector(calls + calls))
    }

    /// What an amount is in is said beside each amount.
    @Sendable public static func amountsOfALongAsset() -> Blowup {
        var types = BlowupTypes()
        let id = types.add(.sequence(.primitive(.u8)))
        let amounts = types.add(.sequence(.compact(width: 16)))
        let asset = types.add(
            .composite([ForgedField("id", id), ForgedField("fun", amounts, typeName: "Vec<Balance>")]),
            path: ["xcm", "Asset"])
        types.call("go", [ForgedField("it", asset)])
        let amount = FixtureValue.vector([[UInt8]](repeating: [4], count: 2_000))
        return types.blowup(
            "2,000 amounts of an asset with a long id", runtime,
            call: [0] + FixtureValue.bytes([UInt8](repeating: 255, count: 10_000)) + amount)
    }

    /// A location is one line of all the names in it.
    @Sendable public static func locationsOfLongNames() -> Blowup {
        var types = BlowupTypes()
        let junction = types.enumeration([(long, 0, [])], path: ["xcm", "Junction"])
        let interior = types.enumeration(
            [("X", 0, [ForgedField(nil, types.add(.array(2_000, junction)))])], path: ["xcm", "Junctions"])
        let location = types.add(
            .composite([ForgedField("parents", .primitive(.u8)), ForgedField("interior", interior)]),
            path: ["xcm", "Location"])
        types.call("go", [ForgedField("it", location)])
        return types.blowup(
            "a location of 2,000 junctions of a long name", runtime,
            call: [0, 0, 0] + [UInt8](repeating: 0, count: 2_000))
    }

    /// A line is moved to the right once a level.
    @Sendable public static func deepIndents() -> Blowup {
        var types = BlowupTypes()
        var inner = types.add(.array(50_000, .void))
        for _ in 0..<150 { inner = types.add(.composite([ForgedField("a", inner)])) }
        types.call("go", [ForgedField("it", inner)])
        return types.blowup("50,000 values 150 levels deep", runtime, call: [0])
    }

    /// An extension is named in front of both its parts.
    @Sendable public static func longExtensionNames() -> Blowup {
        var types = BlowupTypes()
        types.call("go", [])
        let named = types.enumeration([(long, 0, [])])
        for _ in 0..<3_000 { types.with(ForgedExtension("", named, .void), explicit: [0]) }
        return types.blowup("3,000 extensions of one long variant", runtime, call: [0])
    }

    // MARK: work

    /// What stands in the brackets of a type's name is copied at each level.
    @Sendable public static func nestedTypeNames() -> Blowup { nestedTypeNames(levels: 5_000) }

    public static func nestedTypeNames(levels: Int) -> Blowup {
        var types = BlowupTypes()
        let depth = 60
        var inner = ForgedReference.primitive(.u8)
        for _ in 0..<depth {
            let option = types.option(inner)
            inner = types.add(.composite([ForgedField(nil, option)]))
        }
        let list = types.add(.sequence(inner))
        let name =
            "Vec<" + String(repeating: "Option<", count: levels) + "u8"
            + String(repeating: ">", count: levels) + ">"
        types.call("go", [ForgedField("it", list, typeName: name)])
        let element = [UInt8](repeating: 1, count: depth) + [7]
        return types.blowup(
            "type names of \(levels) levels", runtime,
            call: [0] + FixtureValue.vector([[UInt8]](repeating: element, count: 15)))
    }

    /// The name of a tuple is taken apart once an element.
    @Sendable public static func elementsOfTypeNames() -> Blowup {
        var types = BlowupTypes()
        let tuple = types.add(.tuple([ForgedReference](repeating: .void, count: 2_000)))
        let list = types.add(.sequence(tuple))
        let name = "Vec<(" + [String](repeating: "A", count: 2_000).joined(separator: ",") + ")>"
        types.call("go", [ForgedField("it", list, typeName: name)])
        return types.blowup(
            "tuples with names for each element", runtime, call: [0] + FixtureValue.compact(10))
    }

    /// A type's name is looked up by all of its letters.
    @Sendable public static func namesLookedUpAgain() -> Blowup {
        var types = BlowupTypes()
        let name = String(repeating: "x", count: 100_000)
        let element = types.add(.composite([ForgedField("a", .void, typeName: name)]))
        types.call("go", [ForgedField("it", types.add(.array(30_000, element)))])
        return types.blowup("a long type name looked up 30,000 times", runtime, call: [0])
    }

    @Sendable public static func manyExtensions() -> Blowup {
        var types = BlowupTypes()
        types.call("go", [])
        for _ in 0..<8_000 { types.with(ForgedExtension("", .primitive(.u8), .void), explicit: [0]) }
        return types.blowup("8,000 extensions", runtime, call: [0])
    }

    /// Bytes that are a call but for their last byte are decoded before they are found to be none.
    @Sendable public static func almostCalls() -> Blowup {
        var types = BlowupTypes()
        types.call("batch", [ForgedField("calls", types.add(.sequence(BlowupTypes.outerCall)))])
        types.call("inner", [ForgedField("it", types.add(.sequence(.void)))])
        types.call(
            "bytes", [ForgedField("call", types.add(.sequence(.primitive(.u8))), typeName: "OpaqueCall<T>")])
        let almost = [0, 1] + FixtureValue.compact(65_000) + [0]
        let calls = [[UInt8]](repeating: [0, 2] + FixtureValue.bytes(almost), count: 150)
        return types.blowup(
            "150 byte vectors that are almost a call", runtime, call: [0] + FixtureValue.vector(calls))
    }

    /// A multisig encodes its call again to know the hash.
    @Sendable public static func multisigsInside() -> Blowup {
        var types = BlowupTypes()
        types.call("go", [ForgedField("it", types.add(.sequence(.void)))])
        let others = types.add(.sequence(types.add(.array(32, .primitive(.u8)))))
        types.call(
            "as_multi",
            [ForgedField("other_signatories", others), ForgedField("call", BlowupTypes.outerCall)])
        var call = [0] + FixtureValue.compact(50_000)
        for _ in 0..<90 { call = [1, 0, 0] + call }
        return types.blowup("90 multisigs around 50,000 values", runtime, call: call)
    }

    /// The id of an asset is encoded again wherever an asset stands.
    @Sendable public static func assetsInside() -> Blowup {
        var types = BlowupTypes()
        var inner = types.add(.array(50_000, .void))
        for _ in 0..<90 {
            inner = types.add(
                .composite([ForgedField("id", inner), ForgedField("fun", .void)]), path: ["xcm", "Asset"])
        }
        types.call("go", [ForgedField("it", inner)])
        return types.blowup("90 assets around 50,000 values", runtime, call: [0])
    }

    /// The asset of a call is read before its other arguments, and here it is another call.
    @Sendable public static func callsThatNameAssets() -> Blowup {
        var types = BlowupTypes()
        types.call("go", [ForgedField("id", BlowupTypes.outerCall, typeName: "AssetId")])
        types.call("end", [])
        let calls = [[UInt8]](repeating: [0, 0], count: 60).joined() + [0, 1]
        return types.blowup(
            "60 calls that name a call as their asset", runtime, call: Array(calls.dropFirst()))
    }

    /// Levels of calls in bytes stand on one stack with the levels around them.
    @Sendable public static func deepCallsInBytes() -> Blowup {
        var types = BlowupTypes()
        let levels = 190
        var inner = BlowupTypes.outerCall
        for _ in 0..<levels {
            inner = types.enumeration([("V", 0, [ForgedField("a", inner)])], path: ["Bounded"])
        }
        types.call("go", [ForgedField("it", inner)])
        types.call(
            "bytes", [ForgedField("call", types.add(.sequence(.primitive(.u8))), typeName: "OpaqueCall<T>")])
        types.call("end", [])
        let start = [0, 0] + [UInt8](repeating: 0, count: levels)
        var call = start + [0, 2]
        for _ in 0..<5 { call = start + [0, 1] + FixtureValue.bytes(call) }
        return types.blowup("calls in bytes, each 190 levels deep", runtime, call: Array(call.dropFirst()))
    }
}
