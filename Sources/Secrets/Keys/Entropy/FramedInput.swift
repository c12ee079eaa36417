import Hashing

/// Secret inputs of a hash, each behind its length as eight bytes, little-endian, so that no two lists of
/// inputs are the same bytes.
struct FramedInput: ~Copyable {
    private let bytes: SecretBytes
    private var length = 0

    /// - Parameter capacity: bytes of all inputs with their lengths, at most.
    init(capacity: Int) { bytes = SecretBytes(count: capacity) }

    mutating func append(_ input: UnsafeRawBufferPointer) {
        let start = length
        length += 8 + input.count
        bytes.withUnsafeMutableBytes { out in
            out.storeBytes(of: UInt64(input.count).littleEndian, toByteOffset: start, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: out[(start + 8)...]).copyMemory(from: input)
        }
    }

    mutating func append(text: String) { Array(text.utf8).withUnsafeBytes { append($0) } }

    /// BLAKE2b, keyed with the name of what the hash is for.
    borrowing func hash(domain: String, length wanted: Int) -> SecretBytes {
        let digest = SecretBytes(count: wanted)
        digest.withUnsafeMutableBytes { out in
            Array(domain.utf8).withUnsafeBytes { key in
                bytes.withUnsafeBytes {
                    BLAKE2b.hash(UnsafeRawBufferPointer(rebasing: $0[..<length]), key: key, into: out)
                }
            }
        }
        return digest
    }
}
