import Diagnostics
import Glibc
import Keys

/// Why a vault refuses.
public enum VaultError: Error, Equatable, Sendable {
    /// Files beside the vault whose loss would hide that somebody tried to get in.
    public enum Companion: String, Sendable, CaseIterable {
        /// The count of wrong passphrases.
        case attempts
        /// The events that happened while the vault was locked.
        case journal
    }

    /// The directory holds no vault.
    case missing(String)
    /// The directory holds the store of a vault, whose own file is gone.
    case lost(String)
    /// The directory already holds one.
    case exists(String)
    /// Another program holds the vault's lock.
    case inUse
    /// The file is not a vault, is truncated, or has values out of bounds; the word names the part.
    case malformed(String)
    /// The file is not a backup of a vault.
    case notABackup
    /// A backup of this vault would have more bytes than are read back.
    case backupTooLarge(length: Int, limit: Int)
    /// A vault of a later format.
    case unknownFormat(UInt8)
    /// No key slot opens with this passphrase and key file. `failures` counts this attempt too; `delay` is
    /// how many seconds the next attempt must wait.
    case wrongPassphrase(failures: UInt32, delay: UInt64)
    /// Too soon after a wrong passphrase, or after a file beside the vault was tampered with; nothing was
    /// tried or counted.
    case mustWait(seconds: UInt64, afterTampering: Bool)
    /// The vault opened, but its content is not what this program sealed; the word names the part.
    case tampered(String)
    /// A file beside the vault is missing, or older than the trust store states. The next attempt must wait
    /// `delay` seconds.
    case companionTampered(Companion, delay: UInt64)
    /// Other users can write to this directory, or read or write this file.
    case exposed(String, isDirectory: Bool)
    /// Other users can write to this directory, and it is not the user's alone to close.
    case shared(String)
    /// The vault's directory is a file or a device.
    case notADirectory(String)
    /// What is at this path is a directory, a link, a pipe or a device, and should be a file.
    case notAFile(String)
    /// A file of a vault is a symbolic link, which leads where nobody looked.
    case link(String)
    /// The vault's directory is a symbolic link to a directory that is not there.
    case leadsNowhere(String)
    /// Not every file could be overwritten and removed. `slots` says whether all with key slots were
    /// overwritten, so that no passphrase opens the vault.
    case erasedInPart(slots: Bool, notOverwritten: [String], notRemoved: [String])
    /// This directory or file belongs to another user.
    case foreign(String, isDirectory: Bool)
    /// A change of the passphrase was interrupted before it took effect: the former one opens the vault.
    case passphraseNotChanged
    /// A change of the passphrase was interrupted after it took effect: the new one opens the vault.
    case passphraseWasChanged
    /// A seed has this name.
    case seedExists(String)
    /// No seed has this name.
    case noSuchSeed(String)
    /// The seed is a SLIP-39 master secret, and what was asked for needs a recovery phrase.
    case noPhrase(String)
    /// A seed name is 1 to 64 bytes of UTF-8 without control characters.
    case invalidSeedName
    /// A seed is the 16, 20, 24, 28 or 32 bytes of a mnemonic's entropy.
    case entropyLength(Int)
    /// The passphrase is empty, which only a development vault allows.
    case emptyPassphrase
    /// The cost chosen for a new key slot is below what a vault with real keys needs, or above what is read
    /// back.
    case costOutOfBounds
    /// The key slots changed after their cost was shown to the person.
    case costChanged
    /// Argon2id could not get its memory.
    case outOfMemory
    /// A key file has 32 bytes to 1 MiB.
    case keyFileLength(Int)
    /// A vault holds at most 1024 seeds.
    case full
    /// Hardware that the vault is bound to gave nothing.
    case hardware(HardwareError)
    /// The system refused: what was done, and its error number.
    case system(operation: String, errno: Int32)
}

