import Foundation
import Keys
import TestSupport
import Testing
import Vault

@Suite struct ErasingLaws {
    @Test func `an erased vault has no file left, and what is not its own stays`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "erasing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        do {
            let vault = try Vault.create(
                directory: path, passphrase: SecretBytes(utf8: "right"), cost: .development, development: true)
            _ = vault.id
        }
        for name in ["store.sqlite", "journal", ".vault.1.new", "letter.txt"] {
            try Data("secret".utf8).write(to: folder.appending(path: name))
        }
        // A second name of the same bytes: what is overwritten in place is gone there, too.
        let vaultFile = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasPrefix("vault") })
        let before = try Data(contentsOf: folder.appending(path: vaultFile))
        let witness = FileManager.default.temporaryDirectory.appending(path: "witness-\(UUID().uuidString)")
        try FileManager.default.linkItem(at: folder.appending(path: vaultFile), to: witness)
        defer { try? FileManager.default.removeItem(at: witness) }
        #expect(try Vault.notErased(directory: path) == ["letter.txt"])
        let erasure = try Vault.erase(directory: path)
        #expect(erasure.left == ["letter.txt"] && erasure.removed.contains(vaultFile) && erasure.removed.contains("store.sqlite"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["letter.txt"])
        let after = try Data(contentsOf: witness)
        #expect(after.count == before.count && after != before)
        #expect(zip(after, before).count { $0 == $1 } < before.count / 4)
        #expect(!Vault.exists(directory: path))
    }
}
