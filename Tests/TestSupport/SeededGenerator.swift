import Glibc

/// Numbers that look random and are the same for the same seed: SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// A new seed each run, or the one in `HELIOGRAPH_SEED`; it is printed, so that a failure can be had
    /// again.
    public static func printed(_ name: String) -> SeededGenerator {
        let seed = givenSeed ?? UInt64.random(in: 1...UInt64.max)
        print("seed of \(name): HELIOGRAPH_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    /// The seed that a person gives to see a random test fail again.
    public static let givenSeed = getenv("HELIOGRAPH_SEED").flatMap { UInt64(String(cString: $0)) }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }
}
