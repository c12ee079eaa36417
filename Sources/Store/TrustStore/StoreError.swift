import Diagnostics
import SubstratePrimitives
import Vault

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
    /// The vault file is not the one that the store's seal names, so one of the two was put back. `found` is
    /// the revision of the file, `named` the one in the seal.
    case vaultReplaced(found: UInt64, named: UInt64)
    /// The change is on the disk and in the log, but the vault file could not be written; the next change or
    /// unlock writes it. `errno`.
    case vaultFileUnwritten(code: Int32)
    /// The store's generation and the one that the TPM's counter says: vault and store were put back
    /// together.
    case counterDiffers(store: UInt64, counter: UInt64)
    /// The TPM does not say how often it counted. After a commit, the change is on the disk and nothing has
    /// left.
    case counterSilent(HardwareError)
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

extension StoreError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .missing:
            .inputOutput(
                "store-missing", "the vault has no trust store",
                hint: Self.remake)
        case .alreadyExists:
            .refused(
                "vault-exists", "a trust store already exists here",
                hint: "--vault DIR names another directory")
        case .notAStore:
            .badInput(
                "not-a-store", "the file is not a trust store of this program",
                hint: Self.remake)
        case .otherLayout(let found):
            .badInput(
                "store-layout",
                """
                the trust store has layout \(found), from another version of this program, and this one \
                reads layout \(StoreLayout.number)
                """,
                hint: Self.remake)
        case .busy:
            .inputOutput(
                "store-busy", "another program is using the trust store",
                hint: "end the other program, such as a shell")
        case .damaged(let code):
            .inputOutput(
                "store-damaged", "the trust store is damaged (SQLite code \(code))",
                hint: Self.remake)
        case .inputOutput(let number):
            .inputOutput(
                "input-output", "the trust store cannot be accessed: \(Sentence.systemError(number))")
        case .journalTooLarge(let limit):
            .badInput(
                "journal-too-large",
                "the file journal of the vault is larger than \(limit >> 20) "
                    + "MiB, and this program never writes so much to it",
                hint: "move the file journal out of the vault's directory and look who "
                    + "wrote to it; the next unlock is delayed and logs its loss")
        case .sealBroken(let differences):
            .badInput(
                "seal-broken",
                "the trust store was changed by someone without the passphrase: "
                    + "\(differences.map(\.sentence).joined(separator: "; "))",
                hint: Self.remake)
        case .rolledBack(let found, let confirmed):
            .badInput(
                "rolled-back",
                "the trust store was rolled back: it has generation "
                    + "\(found), and generation \(confirmed) is known",
                hint: Self.remake)
        case .counterDiffers(let store, let counter):
            .badInput(
                "vault-rolled-back",
                "the vault was put back whole: its store has generation \(store), "
                    + "and this machine's TPM counted to \(counter)",
                hint: "put the newest copy in place; if you put this one back yourself: "
                    + "heliograph vault unbind tpm")
        case .counterSilent(let error): error.diagnostic
        case .vaultReplaced(let found, let named):
            .badInput(
                "vault-replaced",
                """
                the vault file and the trust store do not belong together: the vault file has revision \
                \(found), and the trust store expects revision \(named); one of them was replaced
                """,
                hint: "put the newer file back; or heliograph verifier reset makes "
                    + "a new trust store for the seeds in this vault file")
        case .vaultFileUnwritten(let number):
            .inputOutput(
                "vault-file-unwritten",
                "the change is in force and in the log, but the vault file "
                    + "cannot be written: \(Sentence.systemError(number))",
                hint: "free some space; the next command that opens the vault completes the change")
        case .changedSinceShown:
            .refused(
                "changed-since-shown", "the trust store changed after the cards were shown",
                hint: "run the command again, and read what it shows")
        case .unreadable(let table):
            .badInput(
                "store-unreadable", "the trust store is damaged: a row of table \(table) is unreadable",
                hint: Self.remake)
        case .contentBroken(let hash):
            .badInput(
                "content-broken", "the stored bytes with hash 0x\(hash.hex) are missing or were changed",
                hint: "heliograph metadata list shows whose metadata "
                    + "has this hash; remove it and scan it again")
        case .conflict(let table):
            .refused(
                "conflict", "already present, or already removed (\(table))",
                hint: "run the command again, and read what it shows")
        case .keyReuse(let keys):
            .refused("key-on-two-networks", Self.keyOnTwoNetworks(keys.count), hint: Hints.ownKey)
        }
    }

    /// The reset puts the store aside where it is not as its seal has it.
    private static let remake =
        """
        restore a backup, or heliograph verifier reset makes a new one: seeds stay; keys, policy and log are \
        lost
        """

    /// The sentence for keys that nobody agreed to allow on a second network.
    public static func keyOnTwoNetworks(_ count: Int) -> String {
        "\(Sentence.count(count, "key")) would be allowed on more than one network, which was not confirmed"
    }

    public static var examples: [StoreError] {
        let hash = Hash32.blake2b(of: [1])
        let differences: [SealDifference] = [
            .cell(table: "key", row: "1", column: "path"), .rowAdded(table: "key", row: "2"),
            .rowRemoved(table: "key", row: "3"), .seal,
            .sealMissing, .log(index: 4), .checkpoint(number: 64), .content(hash),
            .history(level: 3, prefix: 7), .historyBucket(9), .historyExtra,
        ]
        return [
            .missing, .alreadyExists, .notAStore, .otherLayout(found: 9), .busy, .damaged(code: 11),
            .inputOutput(code: 5),
            .journalTooLarge(limit: 2 << 20),
            .sealBroken(differences),
            .rolledBack(found: 3, confirmed: 4), .counterDiffers(store: 3, counter: 5),
            .vaultReplaced(found: 2, named: 3),
            .vaultFileUnwritten(code: 28),
            .changedSinceShown,
            .unreadable(table: "key"), .contentBroken(hash),
            .conflict(table: "key"),
            .keyReuse([
                KeyReuse(
                    key: PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!,
                    holder: "seed alice", path: "//0", held: [],
                    added: [])
            ]),
        ]
    }
}

extension SealDifference {
    /// What differs, as a part of a sentence.
    public var sentence: String {
        switch self {
        case .cell(let table, let row, let column): "\(column) in row \(row) of \(table)"
        case .rowAdded(let table, let row): "row \(row) of \(table) was added"
        case .rowRemoved(let table, let row): "row \(row) of \(table) was removed"
        case .seal: "the seal"
        case .sealMissing: "the seal is missing"
        case .log(let index): "the log at entry \(index)"
        case .checkpoint(let number): "the log's checkpoint at entry \(number)"
        case .content(let hash): "the bytes with hash 0x\(hash.hex)"
        case .history(let level, let prefix): "the history's tree at level \(level), node \(prefix)"
        case .historyBucket(let bucket): "the history in bucket \(bucket)"
        case .historyExtra: "rows added to the history"
        }
    }
}
