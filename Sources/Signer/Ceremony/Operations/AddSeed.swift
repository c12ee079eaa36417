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
    }

    /// What is added.
    public struct Shown: Sendable, Equatable {
        /// The name that the seed gets, 1 to 64 bytes of UTF-8.
        public let name: String
        /// Words of its phrase.
        public let words: Int
        /// Why the rolls that it is made of do not look random. Unless there is no reason, the act asks for
        /// the word `DiceRolls.word`.
        public let concerns: [DiceRolls.Concern]
        /// The names under which the vault has this phrase already.
        public let otherNames: [String]
        /// What makes it unpredictable; nil for a seed that comes from elsewhere.
        public let sources: SeedSources?

        public static func == (one: Shown, other: Shown) -> Bool {
            one.name.utf8Equals(other.name) && one.words == other.words && one.concerns == other.concerns
                && one.otherNames.utf8ElementsEqual(other.otherNames) && one.sources == other.sources
        }
    }

    let name: String
    let entropy: HeldSecret
    /// Where it comes from, as the log has it.
    let origin: String
    let concerns: [DiceRolls.Concern]
    let sources: SeedSources?

    /// - `name`: 1 to 64 bytes of UTF-8 without control characters; no other seed of the vault may have it.
    /// - `entropy`: 16, 20, 24, 28 or 32 bytes.
    public init(_ name: String, entropy: HeldSecret, origin: Origin) {
        self.name = name
        self.entropy = entropy
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
        origin = Origin.new.rawValue
        // The seed stays as secret as this machine's part, so nothing is asked about the rolls.
        concerns = []
        sources = SeedSources(machine, rolls)
    }

    /// A seed of rolls alone: nothing else makes it unpredictable, so the rolls themselves come here and
    /// their tests cannot be left out.
    /// - `words`: 12, 15, 18, 21 or 24.
    public init(_ name: String, rolls: borrowing DiceRolls, words: Int) throws(SeedEntropyError) {
        self.name = name
        entropy = HeldSecret(try SeedEntropy.fromDiceOnly(words: words, dice: rolls))
        origin = "dice"
        concerns = rolls.concerns
        sources = nil
    }

    /// - Throws: `VaultError`, `KeyError`
    public func preview(_ view: VaultView) throws -> Shown {
        try view.requireFree(seed: name)
        guard [16, 20, 24, 28, 32].contains(entropy.count) else {
            throw VaultError.entropyLength(entropy.count)
        }
        let root = try entropy.withSecret { (entropy: borrowing SecretBytes) in
            try SeedIdentity.root(of: entropy)
        }
        let same = view.trust.seedRoots.filter { $0.root == root }.map(\.seed)
        let otherNames = view.seedNames.filter { same.containsUTF8(of: $0) }
        return Shown(
            name: name, words: entropy.count / 4 * 3, concerns: concerns, otherNames: otherNames,
            sources: sources)
    }

    /// - Throws: ``CeremonyError/predictableRolls`` unless the rolls look random or the word is given,
    ///   ``CeremonyError/tooFewSources`` likewise, `VaultError`
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        try context.requireWord(for: shown.concerns)
        try context.requireWord(for: shown.sources)
        return try entropy.withSecret { (entropy: borrowing SecretBytes) in
            try context.add(seed: name, entropy: entropy, origin: origin, sources: sources)
        }
    }
}

extension CommitContext {
    /// Seals a seed in the vault file, and puts its root into the store. Both take effect together.
    func add(
        seed name: String, entropy: borrowing SecretBytes, origin: String, sources: SeedSources? = nil
    ) throws -> PreparedCommit<Void> {
        let change = try session.vault.adding(seed: name, entropy: entropy)
        let root = try SeedIdentity.root(of: entropy)
        var facts = [LogEvent.Fact("seed", name), LogEvent.Fact("how", origin)]
        if let sources { facts.append(LogEvent.Fact("sources", sources.text)) }
        let event = LogEvent(.seedAdded, facts)
        return PreparedCommit(
            (), [.putSeedRoot(name, root), .putSeedAdded(name, time: now)], events: [event], vault: change)
    }
}
