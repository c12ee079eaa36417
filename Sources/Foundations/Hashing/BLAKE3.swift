/// BLAKE3 in its plain hash mode, 32 bytes out.
///
/// Source: "BLAKE3: one function, fast everywhere", sections 2.1 to 2.5; names are the paper's.
public enum BLAKE3 {
    public static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        if let digest = bytes.withContiguousStorageIfAvailable({ hash(UnsafeRawBufferPointer($0)) }) {
            return digest
        }
        return Array(bytes).withUnsafeBytes { hash($0) }
    }

    private typealias ChainingValue = InlineArray<8, UInt32>
    private typealias Words = InlineArray<16, UInt32>

    private static let chunkLength = 1024
    private static let blockLength = 64

    private enum Flag {
        static let chunkStart: UInt32 = 1
        static let chunkEnd: UInt32 = 2
        static let parent: UInt32 = 4
        static let root: UInt32 = 8
    }

    private static let iv: ChainingValue = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]

    private static func hash(_ input: UnsafeRawBufferPointer) -> [UInt8] {
        let output = subtree(input, counter: 0, flags: Flag.root)
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for index in 0..<8 {
            for shift in stride(from: 0, to: 32, by: 8) {
                digest.append(UInt8(truncatingIfNeeded: output[index] >> UInt32(shift)))
            }
        }
        return digest
    }

    /// The left subtree holds the largest power of two of whole chunks that leaves something for the right
    /// one.
    private static func subtree(_ input: UnsafeRawBufferPointer, counter: UInt64, flags: UInt32)
        -> ChainingValue
    {
        guard input.count > chunkLength else { return chunk(input, counter: counter, flags: flags) }
        let chunks = (input.count - 1) / chunkLength
        let left = 1 << (Int.bitWidth - 1 - chunks.leadingZeroBitCount)
        let border = left * chunkLength
        let first = subtree(UnsafeRawBufferPointer(rebasing: input[..<border]), counter: counter, flags: 0)
        let second = subtree(
            UnsafeRawBufferPointer(rebasing: input[border...]), counter: counter + UInt64(left), flags: 0)
        var block = Words(repeating: 0)
        for index in 0..<8 {
            block[index] = first[index]
            block[index + 8] = second[index]
        }
        return compress(iv, block, counter: 0, length: UInt32(blockLength), flags: Flag.parent | flags)
    }

    private static func chunk(_ input: UnsafeRawBufferPointer, counter: UInt64, flags: UInt32)
        -> ChainingValue
    {
        var value = iv
        var start = 0
        // An empty input is one empty block.
        repeat {
            let length = min(blockLength, input.count - start)
            var block = Words(repeating: 0)
            for index in 0..<length {
                block[index >> 2] |= UInt32(input[start + index]) << UInt32(8 * (index & 3))
            }
            let isLast = start + length == input.count
            let blockFlags = (start == 0 ? Flag.chunkStart : 0) | (isLast ? Flag.chunkEnd | flags : 0)
            value = compress(value, block, counter: counter, length: UInt32(length), flags: blockFlags)
            start += length
        } while start < input.count
        return value
    }

    private static func compress(
        _ value: ChainingValue, _ block: Words, counter: UInt64, length: UInt32, flags: UInt32
    ) -> ChainingValue {
        var v = Words(repeating: 0)
        for index in 0..<8 { v[index] = value[index] }
        for index in 0..<4 { v[index + 8] = iv[index] }
        v[12] = UInt32(truncatingIfNeeded: counter)
        v[13] = UInt32(truncatingIfNeeded: counter >> 32)
        v[14] = length
        v[15] = flags
        var m = block
        for round in 0..<7 {
            mix(&v, 0, 4, 8, 12, m[0], m[1])
            mix(&v, 1, 5, 9, 13, m[2], m[3])
            mix(&v, 2, 6, 10, 14, m[4], m[5])
            mix(&v, 3, 7, 11, 15, m[6], m[7])
            mix(&v, 0, 5, 10, 15, m[8], m[9])
            mix(&v, 1, 6, 11, 12, m[10], m[11])
            mix(&v, 2, 7, 8, 13, m[12], m[13])
            mix(&v, 3, 4, 9, 14, m[14], m[15])
            if round < 6 {
                m = [
                    m[2], m[6], m[3], m[10], m[7], m[0], m[4], m[13], m[1], m[11], m[12], m[5], m[9], m[14],
                    m[15], m[8],
                ]
            }
        }
        var out = ChainingValue(repeating: 0)
        for index in 0..<8 { out[index] = v[index] ^ v[index + 8] }
        return out
    }

    @inline(__always)
    private static func mix(
        _ v: inout Words, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ x: UInt32, _ y: UInt32
    ) {
        v[a] = v[a] &+ v[b] &+ x
        v[d] = rotate(v[d] ^ v[a], 16)
        v[c] = v[c] &+ v[d]
        v[b] = rotate(v[b] ^ v[c], 12)
        v[a] = v[a] &+ v[b] &+ y
        v[d] = rotate(v[d] ^ v[a], 8)
        v[c] = v[c] &+ v[d]
        v[b] = rotate(v[b] ^ v[c], 7)
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }
}
