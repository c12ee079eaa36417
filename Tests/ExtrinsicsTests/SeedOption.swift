import Glibc

/// The seed that a person gives to see a random test fail again.
enum SeedOption {
    static let given: UInt64? = getenv("HELIOGRAPH_SEED").flatMap { UInt64(String(cString: $0)) }
}
