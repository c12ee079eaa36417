/// Appends SCALE values to a growing byte array; the counterpart of ``SCALEReader``.
public struct SCALEWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// The encoding that `body` writes.
    /// - Parameters:
    ///   - count: the bytes to reserve at once. For many megabytes a growing array would take three times as
    ///     much.
    ///   - body: appends the values.
    public static func encode(reserving count: Int = 0, _ body: (inout SCALEWriter) -> Void) -> [UInt8] {
        var writer = SCALEWriter()
        writer.bytes.reserveCapacity(count)
        body(&writer)
        return writer.bytes
    }

    /// Bytes as they are, with no length before them.
    public mutating func raw(_ raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    public mutating func u8(_ byte: UInt8) { bytes.append(byte) }

    public mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

    /// A fixed-width integer, least significant byte first.
    public mutating func integer<T: FixedWidthInteger>(_ value: T) {
        for shift in stride(from: 0, to: T.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> T(shift)))
        }
    }

    /// A compact integer in its shortest form.
    public mutating func compact(_ value: UInt64) {
        switch value {
        case 0..<(1 << 6): u8(UInt8(value << 2))
        case 0..<(1 << 14): integer(UInt16(value << 2 | 1))
        case 0..<(1 << 30): integer(UInt32(value << 2 | 2))
        default:
            let length = max(4, (64 - value.leadingZeroBitCount + 7) / 8)
            u8(UInt8((length - 4) << 2 | 3))
            for index in 0..<length { u8(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
        }
    }

    /// A compact integer of any width up to 536 bits from little-endian bytes.
    public mutating func compact(littleEndian wide: [UInt8]) {
        let significant = wide.prefix((wide.lastIndex { $0 != 0 } ?? -1) + 1)
        precondition(significant.count <= 67, "a compact integer has at most 67 bytes")
        guard significant.count > 8 else {
            return compact(
                significant.enumerated().reduce(UInt64(0)) {
                    $0 | UInt64($1.element) << UInt64(8 * $1.offset)
                })
        }
        u8(UInt8((significant.count - 4) << 2 | 3))
        raw(significant)
    }

    /// `Vec<u8>`
    public mutating func byteVector(_ vector: some Collection<UInt8>) {
        compact(UInt64(vector.count))
        raw(vector)
    }

    public mutating func string(_ text: String) { byteVector(Array(text.utf8)) }

    public mutating func option<T>(_ value: T?, _ element: (inout SCALEWriter, T) -> Void) {
        bool(value != nil)
        if let value { element(&self, value) }
    }

    public mutating func vector<T>(_ values: [T], _ element: (inout SCALEWriter, T) -> Void) {
        compact(UInt64(values.count))
        for value in values { element(&self, value) }
    }
}
