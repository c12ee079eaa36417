import Ceremony
import Hashing
import SubstratePrimitives
import Vault

/// A backup with the seeds in it, by their names.
package struct BackupDocument: Encodable {
    let file: String
    let seeds: [String]
    /// Public keys in hex, of keys that no seed gives; absent where there are none.
    let imported_keys: [String]?

    package init(file: String, _ content: BackUpVault.Content) {
        self.init(file: file, seeds: content.seeds, keys: content.importedKeys)
    }

    package init(file: String, _ report: VaultBackup.Report) {
        self.init(file: file, seeds: report.seedNames, keys: report.importedKeys)
    }

    private init(file: String, seeds: [String], keys: [PublicKey]) {
        self.file = file
        self.seeds = seeds
        imported_keys = keys.isEmpty ? nil : keys.map { Hex.encode($0.bytes) }
    }
}

/// What a seed is copied as.
package enum BackupForm: String, CaseIterable, Sendable {
    case words
    case seedQR = "seed-qr"
    case compactSeedQR = "compact-seed-qr"
    case shares

    /// In a sentence.
    package var title: String {
        switch self {
        case .words: "these words"
        case .seedQR: "this SeedQR"
        case .compactSeedQR: "this CompactSeedQR"
        case .shares: "these shares"
        }
    }
}
