import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// A type, and different byte strings that are values of it.
struct Lookalike: Sendable, CustomTestStringConvertible {
    let name: String
    let type: FixtureType
    let encodings: [[UInt8]]
    var typeName: String?
    var parameters: [FixtureType: [FixtureParameter]] = [:]

    var testDescription: String { name }

    init(
        _ name: String, _ type: FixtureType, _ encodings: [[UInt8]], typeName: String? = nil,
        parameters: [FixtureType: [FixtureParameter]] = [:]
    ) {
        self.name = name
        self.type = type
        self.encodings = encodings
        self.typeName = typeName
        self.parameters = parameters
    }

    var runtime: FixtureRuntime {
        var runtime = FixtureRuntime.standard
        // An argument whose amounts are of the chain's own token.
        let call = FixtureVariant(
            "mint_claim", index: 0, fields: [FixtureField("value", type, typeName: typeName)])
        runtime.pallets.append(FixturePallet("Claims", index: 99, calls: [call]))
        runtime.typeParameters = parameters
        return runtime
    }
}

extension Lookalike {
    private static func enumeration(_ path: String, _ variants: (String, UInt8, [FixtureType])...)
        -> FixtureType
    {
        .variant(
            path: path.split(separator: ":", omittingEmptySubsequences: true).map(String.init),
            variants: variants.map { name, index, fields in
                FixtureVariant(
                    name, index: index, fields: fields.map { FixtureField(nil, $0, typeName: nil) })
            })
    }

    private static func composite(_ path: String, _ fields: FixtureType...) -> FixtureType {
        .composite(
            path: path.split(separator: ":", omittingEmptySubsequences: true).map(String.init),
            fields: fields.map { FixtureField(nil, $0, typeName: nil) })
    }

    private static let zeros = [UInt8](repeating: 0, count: 32)
    private static let hashed = FixtureType.array(32, .u8)

    static let options: [Lookalike] = [
        Lookalike(
            "option with two more variants",
            enumeration("Option", ("None", 0, []), ("Some", 1, [.u8]), ("A", 5, [.u8]), ("B", 6, [.u8])),
            [[1, 7], [5, 7], [6, 7]]),
        Lookalike(
            "option of two Somes", enumeration("Option", ("Some", 0, [.u8]), ("Some", 1, [.u8])),
            [[0, 7], [1, 7]]),
        Lookalike(
            "option turned round", enumeration("Option", ("Some", 0, [.u8]), ("None", 1, [])), [[0, 7], [1]]),
        Lookalike(
            "option of two Nones", enumeration("Option", ("None", 0, []), ("None", 1, [])), [[0], [1]]),
        Lookalike(
            "option whose None holds something",
            enumeration("Option", ("None", 0, [.u8]), ("Some", 1, [.u8])), [[0, 7], [1, 7]]),
        Lookalike(
            "option whose None is called ()", enumeration("Option", ("()", 0, []), ("Some", 1, [.unit])),
            [[0], [1]]),
        Lookalike(
            "option whose None is called []",
            enumeration("Option", ("[]", 0, []), ("Some", 1, [.sequence(.u16)])), [[0], [1, 0]]),
        Lookalike(
            "option in a box in an option", .option(composite("Box", .option(.u8))),
            [[0], [1, 0], [1, 1, 5]]),
        Lookalike(
            "option in a tuple in an option", .option(.tuple([.option(.u8)])), [[0], [1, 0], [1, 1, 5]]),
        Lookalike(
            "option in two boxes in an option", .option(composite("Box", composite("Box", .option(.unit)))),
            [[0], [1, 0], [1, 1]]),
        Lookalike("option in an option", .option(.option(.u8)), [[0], [1, 0], [1, 1, 5]]),
        Lookalike(
            "chain of options", FixtureType.options([1, 2, 3], then: .u8),
            [[1, 2, 3, 7]]),
        Lookalike(
            "chain with a choice", chain(3),
            [[0, 0, 0, 7], [0, 0, 1, 7], [0, 1, 0, 7], [1, 0, 0, 7], [1, 1, 1, 7]]),
        Lookalike(
            "some other Option",
            enumeration("my::Option", ("None", 0, []), ("Some", 1, [.u8]), ("Any", 2, [.u8])),
            [[1, 7], [2, 7]]),
    ]

    private static func chain(_ length: Int) -> FixtureType {
        (0..<length).reduce(FixtureType.u8) { inner, _ in
            composite("Box", enumeration("Option", ("A", 0, [inner]), ("B", 1, [inner])))
        }
    }

