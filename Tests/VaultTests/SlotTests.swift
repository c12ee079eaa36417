import HardwareProtocol
import Keys
import TestSupport
import Testing

@testable import Vault

/// The public part of words; nil for words that are no key.
private func lock(_ phrase: borrowing SecretBytes) -> [UInt8]? {
    guard let key = RecoveryKey(phrase: phrase) else { return nil }
    return key.lock
}

extension KeySlots {
    fileprivate static func opens(_ file: VaultFile, _ words: borrowing SecretBytes) throws -> Bool {
        guard try unwrap(file, passphrase: words, keyFile: SecretBytes()) != nil else { return false }
        return true
    }
}

extension RecoveryKey {
    fileprivate static func proof(of phrase: borrowing SecretBytes) -> HeldSecret? {
        guard let key = RecoveryKey(phrase: phrase) else { return nil }
        return HeldSecret(key.proof)
    }
}

private func isSealable(to lock: [UInt8]) -> Bool {
    guard RecoveryLock.shared(with: lock) != nil else { return false }
    return true
}

@Suite struct RecoveryKeyLaws {
    @Test func `the words of a key are read back, and no other words are`() throws {
        for _ in 0..<50 {
            let key = RecoveryKey.drawn()
            let phrase = key.phrase
            let words = phrase.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.split(separator: " ")
            #expect(words.count == RecoveryKey.words)
            let again = key.lock
            #expect(lock(phrase) == again)
            let typed = " " + words.joined(separator: "\n\t ").uppercased() + "\n"
            #expect(lock(secret(typed)) == again)
            // Every cut, and each word that another one takes the place of.
            for index in words.indices {
                #expect(lock(secret(words[..<index].joined(separator: " "))) == nil)
                var changed = words
                changed[index] = words[index] == "zoo" ? "zone" : "zoo"
                #expect(lock(secret(changed.joined(separator: " "))) != again)
            }
            #expect(lock(secret(words.joined(separator: " ") + " zoo")) == nil)
        }
        #expect(lock(secret("")) == nil)
        #expect(lock(secret("right")) == nil)
    }

    /// A typing mistake is told apart from words of another vault.
    @Test func `of 3,000 changed words the checksum passes at most one`() throws {
        var passed = 0
        for round in 0..<250 {
            let phrase = RecoveryKey.drawn().phrase
            let words = phrase.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.split(separator: " ")
            for index in 0..<12 {
                var changed = words.map(String.init)
                changed[index] = WordList.english.words[(round * 997 + index * 31) % 2048]
                guard changed[index] != words[index] else { continue }
                if lock(secret(changed.joined(separator: " "))) != nil { passed += 1 }
            }
        }
        #expect(passed <= 1)
    }
}

@Suite struct RecoverySlotLaws {
    /// A vault with a recovery key, and its words.
    private func bound(_ directory: TemporaryDirectory) throws -> SecretBytes {
        try makeVault(directory)
        let key = RecoveryKey.drawn()
        let vault = try unlock(directory)
        try vault.apply(
            vault.changingPassphrase(
                to: secret("right"), cost: .development, recovery: .replaced(HeldSecret(key.phrase))))
        return key.phrase
    }

    private func opened(_ directory: TemporaryDirectory, _ words: borrowing SecretBytes) throws
        -> UnlockedVault
    { try Vault.open(directory: directory.path).unlock(passphrase: words) }

