/// Why bytes are not the SCALE encoding of what was asked for.
public struct SCALEError: Error, Equatable, Sendable {
    /// What is wrong with the bytes.
    public enum Reason: Sendable, Equatable {
        /// The bytes end before the value does.
        case truncated(needed: Int, available: Int)
        /// Bytes remain after the last value.
        case leftover(count: Int)
        /// A compact integer is not in its shortest form.
        case compactNotShortest
        /// A compact integer is wider than the type it is read as.
        case compactTooWide(bits: Int)
        /// A boolean byte other than 0 and 1, an unknown enum index, or an option byte other than 0 and 1.
        case invalidDiscriminant(UInt8)
        case invalidUTF8
        /// A sequence announces more elements than its remaining bytes can hold.
        case countExceedsInput(count: UInt64, available: Int)
    }

    public let reason: Reason
    /// Bytes from the start of the input.
    public let offset: Int

    public init(_ reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
