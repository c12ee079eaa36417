import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// Seals a seed under a new name.
public struct AddSeed: Operation {
    /// Where its entropy comes from; the log keeps the raw value.
    public enum Origin: String, Sendable, CaseIterable {
        /// From this machine's randomness, with or without dice or key presses of a person.
        case new
        /// From rolls of a die alone.
        case dice
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

        public static func == (one: Shown, other: Shown) -> Bool { one.name.utf8Equals(other.name) && one.words == other.words }
    }

    let name: String
    let entropy: HeldSecret
    let origin: Origin

    /// - Parameters:
    ///   - name: 1 to 64 bytes of UTF-8 without control characters; no other seed of the vault may have it.
    ///   - entropy: 16, 20, 24, 28 or 32 bytes.
    public init(_ name: String, entropy: HeldSecret, origin: Origin) {
        self.name = name
        self.entropy = entropy
        self.origin = origin
    }

    /// - Throws: ``VaultError``
    public func preview(_ view: VaultView) throws -> Shown {
        try view.requireFree(seed: name)
        guard [16, 20, 24, 28, 32].contains(entropy.count) else { throw VaultError.entropyLength(entropy.count) }
        return Shown(name: name, words: entropy.count / 4 * 3)
    }

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        try entropy.withSecret { (entropy: borrowing SecretBytes) in try bench.add(seed: name, entropy: entropy, origin: origin) }
    }
}

extension Workbench {
    /// Seals a seed in the vault file, and puts its root into the store. Both take effect together.
    func add(seed name: String, entropy: borrowing SecretBytes, origin: AddSeed.Origin) throws -> Work<Void> {
        let change = try session.vault.adding(seed: name, entropy: entropy)
        let root = try KeyPair.derive(entropy: entropy, path: .root, scheme: .sr25519).publicKey
        let event = LogEvent(.seedAdded, [LogEvent.Fact("seed", name), LogEvent.Fact("how", origin.rawValue)])
        return Work((), [.putSeedRoot(name, root)], events: [event], vault: change)
    }
}
