import Diagnostics

extension VaultError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case missing = "no-vault"
        case exists = "vault-exists"
        case inUse = "vault-in-use"
        case damaged = "vault-damaged"
        case notABackup = "not-a-backup"
        case unknownFormat = "vault-format"
        case wrongPassphrase = "wrong-passphrase"
        case mustWait = "must-wait"
        case tampered = "vault-tampered"
        case companionTampered = "tampered-beside-vault"
        case exposed = "exposed-files"
        case notAFile = "not-a-file"
        case erasedInPart = "erased-in-part"
        case passphraseNotChanged = "passphrase-not-changed"
        case passphraseWasChanged = "passphrase-was-changed"
        case seedExists = "seed-exists"
        case unknownSeed = "unknown-seed"
        case badSeedName = "bad-seed-name"
        case entropyLength = "entropy-length"
        case emptyPassphrase = "empty-passphrase"
        case cost = "kdf-cost"
        case outOfMemory = "out-of-memory"
        case keyFileLength = "key-file-length"
        case full = "vault-full"
        case inputOutput = "input-output"
    }

    public var code: Code {
        switch self {
        case .missing, .lost: .missing
        case .exists: .exists
        case .inUse: .inUse
        case .malformed: .damaged
        case .notABackup: .notABackup
        case .unknownFormat: .unknownFormat
        case .wrongPassphrase: .wrongPassphrase
        case .mustWait: .mustWait
        case .tampered: .tampered
        case .companionTampered: .companionTampered
        case .exposed, .foreign: .exposed
        case .notAFile, .link: .notAFile
        case .erasedInPart: .erasedInPart
        case .passphraseNotChanged: .passphraseNotChanged
        case .passphraseWasChanged: .passphraseWasChanged
        case .seedExists: .seedExists
        case .noSuchSeed: .unknownSeed
        case .invalidSeedName: .badSeedName
        case .entropyLength: .entropyLength
        case .emptyPassphrase: .emptyPassphrase
        case .costOutOfBounds: .cost
        case .outOfMemory: .outOfMemory
        case .keyFileLength: .keyFileLength
        case .full: .full
        case .system: .inputOutput
        }
    }

    public var sentence: String {
        switch self {
        case .missing(let directory): "there is no vault in \(directory)"
        case .lost(let directory): "the file vault, which holds the seeds, is missing in \(directory); its trust store is still there"
        case .exists(let directory): "there is already a vault in \(directory)"
        case .inUse: "another program is using the vault"
        case .malformed(let part): "the vault file is damaged (\(part))"
        case .notABackup: "the file is not a vault backup"
        case .unknownFormat(let format): "the vault has format \(format), which this program does not support"
        case .wrongPassphrase(let failures, let delay):
            "wrong passphrase" + (failures == 0 ? "" : ", \(Sentence.count(failures, "failed attempt"))")
                + (delay > 0 ? "; the next attempt is possible in \(Sentence.duration(delay))" : "")
        case .mustWait(let seconds, let afterTampering):
            "the vault slows down guessing: "
                + (afterTampering ? "a file beside it was missing or replaced by an older one" : "the last passphrases were wrong")
                + "; the next attempt is possible in \(Sentence.duration(seconds))"
        case .tampered(let part): "the vault was changed by someone without the passphrase (\(part))"
        case .companionTampered(let file, let delay):
            "the file \(file.rawValue) of the vault is missing or was replaced by an older one, which hides how often "
                + "somebody tried to get in; the next attempt is possible in \(Sentence.duration(delay))"
        case .exposed(let path, isDirectory: true): "other users can change files in \(path)"
        case .exposed(let path, isDirectory: false): "other users can read or change \(path)"
        case .notAFile(let path): "\(path) is not a regular file"
        case .link(let path): "\(path) is a symbolic link, which is not followed for a file of a vault"
        case .erasedInPart(let slots, let names):
            (slots
                ? "the key slots were overwritten, so that no passphrase opens the vault, but these were not overwritten or not removed: "
                : "the key slots were not overwritten, so that the passphrase may still open the vault; not overwritten or not removed: ")
                + names.joined(separator: ", ")
        case .foreign(let path): "\(path) belongs to another user, who can change it"
        case .passphraseNotChanged: "the change of the passphrase was interrupted before it took effect; use the former passphrase"
        case .passphraseWasChanged: "the change of the passphrase was interrupted after it took effect; use the new passphrase"
        case .seedExists(let name): "there is already a seed named \(name)"
        case .noSuchSeed(let name): "there is no seed named \(name)"
        case .invalidSeedName: "a seed name has 1 to 64 bytes and no control characters"
        case .entropyLength(let count): "the entropy of a seed has 16, 20, 24, 28 or 32 bytes, not \(count)"
        case .emptyPassphrase: "the passphrase is empty"
        case .costOutOfBounds: "the cost of the key derivation is out of bounds"
        case .outOfMemory: "there is not enough memory to derive the key"
        case .keyFileLength(let count): "a key file has 32 bytes to 1 MiB, not \(Sentence.count(count, "byte"))"
        case .full: "the vault is full"
        case .system(let operation, let number): "the vault cannot be accessed (\(operation)): \(Sentence.systemError(number))"
        }
    }

    public static var examples: [VaultError] {
        [
            .missing("vault"), .lost("vault"), .exists("vault"), .inUse, .malformed("header"), .unknownFormat(9),
            .wrongPassphrase(failures: 3, delay: 4),
            .mustWait(seconds: 4, afterTampering: false), .mustWait(seconds: 3599, afterTampering: true), .notABackup,
            .tampered("seeds"), .companionTampered(.attempts, delay: 3600), .exposed("vault", isDirectory: true),
            .exposed("vault/attempts", isDirectory: false), .foreign("vault/journal"), .notAFile("vault/journal"), .link("vault/journal"),
            .erasedInPart(slots: true, names: ["journal"]), .erasedInPart(slots: false, names: ["intent", "vault"]), .passphraseNotChanged,
            .passphraseWasChanged,
            .seedExists("main"), .noSuchSeed("main"), .invalidSeedName, .entropyLength(15), .emptyPassphrase, .costOutOfBounds,
            .outOfMemory,
            .keyFileLength(8), .full, .system(operation: "open", errno: 13),
        ]
    }
}
