import Glibc
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import Vault

func secret(_ text: String) -> SecretBytes { SecretBytes(utf8: text) }

/// The macros of the testing library take copyable values only.
func expectSame(
    _ left: borrowing SecretBytes, _ right: borrowing SecretBytes, _ expected: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let equal = left.isEqual(to: right)
    #expect(equal == expected, sourceLocation: sourceLocation)
}

func unlock(_ directory: TemporaryDirectory, _ passphrase: String = "right") throws -> UnlockedVault {
    try Vault.open(directory: directory.path).unlock(passphrase: secret(passphrase))
}

func entropy(_ byte: UInt8, count: Int = 16) -> SecretBytes {
    SecretBytes(count: count) { bytes in
        for index in bytes.indices { bytes[index] = byte }
    }
}

/// A development vault with the passphrase "right" and the seeds "first" (16 bytes of 1) and "second" (32
/// bytes of 2).
func makeVault(_ directory: TemporaryDirectory) throws {
    let vault = try Vault.create(
        directory: directory.path, passphrase: secret("right"), cost: KDFCost(passes: 1, memory: 8),
        development: true)
    try vault.apply(vault.adding(seed: "first", entropy: entropy(1)))
    try vault.apply(vault.adding(seed: "second", entropy: entropy(2, count: 32)))
}

