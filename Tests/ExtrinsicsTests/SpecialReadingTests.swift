import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SubstratePrimitives
import Testing

/// The table of special readings, walked: each reads its standard shape, and every other shape under its
/// names shows by its parts.
@Suite struct SpecialReadingLaws {
    struct Sample {
        let type: FixtureType
        let bytes: [UInt8]
        let lines: [String]
        var typeName: String?
    }

    static func field(_ type: FixtureType, _ name: String? = nil, _ typeName: String? = nil) -> FixtureField {
        FixtureField(name, type, typeName: typeName)
    }

    static func enumeration(_ name: String, _ variants: FixtureVariant...) -> FixtureType {
        .variant(path: ["any", name], variants: variants)
    }

    static func structure(_ name: String, _ fields: FixtureField...) -> FixtureType {
        .composite(path: ["any", name], fields: fields)
    }

    static let account = Array(repeating: UInt8(7), count: 32)
    static let address = SS58Address(prefix: 42, account: account)!.text
    static let hex = "0x" + Hex.encode(account)

    static func integer(_ name: String) -> FixtureType {
        switch name {
        case "Percent": .u8
        case "PerU16": .u16
        case "Permill", "Perbill": .u32
        case "Perquintill", "FixedU64": .u64
        case "FixedI64": .primitive(.i64)
        case "FixedI128": .primitive(.i128)
        default: .u128
        }
    }

    /// One in a million parts, or so: the integer 1 of each.
    static func fractionLine(_ name: String) -> String {
        switch name {
        case "Percent": "1%"
        case "PerU16": "0.001525902189669642%"
        case "Permill": "0.0001%"
        case "Perbill": "0.0000001%"
        case "Perquintill": "0.0000000000000001%"
        case "FixedI64", "FixedU64": "0.000000001"
        default: "0.000000000000000001"
        }
    }

    static func width(_ name: String) -> Int {
        switch integer(name) {
        case .u8: 1
        case .u16: 2
        case .u32: 4
        case .u64, .primitive(.i64): 8
        default: 16
        }
    }

