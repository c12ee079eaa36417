import Keys
import TrustStore

/// Shows the recovery phrase of a seed, for a person who copies it to paper. The log keeps each time.
public struct RevealPhrase: Operation {
    let seed: String

    /// A look at the phrase of that seed.
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
