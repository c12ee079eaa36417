/// A forward-only reader of SCALE values. Every read throws; ``finish()`` refuses leftovers.
///
/// All integers are little-endian. Only the shortest encoding of a value is accepted.
/// Source: Polkadot specification, appendix A.2.2 (SCALE codec).
public struct SCALEReader: Sendable {
    /// The storage that `offset` counts in; shared between sub-readers, never copied.
    public let bytes: [UInt8]
    /// Position of the next unread byte.
    public private(set) var offset: Int
    /// One past the last byte that this reader may touch.
    public let end: Int

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.offset = 0
        self.end = bytes.count
    }

    /// Reads `range` of `bytes` in place. The range must lie inside `bytes`.
    public init(_ bytes: [UInt8], range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range outside the bytes")
        self.bytes = bytes
        self.offset = range.lowerBound
        self.end = range.upperBound
    }

    public var remaining: Int { end - offset }

    public func error(_ reason: SCALEError.Reason) -> SCALEError { SCALEError(reason, offset: offset) }

    /// Refuses unread bytes.
    public func finish() throws(SCALEError) {
        if remaining != 0 { throw error(.leftover(count: remaining)) }
    }

    /// Moves past `count` bytes and returns their range in ``bytes``.
    @inlinable
    public mutating func range(count: Int) throws(SCALEError) -> Range<Int> {
        guard count >= 0, count <= remaining else {
            throw error(.truncated(needed: count, available: remaining))
        }
        let start = offset
        advance(by: count)
        return start..<(start + count)
    }

    @usableFromInline
    mutating func advance(by count: Int) { offset += count }

    public mutating func slice(count: Int) throws(SCALEError) -> ArraySlice<UInt8> {
        bytes[try range(count: count)]
    }

    public mutating func bytes(count: Int) throws(SCALEError) -> [UInt8] {
        Array(bytes[try range(count: count)])
    }

    /// Everything that is left.
    public mutating func rest() -> [UInt8] {
        let tail = Array(bytes[offset..<end])
        offset = end
        return tail
    }

    public mutating func u8() throws(SCALEError) -> UInt8 {
        guard offset < end else { throw error(.truncated(needed: 1, available: 0)) }
        let byte = bytes[offset]
        offset += 1
        return byte
    }

    /// A fixed-width integer, least significant byte first.
    public mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(SCALEError) -> T {
        let range = try range(count: T.bitWidth / 8)
        var value: T = 0
        var shift = 0
        for index in range {
            value |= T(truncatingIfNeeded: bytes[index]) << T(shift)
            shift += 8
        }
        return value
    }

    public mutating func bool() throws(SCALEError) -> Bool {
        let start = offset
        switch try u8() {
        case 0: return false
        case 1: return true
        case let byte: throw SCALEError(.invalidDiscriminant(byte), offset: start)
        }
    }

    /// A compact integer of up to 64 bits in its shortest form.
    public mutating func compact() throws(SCALEError) -> UInt64 {
        guard offset < end else { throw error(.truncated(needed: 1, available: 0)) }
        // The one-byte mode needs no array; nearly every compact of metadata is in it or in the two modes
        // after it.
        if bytes[offset] & 0b11 == 0 {
            offset += 1
            return UInt64(bytes[offset - 1] >> 2)
        }
        let start = offset
        switch bytes[start] & 0b11 {
        case 1: return try narrow(UInt64(try integer(UInt16.self) >> 2), floor: 1 << 6, start: start)
        case 2: return try narrow(UInt64(try integer(UInt32.self) >> 2), floor: 1 << 14, start: start)
        default: break
        }
        let wide = try compactLittleEndian()
        guard wide.count <= 8 else { throw SCALEError(.compactTooWide(bits: 64), offset: start) }
        return wide.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func narrow(_ value: UInt64, floor: UInt64, start: Int) throws(SCALEError) -> UInt64 {
        guard value >= floor else { throw SCALEError(.compactNotShortest, offset: start) }
        return value
    }

    /// A compact integer of any width (at most 536 bits) as little-endian bytes without leading zeros; zero
    /// is empty.
    public mutating func compactLittleEndian() throws(SCALEError) -> [UInt8] {
        let start = offset
        let first = try u8()
        switch first & 0b11 {
        case 0:
            return first == 0 ? [] : [first >> 2]
        case 1:
            let value = UInt16(first) | UInt16(try u8()) << 8
            return try shortest(UInt64(value >> 2), atLeast: 1 << 6, start: start)
        case 2:
            let high = try bytes(count: 3)
            let value = UInt32(first) | UInt32(high[0]) << 8 | UInt32(high[1]) << 16 | UInt32(high[2]) << 24
            return try shortest(UInt64(value >> 2), atLeast: 1 << 14, start: start)
        default:
            let wide = try bytes(count: Int(first >> 2) + 4)
            let small = wide.count == 4 && wide[3] < 0b0100_0000
            if wide.last == 0 || small { throw SCALEError(.compactNotShortest, offset: start) }
            return wide
        }
    }

    private func shortest(_ value: UInt64, atLeast floor: UInt64, start: Int) throws(SCALEError) -> [UInt8] {
        guard value >= floor else { throw SCALEError(.compactNotShortest, offset: start) }
        var rest = value
        var out: [UInt8] = []
        while rest > 0 {
            out.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return out
    }

    /// A sequence length, checked against the bytes that remain before anything is allocated.
    /// - Parameter minimumElementSize: the minimum bytes of one element; 0 leaves the count unchecked here.
    public mutating func count(minimumElementSize: Int = 1) throws(SCALEError) -> Int {
        let start = offset
        let announced = try compact()
        guard let count = Int(exactly: announced),
            minimumElementSize == 0 || count <= remaining / minimumElementSize
        else {
            throw SCALEError(.countExceedsInput(count: announced, available: remaining), offset: start)
        }
        return count
    }

    /// `Vec<u8>`
    public mutating func byteVector() throws(SCALEError) -> [UInt8] {
        try bytes(count: try count())
    }

    /// `String`: a byte vector of valid UTF-8.
    public mutating func string() throws(SCALEError) -> String {
        let start = offset
        let range = try range(count: try count())
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw SCALEError(.invalidUTF8, offset: start)
        }
        return text
    }

    public mutating func option<T>(_ element: (inout SCALEReader) throws(SCALEError) -> T) throws(SCALEError)
        -> T?
    {
        try bool() ? try element(&self) : nil
    }

    public mutating func vector<T>(
        minimumElementSize: Int = 1, _ element: (inout SCALEReader) throws(SCALEError) -> T
    ) throws(SCALEError) -> [T] {
        let count = try count(minimumElementSize: minimumElementSize)
        var out: [T] = []
        // A zero-size element leaves the count unchecked, so what is reserved stays bounded by the input.
        out.reserveCapacity(min(count, remaining))
        for _ in 0..<count { out.append(try element(&self)) }
        return out
    }
}
