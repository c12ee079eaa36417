/// The permutation Keccak-f[1600] (FIPS 202, section 3.3) on 25 lanes of 64 bits, lane (x, y) at index x +
/// 5y, each lane little-endian in bytes.
package enum KeccakF1600 {
    package typealias State = InlineArray<25, UInt64>

    private static let roundConstants: InlineArray<24, UInt64> = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
        0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
        0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
        0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
        0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]

    package static func permute(_ state: inout State) {
        var a = state
        var b = State(repeating: 0)
        for round in 0..<24 {
            let c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
            let c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
            let c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
            let c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
            let c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
            let d0 = c4 ^ rotate(c1, 1)
            let d1 = c0 ^ rotate(c2, 1)
            let d2 = c1 ^ rotate(c3, 1)
            let d3 = c2 ^ rotate(c4, 1)
            let d4 = c3 ^ rotate(c0, 1)
            chi(
                &b, 0, a[0] ^ d0, rotate(a[6] ^ d1, 44), rotate(a[12] ^ d2, 43), rotate(a[18] ^ d3, 21),
                rotate(a[24] ^ d4, 14))
            chi(
                &b, 5, rotate(a[3] ^ d3, 28), rotate(a[9] ^ d4, 20), rotate(a[10] ^ d0, 3),
                rotate(a[16] ^ d1, 45), rotate(a[22] ^ d2, 61))
            chi(
                &b, 10, rotate(a[1] ^ d1, 1), rotate(a[7] ^ d2, 6), rotate(a[13] ^ d3, 25),
                rotate(a[19] ^ d4, 8), rotate(a[20] ^ d0, 18))
            chi(
                &b, 15, rotate(a[4] ^ d4, 27), rotate(a[5] ^ d0, 36), rotate(a[11] ^ d1, 10),
                rotate(a[17] ^ d2, 15), rotate(a[23] ^ d3, 56)
            )
            chi(
                &b, 20, rotate(a[2] ^ d2, 62), rotate(a[8] ^ d3, 55), rotate(a[14] ^ d4, 39),
                rotate(a[15] ^ d0, 41), rotate(a[21] ^ d1, 2))
            b[0] ^= roundConstants[round]
            a = b
        }
        state = a
    }

    /// The step χ on one row, after ρ and π have moved its five lanes there.
    @inline(__always)
    private static func chi(
        _ out: inout State, _ row: Int, _ b0: UInt64, _ b1: UInt64, _ b2: UInt64, _ b3: UInt64, _ b4: UInt64
    ) {
        out[row] = b0 ^ (~b1 & b2)
        out[row + 1] = b1 ^ (~b2 & b3)
        out[row + 2] = b2 ^ (~b3 & b4)
        out[row + 3] = b3 ^ (~b4 & b0)
        out[row + 4] = b4 ^ (~b0 & b1)
    }

    @inline(__always)
    private static func rotate(_ lane: UInt64, _ bits: UInt64) -> UInt64 {
        lane &<< bits | lane &>> (64 &- bits)
    }
}

/// Keccak-256 as Ethereum uses it: rate 136 bytes, padding `01 … 80` (not the `06` of SHA3-256).
public enum Keccak256 {
    private static let rate = 136

    /// 32 bytes.
    public static func hash(_ message: [UInt8]) -> [UInt8] { sponge(message, padding: 0x01) }

    /// The same sponge with any padding byte; `06` makes SHA3-256, for which known answers are published.
    package static func sponge(_ message: [UInt8], padding: UInt8) -> [UInt8] {
        var state = KeccakF1600.State(repeating: 0)
        var padded = message
        padded.append(padding)
        padded.append(contentsOf: repeatElement(0, count: (rate - padded.count % rate) % rate))
        padded[padded.count - 1] |= 0x80
        for block in stride(from: 0, to: padded.count, by: rate) {
            for lane in 0..<(rate / 8) {
                var word: UInt64 = 0
                for byte in 0..<8 { word |= UInt64(padded[block + 8 * lane + byte]) << UInt64(8 * byte) }
                state[lane] ^= word
            }
            KeccakF1600.permute(&state)
        }
        return (0..<32).map { UInt8(truncatingIfNeeded: state[$0 / 8] >> UInt64(8 * ($0 % 8))) }
    }
}
