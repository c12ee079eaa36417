import Keys

/// A change of the vault file that is made and sealed, but not on the disk yet.
///
/// The trust store commits it together with its own changes: ``UnlockedVault/announce(_:storeGeneration:)``
/// before its transaction, ``UnlockedVault/complete(_:)`` after it.
public final class VaultChange {
    /// With the revision, and sealed once the store's generation is known.
    var file: VaultFile
    /// The data key from then on; nil where it stays, and where only another passphrase opens it.
    private var dataKey: SecretBytes?
    /// Whether the data key stays.
    public let keepsKeys: Bool

    /// A change that keeps the data key.
    init(_ file: VaultFile) {
        self.file = file
        dataKey = nil
        keepsKeys = true
    }

    /// A change of the data key.
    /// - Parameter dataKey: nil where it is not known.
    init(_ file: VaultFile, dataKey: consuming SecretBytes?) {
        self.file = file
        self.dataKey = dataKey
        keepsKeys = false
    }

    /// The revision of the vault file after the change.
    public var revision: UInt64 { file.revision }
    /// The generation of the store that names the changed vault file; set when the change is announced.
    public var storeGeneration: UInt64 { file.storeGeneration }

    /// What opens the vault after the change.
    public var slots: [KeySlotInfo] { file.slots.map(KeySlotInfo.init) }

    /// The secret of a TPM that opens the vault after the change.
    public var tpmSeal: TPMSeal? { file.slots.compactMap(\.tpmSeal).first }

    /// Whether the keys from then on can be derived here.
    public var keysAreKnown: Bool { keepsKeys || dataKey != nil }

    /// Lends the data key from then on, or the one that stays.
    func withDataKey<R: ~Copyable, E: Error>(
        or current: borrowing SecretBytes, _ body: (borrowing SecretBytes) throws(E) -> R
    ) throws(E) -> R {
        switch dataKey {
        case .some(let key): try body(key)
        case nil: try body(current)
        }
    }

    /// The new data key, once.
    func takeDataKey() -> SecretBytes? { dataKey.take() }
}
