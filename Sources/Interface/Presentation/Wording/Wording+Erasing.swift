import Diagnostics
import Lines
import TerminalIO
import Vault

extension Wording {
    /// What an erasure cannot touch.
    package static let unreached = [
        "backups of this vault, and recovery phrases and shares on paper",
        "other copies of the directory, snapshots of the file system included",
        "exported pictures and answers",
        "blocks that a flash drive keeps after they are overwritten",
    ]

    package static func erases(_ directory: String, seeds: [String]?, importedKeys: Int) -> String {
        guard let seeds else {
            return
                "This overwrites and removes the vault \(Escape.terminal(directory)), which cannot be read."
        }
        let names =
            seeds.isEmpty
            ? "no seed"
            : "\(Sentence.count(seeds.count, "seed")): \(seeds.map(Escape.line).joined(separator: ", "))"
        let keys = importedKeys == 0 ? "" : ", and " + importedCount(importedKeys)
        return "This overwrites and removes the vault \(Escape.terminal(directory)) with \(names)\(keys)."
    }

    /// Before the names of the files that go.
    package static func erasesUnknown(_ directory: String) -> String {
        "\(Escape.terminal(directory)) has no vault file of this program. This overwrites and removes:"
    }

    package static func leftInDirectory(_ name: String) -> String {
        "\(Escape.line(name)) in the vault's directory"
    }
}
