import FoundationEssentials
import Glibc
import Hashing
import Keys
import SubstratePrimitives
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
        let keys: [Key]

        struct Key: Decodable {
            let scheme: String
            let publicKey: String
            let secret: String
        }
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
            // No attempt failed, and the file was written once.
            let sequence: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
            try directory.write(
                Array("HELIOGA2".utf8) + [UInt8](repeating: 0, count: 12) + sequence + [0], to: "attempts")
            var keyFile = try #require(Hex.decode(sample.keyFile))
            let vault = try Vault.open(directory: directory.path).unlock(
                passphrase: secret(sample.passphrase), keyFile: SecretBytes(wiping: &keyFile))
            let names = vault.seedNames
            #expect(names == sample.seeds.map(\.name))
            for seed in sample.seeds {
                var expected = try #require(Hex.decode(seed.entropy))
                expectSame(try vault.seed(seed.name), SecretBytes(wiping: &expected))
            }
            #expect(vault.importedKeys.map(\.scheme.name) == sample.keys.map(\.scheme))
            for (key, expected) in zip(vault.importedKeys, sample.keys) {
                #expect(Hex.encode(key.bytes) == expected.publicKey)
                var bytes = try #require(Hex.decode(expected.secret))
                expectSame(try vault.keyPair(imported: key).exportSecret(), SecretBytes(wiping: &bytes))
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
        #expect(throws: VaultError.system(operation: "create", errno: EEXIST)) {
            try KeyFile.create(path: path)
        }
        do {
            _ = try Vault.create(
                directory: directory.path, passphrase: secret("right"), keyFile: KeyFile.read(path: path),
                cost: .development,
                development: true)
        }
        let vault = try Vault.open(directory: directory.path)
        #expect(vault.slots.map(\.needsKeyFile) == [true])
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try vault.unlock(passphrase: secret("right"))
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 2, delay: 0)) {
            _ = try vault.unlock(passphrase: secret("right"), keyFile: SecretBytes(randomCount: 64))
        }
        #expect(throws: VaultError.keyFileLength(31)) {
            _ = try vault.unlock(passphrase: secret("right"), keyFile: SecretBytes(count: 31))
        }
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
        for count in [0, 31, 1 << 20 | 1] {
            #expect(throws: VaultError.keyFileLength(count)) { _ = try read(count) }
        }
    }

    @Test func aKeyFileOpensWithItsPassphrase() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let path = "\(directory.path)/key"
        try KeyFile.create(path: path)
        do {
            _ = try Vault.create(
                directory: directory.path, passphrase: secret("right"), keyFile: KeyFile.read(path: path),
                cost: .development,
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
        guard let opened = try KeySlots.unwrap(file, passphrase: secret(passphrase), keyFile: SecretBytes())
        else { return nil }
        return opened.index
    }

    @Test func confirmingAPassphraseCountsAWrongOne() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        try vault.confirm(passphrase: secret("right"))
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            try vault.confirm(passphrase: secret("wrong"))
        }
        #expect(try Vault.open(directory: directory.path).failedAttempts().count == 1)
    }
}

@Suite struct VaultBackupTests {
    private func backup(_ directory: TemporaryDirectory) throws -> [UInt8] {
        try makeVault(directory)
        let store = try #require(VaultBackup.Attachment(name: "store.sqlite", bytes: Array("a store".utf8)))
        return try VaultBackup.make(try unlock(directory), attachments: [store])
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

    /// Longer than other files that are read, and shorter than a backup may be.
    @Test func `a backup of 65 MiB is restored`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let bytes = [UInt8](repeating: 7, count: 65 << 20)
        let store = try #require(VaultBackup.Attachment(name: "store.sqlite", bytes: bytes))
        let backup = try VaultBackup.make(try unlock(directory), attachments: [store])
        let other = TemporaryDirectory(inMemory: true)
        let report = try VaultBackup.restore(backup, into: other.path, passphrase: secret("right"))
        #expect(report.attachments.map(\.length) == [bytes.count])
        #expect(try other.read("store.sqlite") == bytes)
    }

