/// The bytes to sign of transactions as people make them, by chance.
public enum OrdinaryTransactions {
    /// Indices as runtimes have them, arguments that can be anything, and an end that nobody chooses.
    /// - Parameter body: gets 72 to 1,071 bytes.
    public static func ofAnyCall(_ count: Int, seed: UInt64, _ body: (ArraySlice<UInt8>) -> Void) {
        var random = SeededGenerator(seed: seed)
        var pool = random.bytes(1 << 16)
        for number in 0..<count {
            let (length, seed) = (72 + number % 1_000, random.next())
            let start = Int(seed % UInt64(pool.count - length))
            // The pool stays as random as it was.
            let former = Array(pool[start..<start + 3])
            pool[start] = UInt8(seed >> 32 & 0x7f)
            pool[start + 1] = UInt8(seed >> 40 & 0x1f)
            // Most calls start with an account, a small number or a list.
            pool[start + 2] = UInt8(seed >> 48 & (number.isMultiple(of: 2) ? 0x03 : 0xff))
            body(pool[start..<start + length])
            pool.replaceSubrange(start..<start + 3, with: former)
        }
    }

    /// Payments, nominations, votes, remarks and batches as wallets make them, with and without a proof,
    /// mortal and immortal.
    /// - Parameter body: gets at most 256 bytes.
    public static func ofWallets(_ count: Int, seed: UInt64, _ body: ([UInt8]) -> Void) {
        var random = SeededGenerator(seed: seed)
        let genesis = random.bytes(32)
        for number in 0..<count {
            let seed = random.next()
            func byte(_ place: Int) -> UInt8 { UInt8(seed >> (8 * UInt64(place)) & 0xff) }
            let (account, block, digest) = (random.bytes(32), random.bytes(32), random.bytes(32))
            let amount = [0x0b, byte(0), byte(1), byte(2), byte(3) & 0x3f, 0, 0]
            let call: [UInt8] =
                switch number % 7 {
                case 0: [5, byte(4) % 9, 0] + account + amount
                case 1: [7, byte(4) % 30] + amount
                case 2: [7, 5, 8, 0] + account + [0] + block
                case 3: [20, 0] + [byte(4), byte(5)] + [0, byte(6) & 0x86] + amount.dropFirst() + zeros(10)
                case 4: [0, 0, (byte(4) & 31) << 2] + zeros(Int(byte(4) & 31))
                case 5: [26, 0, 8, 5, 0, 0] + account + [byte(5), 0, 5, 3, 0] + block + amount
                case _: [byte(4) & 0x7f, byte(5) & 0x1f, byte(6) & 3, 0, 0, 0, byte(7), 0, 0, 0]
                }
            let isProved = seed & 1 == 0
            let era: [UInt8] = seed & 2 == 0 ? [0] : [byte(1) & 0xf0 | 5, byte(2) & 3]
            let versions: [UInt8] = [byte(3), byte(4), 0x0f, 0, 26, 0, 0, 0]
            let end = seed & 2 == 0 ? genesis : block.reversed()
            let head = call + era + [byte(6) & 0xfc, 0, isProved ? 1 : 0] + versions
            let bytes = head + genesis + end + (isProved ? [1] + digest : [0])
            if bytes.count <= 256 { body(bytes) }
        }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
