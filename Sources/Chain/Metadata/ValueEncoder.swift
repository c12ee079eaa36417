import SCALE

/// Writes decoded values back by their types: the inverse of ``ValueDecoder``, which keeps no bytes.
public struct ValueEncoder {
    /// The types to encode by.
    let types: TypeView
    /// Holds what was encoded so far.
    public private(set) var writer = SCALEWriter()

    /// An encoder that has written nothing yet.
    public init(types: TypeView) { self.types = types }

    /// The encoding of one value.
    /// - Throws: ``ValueError/Reason/mismatch`` for a value that is not of the type.
    public static func encode(_ value: Value, _ type: TypeReference, types: TypeView) throws(ValueError)
        -> [UInt8]
    {
        var encoder = ValueEncoder(types: types)
        try encoder.append(value, type)
        return encoder.writer.bytes
    }

    /// Appends one value to those written before.
    /// - Throws: ``ValueError/Reason/mismatch`` for a value that is not of the type. Bytes that were already
    ///   written for it stay.
    public mutating func append(_ value: Value, _ type: TypeReference) throws(ValueError) {
        let isOfType: Bool
        do throws(MetadataError) {
            isOfType = try encode(value, type)
        } catch {
            throw ValueError(.metadata(error.reason), path: [])
        }
        guard isOfType else { throw ValueError(.mismatch, path: []) }
    }

    /// false when the value is not of the type.
    private mutating func encode(_ value: Value, _ type: TypeReference) throws(MetadataError) -> Bool {
        let definition = try types.definition(type)
        if let content = try types.opaqueContent(of: definition) {
            guard case .record(let parts) = value, parts.count == 1 else { return false }
            var inner = ValueEncoder(types: types)
            guard try inner.encode(parts[0], content) else { return false }
            writer.byteVector(inner.writer.bytes)
            return true
        }
        switch (definition.shape, value) {
        case (.primitive(let primitive), _): return encode(value, primitive)
        case (.compact(let inner), _): return try encode(value, compact: inner)
        case (.composite(let fields), .record(let values)): return try encode(values, fields.map(\.type))
        case (.tuple(let elements), .record(let values)): return try encode(values, elements)
        case (.enumeration, .variant(let index, let values)):
            let variant = try types.variant(index, of: type)
            writer.u8(index)
            return try encode(values, variant.fields.map(\.type))
        case (.sequence, .bytes(let bytes)):
            writer.byteVector(bytes)
            return true
        case (.array(let count, _), .bytes(let bytes)):
            writer.raw(bytes)
            return bytes.count == Int(count)
        case (.sequence(let element), .list(let values)):
            writer.compact(UInt64(values.count))
            for value in values where try !encode(value, element) { return false }
            return true
        case (.array(let count, let element), .list(let values)):
            for value in values where try !encode(value, element) { return false }
            return values.count == Int(count)
        case (.bits(let storeBytes, let leastSignificantFirst), .bits(let bits)):
            encode(bits, storeBytes: storeBytes, leastSignificantFirst: leastSignificantFirst)
            return true
        default: return false
        }
    }

    private mutating func encode(_ values: [Value], _ types: [TypeReference]) throws(MetadataError) -> Bool {
        guard values.count == types.count else { return false }
        for (value, type) in zip(values, types) where try !encode(value, type) { return false }
        return true
    }

    private mutating func encode(_ value: Value, _ primitive: PrimitiveType) -> Bool {
        switch (primitive, value) {
        case (.bool, .bool(let flag)): writer.bool(flag)
        case (.char, .char(let scalar)): writer.integer(scalar.value)
        case (.str, .text(let text)): writer.string(text)
        case (.u256, .wide(let digits)), (.i256, .wide(let digits)):
            writer.raw(digits)
            return digits.count == 32
        case (_, .unsigned(let number)):
            guard primitive.isUnsigned, let width = primitive.width, width <= 16,
                number >> UInt128(8 * width) == 0 || width == 16
            else {
                return false
            }
            for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: number >> UInt128(8 * index))) }
        case (_, .signed(let number)):
            guard let width = primitive.signedWidth else { return false }
            let limit = width == 16 ? Int128.max : (Int128(1) << Int128(8 * width - 1)) - 1
            guard number <= limit, number >= -limit - 1 else { return false }
            for index in 0..<width { writer.u8(UInt8(truncatingIfNeeded: number >> Int128(8 * index))) }
        default: return false
        }
        return true
    }

    private mutating func encode(_ value: Value, compact inner: TypeReference) throws(MetadataError) -> Bool {
        guard let width = try types.compactInteger(inner)?.width else { return value.isVoid }
        switch value {
        case .unsigned(let number):
            guard width >= 16 || number >> UInt128(8 * width) == 0 else { return false }
            if let short = UInt64(exactly: number) {
                writer.compact(short)
                return true
            }
            writer.compact(
                littleEndian: (0..<16).map { UInt8(truncatingIfNeeded: number >> UInt128(8 * $0)) })
            return true
        case .wide(let digits):
            guard digits.count == 32, width == 32 else { return false }
            writer.compact(littleEndian: digits)
            return true
        default: return false
        }
    }

    private mutating func encode(_ bits: [Bool], storeBytes: Int, leastSignificantFirst: Bool) {
        let wordBits = 8 * storeBytes
        var bytes = [UInt8](repeating: 0, count: (bits.count + wordBits - 1) / wordBits * storeBytes)
        for (index, bit) in bits.enumerated() where bit {
            let inWord = leastSignificantFirst ? index % wordBits : wordBits - 1 - index % wordBits
            bytes[index / wordBits * storeBytes + inWord / 8] |= 1 << UInt8(inWord % 8)
        }
        writer.compact(UInt64(bits.count))
        writer.raw(bytes)
    }
}

extension PrimitiveType {
    /// Bytes of a signed integer of up to 128 bits; nil for anything else.
    public var signedWidth: Int? {
        switch self {
        case .i8, .i16, .i32, .i64, .i128: width
        default: nil
        }
    }
}