    @Test func `no backup is made that is longer than what is read`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        let store = try #require(
            VaultBackup.Attachment(name: "store.sqlite", bytes: [UInt8](repeating: 7, count: 10_000)))
        let length = try VaultBackup.make(vault, attachments: [store]).count
        #expect(try VaultBackup.make(vault, attachments: [store], limit: length).count == length)
        #expect(throws: VaultError.backupTooLarge(length: length, limit: length - 1)) {
            _ = try VaultBackup.make(vault, attachments: [store], limit: length - 1)
        }
        // What is said before is said of more than is there, never of less.
        #expect(length < 10_000 + VaultBackup.allowance)
        try VaultBackup.requireRoom(forBytes: 5, limit: VaultBackup.allowance + 5)
        #expect(
            throws: VaultError.backupTooLarge(
                length: VaultBackup.allowance + 6, limit: VaultBackup.allowance + 5)
        ) { try VaultBackup.requireRoom(forBytes: 6, limit: VaultBackup.allowance + 5) }
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
            _ = try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right")) {
                report, attachments in
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
            _ = try VaultBackup.restore(bytes, into: other.path, passphrase: secret("right")) { _, _ in
                throw No()
            }
        }
    }

    @Test func aWrongPassphraseACutOrAFlippedByteIsRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let bytes = try backup(directory)
        #expect(throws: VaultError.wrongPassphrase(failures: 0, delay: 0)) {
            _ = try VaultBackup.check(bytes, passphrase: secret("wrong"))
        }
        for length in bytes.indices {
            let error: VaultError =
                length < 8 ? .notABackup : length == 8 ? .unknownFormat(0) : .malformed("fields")
            #expect(throws: error, "\(length)") {
                _ = try VaultBackup.check(Array(bytes.prefix(length)), passphrase: secret("right"))
            }
        }
        #expect(throws: VaultError.malformed("fields")) {
            _ = try VaultBackup.check(bytes + [0], passphrase: secret("right"))
        }
        // Magic and format, the vault file with its length in two bytes, the nonce, the box with its length
        // in one or two.
        let file = try directory.read("vault")
        let inner = 11..<(11 + file.count)
        #expect(bytes[inner].elementsEqual(file))
        let lengths = [9, 10, inner.upperBound + SealedBox.nonceLength]
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x10
            var allowed: [VaultError] = [.tampered("backup")]
            if index < 8 { allowed = [.notABackup] }
            if index == 8 { allowed = [.unknownFormat(0x11)] }
            if lengths.contains(index) { allowed = [.malformed("fields")] }
            if inner.contains(index) {
                allowed = [.wrongPassphrase(failures: 0, delay: 0), .tampered("vault file")]
                do throws(VaultError) { _ = try VaultFile(Array(changed[inner])) } catch { allowed = [error] }
            }
            let error = #expect(throws: VaultError.self, "byte \(index)") {
                _ = try VaultBackup.check(changed, passphrase: secret("right"))
            }
            #expect(error.map(allowed.contains) == true, "byte \(index): \(String(describing: error))")
        }
    }

    /// Whoever made such a backup knows the passphrase. Of two attachments of one name the second would
    /// replace what was checked of the first.
    @Test func twoAttachmentsOfOneNameAreRefused() throws {
        func attachment(_ name: String, _ byte: UInt8) throws -> VaultBackup.Attachment {
            try #require(VaultBackup.Attachment(name: name, bytes: [byte]))
        }
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        let pair = try [attachment("store.sqlite", 1), attachment("store.sqlitf", 2)]
        let whole = try VaultBackup.make(vault, attachments: pair)
        #expect(try VaultBackup.read(whole, passphrase: secret("right")).attachments == pair)
        for second in [1, 2] as [UInt8] {
            let twice = try VaultBackup.make(
                vault, attachments: [attachment("store.sqlite", 1), attachment("store.sqlite", second)])
            #expect(throws: VaultError.malformed("contents")) {
                _ = try VaultBackup.check(twice, passphrase: secret("right"))
            }
            let other = TemporaryDirectory(inMemory: true)
            #expect(throws: VaultError.malformed("contents")) {
                _ = try VaultBackup.restore(twice, into: other.path, passphrase: secret("right"))
            }
            #expect(other.names.isEmpty)
        }
    }

    @Test func contentsAreExactlyTheirAttachments() throws {
        let store = try #require(VaultBackup.Attachment(name: "store.sqlite", bytes: [1, 2, 3]))
        let whole = VaultBackup.contents([store])
        #expect(try VaultBackup.attachments(whole) == [store])
        #expect(try VaultBackup.attachments(VaultBackup.contents([])) == [])
        for length in whole.indices {
            #expect(throws: VaultError.malformed("contents"), "\(length)") {
                try VaultBackup.attachments(Array(whole[..<length]))
            }
        }
        #expect(throws: VaultError.malformed("contents")) { try VaultBackup.attachments(whole + [0]) }
        // A name that no attachment may have: its length in one byte, then its letters.
        for name in ["vault", "../x", "", ".hidden"] {
            let bytes = [4, UInt8(name.utf8.count << 2)] + Array(name.utf8) + [0]
            #expect(throws: VaultError.malformed("contents"), "\(name)") {
                try VaultBackup.attachments(bytes)
            }
        }
    }

    @Test func attachmentsCannotLeaveTheirDirectory() {
        for name in ["", ".", "..", "../x", "a/b", ".hidden", "vault", "attempts", "lock", "a b"] {
            #expect(VaultBackup.Attachment(name: name, bytes: []) == nil, "\(name)")
        }
    }
}