    static let enumerations: [Lookalike] = [
        Lookalike("variants of one name", enumeration("Choice", ("A", 0, []), ("A", 1, [])), [[0], [1]]),
        Lookalike(
            "variants of one name with fields", enumeration("Choice", ("A", 0, [.u8]), ("A", 1, [.u8])),
            [[0, 7], [1, 7]]),
        Lookalike(
            "result of two Oks", enumeration("Result", ("Ok", 0, [.u8]), ("Ok", 1, [.u8])),
            [[0, 7], [1, 7]]),
        Lookalike(
            "result with a third",
            enumeration("Result", ("Ok", 0, [.u8]), ("Err", 1, [.u8]), ("Ok", 2, [.u8])), [[0, 7], [2, 7]]),
        Lookalike(
            "pallets of one name",
            enumeration(
                "x::RuntimeCall", ("Balances", 0, [enumeration("a::Call", ("go", 0, []))]),
                ("Balances", 1, [enumeration("b::Call", ("go", 0, []))])),
            [[0, 0], [1, 0]]),
        Lookalike(
            "calls of one name",
            enumeration(
                "x::RuntimeCall", ("Balances", 0, [enumeration("a::Call", ("go", 0, []), ("go", 1, []))])),
            [[0, 0], [0, 1]]),
        Lookalike(
            "calls of one name outside a runtime call",
            enumeration("x::Call", ("P", 0, [enumeration("a::Call", ("go", 0, []), ("go", 1, []))])),
            [[0, 0], [0, 1]]),
        Lookalike(
            "variants of names that only look alike",
            enumeration("Choice", ("\u{e9}", 0, []), ("e\u{301}", 1, [])), [[0], [1]]),
        Lookalike(
            "era with another second part", enumeration("Era", ("Immortal", 0, []), ("Mortal85", 85, [.u16])),
            [[85, 0, 0], [85, 1, 0]]),
        Lookalike(
            "era whose second part is a list",
            enumeration("Era", ("Immortal", 0, [.u8]), ("Mortal85", 85, [.sequence(.u8)])),
            [[0, 1], [85, 4, 0], [85, 4, 1]]),
        Lookalike(
            "data with two parts", enumeration("Data", ("Raw1", 2, [.array(1, .u8), .u8])),
            [[2, 65, 1], [2, 65, 2]]),
        Lookalike(
            "data of two indices",
            enumeration("Data", ("Raw1", 2, [.array(1, .u8)]), ("Raw1", 3, [.array(1, .u8)])),
            [[2, 65], [3, 65]]),
        Lookalike(
            "data of no length", enumeration("Data", ("Raw", 1, [.bytes, .u8])),
            [[1, 4, 65, 1], [1, 4, 65, 2]]),
        Lookalike(
            "bounded with two parts", enumeration("Bounded", ("Inline", 1, [.bytes, .u8])),
            [[1, 4, 65, 1], [1, 4, 65, 2]]),
        Lookalike(
            "fungibility with two parts",
            enumeration("Fungibility", ("Fungible", 0, [.compact(.u128), .u8])), [[0, 4, 1], [0, 4, 2]]),
    ]

    static let accounts: [Lookalike] = [
        Lookalike(
            "address with two parts", enumeration("MultiAddress", ("Address32", 3, [hashed, .u8])),
            [[3] + zeros + [1], [3] + zeros + [2]]),
        Lookalike(
            "short address with two parts",
            enumeration("MultiAddress", ("Address20", 4, [.array(20, .u8), .u8])),
            [[4] + zeros.prefix(20) + [1], [4] + zeros.prefix(20) + [2]]),
        Lookalike(
            "addresses of one name",
            enumeration("MultiAddress", ("Address32", 3, [hashed]), ("Address32", 4, [hashed])),
            [[3] + zeros, [4] + zeros]),
        Lookalike(
            "address that is no account first",
            enumeration("MultiAddress", ("Address32", 3, [.bytes, hashed])),
            [[3, 0] + zeros, [3, 0] + zeros.dropLast() + [1]]),
        Lookalike(
            "source with two parts", enumeration("Source", ("Address20", 4, [.array(20, .u8), .u16])),
            [[4] + zeros.prefix(20) + [1, 0], [4] + zeros.prefix(20) + [2, 0]]),
        Lookalike(
            "account of any length", composite("AccountId32", .bytes),
            [[80] + zeros.prefix(20), [128] + zeros, [124] + zeros.dropLast()]),
        Lookalike(
            "account with two parts", composite("AccountId32", hashed, .u8), [zeros + [1], zeros + [2]]),
        Lookalike(
            "account that is a choice", enumeration("AccountId32", ("A", 0, [hashed]), ("B", 1, [hashed])),
            [[0] + zeros, [1] + zeros]),
        Lookalike(
            "junction with two ids",
            .variant(
                path: ["Junction"],
                variants: [
                    FixtureVariant(
                        "AccountId32", index: 1,
                        fields: [
                            FixtureField("id", hashed, typeName: nil),
                            FixtureField("id", .array(20, .u8), typeName: nil),
                            FixtureField("x", .u8, typeName: nil),
                        ])
                ]), [[1] + zeros + zeros.prefix(20) + [1], [1] + zeros + zeros.prefix(20) + [2]]),
    ]

