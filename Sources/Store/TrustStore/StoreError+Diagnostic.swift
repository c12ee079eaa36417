import Diagnostics
import SubstratePrimitives

extension StoreError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case missing = "store-missing"
        case exists = "vault-exists"
        case notAStore = "not-a-store"
        case otherLayout = "store-layout"
        case busy = "store-busy"
        case damaged = "store-damaged"
        case inputOutput = "input-output"
        case journalTooLarge = "journal-too-large"
        case sealBroken = "seal-broken"
        case rolledBack = "rolled-back"
        case vaultReplaced = "vault-replaced"
        case vaultFileUnwritten = "vault-file-unwritten"
        case changedSinceShown = "changed-since-shown"
        case unreadable = "store-unreadable"
        case contentBroken = "content-broken"
        case conflict = "conflict"
        case keyOnTwoNetworks = "key-on-two-networks"
    }

    public var code: Code {
        switch self {
        case .missing: .missing
        case .alreadyExists: .exists
        case .notAStore: .notAStore
        case .otherLayout: .otherLayout
        case .busy: .busy
        case .damaged: .damaged
        case .inputOutput: .inputOutput
        case .journalTooLarge: .journalTooLarge
        case .sealBroken, .generationMarkBroken: .sealBroken
        case .rolledBack: .rolledBack
        case .vaultReplaced: .vaultReplaced
        case .vaultFileUnwritten: .vaultFileUnwritten
        case .changedSinceShown: .changedSinceShown
        case .unreadable: .unreadable
        case .contentBroken: .contentBroken
        case .conflict: .conflict
        case .keyReuse: .keyOnTwoNetworks
        }
    }

    public var sentence: String {
        switch self {
        case .missing: "the vault has no trust store"
        case .alreadyExists: "a trust store already exists here"
        case .notAStore: "the file is not a trust store of this program"
        case .otherLayout(let found):
            "the trust store has layout \(found), from another version of this program, and this one reads layouts "
                + Schema.Layout.allCases.dropLast().map { String($0.rawValue) }.joined(separator: ", ")
                + " and \(Schema.Layout.present.rawValue)"
        case .busy: "another program is using the trust store"
        case .damaged(let code): "the trust store is damaged (SQLite code \(code))"
        case .inputOutput(let number): "the trust store cannot be accessed: \(Sentence.systemError(number))"
        case .journalTooLarge(let limit):
            "the file journal of the vault is larger than \(limit >> 20) MiB, and this program never writes so much to it"
        case .sealBroken(let differences):
            "the trust store was changed by someone without the passphrase: \(differences.map(\.sentence).joined(separator: "; "))"
        case .rolledBack(let found, let confirmed):
            "the trust store was rolled back: it has generation \(found), and generation \(confirmed) is known"
        case .vaultReplaced(let found, let named):
            "the vault file and the trust store do not belong together: the vault file has revision \(found), and the trust store expects "
                + "revision \(named); one of them was replaced"
        case .vaultFileUnwritten(let number):
            "the change is in force and in the log, but the vault file cannot be written: \(Sentence.systemError(number))"
        case .generationMarkBroken: "the mark of the newest generation of the trust store is missing or was changed"
        case .changedSinceShown: "the trust store changed after the cards were shown"
        case .unreadable(let table): "the trust store is damaged: a row of table \(table) is unreadable"
        case .contentBroken(let hash): "the stored bytes with hash 0x\(hash.hex) are missing or were changed"
        case .conflict(let table): "already present, or already removed (\(table))"
        case .keyReuse(let keys): Self.keyOnTwoNetworks(keys.count)
        }
    }

    /// The sentence for keys that nobody agreed to allow on a second network.
    public static func keyOnTwoNetworks(_ count: Int) -> String {
        "\(Sentence.count(count, "key")) would be allowed on more than one network, which was not confirmed"
    }

    public static var examples: [StoreError] {
        let hash = Hash32.blake2b(of: [1])
        let differences: [SealDifference] = [
            .cell(table: "key", row: "1", column: "path"), .rowAdded(table: "key", row: "2"), .rowRemoved(table: "key", row: "3"), .seal,
            .sealMissing, .log(index: 4), .checkpoint(number: 64), .content(hash),
            .history(level: 3, prefix: 7), .historyBucket(9), .historyExtra,
        ]
        return [
            .missing, .alreadyExists, .notAStore, .otherLayout(found: 9), .busy, .damaged(code: 11), .inputOutput(code: 5),
            .journalTooLarge(limit: 2 << 20),
            .sealBroken(differences),
            .rolledBack(found: 3, confirmed: 4), .vaultReplaced(found: 2, named: 3), .vaultFileUnwritten(code: 28), .generationMarkBroken,
            .changedSinceShown,
            .unreadable(table: "key"), .contentBroken(hash),
            .conflict(table: "key"),
            .keyReuse([
                KeyReuse(
                    key: PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 1, count: 32))!, holder: "seed alice", path: "//0", held: [],
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
