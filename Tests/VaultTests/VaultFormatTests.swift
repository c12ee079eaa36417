import FoundationEssentials
import Glibc
import Hashing
import Keys
import TestSupport
import Testing

@testable import Vault

@Suite struct VaultFormatTests {
    struct VaultCase: Decodable {
        struct Seed: Decodable {
            let name: String
            let entropy: String
        }
        let id: Int
        let passphrase: String
        let keyFile: String
        let file: String
        let storeKey: String
        let seeds: [Seed]
    }

    private func cases() throws -> [VaultCase] {
        let cases = try Checkout.json("fixtures/keys/vaults.json", as: [VaultCase].self)
        try #require(!cases.isEmpty)
        return cases
    }

    /// Files made from the documented format with argon2-cffi and PyNaCl.
    @Test func filesMadeByAnIndependentProgramOpen() throws {
        for sample in try cases() {
            let directory = TemporaryDirectory(inMemory: true)
            try directory.write(try #require(Hex.decode(sample.file)), to: "vault")
            // 20 bytes: no attempt failed.
            try directory.write(Array("HELIOGAT".utf8) + [UInt8](repeating: 0, count: 12), to: "attempts")
            var keyFile = try #require(Hex.decode(sample.keyFile))
            let vault = try Vault.open(directory: directory.path).unlock(
                passphrase: secret(sample.passphrase), keyFile: SecretBytes(wiping: &keyFile))
            let names = vault.seedNames
            #expect(names == sample.seeds.map(\.name))
            for seed in sample.seeds {
                var expected = try #require(Hex.decode(seed.entropy))
                expectSame(try vault.seed(seed.name), SecretBytes(wiping: &expected))
            }
            var storeKey = try #require(Hex.decode(sample.storeKey))
            expectSame(vault.derivedKey(context: "store"), SecretBytes(wiping: &storeKey))
        }
    }
}

@Suite struct VaultSlotTests {
    @Test func aPassphraseChangeKeepsTheSeedsAndShutsOutTheOldOne() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.changingPassphrase(to: secret("new"), cost: .development))
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) { _ = try unlock(directory) }
        let vault = try unlock(directory, "new")
        expectSame(try vault.seed("first"), entropy(1))
        expectSame(try vault.seed("second"), entropy(2, count: 32))
    }

    @Test func aKeyFileIsNeededBesideThePassphrase() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let path = "\(directory.path)/key"
        try KeyFile.create(path: path)
        #expect(directory.mode("key") == 0o600)
        #expect(throws: VaultError.self) { try KeyFile.create(path: path) }
        do {
            _ = try Vault.create(
                directory: directory.path, passphrase: secret("right"), keyFile: KeyFile.read(path: path), cost: .development,
                development: true)
        }
        let vault = try Vault.open(directory: directory.path)
        #expect(vault.slots.map(\.needsKeyFile) == [true])
        #expect(throws: VaultError.self) { _ = try vault.unlock(passphrase: secret("right")) }
        #expect(throws: VaultError.self) { _ = try vault.unlock(passphrase: secret("right"), keyFile: SecretBytes(randomCount: 64)) }
        #expect(throws: VaultError.keyFileLength(31)) { _ = try vault.unlock(passphrase: secret("right"), keyFile: SecretBytes(count: 31)) }
    }

    /// What decrypts a key file writes it into a pipe, so that it is on no disk in the clear.
    @Test func `a key file comes through a pipe, from its length to its limit`() throws {
        func read(_ count: Int) throws -> [UInt8] {
            let program = try #require(popen("yes x | head -c \(count)", "r"))
            defer { pclose(program) }
            return try KeyFile.read(descriptor: fileno(program)).withUnsafeBytes { Array($0) }
        }
        for count in [32, 64, 4096, 65_537, 1 << 20] {
            #expect(try read(count) == (0..<count).map { $0 % 2 == 0 ? UInt8(ascii: "x") : 0x0a }, "\(count)")
        }
        for count in [0, 31, 1 << 20 | 1] { #expect(throws: VaultError.keyFileLength(count)) { _ = try read(count) } }
    }

    @Test func aKeyFileOpensWithItsPassphrase() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let path = "\(directory.path)/key"
        try KeyFile.create(path: path)
        do {
            _ = try Vault.create(
                directory: directory.path, passphrase: secret("right"), keyFile: KeyFile.read(path: path), cost: .development,
                development: true)
        }
        let isDevelopment = try Vault.open(directory: directory.path)
            .unlock(passphrase: secret("right"), keyFile: KeyFile.read(path: path)).isDevelopment
        #expect(isDevelopment)
    }

    @Test func `each slot of a file opens it with its own passphrase`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let first = try VaultFile(try directory.read("vault"))
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.changingPassphrase(to: secret("second"), cost: .development))
        }
        var file = try VaultFile(try directory.read("vault"))
        file.slots.insert(contentsOf: first.slots, at: 0)
        for (index, passphrase) in ["right", "second"].enumerated() {
            let opened = try slot(of: file, passphrase)
            #expect(opened == index)
        }
        let third = try slot(of: file, "third")
        #expect(third == nil)
    }

    private func slot(of file: VaultFile, _ passphrase: String) throws -> Int? {
        guard let opened = try KeySlots.unwrap(file, passphrase: secret(passphrase), keyFile: SecretBytes()) else { return nil }
        return opened.index
    }

    @Test func confirmingAPassphraseCountsAWrongOne() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        try vault.confirm(passphrase: secret("right"))
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) { try vault.confirm(passphrase: secret("wrong")) }
        #expect(try Vault.open(directory: directory.path).failedAttempts().count == 1)
    }
}

