import CSodium

/// BLAKE2b (RFC 7693), through libsodium.
public enum BLAKE2b {
    /// An unkeyed digest of 1 to 64 bytes. The hash of a chain is 32 bytes, the SS58 checksum is cut from 64.
    public static func hash(_ bytes: some Sequence<UInt8>, length: Int = 32) -> [UInt8] {
        let input = Array(bytes)
        var digest = [UInt8](repeating: 0, count: length)
        let status = crypto_generichash(&digest, length, input, UInt64(input.count), nil, 0)
        precondition(status == 0, "BLAKE2b digests have 1 to 64 bytes")
        return digest
    }
}
