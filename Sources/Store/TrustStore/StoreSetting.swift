/// Names of settings that the store itself knows. Their rows are sealed like all others.
public enum StoreSetting {
    /// One byte 1: a development vault, made with `--allow-online`.
    public static let allowOnline = "allow_online"
    /// One byte 1: the device was online and nobody has acknowledged it.
    public static let onlineUnacknowledged = "online_unacknowledged"
    /// Traffic of this machine that a person has acknowledged, or that it had when the vault was made.
    public static let acknowledgedTraffic = "acknowledged_traffic"
    /// The vault file that belongs to this store, as `UnlockedVault.reference` names it.
    static let vaultFile = "vault_file"
    /// How often the file of wrong passphrases had been written, u64.
    static let attemptsSequence = "attempts_sequence"
    /// The ``VaultTime`` of the last commit.
    static let vaultTime = "vault_time"
    /// The public part of the recovery key whose words a person has typed once.
    public static let checkedRecovery = "checked_recovery"
    /// The ``Journal/Mark`` of the journal.
    static let journal = "journal"
    /// Followed by a genesis hash in lower-case hex: the encoded specs that the network had when they were
    /// removed, or nothing where only its verifier was left.
    static let removedNetwork = "removed_network."
}

/// The layout of the store's file.
enum StoreLayout {
    /// The number in the file's header. It is not sealed, because it only says which schema the file must
    /// have.
    static let number: Int64 = 5
}

/// The sealed settings by name. Names are compared by their bytes, as in the database: some contain the name
/// of a seed, which anyone may have chosen, and a dictionary of `String` treats canonically equivalent names
/// as one.
public struct SealedSettings: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    private var values: [[UInt8]: [UInt8]] = [:]

    public init() {}

    public init(dictionaryLiteral elements: (String, [UInt8])...) {
        for (name, value) in elements { self[name] = value }
    }

    public subscript(name: String) -> [UInt8]? {
        get { values[Array(name.utf8)] }
        set { values[Array(name.utf8)] = newValue }
    }

    /// In no particular order.
    public func makeIterator() -> some IteratorProtocol<(name: String, value: [UInt8])> {
        values.lazy.map { (name: String(decoding: $0.key, as: UTF8.self), value: $0.value) }.makeIterator()
    }
}