    @Test func `the words open the vault, and outlast a new passphrase`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let words = try bound(directory)
        do {
            let vault = try unlock(directory)
            #expect(!vault.isOpenedByRecoveryKey)
            #expect(
                KeySlotInfo.rule(of: vault.slots)
                    == "opens with the passphrase; or with the printed recovery key")
            try vault.apply(vault.changingPassphrase(to: secret("new"), cost: .development))
        }
        do {
            let vault = try opened(directory, words)
            #expect(vault.isOpenedByRecoveryKey)
            expectSame(try vault.seed("first"), entropy(1))
            // Whoever forgot the passphrase sets another one.
            try vault.apply(vault.changingPassphrase(to: secret("newer"), cost: .development))
            #expect(!vault.isOpenedByRecoveryKey)
        }
        expectSame(try unlock(directory, "newer").seed("second"), entropy(2, count: 32))
        expectSame(try opened(directory, words).seed("second"), entropy(2, count: 32))
    }

    @Test func `other words open nothing, and neither do replaced or removed ones`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let words = try bound(directory)
        let other = RecoveryKey.drawn()
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try opened(directory, other.phrase)
        }
        do {
            let vault = try unlock(directory)
            try vault.apply(
                vault.changingPassphrase(
                    to: secret("right"), cost: .development, recovery: .replaced(HeldSecret(other.phrase))))
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try opened(directory, words)
        }
        do {
            let vault = try opened(directory, other.phrase)
            try vault.apply(
                vault.changingPassphrase(to: secret("right"), cost: .development, recovery: .removed))
        }
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try opened(directory, other.phrase)
        }
        _ = try unlock(directory)
    }

    /// The words stand where a passphrase would, and the key file lies elsewhere.
    @Test func `the words need no key file`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let words = try bound(directory)
        do {
            let vault = try unlock(directory)
            try vault.apply(
                vault.changingPassphrase(
                    to: secret("right"), keyFile: SecretBytes(count: 32), cost: .development))
            #expect(
                KeySlotInfo.rule(of: vault.slots)
                    == "opens with the passphrase and the key file; or with the printed recovery key")
        }
        _ = try opened(directory, words)
        _ = try Vault.open(directory: directory.path).unlock(
            passphrase: words, keyFile: SecretBytes(count: 32))
    }

    @Test func `a backup opens with the words`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let words = try bound(directory)
        let bytes = try VaultBackup.make(try unlock(directory), attachments: [])
        #expect(try VaultBackup.check(bytes, passphrase: words).seedNames == ["first", "second"])
    }

    /// Whoever can write to the file puts his own public key there, and waits for the next data key.
    @Test func `a changed public part is refused before anything is sealed to it`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        _ = try bound(directory)
        var file = try VaultFile(try directory.read("vault"))
        let own = RecoveryKey.drawn()
        guard case .recoveryKey(_, let ephemeral, let proof) = file.slots[1].factors[0] else {
            Issue.record("no recovery slot")
            return
        }
        file.slots[1].factors = [.recoveryKey(lock: own.lock, ephemeral: ephemeral, proof: proof)]
        try directory.write(file.encoded(), to: "vault")
        #expect(throws: VaultError.tampered("vault file")) { _ = try unlock(directory) }
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try opened(directory, own.phrase)
        }
    }

    /// The public part stands in the file. Whoever copies it into a vault of his own reads what is put there.
    @Test func `a vault that somebody else made does not open with the words`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let words = try bound(directory)
        var forged = try VaultFile(try directory.read("vault"))
        let lock = try #require(forged.slots[1].recoveryLock)
        let own = SecretBytes(randomCount: SealedBox.keyLength)
        for proof in [HeldSecret(SecretBytes(count: 32)), HeldSecret(SecretBytes(randomCount: 32))] {
            forged.slots[1] = try proof.withSecret { (proof: borrowing SecretBytes) in
                try KeySlots.wrap(own, in: forged, lock: lock, proof: proof)
            }
            let opens = try KeySlots.opens(forged, words)
            #expect(!opens)
        }
        // The old proof is sealed under the data key, which he does not have.
        let slot = try VaultFile(try directory.read("vault")).slots[1]
        #expect(throws: VaultError.malformed("slots")) {
            _ = try KeySlots.wrap(own, in: forged, like: slot, under: own)
        }
        guard let key = RecoveryKey.proof(of: words) else { throw VaultError.malformed("words") }
        forged.slots[1] = try key.withSecret { (proof: borrowing SecretBytes) in
            try KeySlots.wrap(own, in: forged, lock: lock, proof: proof)
        }
        let opens = try KeySlots.opens(forged, words)
        #expect(opens)
    }

    /// They may be somebody's passphrase, also where words open the vault.
    @Test func `words of another key can be the passphrase`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        _ = try bound(directory)
        let other = RecoveryKey.drawn().phrase
        do {
            let vault = try unlock(directory)
            try vault.apply(vault.changingPassphrase(to: other, cost: .development))
        }
        _ = try opened(directory, other)
    }

    /// They give the same key to everybody.
    @Test func `a public part of small order is refused`() {
        #expect(!isSealable(to: [UInt8](repeating: 0, count: 32)))
        #expect(!isSealable(to: [1] + [UInt8](repeating: 0, count: 31)))
    }
}

