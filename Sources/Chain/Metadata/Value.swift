import SubstratePrimitives

/// A decoded value. It holds no names and no types: these are in the definition that it was decoded by.
public indirect enum Value: Sendable, Equatable {
    /// A bool.
    case bool(Bool)
    /// A char.
    case char(Unicode.Scalar)
    /// A str: valid UTF-8, of any length and any scalars.
    case text(String)
    /// u8 to u128, and compacts up to that width.
    case unsigned(UInt128)
    /// i8 to i128.
    case signed(Int128)
    /// u256, i256 and compact u256: 32 bytes, least significant first.
    case wide([UInt8])
    /// Sequences and arrays of u8.
    case bytes([UInt8])
    /// A bit sequence, in the order of indices.
    case bits([Bool])
    /// Sequences and arrays of anything else.
    case list([Value])
    /// Fields of a composite or elements of a tuple.
    case record([Value])
    /// The index of an enumeration's variant, and its fields.
    case variant(UInt8, [Value])

    /// Texts by their bytes: two readings of one payload are the same only if they encode alike.
    public static func == (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (.bool(let one), .bool(let other)): one == other
        case (.char(let one), .char(let other)): one == other
        case (.text(let one), .text(let other)): one.utf8Equals(other)
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.signed(let one), .signed(let other)): one == other
        case (.wide(let one), .wide(let other)): one == other
        case (.bytes(let one), .bytes(let other)): one == other
        case (.bits(let one), .bits(let other)): one == other
        case (.list(let one), .list(let other)): one == other
        case (.record(let one), .record(let other)): one == other
        case (.variant(let one, let fields), .variant(let other, let otherFields)):
            one == other && fields == otherFields
        case (.bool, _), (.char, _), (.text, _), (.unsigned, _), (.signed, _), (.wide, _), (.bytes, _),
            (.bits, _), (.list, _),
            (.record, _),
            (.variant, _):
            false
        }
    }
}

extension Value {
    /// The value inside wrappers of one field.
    public var unwrapped: Value {
        var inner = self
        while case .record(let parts) = inner, parts.count == 1 { inner = parts[0] }
        return inner
    }

    /// An unsigned integer inside any wrappers.
    public var number: UInt128? {
        guard case .unsigned(let number) = unwrapped else { return nil }
        return number
    }

    /// Text inside any wrappers.
    var string: String? {
        guard case .text(let text) = unwrapped else { return nil }
        return text
    }

    /// Bytes inside any wrappers.
    public var byteString: [UInt8]? {
        guard case .bytes(let bytes) = unwrapped else { return nil }
        return bytes
    }

    /// Whether the value encodes to nothing.
    public var isVoid: Bool {
        guard case .record(let parts) = self else { return false }
        return parts.allSatisfy(\.isVoid)
    }
}
