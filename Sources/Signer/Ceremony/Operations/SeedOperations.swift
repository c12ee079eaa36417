import Accounts
import GroupReview
import Keys
import SubstratePrimitives
import TrustStore

/// Shows the recovery phrase of a seed, for a person who copies it to paper. The log keeps each time.
public struct RevealPhrase: Operation {
    let seed: String

    /// A look at the phrase of that seed.
    public init(seed: String) { self.seed = seed }

    public func preview(_ view: VaultView) throws -> SeedIdentity { try view.seed(seed) }

    public func isSame(_ one: SeedIdentity, _ other: SeedIdentity) -> Bool { one.isSame(other) }

    /// The phrase as UTF-8, single spaces between its words.
    public func perform(_ shown: SeedIdentity, in context: CommitContext<Self>) throws -> PreparedCommit<
        HeldSecret
    > {
        let phrase = try context.withSeed(seed) { (entropy: borrowing SecretBytes) in
            HeldSecret(try Mnemonic(entropy: entropy.copy()).phrase())
        }
        return PreparedCommit(phrase, events: [LogEvent(.seedShown, [LogEvent.Fact("seed", seed)])])
    }
}

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
    public func perform(_ shown: SeedIdentity, in context: CommitContext<Self>) throws -> PreparedCommit<
        [BananaShare]
    > {
        let shares = try context.withSeed(seed) { (entropy: borrowing SecretBytes) in
            let phrase = try Mnemonic(entropy: entropy.copy()).phrase()
            return try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
                try BananaSplit.split(
                    phrase, title: title, passphrase: passphrase, total: total, required: required)
            }
        }
        let facts = [
            LogEvent.Fact("seed", seed), LogEvent.Fact("shares", "\(total)"),
            LogEvent.Fact("required", "\(required)"),
        ]
        return PreparedCommit(shares, events: [LogEvent(.seedSplit, facts)])
    }
}

/// Splits a seed into SLIP-39 shares: a master secret as it is, or the entropy of a phrase.
public struct SplitIntoSLIP39: Operation {
    /// What is split.
    public struct Shown: Sendable {
        /// The seed that is split.
        public let seed: SeedIdentity
        /// Other wallets read the shares of a phrase as another seed.
        public let kind: SeedSecret.Kind
    }

    let seed: String
    let passphrase: HeldSecret
    let total: Int
    let required: Int

    /// - `passphrase`: printable ASCII; empty for none.
    /// - `total`: shares to make, up to 16.
    /// - `required`: shares that restore the seed, 2 to `total`; or 1 of 1.
    public init(_ seed: String, passphrase: HeldSecret, total: Int, required: Int) {
        self.seed = seed
        self.passphrase = passphrase
        self.total = total
        self.required = required
    }

    public func preview(_ view: VaultView) throws -> Shown {
        Shown(seed: try view.seed(seed), kind: view.trust.kind(ofSeed: seed))
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool {
        one.seed.isSame(other.seed) && one.kind == other.kind
    }

    /// The words of each share, single spaces between them.
    /// - Throws: `SLIP39Error`; the shares were joined and compared before they are handed out.
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<
        [HeldSecret]
    > {
        let stored = try context.session.vault.stored(seed: seed)
        let shares = try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try SLIP39.split(stored.bytes, passphrase: passphrase, total: total, required: required)
        }
        let facts = [
            LogEvent.Fact("seed", seed), LogEvent.Fact("shares", "\(total)"),
            LogEvent.Fact("required", "\(required)"), LogEvent.Fact("form", "slip_39"),
        ]
        return PreparedCommit(
            shares.map { HeldSecret($0.phrase()) }, events: [LogEvent(.seedSplit, facts)])
    }
}

/// Splits the entropy of a phrase into parts of Seed XOR.
public struct SplitIntoXOR: Operation {
    let seed: String
    let count: Int

    /// - `count`: parts to make, 2 to 4, all of which restore the seed.
    public init(_ seed: String, count: Int) {
        self.seed = seed
        self.count = count
    }

    public func preview(_ view: VaultView) throws -> SeedIdentity { try view.seed(seed) }

    public func isSame(_ one: SeedIdentity, _ other: SeedIdentity) -> Bool { one.isSame(other) }

