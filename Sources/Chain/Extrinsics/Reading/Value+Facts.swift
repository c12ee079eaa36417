import Cards
import Metadata
import SCALE
import SubstratePrimitives

extension Value {
    /// 32 or 20 bytes inside wrappers, or inside the variant of an address that holds an account.
    var account: [UInt8]? {
        switch unwrapped {
        case .bytes(let bytes): return bytes.count == 32 || bytes.count == 20 ? bytes : nil
        case .variant(0, let fields) where fields.count == 1: return fields[0].account
        default: return nil
        }
    }
}

extension Value {
    /// How many bytes or items a list inside wrappers has; nil for anything else.
    var length: Int? {
        switch unwrapped {
        case .bytes(let bytes): bytes.count
        case .list(let items): items.count
        case .bool, .char, .text, .unsigned, .signed, .wide, .bits, .record, .variant: nil
        }
    }

    /// What is wrong with the order of the keys of a set or a map; nil where they ascend, or where their
    /// order is unknown.
    ///
    /// A runtime reads a `BTreeSet` or a `BTreeMap` in any order and holds it sorted, without repetitions. To
    /// check a signature it encodes the call that it holds, so a signature over any other order is void.
    /// Source: paritytech/parity-scale-codec `src/codec.rs`.
    func disorder(isMap: Bool) -> Notice? {
        let keys: [Value]
        switch unwrapped {
        case .bytes(let bytes): keys = bytes.map { .unsigned(UInt128($0)) }
        case .list(let items):
            keys = items.map { item in
                guard isMap, case .record(let parts) = item, parts.count == 2 else { return item }
                return parts[0]
            }
        case .bool, .char, .text, .unsigned, .signed, .wide, .bits, .record, .variant: return nil
        }
        var isRepeated = false
        for (one, next) in zip(keys, keys.dropFirst()) {
            guard let order = Self.order(one, next) else { return nil }
            if order > 0 { return .unsorted }
            isRepeated = isRepeated || order == 0
        }
        return isRepeated ? .repeated : nil
    }

    /// Compares two values of one type like Rust's derived `Ord`: below 0, 0 or above 0; nil for bit
    /// sequences, because no key has one.
    ///
    /// Variants are compared by their index, which is their order in the source unless the source sets the
    /// indices itself.
    private static func order(_ one: Value, _ other: Value) -> Int? {
        func of<T: Comparable>(_ one: T, _ other: T) -> Int { one < other ? -1 : one == other ? 0 : 1 }
        func of(_ one: [UInt8], _ other: [UInt8]) -> Int {
            one.lexicographicallyPrecedes(other) ? -1 : one == other ? 0 : 1
        }
        func of(_ one: [Value], _ other: [Value]) -> Int? {
            for (one, other) in zip(one, other) {
                guard let order = order(one, other) else { return nil }
                if order != 0 { return order }
            }
            return of(one.count, other.count)
        }
        switch (one, other) {
        case (.bool(let one), .bool(let other)): return of(one ? 1 : 0, other ? 1 : 0)
        case (.char(let one), .char(let other)): return of(one.value, other.value)
        case (.text(let one), .text(let other)): return of(Array(one.utf8), Array(other.utf8))
        case (.unsigned(let one), .unsigned(let other)): return of(one, other)
        case (.signed(let one), .signed(let other)): return of(one, other)
        case (.wide(let one), .wide(let other)): return of(Array(one.reversed()), Array(other.reversed()))
        case (.bytes(let one), .bytes(let other)): return of(one, other)
        case (.list(let one), .list(let other)), (.record(let one), .record(let other)): return of(one, other)
        case (.variant(let one, let fields), .variant(let other, let others)):
            return one == other ? of(fields, others) : of(one, other)
        case (.bool, _), (.char, _), (.text, _), (.unsigned, _), (.signed, _), (.wide, _), (.bytes, _),
            (.bits, _), (.list, _),
            (.record, _), (.variant, _):
            return nil
        }
    }
}

extension Era {
    /// nil when the fields are not those of an era; throws when the two bytes are not an era.
    init?(variant first: UInt8, fields: [Value]) throws {
        var bytes = [first]
        switch fields.count {
        case 0 where first == 0: break
        case 1:
            guard first != 0, let second = fields[0].number, let byte = UInt8(exactly: second) else {
                return nil
            }
            bytes.append(byte)
        default: return nil
        }
        var reader = SCALEReader(bytes)
        try self.init(from: &reader)
    }
}

extension Hash32 {
    init?(value: Value) {
        guard let bytes = value.byteString else { return nil }
        self.init(bytes)
    }
}

extension UInt32 {
    init?(value: Value) {
        guard let number = value.number else { return nil }
        self.init(exactly: number)
    }
}

extension Field {
    /// A field with the name or number it has among others, so that it can be shown alone.
    func named(_ index: Int, of count: Int) -> Field {
        guard name == nil, count > 1 else { return self }
        return Field(name: "\(index + 1)", type: type, typeName: typeName, docs: docs)
    }
}
