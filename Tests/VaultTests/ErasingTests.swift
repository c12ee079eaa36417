import Foundation
import Glibc
import Keys
import TestSupport
import Testing

@testable import Vault

@Suite struct ErasingLaws {
    @Test func `an erased vault has no file left, and what is not its own stays`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "erasing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path(percentEncoded: false)
        do {
            let vault = try Vault.create(
                directory: path, passphrase: SecretBytes(utf8: "right"), cost: .development, development: true
            )
            _ = vault.id
        }
        for name in ["store.sqlite", "journal", ".vault.1.new", "letter.txt"] {
            try Data("secret".utf8).write(to: folder.appending(path: name))
        }
        // A second name of the same bytes: what is overwritten in place is gone there, too.
        let vaultFile = try #require(
            try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasPrefix("vault") })
        let before = try Data(contentsOf: folder.appending(path: vaultFile))
        let witness = FileManager.default.temporaryDirectory.appending(path: "witness-\(UUID().uuidString)")
        try FileManager.default.linkItem(at: folder.appending(path: vaultFile), to: witness)
        defer { try? FileManager.default.removeItem(at: witness) }
        #expect(try Vault.notErased(directory: path) == ["letter.txt"])
        let erasure = try Vault.erase(directory: path)
        #expect(
            erasure.left == ["letter.txt"] && erasure.removed.contains(vaultFile)
                && erasure.removed.contains("store.sqlite"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["letter.txt"])
        let after = try Data(contentsOf: witness)
        #expect(after.count == before.count && after != before)
        #expect(zip(after, before).count { $0 == $1 } < before.count / 4)
        #expect(!Vault.exists(directory: path))
    }

    /// A development vault in a directory of its own, and a second name of its vault file.
    private func vault(_ body: (_ path: String, _ witness: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "erasing-\(UUID().uuidString)")
        let witness = folder.path(percentEncoded: false) + "-witness"
        defer {
            try? FileManager.default.removeItem(at: folder)
            unlink(witness)
        }
        let path = folder.path(percentEncoded: false)
        do {
            let vault = try Vault.create(
                directory: path, passphrase: SecretBytes(utf8: "right"), cost: .development, development: true
            )
            _ = vault.id
        }
        #expect(link("\(path)/vault", witness) == 0)
        try body(path, witness)
    }

    @Test func `key slots that cannot be written to are made writable, and keep their name where that fails`()
        throws
    {
        try vault { path, witness in
            let before = try Data(contentsOf: URL(filePath: witness))
            #expect(chmod("\(path)/vault", 0o400) == 0)
            _ = try Vault.erase(directory: path)
            #expect(try Data(contentsOf: URL(filePath: witness)) != before && !Vault.exists(directory: path))
        }
        try vault { path, witness in
            // A link in place of the file: nobody knows what it leads to, and the slots may be there.
            #expect(unlink("\(path)/vault") == 0 && symlink(witness, "\(path)/vault") == 0)
            #expect(throws: VaultError.erasedInPart(slots: false, notOverwritten: ["vault"], notRemoved: []))
            {
                try Vault.erase(directory: path)
            }
            var facts = stat()
            #expect(lstat("\(path)/vault", &facts) == 0)
        }
    }

    /// Whoever can write to the directory can put anything there. What holds the key slots is overwritten all
    /// the same.
    @Test(arguments: ["journal", "store.sqlite", "attempts", "lock"])
    func `key slots are overwritten whatever lies beside them`(_ name: String) throws {
        try vault { path, witness in
            let before = try Data(contentsOf: URL(filePath: witness))
            unlink("\(path)/\(name)")
            #expect(mkdir("\(path)/\(name)", 0o700) == 0)
            let notOverwritten = name == "lock" ? [] : [name]
            #expect(
                throws: VaultError.erasedInPart(
                    slots: true, notOverwritten: notOverwritten, notRemoved: [name])
            ) {
                try Vault.erase(directory: path)
            }
            let after = try Data(contentsOf: URL(filePath: witness))
            #expect(after.count == before.count && zip(after, before).count { $0 == $1 } < before.count / 4)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [name])
        }
    }

    @Test func `a slot file that cannot be overwritten is told as one, and does not save the other`() throws {
        try vault { path, witness in
            let before = try Data(contentsOf: URL(filePath: witness))
            #expect(mkdir("\(path)/intent", 0o700) == 0)
            #expect(throws: VaultError.erasedInPart(slots: false, notOverwritten: ["intent"], notRemoved: []))
            {
                try Vault.erase(directory: path)
            }
            #expect(try Data(contentsOf: URL(filePath: witness)) != before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["intent"])
        }
    }

    /// A directory of another kind was named by mistake.
    @Test func `only names that this program makes are erased`() throws {
        let others = [
            "store.ts", "store.json", ".store.rc", "store.sqlite.refused-", "store.sqlite.refused-now",
            "store.sqlite.refused-1-2-3", "store.sqlite-old", ".vault.mine.new", ".store.old.1.new",
            ".vault.0123456789abcdef0123456789abcde.new", ".vault.0123456789abcdef0123456789abcdefa.new",
            ".vault.0123456789ABCDEF0123456789abcdef.new",
            "vault.txt", "store.sqlite.new.bak",
        ].sorted()
        let own = [
            ".attempts.7.new", ".intent.7.new", ".journal.7.new", ".store.sqlite.7.new",
            ".vault.0123456789abcdef0123456789abcdef.new", ".vault.7.new",
            "attempts", "intent", "journal", "lock", "store.sqlite", "store.sqlite-journal",
            "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.new", "store.sqlite.new-wal",
            "store.sqlite.refused-1700000000", "store.sqlite.refused-1700000000-2-wal", "vault",
        ]
        let directory = TemporaryDirectory(inMemory: true)
        for name in others + own { try directory.write(Array("text".utf8), to: name) }
        #expect(try Vault.erasedUnknown(directory: directory.path) == own)
        #expect(try Vault.notErased(directory: directory.path) == others)
        let erasure = try Vault.erase(directory: directory.path)
        #expect(erasure.removed == own.filter { $0 != "lock" } && erasure.left == others)
        #expect(directory.names.sorted() == others)
    }

    @Test func `a vault lists no unknown names, and any other directory lists all of them`() throws {
        try vault { path, _ in
            #expect(try Vault.erasedUnknown(directory: path).isEmpty)
            // Damaged behind its beginning it is still a vault.
            let file = URL(filePath: "\(path)/vault")
            try Data(contentsOf: file).prefix(20).write(to: file)
            #expect(try Vault.erasedUnknown(directory: path).isEmpty)
            try Data("ansible vault password".utf8).write(to: file)
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            #expect(try Vault.erasedUnknown(directory: path) == names && names.contains("vault"))
        }
    }

    /// In a directory that may not be changed files of one's own are overwritten and keep their names.
    @Test func `overwritten key slots whose file cannot be removed are told as overwritten`() throws {
        try vault { path, witness in
            let before = try Data(contentsOf: URL(filePath: witness))
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            let error = #expect(throws: VaultError.self) {
                try Vault.erase(directory: path) { (_, _) throws(VaultError) in
                    throw .system(operation: "remove", errno: EACCES)
                }
            }
            guard case .erasedInPart(true, [], let notRemoved)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(notRemoved.sorted() == names)
            let after = try Data(contentsOf: URL(filePath: witness))
            #expect(zip(after, before).count { $0 == $1 } < before.count / 4)
        }
    }

    /// The bytes that a link leads to are not the vault's.
    @Test func `a link beside the vault is removed and not followed`() throws {
        try vault { path, witness in
            let target = witness + "-target"
            try Data("mine".utf8).write(to: URL(filePath: target))
            defer { unlink(target) }
            #expect(symlink(target, "\(path)/journal") == 0)
            #expect(throws: VaultError.erasedInPart(slots: true, notOverwritten: ["journal"], notRemoved: []))
            {
                try Vault.erase(directory: path)
            }
            #expect(try Data(contentsOf: URL(filePath: target)) == Data("mine".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        }
    }

    @Test func `a hole of 20 GB is not filled`() throws {
        try vault { (path, _) throws in
            #expect(close(open("\(path)/journal", O_CREAT | O_WRONLY, 0o600)) == 0)
            #expect(truncate("\(path)/journal", 20 << 30) == 0)
            let begin = ContinuousClock.now
            let erasure = try Vault.erase(directory: path)
            #expect(erasure.left.isEmpty)
            #expect(ContinuousClock.now - begin < .seconds(10))
        }
    }
}

