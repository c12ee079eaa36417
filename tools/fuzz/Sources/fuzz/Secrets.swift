import FoundationEssentials
import Keys
import TestSupport

@testable import Vault

private struct FrozenVault: Decodable { let file: String }
private struct FrozenKeystore: Decodable {
    let file: String
}

private struct FrozenShares: Decodable { let shares: [String] }
private struct FrozenPhrase: Decodable {
    let phrase: String
    let typed: String
}
private struct FrozenSLIP39: Decodable { let shares: [String] }
private struct FrozenDigits: Decodable {
    let entropy: String
    let digits: String
}

@Sendable private func frozenVaults() throws -> [[UInt8]] {
    try Checkout.json("fixtures/keys/vaults.json", as: [FrozenVault].self).compactMap { hex($0.file) }
}

private func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(wiping: &bytes)
}

let secretTargets = [
    FuzzTarget(name: "vault", seeds: frozenVaults) { input in
        guard let file = try? VaultFile(input) else { return }
        precondition(file.encoded() == input, "a vault file has two encodings")
    },
    // The cost is the file's own: only the test cost is paid here, so that a run is fast.
    FuzzTarget(
        name: "backup", memory: 2048, seconds: 10,
        seeds: {
            let folder = TemporaryDirectory(inMemory: true)
            let vault = try Vault.create(
                directory: folder.path("v"), passphrase: secret("right"), cost: .development,
                development: true)
            let attachment = VaultBackup.Attachment(name: "store.sqlite", bytes: [1, 2, 3])!
            return [try VaultBackup.make(vault, attachments: [attachment])]
        }
    ) { input in
        guard let vault = VaultBackup.vaultFile(of: input), vault.slots.count == 1,
            vault.slots[0].cost.map({ $0.memory <= KDFCost.development.memory && $0.passes == 1 }) ?? true
        else { return }
        let report = try? VaultBackup.check(input, passphrase: secret("wrong"))
        precondition(report == nil, "a backup opens with a wrong passphrase")
        _ = try? VaultBackup.check(input, passphrase: secret("right"))
    },
    // What is inside the sealed part of a backup.
    FuzzTarget(name: "attachments", seeds: { [[4, 4, 65, 8, 1, 2], [0]] }) { input in
        guard let attachments = try? VaultBackup.attachments(input) else { return }
        precondition(VaultBackup.contents(attachments) == input, "attachments have two encodings")
        precondition(
            attachments.allSatisfy { !$0.name.contains("/") && !$0.name.hasPrefix(".") },
            "a name that leaves the directory")
    },
    FuzzTarget(
        name: "attempts", longest: 64,
        seeds: {
            [FailedAttempts(count: 3, bootSeconds: 7, sequence: 9).encoded(), FailedAttempts.none.encoded()]
        }
    ) { input in
        let folder = TemporaryDirectory(inMemory: true)
        guard (try? PrivateFile.replace(FailedAttempts.name, in: folder.path, with: input)) != nil,
            let attempts = try? FailedAttempts.read(directory: folder.path)
        else { return }
        // The older layout is shorter, and is older than every number that a store seals.
        precondition(
            attempts.encoded() == input || attempts.sequence == 0,
            "a damaged count of attempts is read as a count")
    },
    // A change that a crash left announced.
    FuzzTarget(name: "intent") { input in
        guard let intent = try? VaultIntent(input) else { return }
        precondition(intent.encoded() == input, "an intent has two encodings")
    },
    FuzzTarget(
        name: "share", longest: 9000,
        seeds: {
            try Checkout.json("fixtures/keys/banana-split.json", as: [FrozenShares].self).flatMap {
                $0.shares.map { Array($0.utf8) }
            }
        }
    ) { input in
        guard let share = try? BananaShare(input) else { return }
        guard share.version == 1 else { return }
        precondition((try? BananaShare(Array(share.text.utf8))) == share, "a share is written as another")
    },
    // polkadot-js keystores; the encrypted part is opened only where no scrypt stands before it.
    FuzzTarget(
        name: "keystore", longest: 4096,
        seeds: {
            try Checkout.json("fixtures/wallets/keystores.json", as: [FrozenKeystore].self).map {
                Array($0.file.utf8)
            }
        }
    ) { input in
        guard let keystore = try? Keystore(input), !keystore.isEncrypted else { return }
        for key in (try? keystore.open(password: SecretBytes())) ?? [] {
            let own = key.pair.publicKey
            let again = try? KeyPair.importing(key.pair.exportSecret(), scheme: key.pair.scheme).publicKey
            precondition(again == own, "a key is exported as another")
        }
    },
    // A secret as text or in a QR code: what is read is written as the same key and network.
    FuzzTarget(
        name: "secret-text", longest: 256,
        seeds: {
            let digits = String(repeating: "0123456789abcdef", count: 4)
            return ["secret:0x\(digits):\(digits)", "0x\(digits)", "secret:0x\(digits)\(digits)"].map {
                Array($0.utf8)
            }
        }
    ) { input in
        var copy = input
        guard let read = SecretKeyText(SecretBytes(wiping: &copy)), let genesis = read.genesis else { return }
        guard let again = SecretKeyText(SecretKeyText.code(read.secret, genesis: genesis)) else {
            preconditionFailure("a secret is not written as one")
        }
        let isSame = again.secret.isEqual(to: read.secret) && again.genesis == genesis
        precondition(isSame, "a secret or its network is written as another")
    },
    // Words of any language, in any form of Unicode and in none: what is read is written as the same phrase.
    FuzzTarget(
        name: "phrase", longest: 1024,
        seeds: {
            try Checkout.json("fixtures/keys/languages.json", as: [FrozenPhrase].self).flatMap {
                [Array($0.phrase.utf8), Array($0.typed.utf8)]
            }
        }
    ) { input in
        var copy = input
        guard let read = try? Mnemonic(reading: SecretBytes(wiping: &copy)) else { return }
        guard let again = try? Mnemonic(reading: read.phrase(), language: read.language) else {
            preconditionFailure("a phrase is not written as one")
        }
        let isSame = again.isEqual(to: read)
        precondition(isSame, "a phrase is written as another")
    },
    // Words of SLIP-39 shares, one share on each line: what is read is written as the same words, and what
    // joins joins again. The hashing of the passphrase is the file's own choice, so few rounds are paid here.
    FuzzTarget(
        name: "slip39", longest: 2048,
        seeds: {
            try Checkout.json("fixtures/shares/slip39-published.json", as: [FrozenSLIP39].self).map {
                Array($0.shares.joined(separator: "\n").utf8)
            }
        }
    ) { input in
        var shares: [SLIP39Share] = []
        for line in input.split(separator: 0x0a) {
            var copy = Array(line)
            guard let share = try? SLIP39Share(SecretBytes(wiping: &copy)) else { continue }
            guard let again = try? SLIP39Share(share.phrase()) else {
                preconditionFailure("a share is not written as one")
            }
            let isSame = again.isEqual(to: share)
            precondition(isSame, "a share is written as another")
            shares.append(share)
        }
        guard shares.allSatisfy({ $0.set.iterationExponent < 2 }),
            let joined = try? SLIP39.join(shares, passphrase: SecretBytes())
        else { return }
        let other = try? SLIP39.join(shares.reversed(), passphrase: SecretBytes())
        guard let other else { preconditionFailure("shares join in one order only") }
        let isEqual = joined.isEqual(to: other)
        precondition(isEqual, "the order of shares matters")
    },
    FuzzTarget(
        name: "seedqr", longest: 128,
        seeds: {
            try Checkout.json("fixtures/keys/seedqr.json", as: [FrozenDigits].self).flatMap {
                [Array($0.digits.utf8), hex($0.entropy) ?? []]
            }
        }
    ) { input in
        var copy = input
        _ = try? SeedQR.mnemonic(SecretBytes(wiping: &copy))
    },
]
