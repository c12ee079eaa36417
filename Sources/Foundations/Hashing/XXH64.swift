/// XXH64, by the description of its algorithm. It resists nobody: here it only says where the chain keeps a
/// value.
///
/// Source: Cyan4973/xxHash, `doc/xxhash_spec.md`.
public enum XXH64 {
    private static let primes: [UInt64] = [
        0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63,
        0x27d4_eb2f_1656_67c5,
    ]

    /// The digest of `bytes` as a number; Substrate writes it with the least significant byte first.
    /// - `seed`: 0 for the first eight bytes of a wider digest of Substrate, 1 for the next eight.
    public static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        var place = 0
        func lane(_ count: Int) -> UInt64 {
            defer { place += count }
            return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        var digest: UInt64
        if bytes.count >= 32 {
            var lanes = [seed &+ primes[0] &+ primes[1], seed &+ primes[1], seed, seed &- primes[0]]
            while bytes.count - place >= 32 {
                for index in lanes.indices { lanes[index] = round(lanes[index], lane(8)) }
            }
            digest = 0
            for (index, turn) in [1, 7, 12, 18].enumerated() { digest &+= rotated(lanes[index], turn) }
            for lane in lanes { digest = (digest ^ round(0, lane)) &* primes[0] &+ primes[3] }
        } else {
            digest = seed &+ primes[4]
        }
        digest &+= UInt64(bytes.count)
        while bytes.count - place >= 8 {
            digest = rotated(digest ^ round(0, lane(8)), 27) &* primes[0] &+ primes[3]
        }
        if bytes.count - place >= 4 {
            digest = rotated(digest ^ lane(4) &* primes[0], 23) &* primes[1] &+ primes[2]
        }
        while place < bytes.count {
            digest = rotated(digest ^ lane(1) &* primes[4], 11) &* primes[0]
        }
        digest = (digest ^ digest >> 33) &* primes[1]
        digest = (digest ^ digest >> 29) &* primes[2]
        return digest ^ digest >> 32
    }

    private static func round(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
        rotated(sum &+ lane &* primes[1], 31) &* primes[0]
    }

    private static func rotated(_ value: UInt64, _ bits: Int) -> UInt64 {
        value << UInt64(bits) | value >> UInt64(64 - bits)
    }
}

/// The hashes of storage keys that Substrate makes of XXH64: its digests with the seeds 0, 1, …, each with
/// the least significant byte first.
public enum Twox {
    /// 8 bytes.
    public static func hash64(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, seed: 0) }

    /// 16 bytes.
    public static func hash128(_ bytes: [UInt8]) -> [UInt8] {
        digest(bytes, seed: 0) + digest(bytes, seed: 1)
    }

    private static func digest(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        let digest = XXH64.hash(bytes, seed: seed)
        return (0..<8).map { UInt8(truncatingIfNeeded: digest >> UInt64(8 * $0)) }
    }
}
