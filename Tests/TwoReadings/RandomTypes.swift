import FixtureRuntime
import TestSupport

extension SeededGenerator {
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }
}

/// Types of the names that readers know, in shapes that they may not expect.
struct RandomTypes {
    /// Names that have a special reading, and names that have none.
    private static let paths = [
        "Option", "Result", "Era", "Data", "MultiAddress", "AccountId32", "Junction", "Bounded", "BitFlags",
        "Perbill", "Call",
        "RuntimeCall",
        "Source", "Box", "Plain", "",
    ]
    private static let names = [
        "None", "Some", "Ok", "Id", "Address32", "Raw", "Raw1", "Inline", "AccountId32", "id", "A",
    ]
    private static let typeNames: [String?] = [
        "BalanceOf<T>", "Option<Balance>", "Vec<Perbill>", "Percent", nil, nil,
    ]

    static func type(_ random: inout SeededGenerator, depth: Int = 0) -> FixtureType {
        guard depth < 4, random.below(4) > 0 else {
            return random.pick([
                .u8, .u16, .bool, .unit, .bytes, .array(32, .u8), .array(2, .u8), .compact(.u32),
                .compact(.u128), .string, .u64,
            ])
        }
        func inner() -> FixtureType { type(&random, depth: depth + 1) }
        switch random.below(6) {
        case 0: return .sequence(inner())
        case 1: return .tuple((0..<random.below(3)).map { _ in inner() })
        case 2: return .option(inner())
        case 3:
            return .composite(
                path: path(&random), fields: (0..<(1 + random.below(2))).map { _ in field(&random, depth) })
        default:
            var taken: Set<UInt8> = []
            let variants = (0..<(1 + random.below(3))).compactMap { _ -> FixtureVariant? in
                let index = UInt8(random.below(5))
                guard taken.insert(index).inserted else { return nil }
                let fields = (0..<random.below(3)).map { _ in field(&random, depth) }
                return FixtureVariant(random.pick(names), index: index, fields: fields)
            }
            return .variant(path: path(&random), variants: variants)
        }
    }

    private static func path(_ random: inout SeededGenerator) -> [String] {
        let ident = random.pick(paths)
        return ident.isEmpty ? [] : [ident]
    }

    private static func field(_ random: inout SeededGenerator, _ depth: Int) -> FixtureField {
        FixtureField(
            random.below(3) == 0 ? random.pick(names) : nil, type(&random, depth: depth + 1),
            typeName: random.pick(typeNames))
    }

    /// A value of a type.
    static func value(_ type: FixtureType, _ random: inout SeededGenerator) -> [UInt8] {
        switch type {
        case .primitive(.bool): return [UInt8(random.below(2))]
        case .primitive(.str): return FixtureValue.bytes(Array("ab".utf8.prefix(random.below(3))))
        case .primitive(let primitive):
            let widths: [FixtureType.Primitive: Int] = [
                .u8: 1, .i8: 1, .u16: 2, .i16: 2, .u32: 4, .i32: 4, .char: 4, .u64: 8, .i64: 8, .u128: 16,
                .i128: 16, .u256: 32, .i256: 32,
            ]
            return random.bytes(widths[primitive] ?? 0)
        case .compact: return FixtureValue.compact(UInt128(random.below(300)))
        case .sequence(let inner):
            return FixtureValue.vector((0..<random.below(3)).map { _ in value(inner, &random) })
        case .array(let count, let inner): return (0..<count).flatMap { _ in value(inner, &random) }
        case .tuple(let items): return items.flatMap { value($0, &random) }
        case .composite(_, let fields): return fields.flatMap { value($0.type, &random) }
        case .variant(_, let variants):
            guard !variants.isEmpty else { return [] }
            let variant = random.pick(variants)
            return [variant.index] + variant.fields.flatMap { value($0.type, &random) }
        case .bitSequence: return [0]
        case .runtimeCall:
            return FixtureRuntime.standard.call(
                "System", "remark", [FixtureValue.bytes(random.bytes(random.below(4)))])
        }
    }
}
