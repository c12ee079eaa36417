import Foundation
import Glibc
import Keys
import SystemIO
import TestSupport
import Testing

@testable import Vault

/// Where a result may be written.
@Suite struct OutputLaws {
    private func forbids(_ directory: TemporaryDirectory, _ name: String, replacingBackup: Bool = false)
        -> Bool
    {
        Vault.forbids(output: "\(directory.path)/\(name)", replacingBackup: replacingBackup)
    }

    @Test(arguments: ["vault", "store.sqlite", "journal", "attempts", "intent", "lock"])
    func `nothing is named as a file of a vault beside what is left of one`(left: String) throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: left)
        for name in [
            "vault", "intent", "attempts", "lock", "journal", "store.sqlite", "store.sqlite-wal",
            "store.sqlite-shm", ".vault.1.new", ".store.sqlite.1.new",
        ] {
            #expect(forbids(directory, name), "\(name) beside \(left)")
        }
        for name in ["out.png", "vault.png", "journal.txt", "vault2", ".vault.1.png", ".vaults.new"] {
            #expect(!forbids(directory, name))
        }
    }

    @Test func `where nothing is of a vault every name is free`() throws {
        let directory = TemporaryDirectory()
        try directory.write([1], to: "store.png")
        for name in ["vault", "journal", "store.sqlite", "store.png", "out.png"] {
            #expect(!forbids(directory, name))
        }
        #expect(forbids(directory, "gone/vault"))
    }

    @Test
    func
        `what begins as a file of a vault is not replaced, whatever its name, and a backup by a backup alone`()
        throws
    {
        let directory = TemporaryDirectory()
        for start in ["HELIOGVT", "HELIOGIN", "HELIOGA2", "HELIOGJ2", "HELIOGBK", "SQLite format 3\0"] {
            try directory.write(Array(start.utf8) + [1, 2, 3], to: "out.png")
            #expect(forbids(directory, "out.png"), "\(start)")
            #expect(forbids(directory, "out.png", replacingBackup: true) == (start != "HELIOGBK"))
        }
        for start in ["HELIO", "SQLite format 2", ""] {
            try directory.write(Array(start.utf8), to: "out.png")
            #expect(!forbids(directory, "out.png"))
        }
    }

    /// What is committed to a database may stand there alone: a write-ahead log of either byte order, a
    /// rollback journal. Source: sqlite.org/fileformat2.html, sections 3 and 4.
    @Test(
        arguments: [
            [0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83],
            [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7],
        ] as [[UInt8]])
    func `what a database has not yet taken in is not replaced`(start: [UInt8]) throws {
        let directory = TemporaryDirectory()
        try directory.write(start + [1, 2, 3], to: "hot.sqlite-wal")
        #expect(forbids(directory, "hot.sqlite-wal"))
        for index in start.indices {
            var other = start
            other[index] ^= 0x40
            try directory.write(other + [1, 2, 3], to: "hot.sqlite-wal")
            #expect(!forbids(directory, "hot.sqlite-wal"))
        }
    }

    /// What is committed while a database is open goes into files that may be empty now.
    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `what lies beside a database is not replaced`(ending: String) throws {
        let directory = TemporaryDirectory()
        try directory.write([], to: "hot.sqlite\(ending)")
        #expect(!forbids(directory, "hot.sqlite\(ending)"))
        try directory.write(Array("SQLite format 3\0".utf8), to: "hot.sqlite")
        #expect(forbids(directory, "hot.sqlite\(ending)"))
        for name in ["hot.sqlite-png", "cold.sqlite\(ending)", ending] { #expect(!forbids(directory, name)) }
    }

    @Test func `a file that may be a key file is told by its length and bytes that no text has`() throws {
        let directory = TemporaryDirectory()
        let key = "\(directory.path)/key"
        try KeyFile.create(path: key)
        #expect(KeyFile.mayBe(key))
        let made = try directory.read("key")
        for bytes in [Array(made.dropLast()), made + [1], Array(repeating: 0x61, count: 64), []] {
            try directory.write(bytes, to: "other")
            #expect(!KeyFile.mayBe("\(directory.path)/other"))
        }
        for byte in [0x00, 0x08, 0x0e, 0x1f, 0x7f, 0xff] as [UInt8] {
            try directory.write(Array(repeating: 0x61, count: 63) + [byte], to: "other")
            #expect(KeyFile.mayBe("\(directory.path)/other"), "\(byte)")
        }
        #expect(symlink(key, "\(directory.path)/link") == 0 && mkfifo("\(directory.path)/pipe", 0o600) == 0)
        for name in ["link", "pipe", "gone", "."] { #expect(!KeyFile.mayBe("\(directory.path)/\(name)")) }
    }

    /// Whoever can write to a directory can put a pipe there, to which nobody writes.
    @Test(.timeLimit(.minutes(1)))
    func `a pipe in place of a file holds nobody up`() throws {
        let directory = TemporaryDirectory()
        for name in ["vault", "out.png"] { #expect(mkfifo("\(directory.path)/\(name)", 0o600) == 0) }
        #expect(
            forbids(directory, "journal") && forbids(directory, "vault") && !forbids(directory, "out.png"))
        #expect(!Vault.exists(directory: directory.path))
        #expect(throws: VaultError.notAFile("\(directory.path)/vault")) {
            try PrivateFile.read("\(directory.path)/vault", limit: 10)
        }
    }

    @Test func `a link that leads nowhere is named`() throws {
        let directory = TemporaryDirectory()
        let link = "\(directory.path)/link"
        #expect(symlink("\(directory.path)/gone", link) == 0)
        #expect(throws: VaultError.leadsNowhere(link)) { try Vault.open(directory: link) }
        #expect(throws: VaultError.leadsNowhere(link)) {
            _ = try Vault.create(
                directory: link, passphrase: secret("right"), cost: .development, development: true)
        }
        #expect(throws: VaultError.leadsNowhere(link)) { try Vault.requireFound(directory: link) }
        try Vault.requireFound(directory: directory.path)
        try Vault.requireFound(directory: "\(directory.path)/gone")
    }
}

