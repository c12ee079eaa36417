import CSodium
import Keys

/// The secret under which the store is sealed: 32 bytes. It exists only while the vault is unlocked.
struct SealKey: ~Copyable {
    static let length = 32
    /// Names the use of a key that is derived from the vault's data key.
    static let context = "heliograph store seal"

    private let secret: SecretBytes

    init(_ secret: consuming SecretBytes) {
        precondition(secret.count == Self.length, "a seal key has 32 bytes")
        self.secret = secret
    }

    /// Keyed BLAKE2b (RFC 7693) of the concatenated parts.
    func authenticate(_ parts: [[UInt8]], length: Int) -> [UInt8] {
        KeyedHash.authenticate(
            parts.count == 1 ? parts[0] : Array(parts.joined()), key: secret, length: length)
    }

    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }
}
