import SubstratePrimitives

/// Why the trust store did not do what was asked. Nothing was changed when one is thrown.
public enum StoreError: Error, Equatable, Sendable {
    /// There is no store in the directory.
    case missing
    /// The directory holds a store already.
    case alreadyExists
    /// The file is not a store of this program.
    case notAStore
    /// A store of another version of this program: the number of its layout.
    case otherLayout(found: Int64)
    /// Another program held the store for longer than ``TrustStore/busyMilliseconds``.
    case busy
    /// SQLite found the file damaged, or a statement failed; the extended result code.
    case damaged(code: Int32)
    /// The file system refused; `errno`.
    case inputOutput(code: Int32)
    /// The file `journal` is longer than these bytes, which this program never writes.
    case journalTooLarge(limit: Int)
    /// The seal does not match: each thing that differs, at most `SealManifest.maximumReported`.
    case sealBroken([SealDifference])
    /// The seal has an older generation than this device has confirmed.
    case rolledBack(found: UInt64, confirmed: UInt64)
    /// The vault file is not the one that the store's seal names: one of the two was put back. The revisions of the file and of the name.
    case vaultReplaced(found: UInt64, named: UInt64)
    /// The change is on the disk and in the log, but the vault file could not be written; the next change or unlock writes it. `errno`.
    case vaultFileUnwritten(code: Int32)
    /// The mark of the newest generation, which an older program kept beside the store, is missing or was edited.
    case generationMarkBroken
    /// Trust changed after the cards were made.
    case changedSinceShown
    /// A value in a row cannot be read as what its column holds.
    case unreadable(table: String)
    /// The bytes of this hash are missing or have another hash.
    case contentBroken(Hash32)
    /// A row that the change needs is missing, or one that it adds exists already.
    case conflict(table: String)
    /// The change allows these keys on more than one network, and nobody accepted that.
    case keyReuse([KeyReuse])
}

/// One difference between the store and its seal.
public enum SealDifference: Equatable, Sendable {
    case cell(table: String, row: String, column: String)
    case rowAdded(table: String, row: String)
    case rowRemoved(table: String, row: String)
    /// The seal's own row was edited: nothing else differs from its manifest.
    case seal
    /// The seal's row is missing.
    case sealMissing
    /// An event of the log was edited, added, removed or moved; the first index where the chain breaks.
    case log(index: UInt64)
    /// A checkpoint of the log was edited, added or removed; the number of its entry.
    case checkpoint(number: UInt64)
    /// Bytes that a row names by hash are missing or of another length.
    case content(Hash32)
    /// A digest in the history's tree was edited or removed, or is of another tree; its parent's place.
    case history(level: Int, prefix: UInt32)
    /// A row of the history was edited, added, removed or moved, or is of another tree.
    case historyBucket(UInt32)
    /// The history has rows in no bucket.
    case historyExtra
}
