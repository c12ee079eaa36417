/// A hash of a protocol of this project, T(tag, x…) = SHA-512(domain ‖ u8(length of tag) ‖ tag ‖ x…). The
/// domain names the protocol and the tag says what is hashed, so that a hash of one kind never passes for
/// another.
public struct TaggedHash: Sendable {
    private let domain: StaticString

    /// Threshold groups.
    public static let group = TaggedHash(domain: "HELIOGRAPH-GROUP-v1")
    /// Guarded signatures, whose nonces two machines make together.
    public static let guarded = TaggedHash(domain: "HELIOGRAPH-GUARD-v1")

    /// What stands in front of x: for callers that hash secrets in memory of their own.
    /// - Parameter tag: at most 255 bytes.
    public func prefix(_ tag: StaticString) -> [UInt8] {
        Array(domain.description.utf8) + [UInt8(tag.utf8CodeUnitCount)] + Array(tag.description.utf8)
    }

    /// T, 64 bytes.
    /// - Parameters:
    ///   - tag: at most 255 bytes.
    ///   - message: x…, in the lengths that the protocol fixes.
    public func wide(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        SHA512.hash(prefix(tag) + message)
    }

    /// T32, the first 32 bytes of T.
    /// - Parameters:
    ///   - tag: at most 255 bytes.
    ///   - message: x…, in the lengths that the protocol fixes.
    public func short(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        Array(wide(tag, message)[..<32])
    }
}

/// The hash of threshold groups: ``TaggedHash`` with their domain.
public enum GroupHash {
    /// What stands in front of x: for callers that hash secrets in memory of their own.
    public static func prefix(_ tag: StaticString) -> [UInt8] { TaggedHash.group.prefix(tag) }

    /// T, 64 bytes.
    public static func wide(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        TaggedHash.group.wide(tag, message)
    }

    /// T32, the first 32 bytes of T: session, request, transcript and other names of public bytes.
    public static func short(_ tag: StaticString, _ message: [UInt8]) -> [UInt8] {
        TaggedHash.group.short(tag, message)
    }
}

/// The public hashes of guarded signatures: ``TaggedHash/guarded``, 32 bytes each.
public enum GuardHash {
    /// c, which fixes the online machine's random bytes before the signer has shown anything.
    /// - Parameter reveal: ρ, 32 random bytes.
    public static func commitment(to reveal: [UInt8]) -> [UInt8] {
        TaggedHash.guarded.short("commitment", reveal)
    }

    /// p, which names a payload in both rounds.
    /// - Parameter bytes: the transaction's own payload from its `53`, without what stands around it.
    public static func payload(_ bytes: [UInt8]) -> [UInt8] { TaggedHash.guarded.short("payload", bytes) }
}