@Suite struct SlotRuleLaws {
    private static let stretching = KeySlot.Stretching(
        salt: [UInt8](repeating: 1, count: 16), cost: .development)
    private static let passphrase = KeySlot.Factor.passphrase(stretching)
    private static let recovery = KeySlot.Factor.recoveryKey(
        lock: [UInt8](repeating: 2, count: 32), ephemeral: [UInt8](repeating: 3, count: 32),
        proof: SealedBox.Box(
            nonce: [UInt8](repeating: 4, count: 24), ciphertext: [UInt8](repeating: 5, count: 48)))

    private static let tpm = KeySlot.Factor.tpm(
        TPMSeal(primary: [UInt8](repeating: 6, count: 34), pcrs: 1 << 7, blob: [7, 8]))
    private static let key = KeySlot.Factor.securityKey(
        SecurityKeySlot(
            credential: [9, 10], salt: [UInt8](repeating: 11, count: 32), isVerified: true))

    private static let token = KeySlot.Factor.token(
        TokenSlot(module: "/usr/lib/module.so", key: TokenKey(label: "card")!, blob: [12]))

    /// A label comes from a header that nobody has proven: what a terminal would obey is not printed.
    @Test func `a token's label is shown without control characters`() {
        let label = Array("a\u{1b}[2J\u{202e}".utf8)
        let key = TokenKey(
            label: label + [UInt8](repeating: 0x20, count: 32 - label.count),
            serial: [UInt8](repeating: 0, count: 16), id: [])
        let slot = KeySlot(
            factors: [Self.passphrase, .token(TokenSlot(module: "", key: key, blob: []))],
            box: SealedBox.Box(nonce: [], ciphertext: []))
        #expect(
            KeySlotInfo.rule(of: [KeySlotInfo(slot)])
                == "opens with the passphrase and the token a?[2J??? with its PIN")
    }

    /// Hardware alone is none: whoever takes the machine has it, too.
    @Test func `only a passphrase with more, or a recovery key alone, is a rule`() throws {
        let rules: [[KeySlot.Factor]] = [
            [Self.passphrase], [Self.passphrase, .keyFile], [Self.recovery], [Self.passphrase, Self.tpm],
            [Self.passphrase, Self.key], [Self.passphrase, .keyFile, Self.tpm, Self.key],
            [Self.passphrase, Self.token],
            [Self.passphrase, .keyFile, Self.tpm, Self.key, Self.token],
        ]
        let others: [[KeySlot.Factor]] = [
            [Self.tpm], [Self.key], [Self.token], [Self.passphrase, Self.token, Self.key],
            [Self.tpm, Self.key], [.keyFile, Self.tpm, Self.key],
            [Self.passphrase, Self.key, Self.tpm], [Self.passphrase, Self.tpm, .keyFile],
            [Self.passphrase, Self.key, Self.key], [Self.passphrase, Self.tpm, Self.tpm],
            [Self.recovery, Self.tpm], [Self.recovery, Self.key],
            [], [.keyFile], [.keyFile, Self.passphrase], [Self.passphrase, Self.passphrase],
            [Self.passphrase, Self.recovery], [Self.recovery, .keyFile], [Self.recovery, Self.recovery],
            [Self.passphrase, .keyFile, .keyFile],
        ]
        let directory = TemporaryDirectory(inMemory: true)
        try makeVault(directory)
        var file = try VaultFile(try directory.read("vault"))
        for (factors, isRule) in rules.map({ ($0, true) }) + others.map({ ($0, false) }) {
            file.slots[0].factors = factors
            #expect(file.slots[0].isRule == isRule)
            let bytes = file.encoded()
            if isRule {
                #expect(try VaultFile(bytes) == file)
            } else {
                #expect(throws: VaultError.malformed("slots")) { _ = try VaultFile(bytes) }
            }
        }
    }
}