@Suite struct VaultTests {
    @Test func whatIsSealedComesBackAfterUnlock() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        let names = vault.seedNames
        let isDevelopment = vault.isDevelopment
        #expect(names == ["first", "second"])
        #expect(isDevelopment)
        try vault.withSeed("first") { expectSame($0, entropy(1)) }
        try vault.withSeed("second") { expectSame($0, entropy(2, count: 32)) }
        #expect(throws: VaultError.noSuchSeed("third")) { _ = try vault.seed("third") }
    }

    @Test func filesAreReadableByTheirOwnerOnly() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        #expect(directory.names == ["attempts", "lock", "vault"])
        for name in directory.names { #expect(directory.mode(name) == 0o600) }
    }

    @Test func aWrongPassphraseIsCountedAndARightOneClearsTheCount() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try Vault.open(directory: directory.path)
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try vault.unlock(passphrase: secret("wrong"))
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 2, delay: 0)) {
            _ = try vault.unlock(passphrase: secret(""))
        }
        #expect(try vault.failedAttempts().count == 2)
        let before = try vault.unlock(passphrase: secret("right")).failedAttemptsBefore
        #expect(before == 2)
        #expect(try vault.failedAttempts().count == 0)
    }

    @Test func theThirdWrongPassphraseStartsADelayThatAlsoHoldsForTheRightOne() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try Vault.open(directory: directory.path)
        for failures in 1...2 as ClosedRange<UInt32> {
            #expect(throws: VaultError.wrongPassphrase(failures: failures, delay: 0)) {
                _ = try vault.unlock(passphrase: secret("wrong"))
            }
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 3, delay: 2)) {
            _ = try vault.unlock(passphrase: secret("wrong"))
        }
        let error = #expect(throws: VaultError.self) { _ = try vault.unlock(passphrase: secret("right")) }
        guard case .mustWait(let seconds, _) = error else {
            Issue.record("no delay: \(String(describing: error))")
            return
        }
        #expect((1...2).contains(seconds))
        #expect(try vault.failedAttempts().count == 3)
    }

    @Test func aMissingOrDamagedAttemptsFileIsNotAFreshStart() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try Vault.open(directory: directory.path)
        unlink("\(directory.path)/attempts")
        #expect(try vault.failedAttempts().delay == 3600)
        try directory.write([1, 2, 3], to: "attempts")
        #expect(try vault.failedAttempts().delay == 3600)
        try directory.write([UInt8](repeating: 0, count: 100), to: "attempts")
        #expect(try vault.failedAttempts().delay == 3600)
    }

    @Test func everyProperPrefixAndEveryFlippedByteOfTheFileIsRefused() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let whole = try directory.read("vault")
        for length in whole.indices {
            try directory.write(Array(whole.prefix(length)), to: "vault")
            let error: VaultError =
                length < 8 ? .malformed("magic") : length == 8 ? .unknownFormat(0) : .malformed("fields")
            #expect(throws: error, "\(length)") { _ = try Vault.open(directory: directory.path) }
        }
        try directory.write(whole + [0], to: "vault")
        #expect(throws: VaultError.malformed("fields")) { _ = try Vault.open(directory: directory.path) }
        let attempts = try directory.read("attempts")
        for index in whole.indices {
            var changed = whole
            changed[index] ^= 0x01
            try directory.write(changed, to: "vault")
            // Each try starts with no failure counted, so that none is refused for waiting.
            try directory.write(attempts, to: "attempts")
            let allowed = Self.errors(ofByte: index, in: whole.count)
            let error = #expect(throws: VaultError.self, "byte \(index)") { _ = try unlock(directory) }
            #expect(error.map(allowed.contains) == true, "byte \(index): \(String(describing: error))")
        }
    }

    /// Why a vault file with one slot is refused where the lowest bit of a byte is another.
    private static func errors(ofByte index: Int, in count: Int) -> [VaultError] {
        // Behind the number of its factors, the kind of the first, and the length of that.
        let salt = 46
        return switch index {
        case ..<8: [.malformed("magic")]
        case 8: [.unknownFormat(5)]
        // The id is bound to the slot, which opens no more.
        case 9..<25: [.wrongPassphrase(failures: 1, delay: 0)]
        // Without the mark of a development vault the cheap derivation is refused.
        case 25: [.malformed("cost")]
        case 26..<42: [.tampered("vault file")]
        case 42..<salt: [.malformed("fields")]
        case salt..<(salt + 16): [.wrongPassphrase(failures: 1, delay: 0)]
        // A cost out of bounds is refused unread; another one is derived with.
        case (salt + 16)..<(salt + 24): [.malformed("cost"), .wrongPassphrase(failures: 1, delay: 0)]
        case (salt + 24)..<(salt + 96): [.wrongPassphrase(failures: 1, delay: 0)]
        case salt + 96: [.malformed("fields")]
        // A seed: the length of its name may be another one, everything else is under the seal.
        case ..<(count - 32): [.malformed("fields"), .tampered("vault file")]
        default: [.tampered("vault file")]
        }
    }

    @Test func twoProgramsDoNotHoldOneVault() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try Vault.open(directory: directory.path)
        do {
            let first = try vault.unlock(passphrase: secret("right"))
            #expect(throws: VaultError.inUse) {
                _ = try vault.unlock(passphrase: secret("right"), patience: .milliseconds(50))
            }
            let names = first.seedNames
            #expect(names.count == 2)
        }
        let names = try vault.unlock(passphrase: secret("right")).seedNames
        #expect(names.count == 2)
    }

    @Test func aVaultIsNotMadeOverAnother() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let before = try directory.read("vault")
        #expect(throws: VaultError.exists(directory.path)) {
            _ = try Vault.create(
                directory: directory.path, passphrase: secret("x"), cost: .development, development: true)
        }
        #expect(try directory.read("vault") == before)
    }

    @Test func realVaultsRefuseACheapCostAndAnEmptyPassphrase() throws {
        let directory = TemporaryDirectory(inMemory: true)
        #expect(throws: VaultError.costOutOfBounds) {
            _ = try Vault.create(directory: directory.path, passphrase: secret("x"), cost: .development)
        }
        #expect(throws: VaultError.emptyPassphrase) {
            _ = try Vault.create(directory: directory.path, passphrase: secret(""), cost: .minimum)
        }
        // How good a passphrase is, others judge.
        _ = try Vault.create(directory: directory.path, passphrase: secret("x"), cost: .minimum)
    }

    @Test func seedNamesAreUniqueAndSane() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        #expect(throws: VaultError.seedExists("first")) {
            try vault.apply(vault.adding(seed: "first", entropy: entropy(3)))
        }
        for name in ["", "a\nb", String(repeating: "x", count: 65)] {
            #expect(throws: VaultError.invalidSeedName) {
                try vault.apply(vault.adding(seed: name, entropy: entropy(3)))
            }
        }
        #expect(throws: VaultError.entropyLength(17)) {
            try vault.apply(vault.adding(seed: "odd", entropy: entropy(3, count: 17)))
        }
        try vault.apply(vault.removing(seed: "first"))
        try vault.apply(vault.adding(seed: "first", entropy: entropy(4)))
        try vault.withSeed("first") { expectSame($0, entropy(4)) }
    }

    /// And on the passphrase: a new one comes with a new data key.
    @Test func derivedKeysDependOnTheVaultAndTheContext() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let key: SecretBytes
        do {
            let vault = try unlock(directory)
            key = vault.derivedKey(context: "store")
            let other = vault.derivedKey(context: "other")
            expectSame(other, key, false)
            let long = vault.derivedKey(context: "store", length: 64).count
            #expect(long == 64)
        }
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.changingPassphrase(to: secret("new"), cost: .development))
            expectSame(vault.derivedKey(context: "store"), key, false)
        }
        let again = try unlock(directory, "new")
        expectSame(again.derivedKey(context: "store"), key, false)
        let other = TemporaryDirectory(inMemory: true)
        try makeVault(other)
        let stranger = try unlock(other)
        expectSame(stranger.derivedKey(context: "store"), key, false)
    }
}

