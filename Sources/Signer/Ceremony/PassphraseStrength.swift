import Diagnostics
import Glibc
import Keys

/// How many guesses find a passphrase, and how long they take.
///
/// Whoever copies the vault's file can guess without limit: only the passphrase and the cost of the key
/// derivation protect it. So a vault with real keys accepts no passphrase that can be found within a
/// lifetime; a development vault accepts any.
public struct PassphraseStrength: Sendable, Equatable {
    /// The binary logarithm of the guesses.
    public let bits: Double

    /// What a passphrase of a vault with real keys needs.
    public static let required = PassphraseStrength(bits: 45)
    /// What a rented rack tries against the 64 MiB of memory that a guess takes.
    public static let guessesPerSecond = 10_000.0

    private static let secondsPerYear = 365.25 * 86_400

    /// - Parameter bits: base-2 logarithm of the guesses; less than 0 counts as 0.
    public init(bits: Double) { self.bits = max(0, bits) }

    /// Whether it withstands ``required``.
    public var isEnough: Bool { bits >= Self.required.bits }

    /// Seconds until the last guess.
    var seconds: Double { exp2(bits) / Self.guessesPerSecond }

    /// Such as `2^45 guesses, 110 years at 10,000 guesses a second`.
    public var text: String { "\(guesses), \(duration) at \(Self.rate) guesses a second" }

    /// The guesses, rounded down to a power of two.
    var guesses: String { "2^\(Int(bits)) guesses" }

    /// The time in words, to two digits.
    var duration: String {
        let units: [(seconds: Double, name: String)] = [
            (Self.secondsPerYear, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
        ]
        guard let unit = units.first(where: { seconds >= $0.seconds }) else { return "less than a second" }
        let count = seconds / unit.seconds
        guard count < 1e6 else { return "more than a million years" }
        return Sentence.count(Self.twoDigits(count), unit.name)
    }

    private static let rate = "\(Int(guessesPerSecond) / 1_000),000"

    private static func twoDigits(_ number: Double) -> Int {
        var power = 1
        while number / Double(power) >= 100 { power *= 10 }
        return Int((number / Double(power)).rounded()) * power
    }

    /// Refuses a passphrase that is found too soon. Every act that gives a vault a passphrase goes through
    /// here.
    /// - Parameter isDevelopment: of a vault that is made, or proven by the open one.
    /// - Throws: what ``refusal(of:)`` answers.
    static func require(_ passphrase: borrowing SecretBytes, isDevelopment: Bool) throws {
        // An empty one is refused by the vault itself.
        guard !isDevelopment, passphrase.count > 0 else { return }
        if let refusal = try refusal(of: passphrase) { throw refusal }
    }
}
