/// A decoded value. Names and types are not in it: they are those of the definition it was decoded by.
public indirect enum Value: Sendable, Equatable {
    case bool(Bool)
    case char(Unicode.Scalar)
    case text(String)
    /// u8 to u128, and compacts up to that width.
    case unsigned(UInt128)
    case signed(Int128)
    /// u256, i256 and compact u256: 32 bytes, least significant first.
    case wide([UInt8])
    /// Sequences and arrays of u8.
    case bytes([UInt8])
    /// Bits in the order of their indexes.
    case bits([Bool])
    /// Sequences and arrays of anything else.
    case list([Value])
    /// Fields of a composite or elements of a tuple.
    case record([Value])
    case variant(UInt8, [Value])
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
    public var string: String? {
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
