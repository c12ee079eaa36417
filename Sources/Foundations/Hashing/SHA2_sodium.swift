import CSodium

/// SHA-256 (FIPS 180-4), through libsodium.
public enum SHA256 {
    /// 32 bytes.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256(&digest, message, UInt64(message.count))
        return digest
    }
}

/// SHA-512 (FIPS 180-4), through libsodium.
public enum SHA512 {
    /// 64 bytes.
    public static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        crypto_hash_sha512(&digest, message, UInt64(message.count))
        return digest
    }
}

/// SHA-256 of bytes that come in pieces, such as those of a file that is too large for memory.
public struct SHA256Stream {
    private var state = crypto_hash_sha256_state()

    public init() { crypto_hash_sha256_init(&state) }

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_hash_sha256_update(&state, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
    }

    /// The 32 bytes of the digest of everything so far.
    public consuming func digest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        crypto_hash_sha256_final(&state, &digest)
        return digest
    }
}
