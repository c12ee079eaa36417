/// Comparison of text by its UTF-8 bytes, for text that decides trust.
///
/// `==`, `hasPrefix`, `contains` and sets of `String` go by canonical equivalence and graphemes (The Unicode
/// Standard, 3.7 and UAX #29): the Kelvin sign U+212A equals `K`, and `0x` followed by a combining mark does
/// not start with `0x`. Two texts are the same here when their bytes are.
extension StringProtocol {
    public func utf8Equals(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    public func utf8Starts(with prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    public func utf8Ends(with suffix: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Whether the bytes of `part` occur in a row; true for an empty part. Time grows with the product of the
    /// lengths, so use it for short parts.
    public func utf8Contains(_ part: some StringProtocol) -> Bool {
        var rest = utf8[...]
        while true {
            if rest.starts(with: part.utf8) { return true }
            guard rest.popFirst() != nil else { return false }
        }
    }
}

/// Comparison of bytes for `String` itself. Cards compare millions of names, so this compares the lengths
/// first and saves the cost of a generic call.
extension String {
    public func utf8Equals(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let inPlace = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return (inPlace ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// Whether both are nil, or neither is and their bytes are the same.
    public func utf8Equals(_ other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.utf8Equals(other)
    }
}

extension Sequence where Element: StringProtocol {
    /// Whether an element has exactly these bytes.
    public func containsUTF8(of text: some StringProtocol) -> Bool { contains { $0.utf8Equals(text) } }
}

extension Sequence where Element: StringProtocol {
    /// Whether both have the same texts, byte by byte and in the same order.
    public func utf8ElementsEqual(_ other: some Sequence<some StringProtocol>) -> Bool {
        elementsEqual(other) { $0.utf8Equals($1) }
    }
}

/// Text that equals only the same bytes: for keys of dictionaries and sets, and for a `switch` over names.
public struct ExactText: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    public let text: String

    /// The text itself.
    public var description: String { text }
    /// The bytes that are compared.
    public var utf8: String.UTF8View { text.utf8 }

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }

    public static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8Equals(other.text) }

    /// By the bytes too: a hash of the canonical form would put all equivalent spellings of a stranger's name
    /// in one place of a dictionary.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // As the standard library ends a text: two texts in one hasher are then told from two others of the
        // same bytes.
        hasher.combine(UInt8.max)
    }
}