/// What an intent beside a vault file may not be. All of it is refused before a passphrase is tried: nothing
/// is derived with the numbers of a forged file, and no attempt is counted.
@Suite struct VaultIntentLaws {
    /// A vault, and the intent of a change that was announced and not put in place.
    private func announced(in directory: TemporaryDirectory) throws -> (
        former: VaultFile, intent: VaultIntent
    ) {
        try makeVault(directory)
        do {
            let vault = try unlock(directory)
            try vault.announce(vault.adding(seed: "third", entropy: entropy(3)), storeGeneration: 7)
        }
        return (try VaultFile(try directory.read("vault")), try VaultIntent(try directory.read("intent")))
    }

    private func expectRefused(_ intent: [UInt8], in directory: TemporaryDirectory, _ what: String) throws {
        try directory.write(intent, to: "intent")
        let files = try ["vault", "intent", "attempts"].map { try directory.read($0) }
        for passphrase in ["right", "wrong"] {
            #expect(throws: VaultError.tampered("intent"), "\(what), \(passphrase)") {
                _ = try unlock(directory, passphrase)
            }
            #expect(
                try ["vault", "intent", "attempts"].map { try directory.read($0) } == files,
                "\(what), \(passphrase)")
        }
    }

    @Test func theIntentOfAChangeIsTaken() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (_, intent) = try announced(in: directory)
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try unlock(directory, "wrong")
        }
        guard case .announced(let change)? = try unlock(directory).interrupted else {
            Issue.record("the intent is not taken")
            return
        }
        #expect(change.file == intent.next)
    }

    @Test(arguments: [
        KDFCost(passes: 2, memory: 8), KDFCost(passes: 1, memory: 9), KDFCost(passes: 64, memory: 2 << 20),
    ])
    func aForgedCostIsRefused(cost: KDFCost) throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (former, intent) = try announced(in: directory)
        var next = intent.next
        next.slots[0].cost = cost
        var forged = VaultIntent(from: former, to: next)
        forged.seal = intent.seal
        try expectRefused(forged.encoded(), in: directory, "\(cost)")
    }

    /// Each slot costs a derivation.
    @Test func moreSlotsThanBeforeAreRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (former, intent) = try announced(in: directory)
        var next = intent.next
        next.slots.append(next.slots[0])
        var forged = VaultIntent(from: former, to: next)
        forged.seal = intent.seal
        try expectRefused(forged.encoded(), in: directory, "two slots")
    }

    @Test func anOldIntentAndOneOfAnotherVaultAreRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (_, intent) = try announced(in: directory)
        let other = TemporaryDirectory(inMemory: true)
        let foreign = try announced(in: other).intent
        try expectRefused(foreign.encoded(), in: directory, "another vault's")
        unlink(directory.path("intent"))
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.adding(seed: "fourth", entropy: entropy(4)))
        }
        try expectRefused(intent.encoded(), in: directory, "one change ago")
        unlink(directory.path("intent"))
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.removing(seed: "fourth"))
        }
        try expectRefused(intent.encoded(), in: directory, "two changes ago")
    }

    /// What the seal covers is known only once the data key is: the right passphrase opens, and then the
    /// intent is refused.
    @Test func everyChangedByteAndEveryCutOfAnIntentIsRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (_, intent) = try announced(in: directory)
        let whole = intent.encoded()
        // Magic, format, id and revision, then the vault file with its length in two bytes, then the seal.
        let inner = (8 + 1 + 16 + 8 + 2)..<(whole.count - 32)
        #expect(Array(whole[inner]) == intent.next.encoded())
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 1
            try directory.write(changed, to: "intent")
            var expected = VaultError.tampered("intent")
            if inner.contains(index) {
                do throws(VaultError) { _ = try VaultFile(Array(changed[inner])) } catch { expected = error }
            }
            #expect(throws: expected, "byte \(index)") { _ = try unlock(directory) }
        }
        for length in whole.indices {
            try directory.write(Array(whole[..<length]), to: "intent")
            #expect(throws: VaultError.tampered("intent"), "\(length)") { _ = try unlock(directory) }
        }
        try directory.write(whole + [0], to: "intent")
        #expect(throws: VaultError.tampered("intent")) { _ = try unlock(directory) }
        try directory.write(whole, to: "intent")
        _ = try unlock(directory)
    }
}

