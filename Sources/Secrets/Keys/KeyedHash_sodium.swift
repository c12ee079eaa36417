import CSodium
import Hashing

/// BLAKE2b with a secret key of 16 to 64 bytes, through libsodium: a MAC, and a way to draw keys from a key.
public enum KeyedHash {
    /// A public value, such as a seal, of 1 to 64 bytes.
    public static func authenticate(_ message: [UInt8], key: borrowing SecretBytes, length: Int = 32)
        -> [UInt8]
    {
        var digest = [UInt8](repeating: 0, count: length)
        digest.withUnsafeMutableBytes { hash(message, key: key, into: $0) }
        return digest
    }

    /// Whether `seal` is what ``authenticate(_:key:length:)`` gives, in constant time.
    public static func verify(_ seal: [UInt8], message: [UInt8], key: borrowing SecretBytes) -> Bool {
        guard (16...64).contains(seal.count) else { return false }
        return sodium_memcmp(authenticate(message, key: key, length: seal.count), seal, seal.count) == 0
    }

    /// A secret of 16 to 64 bytes that depends on the key and on `context`, and tells nothing about other
    /// contexts.
    public static func derive(_ context: [UInt8], key: borrowing SecretBytes, length: Int) -> SecretBytes {
        let derived = SecretBytes(count: length)
        derived.withUnsafeMutableBytes { hash(context, key: key, into: $0) }
        return derived
    }

    /// Derives a secret from a key and a second secret, such as a key file.
    public static func derive(mixing secret: borrowing SecretBytes, key: borrowing SecretBytes, length: Int)
        -> SecretBytes
    {
        let derived = SecretBytes(count: length)
        derived.withUnsafeMutableBytes { out in
            secret.withUnsafeBytes { hash($0, key: key, into: out) }
        }
        return derived
    }

    private static func hash(
        _ message: [UInt8], key: borrowing SecretBytes, into out: UnsafeMutableRawBufferPointer
    ) {
        message.withUnsafeBytes { hash($0, key: key, into: out) }
    }

    private static func hash(
        _ message: UnsafeRawBufferPointer, key: borrowing SecretBytes, into out: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count >= 16, "keys have 16 to 64 bytes here")
        key.withUnsafeBytes { BLAKE2b.hash(message, key: $0, into: out) }
    }
}
