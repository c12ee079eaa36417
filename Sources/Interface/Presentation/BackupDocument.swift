import Vault

/// A backup with the seeds in it, by their names.
package struct BackupDocument: Encodable {
    let file: String
    let seeds: [String]

    package init(file: String, seeds: [String]) {
        self.file = file
        self.seeds = seeds
    }

    package init(file: String, _ report: VaultBackup.Report) {
        self.init(file: file, seeds: report.seedNames)
    }
}

/// What a seed is copied as.
package enum BackupForm: String, CaseIterable {
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