@Suite struct SealedBoxLaws {
    /// libsodium would read behind the end of a shorter key.
    @Test func `a key of another length ends the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = SealedBox.seal(SecretBytes(utf8: "content"), key: SecretBytes(utf8: "short"), bindingTo: [])
        }
    }
}

/// What an intruder who can write to the vault file, and made its seal somehow, still cannot do.
@Suite struct SealedKeyLaws {
    private func vault(_ directory: TemporaryDirectory) throws -> VaultFile {
        try makeVault(directory)
        let keys = try [SignatureScheme.ed25519, .ecdsa, .ethereum].map {
            ForeignKey(try KeyPair.importing(entropy(9, count: 32), scheme: $0))
        }
        let vault = try unlock(directory)
        try vault.apply(vault.adding(keys: keys))
        return vault.fileContent()
    }

    /// An opened vault whose file is another one; its own seal is left aside.
    private func opened(_ file: VaultFile, _ directory: TemporaryDirectory) throws -> UnlockedVault {
        guard let slot = try KeySlots.unwrap(file, passphrase: secret("right"), keyFile: SecretBytes())
        else { throw VaultError.malformed("slot") }
        return UnlockedVault(
            directory: directory.path, lock: nil, file: file, dataKey: slot.takeKey(), slot: 0,
            attemptsBefore: .none)
    }

    @Test func `a sealed key opens only as the key, the scheme and the revision that it was sealed for`()
        throws
    {
        let directory = TemporaryDirectory(inMemory: true)
        let file = try vault(directory)
        let keys = file.keys.map(\.key)
        var swapped = file
        swapped.keys[1].box = file.keys[2].box
        swapped.keys[2].box = file.keys[1].box
        var older = file
        older.keys[0].revision -= 1
        for (changed, hit) in [(swapped, [1, 2]), (older, [0])] {
            let vault = try opened(changed, directory)
            for (index, key) in keys.enumerated() {
                if hit.contains(index) {
                    #expect(throws: VaultError.tampered("key")) { _ = try vault.keyPair(imported: key) }
                } else {
                    _ = try vault.keyPair(imported: key)
                }
            }
        }
    }

    @Test func `a file with a key twice, or of an unknown scheme, is refused`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        var file = try vault(directory)
        let bytes = file.encoded()
        let mark = [file.keys[0].key.scheme.rawValue] + file.keys[0].key.bytes
        let place = try #require(bytes.firstRange(of: mark)).lowerBound
        var unknown = bytes
        unknown[place] = 4
        #expect(throws: VaultError.malformed("fields")) { _ = try VaultFile(unknown) }
        file.keys.append(file.keys[0])
        let twice = file.encoded()
        #expect(throws: VaultError.malformed("keys")) { _ = try VaultFile(twice) }
    }
}
