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
