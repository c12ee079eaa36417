import Keys
import SubstratePrimitives
import TrustStore

/// Splits the phrase of a seed into Banana Split shares.
public struct SplitSeed: Operation {
    let seed: String
    let title: String
    let passphrase: HeldSecret
    let total: Int
    let required: Int

    /// - `title`: stands on every share, 1 to 256 bytes; the seed's name when nil.
    /// - `passphrase`: of the split, at least one byte.
    /// - `total`: shares to make, up to 255.
    /// - `required`: shares that restore the seed, 2 to `total`.
    public init(_ seed: String, title: String? = nil, passphrase: HeldSecret, total: Int, required: Int) {
        self.seed = seed
        self.title = title ?? seed
        self.passphrase = passphrase
        self.total = total
        self.required = required
    }

    public func preview(_ view: VaultView) throws -> SeedIdentity { try view.seed(seed) }

    public func isSame(_ one: SeedIdentity, _ other: SeedIdentity) -> Bool { one.isSame(other) }

    /// - Throws: `BananaSplitError`; the shares were joined and compared before they are handed out.
    public func perform(_ shown: SeedIdentity, at bench: Workbench<Self>) throws -> Work<[BananaShare]> {
        let shares = try bench.withSeed(seed) { (entropy: borrowing SecretBytes) in
            let phrase = try Mnemonic(entropy: entropy.copy()).phrase()
            return try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
                try BananaSplit.split(phrase, title: title, passphrase: passphrase, total: total, required: required)
            }
        }
        let facts = [LogEvent.Fact("seed", seed), LogEvent.Fact("shares", "\(total)"), LogEvent.Fact("required", "\(required)")]
        return Work(shares, events: [LogEvent(.seedSplit, facts)])
    }
}
