import Accounts
import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// Seals a seed under a new name.
public struct AddSeed: Operation {
    /// Where its entropy comes from, other than from rolls of a die alone; the log keeps the raw value.
    public enum Origin: String, Sendable, CaseIterable {
        /// From a machine's part, with or without rolls of a person: by
        /// ``AddSeed/init(_:machine:rolls:words:)``.
        case new
        /// From a recovery phrase that a person typed.
        case phrase
        /// From a SeedQR.
        case scanned
        /// From Banana Split shares.
        case shares
        /// From shares of SLIP-0039.
        case slip39 = "slip_39_shares"
        /// From parts of Seed XOR.
        case seedXOR = "seed_xor"
        /// From another seed of the vault, by BIP-85.
        case child = "bip_85"
    }

    /// What is added.
    public struct Shown: Sendable, Equatable {
        /// The name that the seed gets, 1 to 64 bytes of UTF-8.
        public let name: String
        /// Words of its phrase; 0 for a master secret, which has none.
        public let words: Int
        /// What it is.
        public let kind: SeedSecret.Kind
        /// Why the rolls that it is made of do not look random. Unless there is no reason, the act asks for
        /// the word `DiceRolls.word`.
        public let concerns: [DiceRolls.Concern]
        /// The names under which the vault has this phrase already.
        public let otherNames: [String]
        /// What makes it unpredictable; nil for a seed that comes from elsewhere.
        public let sources: SeedSources?

        public static func == (one: Shown, other: Shown) -> Bool {
            one.name.utf8Equals(other.name) && one.words == other.words && one.kind == other.kind
                && one.concerns == other.concerns
                && one.otherNames.utf8ElementsEqual(other.otherNames) && one.sources == other.sources
        }
    }

    let name: String
    let entropy: HeldSecret
    let kind: SeedSecret.Kind
    /// Where it comes from, as the log has it.
    let origin: String
    let concerns: [DiceRolls.Concern]
    let sources: SeedSources?

    /// - `name`: 1 to 64 bytes of UTF-8 without control characters; no other seed of the vault may have it.
    /// - `entropy`: 16, 20, 24, 28 or 32 bytes; of a master secret 16 to 32, an even number.
    /// - `kind`: what the bytes are.
    public init(
        _ name: String, entropy: HeldSecret, origin: Origin, kind: SeedSecret.Kind = .phrase
    ) {
        self.name = name
        self.entropy = entropy
        self.kind = kind
        self.origin = origin.rawValue
        concerns = []
        sources = nil
    }

    /// A seed of this machine's sources and of rolls. The rolls are checked here, so that too few of them
    /// need a typed word.
    /// - `rolls`: empty if a person gave none.
    /// - `words`: 12, 15, 18, 21 or 24.
    public init(
        _ name: String, machine: borrowing MachinePart, rolls: borrowing DiceRolls, words: Int
    ) throws(SeedEntropyError) {
        self.name = name
        entropy = HeldSecret(try SeedEntropy.mixed(words: words, machine: machine, dice: rolls))
        kind = .phrase
        origin = Origin.new.rawValue
        // The seed stays as secret as this machine's part: the word is about the sources, not the rolls.
        concerns = []
        sources = SeedSources(machine, rolls)
    }

    /// A seed of rolls alone: nothing else makes it unpredictable, so the rolls themselves come here and
    /// their tests cannot be left out.
    /// - `words`: 12, 15, 18, 21 or 24.
    public init(_ name: String, rolls: borrowing DiceRolls, words: Int) throws(SeedEntropyError) {
        self.name = name
        entropy = HeldSecret(try SeedEntropy.fromDiceOnly(words: words, dice: rolls))
        kind = .phrase
        origin = "dice"
        concerns = rolls.concerns
        sources = nil
    }

    /// - Throws: `VaultError`, `KeyError`
    public func preview(_ view: VaultView) throws -> Shown {
        try view.requireFree(seed: name)
        let root = try entropy.withSecret { (entropy: borrowing SecretBytes) in
            guard let seed = SeedSecret(kind, entropy.copy()) else {
                throw VaultError.entropyLength(entropy.count)
            }
            return try seed.root()
        }
        let same = view.trust.seedRoots.filter { $0.root == root }.map(\.seed)
        let otherNames = view.seedNames.filter { same.containsUTF8(of: $0) }
        return Shown(
            name: name, words: kind == .phrase ? entropy.count / 4 * 3 : 0, kind: kind, concerns: concerns,
            otherNames: otherNames,
            sources: sources)
    }

    /// - Throws: ``CeremonyError/predictableRolls`` unless the rolls look random or the word is given,
    ///   ``CeremonyError/tooFewSources`` and ``CeremonyError/uncountedRolls`` likewise, `VaultError`
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        try context.requireWord(for: shown.concerns)
        try context.requireWord(for: shown.sources)
        return try entropy.withSecret { (entropy: borrowing SecretBytes) in
            try context.add(seed: name, entropy: entropy, kind: kind, origin: origin, sources: sources)
        }
    }
}

extension CommitContext {
    /// Seals a seed in the vault file, and puts its root into the store. Both take effect together.
    func add(
        seed name: String, entropy: borrowing SecretBytes, kind: SeedSecret.Kind = .phrase, origin: String,
        sources: SeedSources? = nil
    ) throws -> PreparedCommit<Void> {
        let change = try session.vault.adding(seed: name, entropy: entropy, kind: kind)
        guard let seed = SeedSecret(kind, entropy.copy()) else {
            throw VaultError.entropyLength(entropy.count)
        }
        let root = try seed.root()
        var facts = [LogEvent.Fact("seed", name), LogEvent.Fact("how", origin)]
        if let sources { facts.append(LogEvent.Fact("sources", sources.text)) }
        let event = LogEvent(.seedAdded, facts)
        return PreparedCommit(
            (), [.putSeedRoot(name, root, kind: kind), .putSeedAdded(name, time: now)], events: [event],
            vault: change)
    }
}