    static func standard(_ reading: SpecialReading) -> [Sample] {
        switch reading {
        case .option:
            return [
                Sample(type: .option(.u8), bytes: [0], lines: ["none None"]),
                Sample(type: .option(.u8), bytes: [1, 5], lines: ["number 5"]),
            ]
        case .account:
            return [
                Sample(
                    type: structure("AccountId32", field(.array(32, .u8))), bytes: account,
                    lines: ["account \(address)"]),
                Sample(
                    type: structure("AccountId20", field(.array(20, .u8))), bytes: Array(account.prefix(20)),
                    lines: ["account \(EthereumAddress(bytes: Array(account.prefix(20)))!.text)"]),
            ]
        case .accountOfAddress:
            let variants = [
                FixtureVariant("Address32", index: 3, fields: [field(.array(32, .u8))]),
                FixtureVariant("Address20", index: 4, fields: [field(.array(20, .u8))]),
            ]
            return reading.names.sorted().flatMap { name in
                let type = FixtureType.variant(path: ["any", name], variants: variants)
                return [
                    Sample(
                        type: type, bytes: [3] + account,
                        lines: ["enum_variant Address32", "  account \(address)"]),
                    Sample(
                        type: type, bytes: [4] + account.prefix(20),
                        lines: [
                            "enum_variant Address20",
                            "  account \(EthereumAddress(bytes: Array(account.prefix(20)))!.text)",
                        ]),
                ]
            }
        case .accountOfJunction:
            let type = enumeration(
                "Junction",
                FixtureVariant(
                    "AccountId32", index: 1,
                    fields: [field(.option(.u8), "network"), field(.array(32, .u8), "id")]))
            return [
                Sample(
                    type: type, bytes: [1, 0] + account,
                    lines: [
                        "enum_variant AccountId32", "  field_name network", "    none None",
                        "  field_name id", "    account \(address)",
                    ])
            ]
        case .era:
            return [
                Sample(type: StandardTypes.era, bytes: [0], lines: ["era_immortal Immortal"]),
                Sample(type: StandardTypes.era, bytes: [0xb5, 1], lines: ["era_mortal phase 27, period 64"]),
            ]
        case .identityText:
            let type = enumeration("Data", FixtureVariant("Raw2", index: 3, fields: [field(.array(2, .u8))]))
            return [
                Sample(type: type, bytes: [3, 0x68, 0x69], lines: ["enum_variant Raw2", "  text hi"]),
                Sample(type: type, bytes: [3, 0, 1], lines: ["enum_variant Raw2", "  bytes 0x0001"]),
            ]
        // Without the type's parameter, as a proof has it, flags are a number.
        case .flags:
            return [
                Sample(
                    type: structure("BitFlags", field(.u64)), bytes: [5, 0, 0, 0, 0, 0, 0, 0],
                    lines: ["number 5"])
            ]
        case .fraction:
            return reading.names.sorted().map { name in
                Sample(
                    type: structure(name, field(integer(name))),
                    bytes: [1] + Array(repeating: 0, count: width(name) - 1),
                    lines: ["number \(fractionLine(name))"])
            }
        case .wide:
            let most = UInt128.max
            return [
                Sample(
                    type: structure("U256", field(.array(4, .u64))),
                    bytes: [1] + Array(repeating: 0, count: 31), lines: ["number 1"]),
                Sample(
                    type: structure("U256", field(.array(4, .u64))),
                    bytes: Array(repeating: 0xff, count: 16) + Array(repeating: 0, count: 16),
                    lines: ["number \(most)"]),
                Sample(
                    type: structure("U256", field(.array(4, .u64))), bytes: Array(repeating: 0xff, count: 32),
                    lines: [
                        """
                        number 115792089237316195423570985008687907853269984665640564039457584007913129639935
                        """
                    ]),
                Sample(
                    type: structure("U256", field(.array(4, .u64))),
                    bytes: Array(repeating: 0, count: 16) + [1] + Array(repeating: 0, count: 15),
                    lines: ["number 340282366920938463463374607431768211456"]),
            ]
        case .vote:
            let type = structure("Vote", field(.u8))
            return [
                Sample(type: type, bytes: [0x86], lines: ["number aye, locked 6x"]),
                Sample(type: type, bytes: [6], lines: ["number nay, locked 6x"]),
                Sample(type: type, bytes: [0x80], lines: ["number aye, not locked"]),
            ]
        case .configOperation:
            let type = enumeration(
                "ConfigOp", FixtureVariant("Noop", index: 0),
                FixtureVariant("Set", index: 1, fields: [field(.u128, nil, "T")]),
                FixtureVariant("Remove", index: 2))
            return [
                Sample(
                    type: type, bytes: [1, 0, 0x10, 0xa5, 0xd4, 0xe8] + Array(repeating: 0, count: 11),
                    lines: ["enum_variant Set", "  balance 1.000000000000 HLO"],
                    typeName: "ConfigOp<BalanceOf<T>>"),
                Sample(
                    type: type, bytes: [0], lines: ["enum_variant Noop"], typeName: "ConfigOp<BalanceOf<T>>"),
            ]
        case .fungibleAmount:
            let type = enumeration(
                "Fungibility", FixtureVariant("Fungible", index: 0, fields: [field(.compact(.u128))]))
            return [Sample(type: type, bytes: [0, 4], lines: ["enum_variant Fungible", "  balance 1 pHLO"])]
        case .call:
            return reading.names.sorted().map { name in
                Sample(
                    type: calls(name, inner: "Call"), bytes: [3, 2, 9],
                    lines: ["pallet P", "  call c", "    number 9"])
            }
        case .opaque:
            return reading.names.sorted().map { name in
                Sample(
                    type: structure(name, field(.compact(.u32)), field(.u16)), bytes: [8, 5, 0],
                    lines: ["number 5"])
            }
        case .amount:
            return [
                Sample(type: .compact(.u128), bytes: [4], lines: ["balance 1 pHLO"], typeName: "T::Balance"),
                Sample(
                    type: .u32, bytes: [1, 0, 0, 0], lines: ["balance 1 pHLO"], typeName: "BalanceOf<T, I>"),
            ]
        case .text:
            return [
                Sample(type: .bytes, bytes: [8, 0x68, 0x69], lines: ["text hi"]),
                Sample(type: .bytes, bytes: [8, 0, 1], lines: ["bytes 0x0001"]),
            ]
        }
    }

