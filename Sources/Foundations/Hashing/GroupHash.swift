/// The hash of threshold groups, T(tag, x…) = SHA-512(`HELIOGRAPH-GROUP-v1` ‖ u8(length of tag) ‖ tag ‖ x…).
/// The tag says what is hashed, so that a hash of one kind never passes for another.
public enum GroupHash {
    /// What stands in front of x: for callers that hash secrets in memory of their own.
    public static func prefix(_ tag: StaticString) -> [UInt8] {
        Array("HELIOGRAPH-GROUP-v1".utf8) + [UInt8(tag.utf8CodeUnitCount)] + Array(tag.description.utf8)
    }

    /// T, 64 bytes.
    public static func wide(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        SHA512.hash(prefix(tag) + message)
    }

    /// T32, the first 32 bytes of T: session, request, transcript and other names of public bytes.
    public static func short(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        Array(wide(tag, message)[..<32])
    }
}