@Suite struct VaultBackupTests {
    private func backup(_ directory: TemporaryDirectory) throws -> [UInt8] {
        try makeVault(directory)
        let store = try #require(VaultBackup.Attachment(name: "store.sqlite", bytes: Array("a store".utf8)))
        return VaultBackup.make(try unlock(directory), attachments: [store])
    }

    @Test func aBackupRestoresSeedsAttachmentsAndKeys() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let bytes = try backup(directory)
        let report = try VaultBackup.check(bytes, passphrase: secret("right"))
        #expect(report.seedNames == ["first", "second"])
        #expect(report.attachments.map(\.name) == ["store.sqlite"])
        let other = TemporaryDirectory(inMemory: true)
        #expect(try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right")) == report)
        #expect(try other.read("store.sqlite") == Array("a store".utf8))
        let key: SecretBytes
        do { key = try unlock(directory).derivedKey(context: "store") }
        let restored = try unlock(other)
        expectSame(try restored.seed("second"), entropy(2, count: 32))
        expectSame(restored.derivedKey(context: "store"), key)
    }

    @Test func aBackupIsNotRestoredOverAVault() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let bytes = try backup(directory)
        let before = try directory.read("vault")
        #expect(throws: VaultError.exists(directory.path)) {
            _ = try VaultBackup.restore(bytes, into: directory.path, passphrase: secret("right"))
        }
        #expect(try directory.read("vault") == before)
    }

    @Test func aRestoreThatIsNotConfirmedWritesNothing() throws {
        struct No: Error {}
        let directory = TemporaryDirectory(inMemory: true)
        let bytes = try backup(directory)
        let other = TemporaryDirectory(inMemory: true)
        #expect(throws: No.self) {
            _ = try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right")) { report, attachments in
                #expect(report.seedNames == ["first", "second"])
                #expect(attachments.map(\.name) == ["store.sqlite"])
                throw No()
            }
        }
        #expect(!Vault.exists(directory: other.path))
        #expect(fopen("\(other.path)/store.sqlite", "r") == nil)
        _ = try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right"))
        #expect(Vault.exists(directory: other.path))
        // Nobody is asked about a vault that cannot be restored.
        #expect(throws: VaultError.exists(other.path)) {
            _ = try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right")) { _, _ in throw No() }
        }
    }

    @Test func aWrongPassphraseACutOrAFlippedByteIsRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let bytes = try backup(directory)
        #expect(throws: VaultError.wrongPassphrase(failures: 0, delay: 0)) { _ = try VaultBackup.check(bytes, passphrase: secret("wrong")) }
        for length in stride(from: 0, to: bytes.count, by: 11) {
            #expect(throws: VaultError.self) { _ = try VaultBackup.check(Array(bytes.prefix(length)), passphrase: secret("right")) }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            #expect(throws: VaultError.self, "byte \(index)") { _ = try VaultBackup.check(changed, passphrase: secret("right")) }
        }
    }

    @Test func attachmentsCannotLeaveTheirDirectory() {
        for name in ["", ".", "..", "../x", "a/b", ".hidden", "vault", "attempts", "lock", "a b"] {
            #expect(VaultBackup.Attachment(name: name, bytes: []) == nil, "\(name)")
        }
    }
}
