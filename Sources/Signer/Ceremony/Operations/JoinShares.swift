import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// Restores a seed from Banana Split shares.
public struct JoinShares: Operation {
    /// What is restored.
    public struct Shown: Sendable, Equatable {
        /// The name that the seed gets.
        public let name: String
        /// How many different shares were given.
        public let shares: Int
        /// Shares that are needed.
        public let required: Int

        public static func == (one: Shown, other: Shown) -> Bool {
            one.name.utf8Equals(other.name) && one.shares == other.shares && one.required == other.required
        }
    }

    let shares: [BananaShare]
    let passphrase: HeldSecret
    let name: String?

    /// - `passphrase`: of the split.
    /// - `name`: of the seed in this vault; the title of the shares when nil.
    public init(_ shares: [BananaShare], passphrase: HeldSecret, name: String? = nil) {
        self.shares = shares
        self.passphrase = passphrase
        self.name = name
    }

    /// - Throws: `BananaSplitError` for shares that do not belong together, `VaultError`
    public func preview(_ view: VaultView) throws -> Shown {
        let distinct = try BananaSplit.checkSet(shares)
        let name = name ?? distinct[0].title
        try view.requireFree(seed: name)
        return Shown(name: name, shares: distinct.count, required: distinct[0].required)
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let phrase = try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try BananaSplit.join(shares, passphrase: passphrase)
        }
        return try context.add(
            seed: shown.name, entropy: Mnemonic(phrase: phrase).entropy,
            origin: AddSeed.Origin.shares.rawValue)
    }
}
