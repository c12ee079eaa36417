/// Where a member's share lies on the polynomial: a scalar that is not zero. Members of a group have 1…16, in
/// the order of the proposal; the mathematics takes any.
public struct Identifier: Sendable, Hashable, Comparable {
    let scalar: Scalar

    /// - Parameter index: 1 to 255.
    public init(_ index: Int) {
        precondition((1...255).contains(index), "an index has one byte and is not zero")
        scalar = Scalar(UInt8(index))
    }

    /// nil for zero, and for bytes that are no reduced scalar.
    init?(bytes: [UInt8]) {
        guard let scalar = Scalar(bytes: bytes), !scalar.isZero else { return nil }
        self.scalar = scalar
    }

    /// 32 bytes, little-endian.
    var bytes: [UInt8] { scalar.bytes }

    /// 1 to 255; nil for a larger identifier.
    public var index: Int? { scalar.bytes.dropFirst().allSatisfy { $0 == 0 } ? Int(scalar.bytes[0]) : nil }

    /// By value: the last byte counts most.
    public static func < (one: Identifier, other: Identifier) -> Bool {
        one.bytes.reversed().lexicographicallyPrecedes(other.bytes.reversed())
    }
}
