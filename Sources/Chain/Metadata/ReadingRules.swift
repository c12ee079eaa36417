/// The rules without which one byte string has two readings.
///
/// All of them always apply. Only this package can leave one out: the fuzzer that looks for two readings
/// does, to prove that it finds them.
public struct ReadingRules: Sendable, Equatable {
    /// With the hash of the metadata enabled, the signed bytes end with it.
    package var endOfBytes = true
    /// A special reading needs the standard shape, not only the standard name.
    package var standardShapes = true
    /// The length in front of an opaque value is compared.
    package var opaqueLengths = true
    /// The cards are turned back into bytes, which must be the signed ones.
    package var rebuild = true

    package init() {}

    /// Every rule.
    public static let all = ReadingRules()
}
