import Keys
import TrustStore

/// Shows the phrase of a seed, for a person who copies it to paper. Every time stands in the log.
public struct RevealPhrase: Operation {
    public let seed: String

    public init(seed: String) { self.seed = seed }

    public func preview(_ view: VaultView) throws -> SeedIdentity { try view.seed(seed) }

    public func isSame(_ one: SeedIdentity, _ other: SeedIdentity) -> Bool { one.isSame(other) }

    /// The phrase as UTF-8, single spaces between its words.
    public func perform(_ shown: SeedIdentity, at bench: Workbench<Self>) throws -> Work<HeldSecret> {
        let phrase = try bench.withSeed(seed) { (entropy: borrowing SecretBytes) in
            HeldSecret(try Mnemonic(entropy: entropy.copy()).phrase())
        }
        return Work(phrase, events: [LogEvent(.seedShown, [LogEvent.Fact("seed", seed)])])
    }
}
