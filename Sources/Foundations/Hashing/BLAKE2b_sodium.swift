import CSodium

/// BLAKE2b (RFC 7693), through libsodium.
public enum BLAKE2b {
    /// An unkeyed digest of 1 to 64 bytes. The hash of a chain is 32 bytes, the SS58 checksum is cut from 64.
    public static func hash(_ bytes: some Sequence<UInt8>, length: Int = 32) -> [UInt8] {
        let input = Array(bytes)
        var digest = [UInt8](repeating: 0, count: length)
        digest.withUnsafeMutableBytes { out in input.withUnsafeBytes { hash($0, into: out) } }
        return digest
    }

    /// The digest in memory of the caller, so that message, key and digest may be secrets.
    /// - `key`: up to 64 bytes; nil for an unkeyed digest.
    /// - `digest`: 1 to 64 bytes, which overlap neither message nor key.
    public static func hash(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer? = nil,
        into digest: UnsafeMutableRawBufferPointer
    ) {
        precondition(!digest.isEmpty, "BLAKE2b digests have 1 to 64 bytes")
        let status = crypto_generichash(
            digest.bindMemory(to: UInt8.self).baseAddress!, digest.count,
            message.bindMemory(to: UInt8.self).baseAddress,
            UInt64(message.count), key?.bindMemory(to: UInt8.self).baseAddress, key?.count ?? 0)
        precondition(status == 0, "BLAKE2b digests and keys have at most 64 bytes")
    }
}