    static let numbers: [Lookalike] = {
        let flags = composite("BitFlags", .u64)
        let names = enumeration("Fields", ("A", 1, []), ("A", 2, []), ("B", 4, []))
        func eight(_ byte: UInt8) -> [UInt8] { [byte, 0, 0, 0, 0, 0, 0, 0] }
        return [
            Lookalike(
                "flags of one name", flags,
                [eight(0), eight(1), eight(2), eight(3), eight(4), eight(5), eight(6)],
                parameters: [flags: [FixtureParameter("T", names)]]),
            Lookalike(
                "flags of a signed number", composite("BitFlags", .primitive(.i64)), [eight(1), eight(2)],
                parameters: [composite("BitFlags", .primitive(.i64)): [FixtureParameter("T", names)]]),
            Lookalike(
                "share with two parts", composite("Perbill", .u32, .u8), [[1, 0, 0, 0, 1], [1, 0, 0, 0, 2]]),
            Lookalike(
                "share of another width", composite("Perbill", .u128),
                (0...3).map { FixtureValue.integer(UInt128($0) << 126) }),
            Lookalike(
                "share that is cut", composite("PerU16", .u16),
                [0, 1, 2, 32767, 65534, 65535].map { FixtureValue.integer(UInt16($0)) }),
            Lookalike(
                "signed share", composite("FixedI128", .primitive(.i128)),
                [0, 1, -1, 10, -10, Int128.max, Int128.min].map { FixtureValue.integer($0) }),
            Lookalike(
                "share by its name", .u64, (0...3).map { FixtureValue.integer(UInt64($0) << 62) },
                typeName: "Percent"),
            Lookalike(
                "compact share", .compact(composite("Perbill", .u32)),
                (0...40).map { FixtureValue.compact(UInt128(25_000_000 * $0)) }),
            Lookalike(
                "amounts", .compact(.u128),
                [0, 1, 9, 10, 100, 999, 1000, 1001, 1_000_000, 1_000_001, .max].map {
                    FixtureValue.compact($0)
                },
                typeName: "BalanceOf<T>"),
            Lookalike(
                "lists of nothing", .sequence(.unit), (0...5).map { FixtureValue.compact(UInt128($0)) }),
            Lookalike(
                "lists of lists of nothing", .sequence(.sequence(.unit)),
                [[0], [4, 0], [8, 0, 0], [4, 4], [4, 8], [8, 4, 0], [8, 0, 4]]),
            Lookalike(
                "bytes that look like text", .bytes,
                ["0x", "0x41", "A", "\u{e9}", "e\u{301}"].map { FixtureValue.bytes(Array($0.utf8)) } + [
                    [4, 255]
                ]),
            Lookalike(
                "bits",
                .bitSequence(store: .u8, order: .composite(path: ["bitvec", "order", "Lsb0"], fields: [])),
                [[0], [4, 0], [4, 1], [8, 1]]),
        ]
    }()
}

/// A person must be able to tell any two byte strings apart by their cards; otherwise one of them can stand
/// for the other.
@Suite struct HiddenByteLaws {
    /// What a card says of the bytes: not what this side makes of them.
    static func literal(_ cards: [Card]) -> [[UInt8]] {
        cards.filter { !$0.isDerived }.map {
            Array("\($0.indent) \($0.kind.rawValue) ".utf8) + Array($0.value.utf8)
        }
    }

    /// Encodings that show the same cards.
    static func pairs(_ item: Lookalike, _ cards: ([UInt8]) -> [Card]?) -> [String] {
        let shown = item.encodings.compactMap { bytes in cards(bytes).map { (bytes, literal($0)) } }
        var equal: [String] = []
        for (place, first) in shown.enumerated() {
            for second in shown[(place + 1)...] where first.1 == second.1 {
                equal.append("\(Hex.encode(first.0)) = \(Hex.encode(second.0))")
            }
        }
        return equal
    }

    @Test(arguments: Lookalike.options + Lookalike.enumerations + Lookalike.accounts + Lookalike.numbers)
    func differentBytesHaveDifferentCards(item: Lookalike) throws {
        let runtime = item.runtime
        for version in FixtureRuntime.MetadataVersion.allCases {
            let metadata = try RuntimeMetadata(runtime.metadata(version))
            let equal = Self.pairs(item) { bytes in
                try? Extrinsics.decodeCall([99, 0] + bytes, metadata: metadata, specs: runtime.specs).cards
            }
            #expect(equal == [], "\(version)")
        }
    }