/// Files of a vault are never links, and its cost is told where it is not what this program chooses.
@Suite struct VaultPlaceLaws {
    @Test(arguments: ["vault", "attempts", "lock", "journal", "store.sqlite", "store.sqlite-wal"])
    func `a link in a vault is named`(_ name: String) throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        rename("\(directory.path)/\(name)", "\(directory.path)/elsewhere")
        #expect(symlink("elsewhere", "\(directory.path)/\(name)") == 0)
        #expect(throws: VaultError.link("\(directory.path)/\(name)")) {
            try Vault.open(directory: directory.path)
        }
    }

    @Test func `a refused vault leaves nothing behind`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        #expect(throws: VaultError.emptyPassphrase) {
            _ = try Vault.create(directory: directory.path, passphrase: secret(""), cost: .minimum)
        }
        #expect(directory.names.isEmpty)
    }

    @Test func `a cost is unusual from one KiB above 256 MiB, and from one pass above 4 GiB of work`() {
        let (most, work) = (UInt32(256 << 10), UInt32(4 << 20))
        #expect(!KDFCost(passes: 1, memory: most).isUnusual && KDFCost(passes: 1, memory: most + 1).isUnusual)
        #expect(
            !KDFCost(passes: work / most, memory: most).isUnusual
                && KDFCost(passes: work / most + 1, memory: most).isUnusual)
        #expect(
            !KDFCost(passes: 64, memory: 64 << 10).isUnusual && KDFCost(passes: 4, memory: 2 << 20).isUnusual)
    }

    @Test func `a forged cost is told before it is paid`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        #expect(try Vault.open(directory: directory.path).unusualCost == nil)
        var bytes = try Array(Data(contentsOf: URL(filePath: "\(directory.path)/vault")))
        // Magic, format, id, development, revision, generation, one slot, one factor, its kind and length,
        // salt; then passes and memory.
        let place = 8 + 1 + 16 + 1 + 8 + 8 + 1 + 3 + 16
        bytes.replaceSubrange(place..<(place + 8), with: [4, 0, 0, 0, 0, 0, 32, 0])
        try Data(bytes).write(to: URL(filePath: "\(directory.path)/vault"))
        chmod("\(directory.path)/vault", 0o600)
        #expect(try Vault.open(directory: directory.path).unusualCost == KDFCost(passes: 4, memory: 2 << 20))
    }
}