extension VaultError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .missing(let directory):
            .inputOutput(
                "no-vault", "there is no vault in \(directory)",
                hint: "heliograph init --vault \(Hints.quoted(directory))")
        case .lost(let directory):
            .inputOutput(
                "no-vault",
                "the file vault, which holds the seeds, is missing "
                    + "in \(directory); its trust store is still there",
                hint: "put the file back, or heliograph vault restore "
                    + "BACKUP; what is left here is moved aside")
        case .exists(let directory):
            .refused(
                "vault-exists", "there is already a vault in \(directory)",
                hint: "--vault DIR names another directory")
        case .inUse:
            .inputOutput(
                "vault-in-use", "another program is using the vault",
                hint: "end the other program, such as a shell")
        case .malformed(let part):
            .badInput("vault-damaged", "the vault file is damaged (\(part))", hint: Hints.restoreBackup)
        case .notABackup:
            .badInput(
                "not-a-backup", "the file is not a vault backup",
                hint: "heliograph vault backup FILE makes one")
        case .backupTooLarge(let length, let limit):
            .refused(
                "backup-too-large",
                "the backup would have \((length + (1 << 20) - 1) >> 20) MiB, and a backup has at most "
                    + "\(limit >> 20) MiB",
                hint: "heliograph metadata remove NETWORK VERSION and heliograph log clear make it smaller")
        case .unknownFormat(let format):
            .badInput(
                "vault-format", "the vault has format \(format), which this program does not support",
                hint: "use the version of heliograph that wrote it")
        case .wrongPassphrase(let failures, let delay):
            .notPermitted(
                "wrong-passphrase",
                "wrong passphrase" + (failures == 0 ? "" : ", \(Sentence.count(failures, "failed attempt"))")
                    + (delay > 0 ? "; the next attempt is possible in \(Sentence.duration(delay))" : ""))
        case .mustWait(let seconds, let afterTampering):
            .notPermitted(
                "must-wait",
                "the vault slows down guessing: "
                    + (afterTampering
                        ? "a file beside it was missing or replaced by an older one"
                        : "the last passphrases were wrong")
                    + "; the next attempt is possible in \(Sentence.duration(seconds))")
        case .tampered(let part):
            .badInput(
                "vault-tampered", "the vault was changed by someone without the passphrase (\(part))",
                hint: part.utf8Equals("intent") ? Self.intentHint : Hints.restoreBackup)
        case .companionTampered(let file, let delay):
            .notPermitted(
                "tampered-beside-vault",
                """
                the file \(file.rawValue) of the vault is missing or was replaced by an older one, which \
                hides how often somebody tried to get in; the next attempt is possible in \
                \(Sentence.duration(delay))
                """,
                hint: "afterwards heliograph log show tells what happened; was somebody else at this device?")
        case .exposed(let path, isDirectory: true):
            .notPermitted(
                "exposed-files", "other users can change files in \(path)",
                hint: "chmod 700 \(Hints.quoted(path))")
        case .exposed(let path, isDirectory: false):
            .notPermitted(
                "exposed-files", "other users can read or change \(path)",
                hint: "chmod 600 \(Hints.quoted(path))")
        case .shared(let path):
            .notPermitted(
                "exposed-files", "other users can change files in \(path), which is shared with them",
                hint: "--vault DIR names a directory of your own")
        case .notADirectory(let path):
            .usage(
                "not-a-directory", "the vault's directory \(path) is not a directory",
                hint: "--vault DIR names the directory of a vault; heliograph vault restore FILE makes a "
                    + "vault from a backup")
        case .notAFile(let path):
            .badInput(
                "not-a-file", "\(path) is not a regular file",
                hint: "move \(Hints.quoted(path)) out of the vault's directory")
        case .link(let path):
            .badInput(
                "not-a-file", "\(path) is a symbolic link, which is not followed for a file of a vault",
                hint: "put the file itself in place of \(Hints.quoted(path)); "
                    + "the vault's directory may be a link")
        case .leadsNowhere(let path):
            .inputOutput(
                "no-directory", "\(path) is a symbolic link to a directory that is not there",
                hint: "mount the disk to which it leads, or make the directory: "
                    + "ls -l \(Hints.quoted(path)) shows where that is")
        case .erasedInPart(let slots, let notOverwritten, let notRemoved):
            .inputOutput(
                "erased-in-part",
                ([
                    slots
                        ? "the key slots were overwritten, so that no passphrase opens the vault"
                        : """
                        not all key slots were overwritten, so that the passphrase may still open the vault
                        """
                ]
                    + [("not overwritten", notOverwritten), ("not removed", notRemoved)]
                    .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" })
                    .joined(separator: "; "),
                hint: slots
                    ? "remove what is left by hand"
                    : "destroy the disk, or free it for writing and run the command again")
        case .foreign(let path, let isDirectory):
            // Taking a directory from its owner may break what else is in it, and only root gives files away.
            .notPermitted(
                "exposed-files", "\(path) belongs to another user, who can change it",
                hint: isDirectory
                    ? "--vault DIR names a directory of your own"
                    : (geteuid() == 0 ? "" : "as root: ") + "chown \(geteuid()) \(Hints.quoted(path))")
        case .passphraseNotChanged:
            .notPermitted(
                "passphrase-not-changed",
                "the change of the passphrase was interrupted before "
                    + "it took effect; use the former passphrase")
        case .passphraseWasChanged:
            .notPermitted(
                "passphrase-was-changed",
                "the change of the passphrase was interrupted after it took effect; use the new passphrase")
        case .seedExists(let name):
            .refused("seed-exists", "there is already a seed named \(name)", hint: "heliograph seed list")
        case .noSuchSeed(let name):
            .refused("unknown-seed", "there is no seed named \(name)", hint: "heliograph seed list")
        case .noPhrase(let name):
            .refused(
                "seed-without-phrase",
                "seed \(name) is a SLIP-39 master secret: it has no recovery phrase and no // paths",
                hint: "heliograph seed split NAME --slip39 makes new shares of it")
        case .invalidSeedName:
            .usage("bad-seed-name", "a seed name has 1 to 64 bytes and no control characters")
        case .entropyLength(let count):
            .badInput("entropy-length", "the entropy of a seed has 16, 20, 24, 28 or 32 bytes, not \(count)")
        case .emptyPassphrase:
            .refused(
                "empty-passphrase", "the passphrase is empty",
                hint: "type a passphrase, or --passphrase-fd N reads one from a descriptor")
        case .costOutOfBounds: .refused("kdf-cost", "the cost of the key derivation is out of bounds")
        case .costChanged:
            .refused(
                "kdf-cost-changed",
                "the vault file was changed while the passphrase was typed: "
                    + "it now takes more memory or time than was announced",
                hint: "run the command again to see what it takes; was somebody else at this device?")
        case .outOfMemory:
            .inputOutput(
                "out-of-memory", "there is not enough memory to derive the key",
                hint: "end other programs; heliograph needs the memory that the vault was made with")
        case .keyFileLength(let count):
            .usage(
                "key-file-length", "a key file has 32 bytes to 1 MiB, not \(Sentence.count(count, "byte"))",
                hint: "heliograph vault key-file FILE makes one")
        case .full:
            .refused(
                "vault-full", "the vault is full", hint: "heliograph init --vault DIR makes another vault")
        case .hardware(let error): error.diagnostic
        case .system(let operation, let number):
            .inputOutput(
                "input-output",
                "the vault cannot be accessed (\(operation)): \(Sentence.systemError(number))")
        }
    }

    private static let intentHint =
        """
        if nobody else was here, move the file intent out of the vault's directory: the last whole state opens
        """

    public static var examples: [VaultError] {
        [
            .missing("vault"), .lost("vault"), .exists("vault"), .inUse, .malformed("header"),
            .unknownFormat(9),
            .wrongPassphrase(failures: 3, delay: 4),
            .mustWait(seconds: 4, afterTampering: false), .mustWait(seconds: 3599, afterTampering: true),
            .notABackup, .backupTooLarge(length: 513 << 20, limit: 512 << 20),
            .tampered("seeds"), .companionTampered(.attempts, delay: 3600),
            .exposed("vault", isDirectory: true),
            .exposed("vault/attempts", isDirectory: false), .foreign("vault/journal", isDirectory: false),
            .foreign("vault", isDirectory: true),
            .shared("/tmp"), .notADirectory("vault"),
            .notAFile("vault/journal"), .link("vault/journal"),
            .leadsNowhere("vault"),
            .erasedInPart(slots: true, notOverwritten: [], notRemoved: ["vault", "journal"]),
            .erasedInPart(slots: false, notOverwritten: ["intent", "vault"], notRemoved: ["lock"]),
            .passphraseNotChanged,
            .passphraseWasChanged,
            .seedExists("main"), .noSuchSeed("main"), .noPhrase("trezor"), .invalidSeedName,
            .entropyLength(15), .emptyPassphrase,
            .costOutOfBounds,
            .costChanged, .outOfMemory,
            .keyFileLength(8), .full, .system(operation: "open", errno: 13),
        ] + HardwareError.examples.map(VaultError.hardware)
    }
}