    static func calls(_ name: String, inner: String, fields: [FixtureField] = []) -> FixtureType {
        let call = FixtureType.variant(
            path: ["any", inner], variants: [FixtureVariant("c", index: 2, fields: [field(.u8)])])
        return .variant(
            path: ["any", name], variants: [FixtureVariant("P", index: 3, fields: [field(call)] + fields)])
    }

    static func near(_ reading: SpecialReading) -> [Sample] {
        switch reading {
        case .option:
            return [
                Sample(
                    type: enumeration("Option", FixtureVariant("Nothing", index: 0)), bytes: [0],
                    lines: ["enum_variant Nothing (variant 0 of any::Option)"]),
                Sample(
                    type: enumeration("Option", FixtureVariant("Some", index: 2, fields: [field(.u8)])),
                    bytes: [2, 5],
                    lines: ["enum_variant Some (variant 2 of any::Option)", "  number 5"]),
                Sample(
                    type: enumeration("Option", FixtureVariant("None", index: 1)), bytes: [1],
                    lines: ["enum_variant None (variant 1 of any::Option)"]),
                Sample(
                    type: enumeration("Option", FixtureVariant("Other", index: 1, fields: [field(.u8)])),
                    bytes: [1, 5],
                    lines: ["enum_variant Other (variant 1 of any::Option)", "  number 5"]),
                Sample(
                    type: enumeration("Option", FixtureVariant("Some", index: 1, fields: [field(.u8, "x")])),
                    bytes: [1, 5],
                    lines: [
                        """
                        enum_variant Some (variant 1 of any::Option)
                        """, "  field_name x", "    number 5",
                    ]),
                Sample(
                    type: enumeration(
                        "Option", FixtureVariant("Some", index: 1, fields: [field(.u8), field(.u8)])),
                    bytes: [1, 5, 6],
                    lines: [
                        "enum_variant Some (variant 1 of any::Option)", "  field_number 1", "    number 5",
                        "  field_number 2",
                        "    number 6",
                    ]),
                Sample(
                    type: enumeration("Option", FixtureVariant("None", index: 0, fields: [field(.u8)])),
                    bytes: [0, 5],
                    lines: ["enum_variant None (variant 0 of any::Option)", "  number 5"]),
                // A wrapper that does not show stands between two options.
                Sample(
                    type: .option(structure("Wrapper", field(.option(.u8)))), bytes: [1, 0],
                    lines: ["enum_variant Some", "  none None"]),
            ]
        case .account:
            return [
                Sample(
                    type: structure("AccountId32", field(.array(32, .u8), "inner")), bytes: account,
                    lines: [
                        "notice any::AccountId32 does not have the standard shape for its name",
                        "field_name inner", "  bytes \(hex)",
                    ]),
                Sample(
                    type: structure("AccountId32", field(.array(20, .u8))), bytes: Array(account.prefix(20)),
                    lines: [
                        "notice any::AccountId32 does not have the standard shape for its name",
                        "bytes 0x" + Hex.encode(account.prefix(20)),
                    ]),
                Sample(
                    type: structure("AccountId32", field(.bytes)), bytes: [128] + account,
                    lines: [
                        "notice any::AccountId32 does not have the standard shape for its name",
                        "bytes \(hex)",
                    ]),
            ]
        case .accountOfAddress:
            return [
                Sample(
                    type: enumeration(
                        "MultiAddress",
                        FixtureVariant("Address32", index: 3, fields: [field(.array(20, .u8))])),
                    bytes: [3] + account.prefix(20),
                    lines: [
                        "enum_variant Address32 (variant 3 of any::MultiAddress)",
                        "  bytes 0x" + Hex.encode(account.prefix(20)),
                    ]),
                Sample(
                    type: enumeration(
                        "MultiAddress",
                        FixtureVariant("Address32", index: 3, fields: [field(.array(32, .u8), "x")])),
                    bytes: [3] + account,
                    lines: [
                        "enum_variant Address32 (variant 3 of any::MultiAddress)", "  field_name x",
                        "    bytes \(hex)",
                    ]),
                Sample(
                    type: enumeration(
                        "MultiAddress",
                        FixtureVariant("Address32", index: 4, fields: [field(.array(32, .u8))])),
                    bytes: [4] + account,
                    lines: ["enum_variant Address32 (variant 4 of any::MultiAddress)", "  bytes \(hex)"]),
            ]
        case .accountOfJunction:
            return [
                Sample(
                    type: enumeration(
                        "Junction",
                        FixtureVariant("AccountId32", index: 1, fields: [field(.array(20, .u8), "id")])),
                    bytes: [1] + account.prefix(20),
                    lines: [
                        "enum_variant AccountId32 (variant 1 of any::Junction)", "  field_name id",
                        "    bytes 0x" + Hex.encode(account.prefix(20)),
                    ]),
                Sample(
                    type: enumeration(
                        "Junction", FixtureVariant("AccountId32", index: 1, fields: [field(.array(32, .u8))])),
                    bytes: [1] + account,
                    lines: ["enum_variant AccountId32 (variant 1 of any::Junction)", "  bytes \(hex)"]),
            ]
        case .era:
            return [
                Sample(
                    type: enumeration("Era", FixtureVariant("Mortal181", index: 181, fields: [field(.u16)])),
                    bytes: [181, 1, 0],
                    lines: ["enum_variant Mortal181 (variant 181 of any::Era)", "  number 1"]),
                Sample(
                    type: enumeration("Era", FixtureVariant("Mortal181", index: 5, fields: [field(.u8)])),
                    bytes: [5, 1],
                    lines: ["enum_variant Mortal181 (variant 5 of any::Era)", "  number 1"]),
                Sample(
                    type: enumeration("Era", FixtureVariant("Immortal", index: 0, fields: [field(.unit)])),
                    bytes: [0],
                    lines: ["enum_variant Immortal (variant 0 of any::Era)", "  none ()"]),
            ]
        case .identityText:
            return [
                Sample(
                    type: enumeration(
                        "Data", FixtureVariant("Raw2", index: 3, fields: [field(.array(3, .u8))])),
                    bytes: [3, 0x68, 0x69, 0x6a],
                    lines: ["enum_variant Raw2 (variant 3 of any::Data)", "  bytes 0x68696a"]),
                Sample(
                    type: enumeration(
                        "Data", FixtureVariant("Raw3", index: 3, fields: [field(.array(2, .u8))])),
                    bytes: [3, 0x68, 0x69],
                    lines: ["enum_variant Raw3 (variant 3 of any::Data)", "  bytes 0x6869"]),
                Sample(
                    type: enumeration(
                        "Data", FixtureVariant("Raw2", index: 4, fields: [field(.array(2, .u8))])),
                    bytes: [4, 0x68, 0x69],
                    lines: ["enum_variant Raw2 (variant 4 of any::Data)", "  bytes 0x6869"]),
            ]
        case .flags:
            return [
                Sample(
                    type: structure("BitFlags", field(.u128)), bytes: [5] + Array(repeating: 0, count: 15),
                    lines: ["notice any::BitFlags does not have the standard shape for its name", "number 5"])
            ]
        case .fraction:
            return [
                Sample(
                    type: structure("Perbill", field(.u64)), bytes: [1, 0, 0, 0, 0, 0, 0, 0],
                    lines: ["notice any::Perbill does not have the standard shape for its name", "number 1"])
            ]
        case .wide:
            let words: [String] = (1...4).flatMap { ["field_number \($0)", "  number \($0)"] }
            let bytes = (1...4).flatMap { FixtureValue.integer(UInt64($0)) }
            let notice = "notice any::U256 does not have the standard shape for its name"
            return [
                Sample(type: structure("U512", field(.array(4, .u64))), bytes: bytes, lines: words),
                Sample(
                    type: structure("U256", field(.array(3, .u64))), bytes: Array(bytes.prefix(24)),
                    lines: [notice] + words.prefix(6)),
                Sample(
                    type: structure("U256", field(.array(2, .u64), "words")), bytes: Array(bytes.prefix(16)),
                    lines: [notice, "field_name words"] + words.prefix(4).map { "  " + $0 }),
                Sample(
                    type: structure("U256", field(.array(4, .u32))),
                    bytes: (1...4).flatMap { FixtureValue.integer(UInt32($0)) }, lines: [notice] + words),
            ]
        case .vote:
            return [
                Sample(
                    type: enumeration("Vote", FixtureVariant("Aye", index: 6)), bytes: [6],
                    lines: ["enum_variant Aye"]),
                Sample(type: structure("Vote", field(.u16)), bytes: [6, 0], lines: ["number 6"]),
                Sample(type: structure("Vote", field(.u8)), bytes: [7], lines: ["number 7"]),
            ]
        case .configOperation:
            return [
                Sample(
                    type: enumeration(
                        "ConfigOp", FixtureVariant("Set", index: 2, fields: [field(.u8, nil, "T")])),
                    bytes: [2, 5],
                    lines: ["enum_variant Set", "  number 5"], typeName: "ConfigOp<BalanceOf<T>>")
            ]
        case .fungibleAmount:
            return [
                Sample(
                    type: enumeration(
                        "Fungibility", FixtureVariant("Fungible", index: 0, fields: [field(.bool)])),
                    bytes: [0, 1],
                    lines: ["enum_variant Fungible (variant 0 of any::Fungibility)", "  bool true"]),
                Sample(
                    type: enumeration(
                        "Fungibility", FixtureVariant("Fungible", index: 1, fields: [field(.compact(.u128))])),
                    bytes: [1, 4],
                    lines: ["enum_variant Fungible (variant 1 of any::Fungibility)", "  number 1"]),
            ]
        case .call:
            return [
                Sample(
                    type: calls("Call", inner: "Other"), bytes: [3, 2, 9],
                    lines: ["enum_variant P", "  enum_variant c", "    number 9"]),
                Sample(
                    type: calls("Call", inner: "Call", fields: [field(.u8)]), bytes: [3, 2, 9, 7],
                    lines: [
                        "enum_variant P", "  field_number 1", "    enum_variant c", "      number 9",
                        "  field_number 2", "    number 7",
                    ]),
            ]
        case .opaque:
            return [
                Sample(
                    type: structure("WrapperOpaque", field(.compact(.u64)), field(.u16)), bytes: [8, 5, 0],
                    lines: ["field_number 1", "  number 2", "field_number 2", "  number 5"]),
                Sample(
                    type: structure("WrapperOpaque", field(.compact(.u32), "length"), field(.u16, "content")),
                    bytes: [8, 5, 0],
                    lines: ["field_name length", "  number 2", "field_name content", "  number 5"]),
            ]
        case .amount:
            return [
                Sample(type: .bool, bytes: [1], lines: ["bool true"], typeName: "Balance"),
                Sample(
                    type: .primitive(.u256), bytes: [1] + Array(repeating: 0, count: 31), lines: ["number 1"],
                    typeName: "Balance"),
                Sample(type: .primitive(.i8), bytes: [1], lines: ["number 1"], typeName: "Balance"),
            ]
        case .text: return [Sample(type: .array(2, .u8), bytes: [0x68, 0x69], lines: ["bytes 0x6869"])]
        }
    }

    @Test(arguments: SpecialReading.allCases)
    func aReadingIsForItsStandardShapeOnly(reading: SpecialReading) throws {
        #expect(!reading.shape.isEmpty && !reading.source.isEmpty)
        for sample in Self.standard(reading) + Self.near(reading) {
            #expect(try MeaningLaws.argument(sample.type, sample.typeName, sample.bytes) == sample.lines)
        }
    }

    @Test func noTypeHasTwoReadingsByName() {
        let names = SpecialReading.allCases.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }
}
