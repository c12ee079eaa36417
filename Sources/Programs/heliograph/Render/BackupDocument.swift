import Vault

/// A backup with the seeds in it, by their names.
struct BackupDocument: Encodable {
    let file: String
    let seeds: [String]

    init(file: String, seeds: [String]) {
        self.file = file
        self.seeds = seeds
    }

    init(file: String, _ report: VaultBackup.Report) { self.init(file: file, seeds: report.seedNames) }
}
