import Hashing
import History
import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

/// Reads of an open session; they change nothing.
extension Session {
    /// In the order in which they were added.
    public var seedNames: [String] { vault.seedNames }

    /// Keys that no seed gives, in the order in which they were imported.
    public var importedKeys: [PublicKey] { vault.importedKeys }

    /// Why the counter of the TPM does not vouch for the vault, where the command may open it all the same.
    public var counterProblem: StoreError? { store.counterProblem }

    /// What opens the vault.
    public var slots: [KeySlotInfo] { vault.slots }

    /// What the slot of the passphrase needs beside it, in its order.
    public var factorsBesidePassphrase: [KeySlotInfo.Factor] {
        slots.first { $0.factors.contains(.passphrase) }?.factors.filter { $0 != .passphrase } ?? []
    }

    /// Whether words on paper opened the vault, and nothing else that it can need.
    public var isOpenedByRecoveryKey: Bool { vault.isOpenedByRecoveryKey }

    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func requireSeed(_ name: String) throws(VaultError) {
        guard vault.seedNames.containsUTF8(of: name) else { throw .noSuchSeed(name) }
    }

    /// Whether a seed may get this name, before anyone rolls dice for it.
    /// - Throws: `VaultError.invalidSeedName`, `VaultError.seedExists(_:)`
    public func requireFree(seed name: String) throws(VaultError) {
        try vault.seedNames.requireFree(seed: name)
    }

    /// Whether this is the entropy of a seed. Neither is shown.
    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func isEntropy(_ entropy: borrowing SecretBytes, of seed: String) throws(VaultError) -> Bool {
        guard let given = SeedSecret(.phrase, entropy.copy()) else { return false }
        return try isSecret(given, of: seed)
    }

    /// Whether this is a seed. Neither is shown.
    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func isSecret(_ secret: borrowing SeedSecret, of seed: String) throws(VaultError) -> Bool {
        try vault.stored(seed: seed).isEqual(to: secret)
    }

    /// What a seed is.
    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func kind(ofSeed seed: String) throws(VaultError) -> SeedSecret.Kind {
        try vault.stored(seed: seed).kind
    }

    /// Looks for an account below the seeds, where wallets are known to put accounts.
    /// - Parameters:
    ///   - account: an account id, or a public key of 33 bytes.
    ///   - seed: the name of the one that is searched; nil for all.
    ///   - password: a `///password` or BIP-39 passphrase that the person gave; empty for none.
    ///   - conventions: where wallets put accounts.
    ///   - tried: called before each place with the seed, and how many places of it were tried.
    /// - Returns: the name of the seed, and the place below it.
    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func find(
        _ account: [UInt8], seed: String?, password: borrowing SecretBytes,
        among conventions: [AccountConvention], tried: (String, Int) -> Void = { _, _ in }
    ) throws -> (seed: String, place: AccountConvention)? {
        for name in try seed.map({ name in
            try requireSeed(name)
            return [name]
        }) ?? seedNames {
            let found = try KeySearch(vault.stored(seed: name), password: password)
                .first(of: account, among: conventions) { tried(name, $0) }
            if let found { return (name, found) }
        }
        return nil
    }

    /// Follows the log from end to end, under the seal, and checks that all large bytes are there.
    /// - Returns: the ends of the log.
    /// - Throws: `StoreError.sealBroken(_:)`
    public func checkLog() throws -> LogBounds {
        try store.check()
        return try store.trust().state.log
    }

    /// Entries of the log in order, from number `first` on, at most `limit`, each proven under the seal
    /// before `body` gets it.
    /// - Throws: `StoreError.sealBroken(_:)`
    public func readLog(from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) -> Void) throws {
        try store.readLog(from: first, limit: limit, body)
    }

    /// Compares every metadata blob and the types with their sealed hashes.
    /// - Returns: how many there are.
    public func checkContents() throws -> Int { try store.checkContents() }

    /// Compares a head of the log that a person kept with the log as it is now, under the seal.
    public func standing(of head: LogHead) throws -> UnlockedStore.HeadStanding {
        try store.standing(ofHead: head.hash, number: head.number)
    }

    /// Vault time under the seal.
    public func moment() throws -> VaultMoment { VaultMoment(try store.trust().state, at: device.reading) }

    /// The chain data that a review of payloads reads, under the seal.
    public func chain() throws -> ChainData {
        let trust = try store.trust()
        let history = store.history(trust).map {
            ReviewHistory($0, now: device.clock(), moment: VaultMoment(trust.state, at: device.reading))
        }
        return ChainData(state: trust.state, history: history) { [store] in try store.store.content($0) }
    }
}