    @Test(arguments: Lookalike.options + Lookalike.enumerations + Lookalike.accounts + Lookalike.numbers)
    func differentBytesHaveDifferentCardsUnderAProof(item: Lookalike) throws {
        let runtime = item.runtime
        let forged = try ForgedProof(runtime)
        var reader = SCALEReader(forged.encoded())
        let proof = try MetadataProof(from: &reader)
        let values = FixtureExtensionValues(metadataHash: proof.hash)
        let equal = Self.pairs(item) { bytes in
            try? Extrinsics.decode(
                body: runtime.transactionBody(call: [99, 0] + bytes, values), proof: proof,
                specs: runtime.specs
            ).method
        }
        #expect(equal == [])
    }

    /// A proof and full metadata tell the same of every value. A proof has no flags, and no name of what a
    /// compact holds.
    @Test(arguments: Lookalike.options + Lookalike.enumerations + Lookalike.accounts)
    func aProofShowsWhatFullMetadataShows(item: Lookalike) throws {
        let runtime = item.runtime
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        let forged = try ForgedProof(runtime)
        var reader = SCALEReader(forged.encoded())
        let proof = try MetadataProof(from: &reader)
        for bytes in item.encodings {
            let body = runtime.transactionBody(
                call: [99, 0] + bytes, FixtureExtensionValues(metadataHash: proof.hash))
            let small = try? Extrinsics.decode(body: body, proof: proof, specs: runtime.specs)
            let full = try? Extrinsics.decode(body: body, metadata: metadata, specs: runtime.specs)
            #expect((small.map { Self.literal($0.method) }) == (full.map { Self.literal($0.method) }))
        }
    }

    // MARK: extensions

    static let extensionTypes:
        [(String, FixtureType, FixtureType, [(explicit: [UInt8], implicit: [UInt8])])] = {
            func enumeration(_ variants: (String, UInt8, [FixtureType])...) -> FixtureType {
                .variant(
                    path: ["Option"],
                    variants: variants.map { name, index, fields in
                        FixtureVariant(
                            name, index: index, fields: fields.map { FixtureField(nil, $0, typeName: nil) })
                    })
            }
            return [
                (
                    "CheckMetadataHash", enumeration(("Disabled", 0, [])), enumeration(("None", 0, [.u8])),
                    [([0], [0, 1]), ([0], [0, 2])]
                ),
                (
                    "CheckMetadataHash", .unit, enumeration(("None", 0, [.array(4, .u8)])),
                    [([], [0, 1, 2, 3, 4]), ([], [0, 1, 2, 3, 5])]
                ),
                (
                    "CheckMetadataHash", enumeration(("A", 0, []), ("A", 1, []), ("A", 2, [])), .unit,
                    [([0], []), ([2], [])]
                ),
                (
                    "Strange", enumeration(("A", 0, [.u8]), ("A", 1, [.u8])), .unit,
                    [([0, 7], []), ([1, 7], [])]
                ),
                (
                    "Strange", .unit, enumeration(("A", 0, [.u8]), ("A", 1, [.u8])),
                    [([], [0, 7]), ([], [1, 7])]
                ),
                (
                    "CheckNonce2", .tuple([.u8, enumeration(("A", 0, []), ("A", 1, []))]), .unit,
                    [([1, 0], []), ([1, 1], [])]
                ),
            ]
        }()

    @Test(arguments: extensionTypes.indices, FixtureRuntime.MetadataVersion.allCases)
    func differentExtensionBytesHaveDifferentCards(place: Int, version: FixtureRuntime.MetadataVersion) throws
    {
        let (name, explicit, implicit, encodings) = Self.extensionTypes[place]
        var runtime = FixtureRuntime.standard
        runtime.extensions.removeAll { $0.role == .metadataHash }
        runtime.extensions.append(FixtureExtension(name, .empty, explicit: explicit, implicit: implicit))
        let metadata = try RuntimeMetadata(runtime.metadata(version))
        let parts = runtime.extensionBytes()
        let call = runtime.transfer()
        let shown = encodings.compactMap { bytes -> [[UInt8]]? in
            let extensions = parts.explicit + bytes.explicit + parts.implicit + bytes.implicit
            let body = SCALEWriter.encode { $0.byteVector(call) } + extensions
            return (try? Extrinsics.decode(body: body, metadata: metadata, specs: runtime.specs)).map {
                Self.literal($0.extensions)
            }
        }
        #expect(Set(shown).count == shown.count)
    }
}