/// Keys that no seed gives.
@Suite struct ImportedKeyTests {
    private static let schemes = SignatureScheme.allCases

    private static func key(_ scheme: SignatureScheme, _ byte: UInt8 = 7) throws -> ForeignKey {
        ForeignKey(try KeyPair.importing(entropy(byte, count: 32), scheme: scheme))
    }

    /// An sr25519 key without a mini-secret: its secret has 64 bytes.
    private static func soft() throws -> ForeignKey {
        let pair = try KeyPair.derive(
            miniSecret: entropy(8, count: 32), path: DerivationPath("/soft"), scheme: .sr25519)
        return ForeignKey(try KeyPair.importing(pair.exportSecret(), scheme: .sr25519))
    }

    private static func all() throws -> [ForeignKey] { try schemes.map { try key($0) } + [soft()] }

    private func expectHeld(_ keys: [ForeignKey], by vault: UnlockedVault) throws {
        let held = vault.importedKeys
        #expect(held == keys.map(\.publicKey))
        for key in keys {
            let pair = try vault.keyPair(imported: key.publicKey)
            expectSame(pair.exportSecret(), key.pair.exportSecret())
        }
    }

    @Test
    func
        `imported keys come back after an unlock, after a change of the passphrase, and removed ones do not`()
        throws
    {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let keys = try Self.all()
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.adding(keys: keys))
        }
        #expect(try Vault.open(directory: directory.path).importedKeys == keys.map(\.publicKey))
        do {
            let vault = try unlock(directory)
            try expectHeld(keys, by: vault)
            try vault.apply(vault.changingPassphrase(to: secret("new"), cost: .development))
            try expectHeld(keys, by: vault)
        }
        let vault = try unlock(directory, "new")
        try expectHeld(keys, by: vault)
        let names = vault.seedNames
        #expect(names == ["first", "second"])
        try vault.apply(vault.removing(key: keys[1].publicKey))
        try expectHeld([keys[0]] + keys[2...], by: vault)
        #expect(throws: VaultError.tampered("key")) {
            _ = try vault.keyPair(imported: keys[1].publicKey)
        }
    }

    @Test func `no secret of an imported key is in a file of the vault`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.adding(keys: Self.all()))
        }
        for name in directory.names {
            let bytes = try directory.read(name)
            for key in try Self.all() {
                let secret = key.pair.exportSecret().withUnsafeBytes { Array($0.prefix(16)) }
                #expect(bytes.firstRange(of: secret) == nil, "\(name)")
            }
        }
    }

    @Test func `a backup holds imported keys, and unseals each before it is believed`() throws {
        let (directory, other) = (TemporaryDirectory(inMemory: true), TemporaryDirectory(inMemory: true))
        try makeVault(directory)
        let keys = try Self.all()
        let vault = try unlock(directory)
        try vault.apply(vault.adding(keys: keys))
        let backup = try VaultBackup.make(vault, attachments: [])
        #expect(
            try VaultBackup.check(backup, passphrase: secret("right")).importedKeys
                == keys.map(\.publicKey))
        let place = other.path("restored")
        _ = try VaultBackup.restore(backup, into: place, passphrase: secret("right"))
        try expectHeld(keys, by: Vault.open(directory: place).unlock(passphrase: secret("right")))
    }

    @Test func `a vault that was just made and has a key is not discarded`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        let vault = try unlock(directory)
        try vault.apply(vault.adding(keys: [Self.key(.ed25519)]))
        vault.discardNew()
        #expect(directory.names.contains("vault"))
    }
}