    /// The phrase of each part, single spaces between its words.
    /// - Throws: `SeedXORError`; the parts were joined and compared before they are handed out.
    public func perform(_ shown: SeedIdentity, in context: CommitContext<Self>) throws -> PreparedCommit<
        [HeldSecret]
    > {
        let parts = try context.withSeed(seed) { (entropy: borrowing SecretBytes) in
            try SeedXOR.split(entropy, into: count)
        }
        let phrases = try parts.map { part in
            try part.withSecret { (entropy: borrowing SecretBytes) in
                HeldSecret(try Mnemonic(entropy: entropy.copy()).phrase())
            }
        }
        let facts = [
            LogEvent.Fact("seed", seed), LogEvent.Fact("shares", "\(count)"),
            LogEvent.Fact("required", "\(count)"), LogEvent.Fact("form", "seed_xor"),
        ]
        return PreparedCommit(phrases, events: [LogEvent(.seedSplit, facts)])
    }
}

/// Derives a child of a seed by BIP-85, to show its phrase or to store it.
public struct DeriveChild: Operation {
    /// Which child.
    public struct Shown: Sendable {
        /// Of the child.
        public let parent: SeedIdentity
        /// From the root of the parent.
        public let path: HDPath
    }

    let parent: String
    let words: Int
    let index: UInt32

    /// - `parent`: the name of a seed of either kind.
    /// - `words`: of the child: 12, 18 or 24.
    /// - `index`: 0 to `ChildPhrase.maximumIndex`.
    public init(of parent: String, words: Int, index: UInt32) {
        self.parent = parent
        self.words = words
        self.index = index
    }

    public func preview(_ view: VaultView) throws -> Shown {
        guard let path = ChildPhrase.path(words: words, index: index) else {
            throw KeyError.mnemonic(.wordCount(words))
        }
        return Shown(parent: try view.seed(parent), path: path)
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool {
        one.parent.isSame(other.parent) && one.path == other.path
    }

    /// The entropy of the child's phrase.
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<HeldSecret>
    {
        let entropy = try ChildPhrase.entropy(
            of: context.session.vault.stored(seed: parent), words: words, index: index)
        let facts = [
            LogEvent.Fact("seed", parent), LogEvent.Fact("child", "\(index)"),
            LogEvent.Fact("words", "\(words)"),
        ]
        return PreparedCommit(HeldSecret(entropy), events: [LogEvent(.seedShown, facts)])
    }
}

/// Removes a seed and all keys that were derived from it.
public struct RemoveSeed: Operation {
    /// What is removed.
    public struct Shown: Sendable {
        /// The seed that is removed.
        public let seed: SeedIdentity
        /// The keys that go with it.
        public let keys: [PublicKey]
    }

    let seed: String

    /// A removal of that seed.
    public init(_ seed: String) { self.seed = seed }

    /// - Throws: `VaultError.noSuchSeed(_:)`; `GroupRefusal.seedOfGroups(_:groups:)` while the seed gives the
    ///   share of an active group; `RotationRefusal` while accounts are being moved from it or to it
    public func preview(_ view: VaultView) throws -> Shown {
        let groups = view.trust.groups.filter { $0.seed.utf8Equals(seed) }.map(\.name)
        guard groups.isEmpty else { throw GroupRefusal.seedOfGroups(seed, groups: groups) }
        let identity = try view.seed(seed)
        try view.trust.requireMoved(seed: seed)
        return Shown(seed: identity, keys: view.trust.keys(seed: seed).map(\.publicKey))
    }

    public func isSame(_ one: Shown, _ other: Shown) -> Bool {
        one.seed.isSame(other.seed) && one.keys == other.keys
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let trust = context.view.trust
        let makings = trust.groupMakings.filter { $0.seed.utf8Equals(seed) }
        var changes: [TrustChange] = shown.keys.map { .removeKey($0) } + [.removeSeedRoot(seed)]
        changes += trust.forgettingTimes(seed: seed)
        if trust.rotation(of: seed) != nil { changes.append(.removeRotation(of: seed)) }
        changes += makings.map { .removeGroupMaking(session: $0.session) }
        changes += OwnHostKey.forgetting(seed: seed, trust)
        return PreparedCommit(
            (), changes, events: events(context.view.trust),
            history: HistoryWrite(makings.map { $0.left(at: context.now) }),
            vault: try context.session.vault.removing(seed: seed))
    }

    /// A line for the seed, then one for each key that goes with it.
    private func events(_ trust: TrustState) -> [LogEvent] {
        [LogEvent(.seedRemoved, [LogEvent.Fact("seed", seed)])]
            + trust.keys(seed: seed).map { LogEvent(.keyRemoved, LogEvent.facts(of: $0, in: trust)) }
    }
}