/// What a passphrase costs is told before it is paid, and nobody changes it afterwards.
@Suite struct CostLaws {
    private static let half = KDFCost(passes: 16, memory: 256 << 10)

    /// A vault file whose slots state these costs. No passphrase opens it.
    private func forge(_ directory: TemporaryDirectory, _ costs: [KDFCost]) throws -> VaultFile {
        var file = try VaultFile(Array(Data(contentsOf: URL(filePath: "\(directory.path)/vault"))))
        file.slots = costs.map { cost in
            var slot = file.slots[0]
            slot.cost = cost
            return slot
        }
        try PrivateFile.replace(VaultFile.name, in: directory.path, with: file.encoded())
        return file
    }

    @Test func `slots that are each below the limit add up`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        #expect(KDFCost.total(of: []) == nil && !Self.half.isUnusual)
        _ = try forge(directory, [Self.half])
        #expect(try Vault.open(directory: directory.path).unusualCost == nil)
        _ = try forge(directory, [KDFCost](repeating: Self.half, count: 8))
        #expect(
            try Vault.open(directory: directory.path).unusualCost == KDFCost(passes: 128, memory: 256 << 10))
        let file = try forge(directory, [Self.half, KDFCost(passes: 1, memory: 8)])
        #expect(
            try Vault.open(directory: directory.path).unusualCost == KDFCost(passes: 17, memory: 256 << 10))
        #expect(Vault.unusual(Vault.costs(of: file)) == KDFCost(passes: 17, memory: 256 << 10))
        #expect(
            KDFCost.total(of: [KDFCost](repeating: KDFCost(passes: .max, memory: .max), count: 16))?.passes
                == .max)
    }

    @Test func `the slots of an interrupted change are told, too`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let file = try forge(directory, [Self.half])
        var next = file
        next.revision += 1
        var intent = VaultIntent(from: file, to: next)
        intent.seal = [UInt8](repeating: 0, count: VaultFile.sealLength)
        try PrivateFile.replace(VaultIntent.name, in: directory.path, with: intent.encoded())
        #expect(
            try Vault.open(directory: directory.path).unusualCost == KDFCost(passes: 32, memory: 256 << 10))
        // One that states another cost is refused before anything is derived.
        next.slots[0].cost = KDFCost(passes: 64, memory: 2 << 20)
        intent = VaultIntent(from: file, to: next)
        intent.seal = [UInt8](repeating: 0, count: VaultFile.sealLength)
        try PrivateFile.replace(VaultIntent.name, in: directory.path, with: intent.encoded())
        let vault = try Vault.open(directory: directory.path)
        #expect(vault.unusualCost == nil)
        #expect(throws: VaultError.tampered("intent")) { _ = try vault.unlock(passphrase: secret("right")) }
    }

    @Test func `a cost that is put in place while the passphrase is typed is not paid, nor counted`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let former = try Data(contentsOf: URL(filePath: "\(directory.path)/vault"))
        let opened = try Vault.open(directory: directory.path)
        for costs in [[KDFCost(passes: 64, memory: 2 << 20)], [KDFCost](repeating: Self.half, count: 8)] {
            _ = try forge(directory, costs)
            #expect(throws: VaultError.costChanged) { _ = try opened.unlock(passphrase: secret("right")) }
            #expect(try opened.failedAttempts().count == 0)
        }
        // What was told may become cheaper, and what is usual may change.
        let told = try Vault.open(directory: directory.path)
        try PrivateFile.replace(VaultFile.name, in: directory.path, with: Array(former))
        _ = try told.unlock(passphrase: secret("right"))
    }
}
