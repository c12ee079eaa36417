import Hashing

extension Extrinsics {
    /// Bytes of the longest transaction that is signed as it is.
    public static let longestUnhashed = 256

    /// What a signature of a transaction covers: its signing bytes, or their BLAKE2b-256 when they are longer
    /// than ``longestUnhashed``.
    public static func signedMessage(of signingBytes: [UInt8]) -> [UInt8] {
        signingBytes.count > longestUnhashed ? BLAKE2b.hash(signingBytes) : signingBytes
    }
}
