/// Remembers known pictures by a cheap hash of their bytes, so that none is read twice.
///
/// If two different pictures have the same hash, the second is not read. With 64 bits that happens less often
/// than an unreadable picture.
public struct PixelHashes {
    /// The maximum number of remembered pictures: hours of video.
    private static let capacity = 100_000

    private var hashes: Set<UInt64> = []

    public init() {}

    /// False when the same bytes were there before.
    public mutating func insert(_ bytes: some Sequence<UInt8>) -> Bool {
        let hash = bytes.withContiguousStorageIfAvailable { Self.hash(UnsafeRawBufferPointer($0)) }
        guard let hash else { return true }
        if hashes.count >= Self.capacity { hashes.removeAll(keepingCapacity: true) }
        return hashes.insert(hash).inserted
    }

    /// Four independent sums, so that the processor computes their products in parallel.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let seed = UInt64(bytes.count) &* 0x9e37_79b9_7f4a_7c15
        var states = SIMD4(seed, seed ^ 1, seed ^ 2, seed ^ 3)
        var offset = 0
        while offset + 32 <= bytes.count {
            for lane in 0..<4 {
                states[lane] = mix(
                    states[lane] ^ bytes.loadUnaligned(fromByteOffset: offset + 8 * lane, as: UInt64.self))
            }
            offset += 32
        }
        var state = mix(states[0] ^ mix(states[1] ^ mix(states[2] ^ mix(states[3]))))
        while offset < bytes.count {
            state = mix(state ^ UInt64(bytes[offset]))
            offset += 1
        }
        return state
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
        return product.high ^ product.low
    }
}
